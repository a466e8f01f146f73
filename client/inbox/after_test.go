package inbox

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
)

// TestWhatCameAfterAnAnswer: that the session asks again, or what the relay tells later.
func TestWhatCameAfterAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1), ask(2))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			send(t, b, ask(1), allow)
			send(t, b, ask(2), deny)
			after(time.Second)
			more := ask(3, func(a *client.Ask) { a.Opened = time.Now() })
			other := ask(4, func(a *client.Ask) { a.Ref.Session, a.Session.ID, a.Opened = "cs_9", "cs_9", time.Now() })
			d.set(func(d *double) { d.asks = []*client.Ask{other} })
			after(2 * time.Second)
			if c := b.Latest().Find(ask(1).Ref).Ask.Closing; c.After != client.AfterUnknown {
				t.Errorf("another session asks: %v", c.After)
			}
			d.set(func(d *double) { d.asks = []*client.Ask{other, more} })
			after(2 * time.Second)
			if c := b.Latest().Find(ask(1).Ref).Ask.Closing; c.After != client.AfterAskedAgain {
				t.Errorf("it asks again: %v", c.After)
			}
			over := *d.over[ask(2).Ref]
			c := *over.Closing
			c.After, over.Closing = client.AfterStopped, &c
			d.set(func(d *double) { d.shut.Asks = []*client.Ask{&over} })
			after(time.Minute)
			if c := b.Latest().Find(ask(2).Ref).Ask.Closing; c.After != client.AfterStopped {
				t.Errorf("the relay tells: %v", c.After)
			}
			told := map[client.After]int{}
			for _, e := range b.Latest().Answered {
				told[e.After]++
			}
			if told[client.AfterAskedAgain] != 1 || told[client.AfterStopped] != 1 {
				t.Errorf("the day has %v", told)
			}
		}, d)
	})
}

// TestWhatAnEventTellsOfTheAgent counts where it is told first, and of its session alone.
func TestWhatAnEventTellsOfTheAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreaming(ask(1), ask(2, func(a *client.Ask) { a.Ref.Session = "cs_9" }))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			other := ask(2, func(a *client.Ask) { a.Ref.Session = "cs_9" })
			after(time.Second)
			s.events <- client.Event{After: client.AfterStopped, Session: ask(1).Ref.Session} // before it was answered
			after(gather)
			send(t, b, ask(1), allow)
			send(t, b, other, deny)
			after(time.Second)
			s.events <- client.Event{After: client.AfterWentOn, Session: ask(1).Ref.Session}
			s.events <- client.Event{After: client.AfterStopped, Session: ask(1).Ref.Session}
			after(time.Second)
			if c := b.Latest().Find(ask(1).Ref).Ask.Closing; c.After != client.AfterWentOn {
				t.Errorf("it is told as %v", c.After)
			}
			if c := b.Latest().Find(other.Ref).Ask.Closing; c.After != client.AfterUnknown {
				t.Errorf("the other session is told as %v", c.After)
			}
		}, s)
	})
}

// TestALaterWordSettlesAnAnswer that was not known, once the listing of closed asks tells.
func TestALaterWordSettlesAnAnswer(t *testing.T) {
	for name, mine := range map[string]bool{"mine": true, "another's": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDouble(ask(1))
				d.takes = func(int, *client.Ask, client.Answer) (*client.Ask, error) {
					d.set(func(d *double) { d.asks = nil })
					return nil, &client.Uncertain{Err: errors.New("the connection broke")}
				}
				play(t, Options{}, func(t *testing.T, b *Inbox) {
					send(t, b, ask(1), allow)
					after(10 * time.Second)
					if f := flightOf(t, b, ask(1)); f.State != NotKnown {
						t.Fatalf("state %d", f.State)
					}
					over := ask(1)
					how, c := byMe(allow)
					if !mine {
						c = graceWith(deny)
					}
					over.Status, over.Closing = how, &c
					d.set(func(d *double) { d.shut.Asks = []*client.Ask{over} })
					after(time.Minute)
					if f := flightOf(t, b, ask(1)); f.State != map[bool]FlightState{true: Done, false: TooLate}[mine] {
						t.Errorf("state %d", f.State)
					}
					if e := b.Latest().Answered; len(e) != 1 || e[0].Mine() != mine || (e[0].Tried == nil) != mine {
						t.Errorf("the day has %+v", e[0])
					}
				}, d)
			})
		})
	}
}

// TestWhatWasSeenToEndIsKept over a restart, where the relay does not tell it (I21).
func TestWhatWasSeenToEndIsKept(t *testing.T) {
	for name, tells := range map[string]bool{"told": true, "not told": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				folder := t.TempDir()
				store, err := history.Open(folder)
				if err != nil {
					t.Fatal(err)
				}
				d := newDouble(ask(1), ask(2))
				d.shut.Complete = tells
				play(t, Options{History: store}, func(t *testing.T, b *Inbox) {
					after(time.Minute)
					d.end(ask(1).Ref, client.Expired, client.Closing{At: time.Now(), Note: "counted as a denial"})
					d.set(func(d *double) { d.asks = nil }) // of the other nobody says how
					after(3 * time.Second)
				}, d)
				next, err := history.Open(folder)
				if err != nil {
					t.Fatal(err)
				}
				play(t, Options{History: next}, func(t *testing.T, b *Inbox) {
					after(time.Second)
					how := map[client.Status]bool{}
					for _, e := range b.Latest().Answered {
						how[e.How] = true
						if e.Here || e.Mine() {
							t.Errorf("%+v is told as answered here", e)
						}
					}
					if how[client.Expired] == tells || how[client.Gone] == tells {
						t.Errorf("after a restart: %v", how)
					}
				}, newDouble())
			})
		})
	}
}

// TestClosedAsksAreListedFromThereOn where the one before was whole: a day of many
// closings is not read each minute.
func TestClosedAsksAreListedFromThereOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1))
		d.shut.Complete = true
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			back := func() time.Duration {
				d.mu.Lock()
				defer d.mu.Unlock()
				return time.Since(d.since[len(d.since)-1]).Round(time.Minute)
			}
			after(time.Second)
			if got := back(); got != answeredFor {
				t.Errorf("the first goes back %v", got)
			}
			after(10 * time.Minute)
			if got := back(); got > closedAgain+2*closedEvery {
				t.Errorf("a later one goes back %v", got)
			}
			b.Refresh("")
			after(time.Second)
			if got := back(); got != answeredFor {
				t.Errorf("the one after R goes back %v", got)
			}
			d.set(func(d *double) { d.down = refusedConnection })
			after(10 * time.Minute)
			d.set(func(d *double) { d.down = nil })
			after(3 * time.Minute)
			if got := back(); got > 20*time.Minute {
				t.Errorf("after an outage it goes back %v", got)
			}
		}, d)
	})
}

// TestOddHistoryIsSaid, and what is ahead of its time does not lead (L22).
func TestOddHistoryIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, err := history.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for n, at := range []time.Duration{-time.Hour, 1000 * time.Hour} {
			e := entry(ended(ask(n), client.Answered, ""), 0)
			e.At, e.Here, e.Note = time.Now().Add(at), true, text.New("").String()
			if err := store.Append(*e); err != nil {
				t.Fatal(err)
			}
		}
		play(t, Options{History: store}, func(t *testing.T, b *Inbox) {
			after(time.Second)
			if l := b.Latest().Answered; len(l) != 2 || l[0].Ref != ask(0).Ref || l[1].Note == "" {
				t.Errorf("the day has %+v", l)
			}
		}, newDouble())
	})
}
