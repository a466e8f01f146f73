package inbox

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
	"askbox/client/history"
)

// streaming is a double with a stream of events.
type streaming struct {
	*double
	events  chan client.Event
	breaks  chan error
	none    bool
	watched int
}

func (s *streaming) Watch(ctx context.Context, on func(client.Event)) error {
	s.watched++
	if s.none {
		return nil
	}
	on(client.Event{})
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-s.breaks:
			return err
		case e := <-s.events:
			on(e)
		}
	}
}

func newStreaming(asks ...*client.Ask) *streaming {
	return &streaming{double: newDouble(asks...), events: make(chan client.Event), breaks: make(chan error)}
}

// TestEventsShowAtOnce, and while they come the relay is polled less often.
func TestEventsShowAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreaming(ask(1))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(time.Second)
			if st := b.Latest().Groups[0].State; !st.Live || !st.Reachable {
				t.Errorf("state: %+v", st)
			}
			opens, _, _ := s.count()
			s.set(func(d *double) { d.asks = append(slices.Clone(d.asks), ask(2)) })
			s.events <- client.Event{Opened: ask(2)}
			after(gather)
			if !isOpen(b, ask(2)) {
				t.Error("not there after an event")
			}
			s.events <- client.Event{Closed: s.end(ask(1).Ref, client.Answered, byGrace("allow"))}
			after(gather)
			if it := b.Latest().Find(ask(1).Ref); isOpen(b, ask(1)) || it.Ask.Closing.By.Name.Raw() != "Grace" {
				t.Error("still open after an event")
			}
			after(time.Minute)
			if now, gets, _ := s.count(); now-opens > 11 || gets != 0 {
				t.Errorf("%d polls in a minute, %d reads", now-opens, gets)
			}
			opens, _, _ = s.count()
			for range 1000 { // a flood is not passed on
				s.events <- client.Event{List: true}
			}
			after(time.Second)
			if now, _, _ := s.count(); now == opens || now-opens > 3 {
				t.Errorf("%d polls for a thousand events", now-opens)
			}
		}, s)
	})
}

// TestAStreamThatTellsNothing slows no poll: one of which a poll finds what it did not
// tell does not count, until it tells something again.
func TestAStreamThatTellsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreaming(ask(1))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(time.Minute)
			s.set(func(d *double) { d.asks = append(slices.Clone(d.asks), ask(2)) })
			after(2 * livePoll)
			if !isOpen(b, ask(2)) || b.Latest().Groups[0].State.Live {
				t.Error("a stream that told nothing of an ask still counts")
			}
			s.set(func(d *double) { d.asks = append(slices.Clone(d.asks), ask(3)) })
			after(2 * time.Second)
			if !isOpen(b, ask(3)) {
				t.Error("the polls are still slow")
			}
			s.events <- client.Event{Closed: s.end(ask(1).Ref, client.Answered, byGrace("allow"))}
			after(gather)
			if !b.Latest().Groups[0].State.Live {
				t.Error("it tells something again and does not count")
			}
		}, s)
	})
}

// TestStreamIsStartedAgain with growing gaps, and what happened in between is listed.
func TestStreamIsStartedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreaming(ask(1))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(time.Second)
			s.set(func(d *double) { d.asks = append(slices.Clone(d.asks), ask(2)) })
			s.breaks <- errors.New("the connection broke")
			after(time.Second)
			if b.Latest().Groups[0].State.Live || !isOpen(b, ask(2)) {
				t.Error("still said to be live, or not listed at once")
			}
			after(3 * time.Second)
			if !b.Latest().Groups[0].State.Live || s.watched != 2 {
				t.Errorf("not started again: %d", s.watched)
			}
		}, s)
	})
}

// TestRelayWithoutAStream is not asked for one again and again.
func TestRelayWithoutAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreaming(ask(1))
		s.none = true
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(time.Hour)
			if s.watched != 1 || b.Latest().Groups[0].State.Live {
				t.Errorf("watched %d times", s.watched)
			}
			b.Refresh("")
			after(time.Second)
			if s.watched != 2 {
				t.Errorf("watched %d times after R", s.watched)
			}
		}, s)
	})
}

// TestEventBeforeTheReply tells of the end while the answer is on its way.
func TestEventBeforeTheReply(t *testing.T) {
	for name, tt := range map[string]struct {
		by    client.Closing
		reply error
		state FlightState
	}{
		"mine":                       {func() client.Closing { _, c := byMe(allow); return c }(), nil, Done},
		"mine, and the reply lost":   {func() client.Closing { _, c := byMe(allow); return c }(), &client.Uncertain{Err: errors.New("broke")}, Done},
		"theirs":                     {byGrace("deny"), &client.Closed{}, TooLate},
		"theirs, and the reply lost": {byGrace("deny"), &client.Uncertain{Err: errors.New("broke")}, TooLate},
		"theirs, and not reached":    {byGrace("deny"), refusedConnection, TooLate},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, s := ask(1), newStreaming(ask(1))
				store, err := history.Open(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				s.takes = func(_ int, a *client.Ask, _ client.Answer) (*client.Ask, error) {
					closed := s.end(a.Ref, client.Answered, tt.by)
					s.events <- client.Event{Closed: closed}
					time.Sleep(time.Second)
					return closed, tt.reply
				}
				play(t, Options{History: store}, func(t *testing.T, b *Inbox) {
					send(t, b, a, allow)
					after(gather)
					if isOpen(b, a) {
						t.Error("still open although an event says it is not")
					}
					after(time.Minute)
					f := flightOf(t, b, a)
					if f.State != tt.state || len(s.sent) != 1 {
						t.Errorf("state %d, sent %d: %v", f.State, len(s.sent), f.Err)
					}
					written, err := store.Since(time.Now().Add(-time.Hour))
					if err != nil || len(written) != 1 || written[0].Here != (tt.state == Done) || (written[0].Tried == nil) != (tt.state == Done) {
						t.Errorf("history: %v, %v", written, err)
					}
					if l := b.Latest().Answered; len(l) != 1 || l[0].Here != (tt.state == Done) {
						t.Errorf("answered: %+v", l)
					}
					if p := b.Latest().Precedents[a.Sameness("double")]; (p == history.Precedent{Allowed: 1}) != (tt.state == Done) {
						t.Errorf("precedents: %+v", p)
					}
				}, s)
			})
		})
	}
}

// pauser is a double whose sessions can be paused.
type pauser struct {
	*double
	came string
	err  error
}

func (p *pauser) Pause(ctx context.Context, a *client.Ask, resume bool) (string, error) {
	select {
	case <-time.After(5 * time.Second):
	case <-ctx.Done():
		return "", ctx.Err()
	}
	return p.came, p.err
}

func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		can := func(a *client.Ask) { a.Session.CanPause = true }
		p := &pauser{double: newDouble(ask(1, can), ask(2, can), ask(3)), came: "the session is paused"}
		plain := newDouble(ask(4, func(a *client.Ask) { a.Relay = "home" }))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			said := func(n int) string { return b.Latest().Find(ask(n).Ref).Pausing }
			if err := b.Pause(ask(1).Ref, false); err != nil {
				t.Fatal(err)
			}
			if said(1) != pausing || said(2) != pausing {
				t.Errorf("%q, %q", said(1), said(2))
			}
			if b.Pause(ask(2).Ref, false) == nil {
				t.Error("paused twice at once")
			}
			after(6 * time.Second)
			if said(1) != p.came {
				t.Errorf("said %q", said(1))
			}
			for name, err := range map[string]error{
				"resume": b.Pause(ask(1).Ref, true), "cannot": b.Pause(ask(3).Ref, false), "gone": b.Pause(ask(9).Ref, false),
				"no pauser": b.Pause(client.Ref{Relay: "home", Session: "cs_1", ID: "ak_4"}, false)} {
				if err == nil {
					t.Errorf("%s: taken", name)
				}
			}
			p.err = &client.Failed{Status: 409}
			if err := b.Pause(ask(1).Ref, false); err != nil {
				t.Fatal(err)
			}
			after(6 * time.Second)
			if said(1) != p.err.Error() {
				t.Errorf("said %q", said(1))
			}
			if err := b.Pause(ask(1).Ref, false); err != nil { // ends with the inbox
				t.Fatal(err)
			}
		}, p, plain)
	})
}

// TestFailedHistoryIsTold: the answer arrived all the same.
func TestFailedHistoryIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir() + "/state"
		store, err := history.Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		breakFolder(t, folder)
		d := newDouble(ask(1))
		play(t, Options{History: store}, func(t *testing.T, b *Inbox) {
			send(t, b, ask(1), allow)
			after(10 * time.Second) // the wait for its lock included
			if f := flightOf(t, b, ask(1)); f.State != Done || len(b.Latest().Notices) != 1 {
				t.Errorf("state %d, notices %v", f.State, b.Latest().Notices)
			}
		}, d)
	})
}
