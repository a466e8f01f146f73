package tui

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
)

func TestEditorsWords(t *testing.T) {
	for _, c := range []struct {
		visual, editor string
		want           []string
	}{
		{"code --wait", "vim", []string{"code", "--wait"}}, {"", "nano", []string{"nano"}}, {"", "", []string{"vi"}}, {"  ", "ed", []string{"ed"}},
	} {
		t.Setenv("VISUAL", c.visual)
		t.Setenv("EDITOR", c.editor)
		if diff := cmp.Diff(c.want, editor()); diff != "" {
			t.Error(diff)
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
		back := collect(ready.edit, nil).(editedMsg)
		if back.err != nil || back.written != c.want {
			t.Errorf("%q came back as %q, %v", c.written, back.written, back.err)
		}
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
	back := collect(ready.edit, nil).(editedMsg)
	if back.err == nil || !strings.Contains(back.err.Error(), ready.edit.file()) {
		t.Errorf("%v", back.err)
	}
	if kept, err := os.ReadFile(ready.edit.file()); string(kept) != long {
		t.Errorf("%d of %d bytes are kept: %v", len(kept), len(long), err)
	}
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 30, group("work", 1, approval("work", "1", "ls", time.Minute)))
		w.send(editedMsg{edit: edit{ref: client.Ref{ID: "another"}}, written: "for another ask"})
		w.shows("stands in")
		_, file, _ := strings.Cut(w.m.status.text, "stands in ")
		t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(file)) })
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
		w.send(editedMsg{edit: edit{ref: w.m.shown.ref}, err: errors.New("exit status 1")})
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
