//go:build unix

package e2e

import (
	"bytes"
	"testing"

	"askbox/client/fake"
)

// TestChangedBetweenTwoPolls sends nothing, however late it changes and however it
// can be taken back: the ask is read once more before an approval (H07, H08).
func TestChangedBetweenTwoPolls(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		settings string
		later    bool // it changes while the answer is held
		change   func(*fake.Ask)
		keys     []string
		now      string
	}{
		"the command":              {`undo = "0s"`, false, func(a *fake.Ask) { a.Command = "rm -rf build/../src" }, []string{"a"}, "rm -rf build/../src"},
		"the command, held":        {`undo = "3s"`, false, func(a *fake.Ask) { a.Command = "rm -rf build/../src" }, []string{"a"}, "rm -rf build/../src"},
		"while the answer is held": {`undo = "3s"`, true, func(a *fake.Ask) { a.Command = "rm -rf build/../src" }, []string{"a"}, "rm -rf build/../src"},
		"the rule of always":       {`undo = "0s"`, false, func(a *fake.Ask) { a.Rule = "Bash(*)" }, []string{"A", "A"}, "Bash(*)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, tc.settings, "work")
			w.poll = "1m"
			relay := w.relays["work"]
			ask := relay.Bash(w.session("work", "Build"), "ls -la build", "")
			s := w.open("120x40").see("ls -la build").read()
			if !tc.later {
				relay.Replace(ask, tc.change)
			}
			for _, key := range tc.keys {
				s.decide(key)
			}
			if tc.later {
				s.see("u takes it back")
				relay.Replace(ask, tc.change)
			}
			s.see("Nothing was sent", "changed", tc.now).never("done:", "sending")
			if got, _ := relay.Ask(ask); got.Status != "open" {
				t.Errorf("the ask is %s", got.Status)
			}
			if n := relay.Count(fake.To("POST", "/answer")); n > 0 {
				t.Errorf("%d answers were sent", n)
			}
			s.press("q").quits(0)
		})
	}
}

// TestTheReplyTellsOfSomethingElse is said loudly, and both contents are kept (H07).
func TestTheReplyTellsOfSomethingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay := w.relays["work"]
	relay.Bash(w.session("work", "Build"), "ls -la build", "")
	relay.Break(fake.Rewrite(func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte("ls -la build"), []byte("rm -rf build/../src"))
	}).When(fake.To("POST", "/answer")))
	s := w.open("120x40").see("ls -la build").decide("a")
	s.see("differs", "The relay carried out something else than you saw", "- │ ls -la build", "+ │ rm -rf build/../src")
	s.press("h", "enter").see("told", "│ rm -rf build/../src", "asked", "│ ls -la build")
	s.press("q", "q").quits(0)
}
