//go:build unix

package e2e

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNoPlaceForState answers all the same where nothing can be kept, and says
// what that means, once.
func TestNoPlaceForState(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(state string) error{
		"a file in the way of the folder": func(state string) error {
			return os.WriteFile(state, nil, 0o600)
		},
		"folders in the way of the files": func(state string) error {
			for _, file := range []string{"history.jsonl", "askbox.log"} {
				if err := os.MkdirAll(filepath.Join(state, "askbox", file, "x"), 0o700); err != nil {
					return err
				}
			}
			return os.WriteFile(filepath.Join(state, "askbox", "drafts"), nil, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "work")
			ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
			if err := spoil(filepath.Join(w.home, "state")); err != nil {
				t.Fatal(err)
			}
			s := w.open("120x40").see("make", "Nothing can be kept", "not in the history", "lost when you quit")
			s.press("j").gone("Nothing can be kept").decide("d")
			s.answered("work", ask, `{"decision":"deny"}`).see("denied")
			s.press("q").quits(0)
		})
	}
}

// TestOddFilesInTheStateFolder are named and left alone, nothing waits for them, and the
// inbox works without them (L21).
func TestOddFilesInTheStateFolder(t *testing.T) {
	t.Parallel()
	mine := func(w *world) string { return filepath.Join(w.home, "mine") }
	puts := map[string]func(w *world, path string) error{
		"a symbolic link": func(w *world, path string) error { return os.Symlink(mine(w), path) },
		"a named pipe":    func(_ *world, path string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder":        func(_ *world, path string) error { return os.Mkdir(path, 0o700) },
	}
	for _, file := range []string{"history.jsonl", "history.lock", "askbox.log", "drafts/" + strings.Repeat("0", 32) + ".json"} {
		for what, put := range puts {
			t.Run(file+", "+what, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, "", "work")
				ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
				path := filepath.Join(w.home, "state", "askbox", file)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(mine(w), []byte("mine"), 0o644); err != nil {
					t.Fatal(err)
				}
				if err := put(w, path); err != nil {
					t.Fatal(err)
				}
				s := w.open("200x40").see("make", "is "+what)
				s.press("j").gone("is "+what).decide("d").answered("work", ask, `{"decision":"deny"}`).see("denied")
				s.press("h").see("make").press("q", "q").quits(0)
				if data, err := os.ReadFile(mine(w)); err != nil || string(data) != "mine" {
					t.Errorf("it wrote %q, %v", data, err)
				}
				if info, err := os.Stat(mine(w)); err != nil || info.Mode().Perm() != 0o644 {
					t.Errorf("its mode is %v, %v", info.Mode(), err)
				}
			})
		}
	}
}

// TestAFolderThatOthersWriteIn is named (L21).
func TestAFolderThatOthersWriteIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	folder := filepath.Join(w.home, "state", "askbox")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	s := w.open("200x40").see("make", "Others may write", "chmod 700")
	s.press("q").quits(0)
}

// TestWordsThatCannotBeKept are said to be while they are on the screen, can be copied,
// and are asked about and printed on quitting, with what they were for (L10, G21).
func TestWordsThatCannotBeKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(drafts string) error
		kept  bool
	}{
		"the folder cannot be written": {func(drafts string) error {
			return errors.Join(os.RemoveAll(drafts), os.WriteFile(drafts, nil, 0o600))
		}, false},
		"the folder is removed": {os.RemoveAll, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "work")
			w.env, w.writes = append(w.env, "TMPDIR="+w.home), []string{"OSC 52"}
			w.relays["work"].Bash(w.session("work", "Build"), "make", "")
			s := w.open("120x40").see("make")
			if err := c.spoil(filepath.Join(w.home, "state", "askbox", "drafts")); err != nil {
				t.Fatal(err)
			}
			s.decide("D").see("enter sends").write("words").see("words")
			if c.kept {
				s.press("esc", "q").quits(0)
				w.open("120x40").see("make").decide("D").see("words")
				return
			}
			s.see("What you typed cannot be kept: not a directory").press("esc", "y").see("lipboard")
			if out := string(s.Terminal.Output()); !strings.Contains(out, "52;c;"+base64.StdEncoding.EncodeToString([]byte("words"))) {
				t.Error("the words were not copied")
			}
			s.press("q").see("Quit?", "kept nowhere: words", "make").press("enter").gone("Quit?")
			s.press("q").see("kept nowhere").press("2", "enter").quits(1)
			s.see("what you typed for work/", "make", "    words", "it stands in")
			files, _ := filepath.Glob(filepath.Join(w.home, "askbox-words-*"))
			if len(files) != 1 {
				t.Fatalf("%q", files)
			}
			if content, err := os.ReadFile(files[0]); string(content) != "words\n" || err != nil {
				t.Errorf("%q, %v", content, err)
			}
		})
	}
}

// TestDraftThatIsNoFile is passed over: a pipe, a folder or a link in its place holds up
// no frame (L21).
func TestDraftThatIsNoFile(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(path string) error{
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"a link":   func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		w := newWorld(t, "", "work")
		w.relays["work"].Bash(w.session("work", "Build"), "make", "")
		s := w.open("120x40").see("make").decide("D").see("enter sends").write("words").press("esc", "q")
		s.quits(0)
		files, _ := filepath.Glob(filepath.Join(w.home, "state", "askbox", "drafts", "*.json"))
		if len(files) != 1 {
			t.Fatalf("%s: %q", name, files)
		}
		if err := errors.Join(os.Remove(files[0]), put(files[0])); err != nil {
			t.Fatal(err)
		}
		s = w.open("120x40").see("make").decide("D").see("enter sends").write("new").see("new").press("ctrl+c")
		s.see("Quit? Not every text could be kept.").press("2", "enter").quits(1)
	}
}
