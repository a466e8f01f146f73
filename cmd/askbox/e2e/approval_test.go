package e2e

import "testing"

// TestAllowOnTheSecondRelay allows on the second of two relays, and only there.
func TestAllowOnTheSecondRelay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work", "home")
	first := w.relays["work"].Bash(w.session("work", "Fix the flaky build"), "make clean", "")
	second := w.relays["home"].Bash(w.session("home", "Tidy up"), "rm -rf build", "clean build")
	s := w.open("120x40").see("make clean", "rm -rf build", "work", "home")
	s.press("j").see("clean build").decide("a")
	s.answered("home", second, `{"decision":"allow"}`).see("allowed")
	if ask, _ := w.relays["work"].Ask(first); ask.Status != "open" {
		t.Errorf("the first ask is %s", ask.Status)
	}
	s.press("q").quits(0)
}
