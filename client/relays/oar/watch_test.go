package oar

import (
	"context"
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/fake"
	server "askbox/client/fake/oar"
	"askbox/client/text"
)

// follow watches a relay until the test ends or stop is called, which returns how it ended.
func follow(t *testing.T, r *Relay) (events <-chan client.Event, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	all, done := make(chan client.Event, 100), make(chan error, 1)
	go func() {
		done <- r.Watch(ctx, func(e client.Event) { all <- e })
		close(all)
	}()
	stop = func() error { cancel(); return <-done }
	t.Cleanup(cancel)
	return all, stop
}

// next returns the next event.
func next(t *testing.T, events <-chan client.Event) client.Event {
	t.Helper()
	select {
	case e, ok := <-events:
		if !ok {
			t.Fatal("the stream is over")
		}
		return e
	case <-time.After(10 * time.Second):
		t.Fatal("nothing is told")
	}
	return client.Event{}
}

// TestEvents: cards and boards are told of as they open and close, with their sessions,
// and what only a listing can tell is listed (I23).
func TestEvents(t *testing.T) {
	s, r := against(t, server.Options{Prefix: "/oar"})
	session := s.AddSession(fake.Session{Title: "T"})
	events, stop := follow(t, r)
	if e := next(t, events); e != (client.Event{}) {
		t.Fatalf("it begins with %+v", e)
	}
	card := s.Question(session, "Which?", "a", "b")
	if e := next(t, events); e.Opened == nil || e.Opened.ID != card.Ask || e.Opened.Session.Title.Raw() != "T" || e.Opened.Session.Starter != client.StarterMe {
		t.Errorf("a new card: %+v", e)
	}
	batch, err := r.Open(t.Context())
	if err != nil || len(batch.Asks) != 1 {
		t.Fatalf("%+v, %v", batch, err)
	}
	s.AnswerAs(fake.Actor{}, card, fake.Choose("b"))
	if e := next(t, events); e.Closed == nil || e.Closed.Ref != batch.Asks[0].Ref || e.Closed.Closing.Answer[0].Raw() != "b" {
		t.Errorf("an answered card: %+v", e)
	}
	for how, want := range map[string]client.Status{fake.Interrupted: client.Withdrawn, fake.Dismissed: client.Dismissed} {
		ref := s.Question(session, "Which?", "a", "b")
		next(t, events)
		s.End(ref, fake.End{How: how})
		if e := next(t, events); e.Closed == nil || e.Closed.Status != want {
			t.Errorf("%s: %+v", how, e.Closed)
		}
	}
	board := s.Plan(session, "1. x")
	if e := next(t, events); e.Opened == nil || e.Opened.ID != board.Ask {
		t.Errorf("a new board: %+v", e)
	}
	s.AnswerAs(fake.Actor{}, board, fake.Choose("autopilot"))
	if e := next(t, events); e.Closed == nil || e.Closed.Closing.Answer[0].Raw() != "Implement in autopilot" {
		t.Errorf("an acted board: %+v", e)
	}
	s.Question("nowhere", "Which?", "a", "b")
	if e := next(t, events); !e.List || e.Opened != nil {
		t.Errorf("a card of a session that nobody knows: %+v", e)
	}
	s.Tell("conversation_title_updated", map[string]string{"conversationId": session, "title": "Renamed"})
	if e := next(t, events); !e.List || r.session(session, text.Text{}).Title.Raw() != "Renamed" {
		t.Errorf("a new title: %+v, %+v", e, r.session(session, text.Text{}))
	}
	s.Compact(session)
	if e := next(t, events); !e.List {
		t.Errorf("a compaction: %+v", e)
	}
	s.Tell("message", map[string]string{"text": "private"})
	s.Tell("relay_question", nil)
	if e := next(t, events); !e.List {
		t.Errorf("an event that says nothing: %+v", e)
	}
	if err := stop(); err != context.Canceled {
		t.Errorf("it ended with %v", err)
	}
}

// TestEventsSpareListings: while events come, of which none tells of asks, these alone are
// listed, and everything where an event wants it or the stream has ended.
func TestEventsSpareListings(t *testing.T) {
	s, r := against(t, server.Options{})
	session := s.AddSession(fake.Session{Title: "T"})
	card := s.Question(session, "Which?", "a", "b")
	openOf(t, r, 1)
	events, stop := follow(t, r)
	next(t, events)
	listings := func() (n int) {
		for _, q := range s.Requests() {
			if q.Query.Get("status") == "pending" && !strings.HasSuffix(q.Path, "/asks") {
				n++
			}
		}
		return n
	}
	open := func(asks, calls int) client.Batch {
		t.Helper()
		before := listings()
		batch, err := r.Open(t.Context())
		if err != nil || len(batch.Asks) != asks || listings()-before != calls || !batch.Complete || !batch.Untold {
			t.Errorf("%d calls: %+v, %v", listings()-before, batch, err)
		}
		return batch
	}
	whole := open(1, 2)
	ask := s.OpenAsk(session, server.Ask{Question: "Ship?"})
	brief := open(1, 0)
	if brief.Covers == nil || brief.Covers(whole.Asks[0]) || !brief.Covers(brief.Asks[0]) || brief.Asks[0].ID != ask.Ask {
		t.Errorf("it tells of %+v", brief)
	}
	s.Compact(session)
	next(t, events)
	open(2, 2)
	if again := open(1, 0); again.Asks[0].Ref != brief.Asks[0].Ref || again.Asks[0].Session.ID == brief.Asks[0].Session.ID {
		t.Errorf("moved it is %+v", again.Asks[0])
	}
	s.SetAsks(false)
	if batch, err := r.Open(t.Context()); err != nil || batch.Untold {
		t.Errorf("a relay without asks: %+v, %v", batch, err)
	}
	_ = stop()
	s.SetAsks(true)
	r.forget()
	open(2, 2)
	s.AnswerAs(fake.Actor{}, card, fake.Choose("a"))
	open(1, 2)
}

// TestEventsStayAlive by the answers to the relay's pings, and end with the relay.
func TestEventsStayAlive(t *testing.T) {
	s, r := against(t, server.Options{Ping: 20 * time.Millisecond})
	session := s.AddSession(fake.Session{Title: "T"})
	events, stop := follow(t, r)
	next(t, events)
	if _, err := s.WaitFor(t.Context(), func(q fake.Request) bool {
		return q.Method == "POST" && string(q.Body) == "3" && s.Count(fake.To("POST", "/socket.io/")) > 8
	}); err != nil || s.Followers() != 1 {
		t.Errorf("%d follow: %v", s.Followers(), err)
	}
	s.Question(session, "Which?", "a")
	if e := next(t, events); e.Opened == nil {
		t.Errorf("got %+v", e)
	}
	s.DropFollowers()
	if err := stop(); err != nil && err != context.Canceled && !is[*client.Failed](err) {
		t.Errorf("it ended with %v", err)
	}
}

// TestNoEvents: a relay that has none is polled, and one that refuses is not unreachable.
func TestNoEvents(t *testing.T) {
	_, none := against(t, server.Options{NoEvents: true})
	if err := none.Watch(t.Context(), func(client.Event) { t.Error("something is told") }); err != nil {
		t.Errorf("it ended with %v", err)
	}
	s, _ := against(t, server.Options{})
	other, err := New(Options{Name: "home", BaseURL: s.URL(), Token: canary})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	if err := other.Watch(t.Context(), func(client.Event) { t.Error("something is told") }); err == nil || strings.Contains(err.Error(), canary) {
		t.Errorf("with another token it ended with %v", err)
	}
}

// TestPacketsOfNoUse: whatever stands at the address, nothing of it is taken for an event,
// and nothing goes on for ever.
func TestPacketsOfNoUse(t *testing.T) {
	for _, body := range []string{"", "hello", "0", "0{}", `0{"sid":""}`, `{"questions":[]}`, "2", "\x1e\x1e", `0{"sid":7}`} {
		s := newStand(t, map[string]string{"GET /socket.io/": body})
		if err := s.relay.Watch(t.Context(), func(client.Event) { t.Errorf("%q: something is told", body) }); err == nil {
			t.Errorf("%q: it ended with no error", body)
		}
	}
	s := newStand(t, map[string]string{"GET /socket.io/": `0{"sid":"x","pingInterval":1,"pingTimeout":1}`, "POST /socket.io/": "ok",
		"GET /socket.io/?EIO=4&sid=x&transport=polling": "6\x1eb64\x1e42\x1e42[]\x1e42[7]\x1e42{\x1e1"})
	if err := s.relay.Watch(t.Context(), func(e client.Event) { t.Errorf("%+v is told", e) }); err != nil {
		t.Errorf("it ended with %v", err)
	}
	for _, c := range s.calls("") {
		if strings.Contains(c.what, canary) {
			t.Errorf("the token stands in %s", c.what)
		}
	}
	if got := s.calls("POST ")[0].body; !strings.HasPrefix(got, `40{`) || !strings.Contains(got, canary) {
		t.Errorf("it connects with %s", got)
	}
}
