//go:build unix

package e2e

import (
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// TestDismissWithAMessage sends the message exactly.
func TestDismissWithAMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Choice(w.session("work", "Names"), "Which naming style?", "snake", "camel")
	s := w.open("120x40").see("Which naming style?")
	s.decide("X").see("enter sends").write("ask me tomorrow").decide("enter")
	s.answered("work", ask, `{"message":"ask me tomorrow"}`)
	if got, _ := w.relays["work"].Ask(ask); got.Status != "dismissed" {
		t.Errorf("the ask is %s", got.Status)
	}
	s.see("dismissed")
}

// TestUndo takes an answer back in time, and nothing is ever sent.
func TestUndo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `undo = "30s"`, "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make").decide("a").see("u takes it back")
	s.press("u").gone("u takes it back").nothingSent().see("make")
	s.press("q").quits(0)
	s.nothingSent()
}

// TestHeldThenSent sends by itself when the time for undo is over.
func TestHeldThenSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `undo = "3s"`, "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make").read().press("d").see("u takes it back").nothingSent()
	s.answered("work", ask, `{"decision":"deny"}`).see("done: deny", "by you")
}

// TestQuitWithAnUnsentAnswer asks first; Enter alone stays.
func TestQuitWithAnUnsentAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, key string
		sent      bool
	}{{"send", "2", true}, {"drop", "3", false}, {"insist", "ctrl+c", false}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, `undo = "30s"`, "work")
			ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
			s := w.open("120x40").see("make").decide("a").see("u takes it back")
			s.press("q").see("Quit? Not every answer has been sent.").press("enter").gone("Quit?").nothingSent()
			s.press("q").see("Quit?").press(c.key)
			if c.key != "ctrl+c" {
				s.press("enter")
			}
			s.quits(0)
			if c.sent {
				s.answered("work", ask, `{"decision":"allow"}`)
			} else {
				s.nothingSent()
			}
		})
	}
}

// TestClosedElsewhere says who closed the ask that is read, and takes no decision
// on it any more.
func TestClosedElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay, session := w.relays["work"], w.session("work", "Build")
	relay.Bash(session, "echo other", "")
	ask := relay.Bash(session, "make deploy", "")
	s := w.open("120x40").see("make deploy", "All 2")
	s.read()
	relay.AnswerAs(opencomputer.Grace.Actor, ask, fake.Deny(""))
	s.see("by │ Grace", "Denied", "All 1", "make deploy").press("a").nothingSent()
	s.press("j").gone("make deploy").see("echo other").nothingSent()
}

// TestSomeoneWasFirst loses the race: the relay says so, and so does the screen.
func TestSomeoneWasFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay := w.relays["work"]
	ask := relay.Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make")
	s.read()
	lift := relay.Break(fake.Hang().When(fake.To("POST", "/answer")))
	s.press("a").see("sending")
	relay.AnswerAs(opencomputer.Grace.Actor, ask, fake.Deny(""))
	lift()
	s.see("too late", "by │ Grace", "Denied").never("done: allow")
}

// TestLostReply does not know, asks, and says what the relay says (C22).
func TestLostReply(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay := w.relays["work"]
	ask := relay.Bash(w.session("work", "Build"), "make", "")
	relay.Break(fake.LoseReply().When(fake.To("POST", "/answer")).Next(1))
	s := w.open("120x40").see("make").decide("a").see("done: allow", "by you")
	s.answered("work", ask, `{"decision":"allow"}`)
}

// TestLostRequest sends again only because the ask is still open.
func TestLostRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay := w.relays["work"]
	ask := relay.Bash(w.session("work", "Build"), "make", "")
	relay.Break(fake.Drop().When(fake.To("POST", "/answer")).Next(1))
	w.open("120x40").see("make").decide("a").see("done: allow", "by you").answered("work", ask, `{"decision":"allow"}`)
}

// TestGoneAtTheRelay has the relay forget the ask at the moment of the answer
// (C18): it was not approved, it is not tried again, and the program goes on.
func TestGoneAtTheRelay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay, session := w.relays["work"], w.session("work", "Build")
	relay.Bash(session, "echo other", "")
	ask := relay.Bash(session, "make", "")
	relay.Break(fake.JSON(404, `{"error":{"code":"not_found","message":"unknown or expired"}}`).When(fake.To("POST", "/answer")))
	s := w.open("120x40").see("make").decide("a")
	if _, err := relay.WaitFor(w.patience(), fake.To("POST", "/answer")); err != nil {
		t.Fatal(err)
	}
	relay.Remove(ask)
	s.see("All 1").never("done: allow")
	if n := relay.Count(fake.To("POST", "/answer")); n != 1 {
		t.Errorf("it was sent %d times", n)
	}
	s.press("q").quits(0)
}

// TestRelayDiesAndComesBack keeps its asks, says that it is not reachable, and
// lists what was asked meanwhile (C25, E08).
func TestRelayDiesAndComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work", "home")
	relay, session := w.relays["work"], w.session("work", "Build")
	ask := relay.Bash(session, "make", "")
	s := w.open("120x40").see("make", "All 1")
	if err := relay.Down(); err != nil {
		t.Fatal(err)
	}
	s.see("Not reachable", "next try in", "make")
	later := relay.Bash(session, "make install", "")
	s.decide("a").see("not sent", "ECONNREFUSED").never("done: allow").nothingSent()
	if err := relay.Up(); err != nil {
		t.Fatal(err)
	}
	s.press("R").gone("Not reachable").see("make install", "All 2")
	for _, ref := range []fake.Ref{ask, later} {
		if got, _ := relay.Ask(ref); got.Status != "open" {
			t.Errorf("an ask is %s", got.Status)
		}
	}
	s.press("q").quits(0)
}

// TestRelayLies goes through relays that are slow, broken, or no relays at all:
// the asks of the other one stay in reach, and nothing is dumped (E01, E07, E09).
func TestRelayLies(t *testing.T) {
	t.Parallel()
	for name, lie := range map[string]struct {
		fault fake.Fault
		says  string // empty where that takes its time
	}{
		"login page":       {fake.LoginPage(), "Not such a relay · an HTML"},
		"half a JSON":      {fake.HalfJSON(), "Not such a relay · JSON that"},
		"garbage":          {fake.TrailingGarbage(), "Not such a relay · JSON with"},
		"redirect":         {fake.Redirect(302, "http://127.0.0.1:9"), "It fails · status 302"},
		"500":              {fake.ServerError(), "It fails · status 500"},
		"401":              {fake.Unauthorized(), "Token refused"},
		"429":              {fake.RateLimited("-5"), "Too many requests"},
		"hang":             {fake.Hang(), ""},
		"hang in the body": {fake.HangMidBody(), ""},
		"endless":          {fake.Endless(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "odd", "home")
			w.relays["odd"].Bash(w.session("odd", "Odd"), "never shown", "")
			lift := w.relays["odd"].Break(lie.fault)
			defer lift()
			ask := w.relays["home"].Bash(w.session("home", "Build"), "make", "")
			s := w.open("120x40").see("make", "odd").press("j", "k", "j").decide("d")
			s.answered("home", ask, `{"decision":"deny"}`)
			if lie.says != "" {
				s.see(lie.says)
			}
			s.never("<html", "doctype", "never shown", w.relays["odd"].Token())
			s.press("q").quits(0)
		})
	}
}

// TestRedirectedAnswer does not follow a redirect with an answer, and asks the relay
// whether it was taken all the same (E01, H26).
func TestRedirectedAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	other := w.add("other", opencomputer.Options{})
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	w.relays["work"].Break(fake.Redirect(307, other.Server.URL()).When(fake.To("POST", "/answer")))
	w.open("120x40").see("make").decide("a").see("checking, it is not confirmed").never("done: allow")
	if n := other.Count(fake.To("POST", "")); n > 0 {
		t.Errorf("the other origin got %d requests", n)
	}
	if got, _ := w.relays["work"].Ask(ask); got.Status != "open" {
		t.Errorf("the ask is %s", got.Status)
	}
}
