//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// TestRulesPassedInOneWrite refuses the second A while a rule was never drawn (H02).
func TestRulesPassedInOneWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	rules := make([]string, 122)
	for i := range rules {
		rules[i] = fmt.Sprintf("Bash(make target-%03d --keep-going --output-sync:*)", i)
	}
	rules[61] = "Bash(*)"
	w.relays["work"].Approve(w.session("work", "Look"), "Bash", map[string]string{"command": "make one"}, strings.Join(rules, ", "))
	s := w.open("120x26").see("make one")
	s.decide("A").see("target-000", "Read on").send(strings.Repeat("\x1b[6~", 12))
	s.settle().decide("A").see("Nothing was sent").nothingSent()
	for range 60 {
		if strings.Contains(s.Screen(), "again: allow always") {
			break
		}
		s.press("pgdn").settle()
	}
	s.see("target-121", "again: allow always")
}

// TestChangedUnderItsID says what an ask was and what it is, and lets no first key
// approve it, however long it stands there (H04).
func TestChangedUnderItsID(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	relay := w.add("work", opencomputer.Options{NoEvents: true})
	ask := relay.Bash(w.session("work", "Build"), "npm run lint", "")
	s := w.open("120x40").see("npm run lint").read()
	relay.Replace(ask, func(a *fake.Ask) { a.Command = "npm publish --access public" })
	s.see("This ask changed since you saw it", "- │ npm run lint", "+ │ npm publish --access public")
	s.rest(slack(noticing))
	s.decide("a").see("Nothing was sent: this ask changed").nothingSent()
	s.rest(slack(alone))
	s.decide("a").answered("work", ask, `{"decision":"allow"}`)
}

// TestWordsFromBefore are not sent with what the ask has become, and it is said at
// every size (H05).
func TestWordsFromBefore(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"120x24", "40x10"} {
		t.Run(size, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "")
			relay := w.add("work", opencomputer.Options{NoEvents: true})
			ask := relay.Bash(w.session("work", "Build"), "npm run lint", "")
			s := w.open(size).see("npm run lint")
			if size == "40x10" {
				s.press("enter").see("the session waits").read()
				for !strings.Contains(s.Screen(), "read to the end") {
					s.press("pgdn").settle()
				}
			}
			s.decide("m").see("enter sends").write("looks good to me")
			relay.Replace(ask, func(a *fake.Ask) { a.Command = "npm publish --access public" })
			s.see("words are from before").rest(slack(noticing))
			s.decide("enter").nothingSent().see("looks good to me")
		})
	}
}

// TestClosedWhileARuleHolds says of another ask only how it closed, and never that a
// rule did it (H12).
func TestClosedWhileARuleHolds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay, session := w.relays["work"], w.session("work", "Look")
	second := relay.Bash(session, "ls second", "")
	first := relay.Approve(session, "Bash", map[string]string{"command": "ls first"}, "Bash(ls:*)")
	s := w.open("120x40").see("ls first", "ls second")
	s.decide("A").see("again: allow always").decide("A").answered("work", first, `{"decision":"always"}`)
	s.press("j").see("Approval · the session waits")
	relay.AnswerAs(fake.Actor{Type: "system", Name: "policy"}, second, fake.Deny("blocked by policy"))
	s.see("All 0", "policy").never("rule that you allowed", "by you")
}

// TestModeDoesNotComeBack by itself, and the key that sends one names it (H18).
func TestModeDoesNotComeBack(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"40x10", "60x12"} {
		t.Run(size, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "work")
			ask := w.relays["work"].Plan(w.session("work", "Importer"), "1. Split the importer.")
			s := w.open("120x40").see("Split the importer").decide("3").see("is chosen")
			s.press("q").quits(0)
			s = w.open(size).see("Split").press("enter").see("the session waits").read()
			for !strings.Contains(s.Screen(), "read to the end") {
				s.press("pgdn").settle()
			}
			s.decide("a").answered("work", ask, `{"decision":"allow"}`)
		})
	}
}

// TestKeyProvesTheFocus takes a first key for the word that the terminal is in focus
// after all, says so, and the next one counts (G10).
func TestKeyProvesTheFocus(t *testing.T) {
	t.Parallel()
	for _, pause := range []time.Duration{500 * time.Millisecond, 2 * time.Second, 3 * time.Second} {
		t.Run(pause.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "work")
			ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
			s := w.open("120x40").see("make").read()
			s.send("\x1b[O").rest(pause)
			s.press("a").see("not in focus").nothingSent()
			s.rest(slack(time.Second))
			s.press("a").answered("work", ask, `{"decision":"allow"}`)
		})
	}
}

// TestLoneKeyCountsTheFirstTime as soon as an ask that comes on the screen by itself
// has stood there for the time that it takes to read it, on a near and a far line,
// and is on the screen as held at once.
func TestLoneKeyCountsTheFirstTime(t *testing.T) {
	t.Parallel()
	for _, lag := range []time.Duration{0, 150 * time.Millisecond} {
		t.Run(lag.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, `undo = "3s"`, "work")
			s := w.open("120x40").see("Nothing is open")
			s.SetLag(lag)
			ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
			s.press("g").see("make").press("g").see("read to the end")
			came := time.Now()
			s.rest(lag + slack(500*time.Millisecond))
			pressed := time.Now()
			before := s.Written()
			s.send("a")
			at, err := s.Arrived(before, limit)
			if err != nil {
				t.Fatal(err)
			}
			s.see("u takes it back")
			t.Logf("pressed %v after the frame, on the screen as held %v after the key", pressed.Sub(came).Round(time.Millisecond), at.Sub(pressed).Round(100*time.Microsecond))
			s.answered("work", ask, `{"decision":"allow"}`)
		})
	}
}
