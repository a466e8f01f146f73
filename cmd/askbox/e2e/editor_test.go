//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestEditor gives the terminal to an editor and takes it back: keys go to the
// editor while it runs.
func TestEditor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	editor := w.home + "/editor"
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho editing\nread line\nprintf '%s' \"$line\" > \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.env = []string{"VISUAL=" + editor}
	s := w.open("120x40").see("make").decide("D").see("enter sends").press("ctrl+e").see("editing")
	s.send("adx from the editor\r").see("adx from the editor", "enter sends").nothingSent()
	s.decide("enter").answered("work", ask, `{"decision":"deny","message":"adx from the editor"}`)
	s.press("q").quits(0)
}

// script writes a shell script and returns its file.
func (w *world) script(name, body string) string {
	w.Helper()
	file := filepath.Join(w.home, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+body), 0o700); err != nil {
		w.Fatal(err)
	}
	return file
}

// edits returns a world with an editor, and the field of a denial in front. The files of
// the editor go where the test sees them.
func edits(t *testing.T, editor string) (*world, *story) {
	t.Helper()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	return w, w.editing(editor)
}

func (w *world) editing(editor string) *story {
	w.Helper()
	if err := os.MkdirAll(filepath.Join(w.home, "tmp"), 0o700); err != nil {
		w.Fatal(err)
	}
	w.env = append(w.env, "EDITOR="+editor, "TMPDIR="+filepath.Join(w.home, "tmp"))
	return w.open("120x40").see("make").decide("D").see("enter sends").write("old").see("old")
}

// kept returns what the files in the folder for editors hold.
func (w *world) kept() string {
	w.Helper()
	var all strings.Builder
	files, _ := filepath.Glob(filepath.Join(w.home, "tmp", "*", "*"))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			w.Fatal(err)
		}
		all.Write(content)
	}
	return all.String()
}

// TestEditorFails keeps what it wrote in its file, says where, and leaves the field as
// it was (G05).
func TestEditorFails(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t, "", "work"), (*story)(nil)
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s = w.editing(w.script("ed", "echo an hour of careful words > \"$1\"; exit 1\n"))
	s.press("ctrl+e").see("ed ended with exit status 1. What it wrote stands in", "old").nothingSent()
	if got := w.kept(); got != "an hour of careful words\n" {
		t.Errorf("%q is kept", got)
	}
	s.press("!").see("old!").press("ctrl+c").quits(0)
}

// TestEditorsName is split as a shell splits it, and an editor that cannot be started is
// named with the reason (G14).
func TestEditorsName(t *testing.T) {
	t.Parallel()
	const writes = "for last; do :; done; printf '%s' \"$#\" > \"$last\"\n"
	for name, editor := range map[string]string{
		"quotes": `"HOME/a b/ed" -w`, "backslash": `HOME/a\ b/ed -w`, "empty": `HOME/ed ''`, "variable": `"$HOME/a b/ed" -w`,
	} {
		w := newWorld(t, "", "work")
		w.relays["work"].Bash(w.session("work", "Build"), "make", "")
		w.script("a b/ed", writes)
		w.script("ed", writes)
		s := w.editing(strings.ReplaceAll(editor, "HOME/", w.home+"/"))
		if name == "variable" {
			s = w.editing(editor)
		}
		s.press("ctrl+e").see("┃ 2").never("old")
		if got := w.kept(); got != "" {
			t.Errorf("%s: %q is kept", name, got)
		}
	}
	for editor, says := range map[string]string{
		"/no/such/ed -w": "“ed” could not be started: no such file or directory", "no-such-ed": "“no-such-ed” could not be started",
		`"ed`: "$EDITOR has a quote or a bracket that is not closed",
	} {
		_, s := edits(t, editor)
		s.press("ctrl+e").see(says, "old").nothingSent()
	}
}

// TestSignalWhileTheEditorIsOpen keeps what was saved, as a draft, and ends in a moment,
// also where the editor does not end (L11).
func TestSignalWhileTheEditorIsOpen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		signal syscall.Signal
		script string
	}{
		"TERM":                 {syscall.SIGTERM, "printf 'new words' > \"$1\"; echo saved; exec sleep 60\n"},
		"HUP":                  {syscall.SIGHUP, "printf 'new words' > \"$1\"; echo saved; exec sleep 60\n"},
		"an editor that stays": {syscall.SIGTERM, "trap '' TERM HUP; printf 'new words' > \"$1\"; echo saved; sleep 3\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "work")
			w.relays["work"].Bash(w.session("work", "Build"), "make", "")
			s := w.editing(w.script("ed", c.script))
			s.press("ctrl+e").see("saved")
			if err := s.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			s.quits(128 + int(c.signal))
			s.see("what ed saved is kept as a draft")
			w.open("120x40").see("make").decide("D").see("new words").nothingSent()
		})
	}
}

// TestKilledEditor leaves what it saved in its file, which is named (L11).
func TestKilledEditor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.editing(w.script("ed", "printf 'new words' > \"$1\"; kill -9 $$\n"))
	s.press("ctrl+e").see("ed ended with signal: killed. What it wrote stands in", "old").nothingSent()
	if got := w.kept(); got != "new words" {
		t.Errorf("%q is kept", got)
	}
}

// TestInterruptInTheEditor is the editor's: it neither ends askbox nor loses a word.
func TestInterruptInTheEditor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.editing(w.script("ed", "trap 'printf interrupted > \"$1\"; exit 0' INT; echo editing; while :; do sleep 0.1; done\n"))
	s.press("ctrl+e").see("editing").send("\x03").see("┃ interrupted", "enter sends").nothingSent()
}
