package tui

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
)

// The words of an editor are split as a shell splits them (G14).
func TestEditorsWords(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	t.Setenv("BIN", "/opt/my bin")
	for _, c := range []struct {
		visual, editor, from string
		want                 []string
	}{
		{"code --wait", "vim", "$VISUAL", []string{"code", "--wait"}}, {"", "nano", "$EDITOR", []string{"nano"}},
		{"", "", "", []string{"vi"}}, {"  ", "ed", "$EDITOR", []string{"ed"}},
		{`"/a b/ed" -w`, "", "$VISUAL", []string{"/a b/ed", "-w"}}, {`/a\ b/ed`, "", "$VISUAL", []string{"/a b/ed"}},
		{"emacsclient -t -a ''", "", "$VISUAL", []string{"emacsclient", "-t", "-a", ""}},
		{`vim -c 'set tw=72' --cmd "echo \"hi\""`, "", "$VISUAL", []string{"vim", "-c", "set tw=72", "--cmd", `echo "hi"`}},
		{`"$BIN/ed" '$BIN'`, "", "$VISUAL", []string{"/opt/my bin/ed", "$BIN"}}, {"~/ed", "", "$VISUAL", []string{"/home/me/ed"}},
	} {
		t.Setenv("VISUAL", c.visual)
		t.Setenv("EDITOR", c.editor)
		words, from, err := Editor()
		if diff := cmp.Diff(c.want, words); diff != "" || from != c.from || err != nil {
			t.Error(diff, from, err)
		}
	}
	for _, wrong := range []string{`"/a b/ed`, `ed '`, `ed \`, "ed; rm -rf ~", "ed | tee", "(ed)"} {
		t.Setenv("VISUAL", wrong)
		if words, from, err := Editor(); err == nil || from != "$VISUAL" {
			t.Errorf("%q is %q of %q", wrong, words, from)
		}
	}
}

// A text comes back from the editor as it was written, and nothing of it stays
// on the disk.
func TestEditRoundTrip(t *testing.T) {
	for _, c := range []struct{ before, written, want string }{
		{"draft", "better\n", "better"}, {"draft", "two\nlines", "two\nlines"}, {"draft\n", "kept\n", "kept\n"}, {"", "", ""},
	} {
		ready := prepare(edit{ref: client.Ref{ID: "1"}, before: c.before})().(editMsg)
		if ready.err != nil {
			t.Fatal(ready.err)
		}
		info, err := os.Stat(ready.edit.file())
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("the file is %v, %v", info, err)
		}
		if got, _ := os.ReadFile(ready.edit.file()); string(got) != c.before {
			t.Errorf("the editor sees %q, want %q", got, c.before)
		}
		if err := os.WriteFile(ready.edit.file(), []byte(c.written), 0o600); err != nil {
			t.Fatal(err)
		}
		back := collect(ready.edit, nil)
		if back.trouble != "" || back.written != c.want {
			t.Errorf("%q came back as %q, %v", c.written, back.written, back.trouble)
		}
		discard(ready.edit)()
		if _, err := os.Stat(ready.edit.folder); !errors.Is(err, os.ErrNotExist) {
			t.Error("the file is still there")
		}
	}
}

// A text that no field takes stays on the disk, and the screen says where.
func TestEditorsTextIsNotLost(t *testing.T) {
	long := strings.Repeat("words ", 60_000)
	ready := prepare(edit{ref: client.Ref{ID: "1"}})().(editMsg)
	if err := os.WriteFile(ready.edit.file(), []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(ready.edit.folder) })
	back := collect(ready.edit, nil)
	if !back.keep || !strings.Contains(back.trouble, ready.edit.file()) {
		t.Errorf("%v", back.trouble)
	}
	if kept, err := os.ReadFile(ready.edit.file()); string(kept) != long {
		t.Errorf("%d of %d bytes are kept: %v", len(kept), len(long), err)
	}
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 30, group("work", 1, approval("work", "1", "ls", time.Minute)))
		e := edit{ref: client.Ref{ID: "another"}, folder: t.TempDir()}
		if err := os.WriteFile(e.file(), []byte("for another ask"), 0o600); err != nil {
			t.Fatal(err)
		}
		w.send(collect(e, nil))
		w.shows("stands in")
		_, file, _ := strings.Cut(w.m.status.text, "stands in ")
		if kept, err := os.ReadFile(file); string(kept) != "for another ask" {
			t.Errorf("%q is kept: %v", kept, err)
		}
	})
}

// An editor that fails changes nothing, and its keys decide nothing.
func TestEditorFails(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 30, group("work", 1, approval("work", "1", "ls", time.Minute)))
		w.key("D", "n", "o")
		w.send(collect(edit{ref: w.m.shown.ref, editor: "ed", folder: t.TempDir()}, errors.New("exit status 1")))
		w.shows("the text is as it was")
		w.send(editedMsg{edit: edit{ref: w.m.shown.ref}, written: "because it deletes the cache"})
		w.shows("because it deletes the cache")
		w.send(keyNamed("enter"))
		w.pass(time.Second)
		w.sentNothing()
		w.key("enter")
		if len(w.box.sent) != 1 || w.box.sent[0].answer.Message != "because it deletes the cache" {
			t.Fatalf("sent %+v", w.box.sent)
		}
	})
}

// Whatever an editor ends with, what it wrote is kept and named, and what it is called
// and why it failed is said (G05, G14).
func TestWhatAFailedEditorWroteIsKept(t *testing.T) {
	for _, c := range []struct {
		name  string
		write map[string]string
		err   error
		says  string
		keeps string // a name in the folder; ".": the folder
	}{
		{"wrote and failed", map[string]string{"answer.txt": "an hour of words\n"}, errors.New("exit status 1"), "ed ended with exit status 1", "answer.txt"},
		{"killed", map[string]string{"answer.txt": "new words"}, errors.New("signal: killed"), "ed ended with signal: killed", "answer.txt"},
		{"wrote nothing", nil, errors.New("exit status 1"), "ed ended with exit status 1; the text is as it was", ""},
		{"left a swap file", map[string]string{".answer.txt.swp": "words"}, errors.New("signal: terminated"), "signal: terminated", "."},
		{"is not there", nil, exec.Command("/no/such/ed").Start(), "“ed” could not be started: no such file or directory", ""},
		{"is not in the path", nil, exec.Command("no-such-ed").Start(), "“ed” could not be started: executable file not found", ""},
	} {
		ready := prepare(edit{before: "old", editor: "ed"})().(editMsg).edit
		ready.editor = "ed"
		t.Cleanup(func() { _ = os.RemoveAll(ready.folder) })
		for name, text := range c.write {
			if err := os.WriteFile(filepath.Join(ready.folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := collect(ready, c.err)
		if !strings.Contains(got.trouble, c.says) || got.keep != (c.keeps != "") {
			t.Errorf("%s: it says %q, keeps %v", c.name, got.trouble, got.keep)
		}
		if want := filepath.Join(ready.folder, c.keeps); got.keep && !strings.HasSuffix(got.trouble, "stands in "+want) {
			t.Errorf("%s: %q does not name %s", c.name, got.trouble, want)
		}
	}
}
