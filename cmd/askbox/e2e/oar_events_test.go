//go:build unix

package e2e

import (
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/oar"
)

// follows waits until askbox follows the relay's events.
func (st *studio) follows() {
	st.Helper()
	if _, err := st.relay.WaitFor(st.patience(), func(fake.Request) bool { return st.relay.Followers() > 0 }); err != nil {
		st.Fatal(err)
	}
}

// TestOAREvents shows what the relay tells of long before the next poll: cards, boards and
// how they ended elsewhere. Asks, of which nothing is told, are asked for as before (I23).
func TestOAREvents(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	st.poll = "2s"
	st.relay.OpenAsk(st.session, oar.Ask{Question: "Ship today?"})
	s := st.opens("Ship today?")
	st.follows()
	s.rest(3 * time.Second) // the listings that follow the beginning of a stream are through
	listings := func() int {
		return st.relay.Count(func(r fake.Request) bool {
			return fake.To("GET", "/relay-questions")(r) && r.Query.Get("status") == "pending"
		})
	}
	before := listings()
	card := st.relay.Question(st.session, "Which database?", "Postgres", "SQLite")
	s.see("Which database?", "All 2")
	st.relay.AnswerAs(fake.Actor{}, card, fake.Choose("SQLite"))
	s.see("All 1")
	st.relay.Plan(st.session, "1. Cut the intro")
	s.see("Plan ready", "All 2")
	st.relay.OpenAsk(st.session, oar.Ask{Question: "Which font?"})
	s.see("Which font?", "All 3")
	if n := listings() - before; n > 1 {
		t.Errorf("the cards were listed %d times meanwhile", n)
	}
}

// TestOAREventsLost: what happens while the stream is broken is listed, and a relay that
// has no events is polled.
func TestOAREventsLost(t *testing.T) {
	t.Parallel()
	for _, none := range []bool{false, true} {
		st := newStudio(t, "", oar.Options{NoEvents: none})
		first := st.relay.Question(st.session, "Which database?", "Postgres")
		s := st.opens("Which database?")
		if !none {
			st.follows()
			st.relay.Break(fake.JSON(503, `{"error":"busy"}`).When(fake.To("GET", "/socket.io/")))
			st.relay.DropFollowers()
		}
		st.relay.Interrupt(first)
		st.relay.Question(st.session, "Which font?", "Sans")
		s.see("Which font?", "All 1").never("Not reachable")
	}
}
