//go:build unix

package e2e

import (
	"os"
	"path/filepath"
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
