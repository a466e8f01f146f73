//go:build unix

package e2e

import (
	"testing"

	"askbox/client/fake"
)

// TestSeveralChoices ticks, unticks, and sees the answer before it goes (C29).
func TestSeveralChoices(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Questions(w.session("work", "Tests"), fake.Question{
		ID: "q1", Header: "Tests", Text: "Which tests?", Options: fake.Labels("unit", "lint", "end to end"), Several: true})
	s := w.open("120x40").see("Which tests?", "unit", "lint", "end to end")
	s.decide("1").press("3", "1", "1").see("1 [x]", "2 [ ]", "3 [x]").nothingSent()
	s.press("enter").decide("enter")
	if len(w.relays["work"].Answers(ask)) == 0 {
		s.see("Your answers:").decide("enter")
	}
	s.answered("work", ask, `{"answers":[{"questionId":"q1","choices":["unit","end to end"],"text":null}]}`)
}

// TestSeveralQuestions points out what has no answer yet (C28, C31).
func TestSeveralQuestions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Questions(w.session("work", "Set up"),
		fake.Question{ID: "db", Header: "Database", Text: "Which database?", Options: fake.Labels("Postgres", "SQLite")},
		fake.Question{ID: "why", Header: "Reason", Text: "Why that one?", Options: fake.Labels("speed", "habit")})
	s := w.open("120x40").see("Which database?", "Why that one?")
	s.decide("2").see("2 (x)").decide("enter").press("enter", "enter", "enter").see("has no answer yet").nothingSent()
	s.decide("t").write("we know it").see("we know it").decide("enter")
	if len(w.relays["work"].Answers(ask)) == 0 {
		s.see("Your answers:").decide("enter")
	}
	s.answered("work", ask, `{"answers":[{"questionId":"db","choices":["SQLite"],"text":null},{"questionId":"why","choices":[],"text":"we know it"}]}`)
}

// TestOneChoice wants more than the number (R7).
func TestOneChoice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Choice(w.session("work", "Set up"), "Postgres or SQLite?", "Postgres", "SQLite")
	s := w.open("80x24").see("Postgres or SQLite?").press("enter").see("1 ( )", "2 ( )")
	s.decide("1").see("1 (x)").nothingSent().decide("enter")
	s.rest(pace)
	if len(w.relays["work"].Answers(ask)) == 0 {
		s.decide("enter")
	}
	s.answered("work", ask, `{"answers":[{"questionId":"q1","choices":["Postgres"],"text":null}]}`)
}

// TestApproveKeysOnOtherKinds sends nothing for a question or a secret (C33).
func TestApproveKeysOnOtherKinds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	session := w.session("work", "Deploy")
	w.relays["work"].Choice(session, "Which region?", "here", "there")
	w.relays["work"].AskSecret(session, "STRIPE_KEY", "for the sandbox")
	s := w.open("120x40").see("Which region?", "STRIPE_KEY")
	for range 2 {
		for _, key := range []string{"a", "A", "m", "d", "D"} {
			s.decide(key).see("Nothing was sent")
		}
		s.press("esc", "j")
	}
	s.nothingSent()
}

// TestDraft keeps what was typed, over a restart too, and leaving sends nothing
// (C32).
func TestDraft(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make")
	s.decide("D").see("enter sends").write("not on a Friday").see("not on a Friday").press("esc").gone("enter sends")
	s.press("q").quits(0)
	s = w.open("120x40").see("make").decide("D").see("enter sends", "not on a Friday").nothingSent()
	s.press("ctrl+c").quits(0)
}
