//go:build unix

package e2e

import (
	"syscall"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// TestAnAnswerThatCameTooLate: another person is first while the answer is held and the
// cursor has moved on. The row stays until it was seen, and the history has both (I01).
func TestAnAnswerThatCameTooLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `undo = "30s"`, "work")
	relay, session := w.relays["work"], w.session("work", "Build")
	relay.Bash(session, "make three", "")
	relay.Bash(session, "make two", "")
	ask := relay.Bash(session, "make one", "")
	s := w.open("160x40").see("make one").decide("a").see("u takes it back")
	s.press("j")
	relay.AnswerAs(opencomputer.Grace.Actor, ask, fake.Deny(""))
	s.see("Too late", `denied by "Grace"`, "too late")
	time.Sleep(1100 * time.Millisecond) // so long it has to stand there to have been seen
	s.press("k").see("too late: your answer (allow) did not count", "Grace")
	s.press("h").see("make one", "denied").press("q")
	time.Sleep(1100 * time.Millisecond)
	s.press("j").gone("too late")
	s.nothingSent()
	s.press("q").quits(0)
}

// TestTheNextStartSaysWhatWasLeft: the terminal closes on an answer that is held or on its
// way. It is the first thing that the next start says, until it was seen (L07).
func TestTheNextStartSaysWhatWasLeft(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		undo, sees, says string
		signal           syscall.Signal
	}{
		"held":        {"30s", "u takes it back", "deny, not sent", syscall.SIGHUP},
		"interrupted": {"30s", "u takes it back", "deny, not sent", syscall.SIGINT},
		"on its way":  {"0s", "sending", "deny, sent, not confirmed", syscall.SIGTERM},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, `undo = "`+tt.undo+`"`, "work")
			w.relays["work"].Bash(w.session("work", "Build"), "make", "")
			defer w.relays["work"].Break(fake.Hang().When(fake.To("POST", "")))()
			s := w.open("120x40").see("make").decide("d").see(tt.sees)
			if err := s.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			if status, err := s.Exit(limit); err != nil || status == 0 {
				t.Fatalf("status %d, %v", status, err)
			}
			s = w.open("120x40").see("When askbox last ended", tt.says, "make")
			time.Sleep(1100 * time.Millisecond) // so long it has to stand there to have been seen
			s.press("j").gone("When askbox last ended").press("h").see("not ").press("q")
			s.press("q").quits(0)
			w.open("120x40").see("make").never("When askbox last ended").press("q").quits(0)
		})
	}
}
