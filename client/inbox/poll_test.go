package inbox

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
	"askbox/client/text"
)

var refusedConnection = &client.Unreachable{Reason: "ECONNREFUSED"}

// TestEachRelayOnItsOwnClock: one that hangs costs the others nothing.
func TestEachRelayOnItsOwnClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, hangs := newDouble(ask(1)), newDouble()
		hangs.slow = time.Hour
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(21 * time.Second)
			if opens, _, _ := quick.count(); opens != 11 {
				t.Errorf("the quick relay was asked %d times in 20 s", opens)
			}
			after(5 * time.Minute)
			if hangs.most != 1 {
				t.Errorf("%d polls of one relay at once", hangs.most)
			}
			g := b.Latest().Groups
			if !g[0].State.Reachable || g[1].State.Reachable || !g[1].State.Asked || g[1].State.Reason == "" {
				t.Errorf("states: %+v, %+v", g[0].State, g[1].State)
			}
		}, quick, hangs)
	})
}

// TestBackoff is for a relay that fails for five minutes: gaps grow to a cap,
// the state says when it is asked next, and the first success ends all of it.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			seen := b.Latest().Groups[0].State.Seen
			d.set(func(d *double) { d.down, d.slow = &client.Failed{Status: 500}, 3*time.Second })
			after(10 * time.Second)
			s := b.Latest().Groups[0].State
			if s.Reachable || s.Reason == "" || !s.Seen.Equal(seen) || s.Next.IsZero() && !s.Asking {
				t.Errorf("state: %+v", s)
			}
			if !isOpen(b, ask(1)) {
				t.Error("the old list is gone")
			}
			after(5 * time.Minute)
			var gaps []time.Duration
			for i := 2; i < len(d.openedAt); i++ {
				gaps = append(gaps, d.openedAt[i]-d.openedAt[i-1])
			}
			if last := gaps[len(gaps)-1]; last < 45*time.Second || last > 64*time.Second {
				t.Errorf("the last gap is %v", last)
			}
			if len(gaps) > 12 || gaps[1] < 5*time.Second || d.most != 1 {
				t.Errorf("gaps: %v, %d at once", gaps, d.most)
			}
			d.set(func(d *double) { d.down, d.slow = nil, 0 })
			b.Refresh("")
			after(4 * time.Second) // one that began before may be under way
			if s := b.Latest().Groups[0].State; !s.Reachable || s.Reason != "" {
				t.Errorf("after a good poll: %+v", s)
			}
			opens, _, _ := d.count()
			after(10 * time.Second)
			if now, _, _ := d.count(); now != opens+5 {
				t.Errorf("%d polls in 10 s", now-opens)
			}
		}, d)
	})
}

func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		after, least, most time.Duration
	}{
		{7 * time.Second, 7 * time.Second, 7 * time.Second},
		{-5 * time.Second, 2 * time.Second, 3 * time.Second},
		{0, 2 * time.Second, 3 * time.Second},
		{time.Nanosecond, nudgeGap, 3 * time.Second},
		{24 * time.Hour, longestWait, longestWait},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDouble()
			d.down = &client.RateLimited{After: tt.after}
			play(t, Options{}, func(t *testing.T, b *Inbox) {
				after(longestWait + time.Second)
				if gap := d.openedAt[1] - d.openedAt[0]; gap < tt.least || gap > tt.most {
					t.Errorf("Retry-After %v: waited %v", tt.after, gap)
				}
			}, d)
		})
	}
}

func TestRefusedTokenStopsUntilRefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1))
		d.down = &client.TokenRefused{}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(time.Hour)
			s := b.Latest().Groups[0].State
			if opens, _, _ := d.count(); opens != 1 || !s.Stopped || s.Reason != "token refused" || !s.Next.IsZero() {
				t.Errorf("asked %d times: %+v", opens, s)
			}
			d.set(func(d *double) { d.down = nil })
			b.Refresh("another")
			after(time.Minute)
			if isOpen(b, ask(1)) {
				t.Error("asked although another relay was meant")
			}
			b.Refresh("work")
			synctest.Wait()
			if s := b.Latest().Groups[0].State; !isOpen(b, ask(1)) || s.Stopped || !s.Reachable {
				t.Errorf("after R: %+v", s)
			}
		}, d)
	})
}

// TestPanicInARelay is contained: this relay shows an error, the other one works.
func TestPanicInARelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad, good := newDouble(), newDouble()
		bad.lists = func(int) (client.Batch, error) { panic("\x1b[2J out of range") }
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(10 * time.Second)
			g := b.Latest().Groups
			if g[0].State.Reachable || g[0].State.Reason == "" || !g[1].State.Reachable {
				t.Errorf("states: %+v, %+v", g[0].State, g[1].State)
			}
		}, bad, good)
	})
}

// TestCalmInboxPublishesNothing over a thousand polls of an unchanged relay.
func TestCalmInboxPublishesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1), ask(2))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(time.Second)
			before := b.Latest()
			for range 1000 {
				// Each reading is made anew, as JSON would be, and its clock ticks in seconds.
				d.set(func(d *double) { d.asks, d.ahead = []*client.Ask{ask(1), ask(2)}, 900*time.Millisecond })
				after(2 * time.Second)
			}
			if now := b.Latest(); now != before {
				t.Errorf("%d snapshots while nothing changed", now.Number-before.Number)
			}
			d.set(func(d *double) { d.asks = append(d.asks, ask(3)) })
			next, err := b.Next(t.Context(), before.Number)
			if err != nil || next.Counts() != [3]int{3, 3, 0} {
				t.Errorf("next: %v, %v", next, err)
			}
			if &before.Groups[0].Items[0] == &next.Groups[0].Items[0] || before.Groups[0].Version == next.Groups[0].Version || len(before.Groups[0].Items) != 2 {
				t.Error("the snapshot before was changed")
			}
		}, d)
	})
}

func TestGroupsWithoutAChangeAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, two := newDouble(ask(1)), newDouble(ask(2))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			before := b.Latest()
			one.set(func(d *double) { d.asks = nil; d.asks = append(d.asks, ask(1), ask(5)) })
			after(2 * time.Second)
			now := b.Latest()
			if now.Groups[1] != before.Groups[1] || now.Groups[0] == before.Groups[0] {
				t.Error("the wrong group was made anew")
			}
		}, one, two)
	})
}

func TestNextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(Options{})
		if b.Latest() == nil {
			t.Fatal("no snapshot before the start")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := b.Next(ctx, b.Latest().Number); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		time.AfterFunc(time.Second, func() { b.Close(t.Context(), false) })
		if _, err := b.Next(t.Context(), b.Latest().Number); !errors.Is(err, io.EOF) {
			t.Errorf("got %v", err)
		}
		if b.Close(t.Context(), true) != nil {
			t.Error("closed twice")
		}
	})
}

// TestHowMissingAsksClosed reads each once, and believes the relay.
func TestHowMissingAsksClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1), ask(2), ask(3))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			d.end(ask(1).Ref, client.Answered, byGrace("deny"))
			d.set(func(d *double) { d.asks = d.asks[:1] }) // ak_3 is not known any more
			after(2 * time.Second)
			s := b.Latest()
			if it := s.Find(ask(1).Ref); it.Ask.Status != client.Answered || it.Ask.Closing.By.Name.Raw() != "Grace" {
				t.Errorf("closed: %+v", it.Ask)
			}
			if it := s.Find(ask(3).Ref); it.Ask.Status != client.Gone || it.Ask.Closing.Note != gone {
				t.Errorf("gone: %+v", it.Ask)
			}
			if !isOpen(b, ask(2)) || isOpen(b, ask(1)) || isOpen(b, ask(3)) {
				t.Error("the wrong asks are listed")
			}
			if len(s.Answered) != 1 || s.Answered[0].Ref != ask(1).Ref || s.Answered[0].Here {
				t.Errorf("answered: %+v", s.Answered)
			}
			_, gets, _ := d.count()
			after(time.Minute)
			if _, now, _ := d.count(); gets != 2 || now != 2 {
				t.Errorf("%d, then %d were read one by one", gets, now)
			}
			d.set(func(d *double) { d.asks = append(d.asks, ask(3)) })
			after(2 * time.Second)
			if !isOpen(b, ask(3)) || b.Latest().Closed[ask(3).Ref] != nil {
				t.Error("an ask that shows up again is not open again")
			}
		}, d)
	})
}

// TestLookupsAreFew while hundreds of asks vanish at once.
func TestLookupsAreFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asks []*client.Ask
		for n := range 300 {
			asks = append(asks, ask(n))
		}
		d := newDouble(asks...)
		busy, most := 0, 0
		d.reads = func(int, *client.Ask) (*client.Ask, error) {
			d.set(func(d *double) { busy++; most = max(most, busy) })
			time.Sleep(time.Second)
			d.set(func(d *double) { busy-- })
			return nil, &client.NotFound{}
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			d.set(func(d *double) { d.asks = nil })
			after(time.Minute)
			if _, gets, _ := d.count(); most > lookupsAside || gets > maxLookups {
				t.Errorf("%d at once, %d in all", most, gets)
			}
			if s := b.Latest(); s.Counts()[0] != 0 || len(s.Closed) != 300 {
				t.Errorf("%d open, %d closed", s.Counts()[0], len(s.Closed))
			}
		}, d)
	})
}

// TestFailedLookupIsTriedAgain, and meanwhile the ask is not answered unread.
func TestFailedLookupIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1))
		d.reads = func(n int, a *client.Ask) (*client.Ask, error) {
			if n < 3 {
				return nil, refusedConnection
			}
			return ended(a, client.Withdrawn, ""), nil
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			d.set(func(d *double) { d.asks = nil })
			after(2 * time.Second)
			if !isOpen(b, ask(1)) {
				t.Fatal("it is not known how it ended, and not open")
			}
			send(t, b, ask(1), allow)
			if f := flightOf(t, b, ask(1)); f.State != Refused || len(d.sent) != 0 {
				t.Errorf("state %d, sent %d", f.State, len(d.sent))
			}
			after(10 * time.Second)
			if it := b.Latest().Find(ask(1).Ref); it.Ask.Status != client.Withdrawn {
				t.Errorf("closed as %v", it.Ask.Status)
			}
		}, d)
	})
}

// TestDeadAskListedOnceMore is not answerable again and causes no loop: the list
// lags behind what the relay said.
func TestDeadAskListedOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		d.takes = func(int, *client.Ask, client.Answer) (*client.Ask, error) { return nil, &client.NotFound{} }
		d.reads = func(int, *client.Ask) (*client.Ask, error) { return nil, &client.NotFound{} }
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			send(t, b, a, allow)
			after(10 * time.Second)
			if isOpen(b, a) || flightOf(t, b, a).State != TooLate {
				t.Error("a dead ask came back")
			}
			_, gets, sent := d.count()
			if gets > 3 || sent != 1 {
				t.Errorf("%d reads, %d sent", gets, sent)
			}
		}, d)
	})
}

// TestAnsweredAskDoesNotFlicker while a poll is under way that began before.
func TestAnsweredAskDoesNotFlicker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			d.set(func(d *double) { d.slow = time.Second })
			after(2100 * time.Millisecond) // a poll is under way, with the ask in it
			d.set(func(d *double) { d.slow = 0 })
			send(t, b, a, allow)
			if isOpen(b, a) {
				t.Fatal("not answered")
			}
			done := b.Latest().Number
			after(5 * time.Second)
			if isOpen(b, a) || b.Latest().Number > done+1 {
				t.Errorf("it came back, or %d snapshots for nothing", b.Latest().Number-done)
			}
			// The relay has it open after all.
			d.set(func(d *double) { d.asks = []*client.Ask{ask(1)} })
			after(2 * time.Second)
			if n := b.Latest().Notices; !isOpen(b, a) || b.Latest().Find(a.Ref).Flight != nil || len(n) != 1 {
				t.Errorf("not open again, or nothing is said: %v", n)
			}
		}, d)
	})
}

func TestPartialLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble()
		d.lists = func(n int) (client.Batch, error) {
			switch n {
			case 1:
				return client.Batch{Asks: []*client.Ask{ask(1), ask(2)}, Complete: true}, nil
			case 2: // a page is lost
				return client.Batch{Asks: []*client.Ask{ask(3)}, Complete: true}, &client.Failed{Status: 400}
			}
			return client.Batch{Asks: []*client.Ask{ask(1)}, Partial: "only 50 pages were read"}, nil
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(2 * time.Second)
			if s := b.Latest(); s.Counts()[0] != 3 || !s.Groups[0].State.Reachable || s.Groups[0].State.Partial == "" {
				t.Errorf("%v, %+v", s.Counts(), s.Groups[0].State)
			}
			after(10 * time.Second)
			if s := b.Latest(); s.Counts()[0] != 3 || s.Groups[0].State.Partial != "only 50 pages were read" || d.gets != 0 {
				t.Errorf("%v, %+v", s.Counts(), s.Groups[0].State)
			}
		}, d)
	})
}

func TestFreshWantsAPollFromAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			d.set(func(d *double) { d.slow = 500 * time.Millisecond })
			after(2100 * time.Millisecond)
			resumed := time.Now() // while a poll is under way
			after(time.Second)
			if b.Fresh("work", resumed) {
				t.Error("a poll that began before counts")
			}
			b.Refresh("work")
			after(time.Second)
			if !b.Fresh("work", resumed) || b.Fresh("nobody", resumed) {
				t.Error("a poll that began afterwards does not count")
			}
		}, d)
	})
}

// TestAnsweredInTheLastDay merges what the relay lists with what was seen here.
func TestAnsweredInTheLastDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := func(n int, hours float64) *client.Ask {
			a := ask(n)
			a.Status, a.Closing = client.Answered, new(client.Closing)
			*a.Closing = byGrace("allow")
			a.Closing.At = time.Now().Add(time.Hour - time.Duration(hours*float64(time.Hour)))
			return a
		}
		d := newDouble(ask(1))
		d.ahead = time.Hour
		d.shut = client.Batch{Complete: true, Asks: []*client.Ask{at(7, 2), at(8, 23.99), at(9, 25), ask(5)}}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			ids := func() (ids []string) {
				for _, e := range b.Latest().Answered {
					ids = append(ids, e.Ref.ID)
				}
				return ids
			}
			if got := ids(); !slices.Equal(got, []string{"ak_7", "ak_8"}) {
				t.Fatalf("answered %v", got)
			}
			if age := time.Since(b.Latest().Answered[0].At); age != 2*time.Hour {
				t.Errorf("age by this machine's clock: %v", age)
			}
			send(t, b, ask(1), allow)
			if got := ids(); !slices.Equal(got, []string{"ak_1", "ak_7", "ak_8"}) {
				t.Errorf("answered %v", got)
			}
			mine := at(1, 0)
			mine.Closing.By = client.Actor{Type: client.ActorUser, Name: text.New("Ada"), Me: true}
			d.set(func(d *double) { d.shut.Asks = append(d.shut.Asks, mine) })
			after(time.Minute)
			l := b.Latest().Answered
			if got := ids(); !slices.Equal(got, []string{"ak_1", "ak_7"}) && len(l) != 3 || !l[0].Here || l[0].By.Raw() != "Ada" {
				t.Errorf("answered %v: %+v", got, l[0])
			}
			after(time.Hour)
			if got := ids(); !slices.Equal(got, []string{"ak_1", "ak_7"}) {
				t.Errorf("an hour later: %v", got)
			}
			if d.closes < 60 || d.closes > 63 {
				t.Errorf("listed %d times in an hour", d.closes)
			}
		}, d)
	})
}

// TestPairedRelays are groups of their own, and listed once where they are
// configured as well.
func TestPairedRelays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		there := ask(2, func(a *client.Ask) { a.Paired = "rr_1" })
		via := newDouble(ask(1), there)
		via.pair = []client.Paired{
			{ID: "rr_1", Name: text.New("build\x1b[2Jbox"), Identity: "id_home", Reachable: true},
			{ID: "rr_2", Name: text.New("attic"), Reason: text.New("Not reachable (ECONNREFUSED)")},
		}
		direct := newDouble(ask(2, func(a *client.Ask) { a.Relay = "home" }))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			names := func() (names []string) {
				for _, g := range b.Latest().Groups {
					names = append(names, g.Via+">"+g.Name)
				}
				return names
			}
			box := text.New("build\x1b[2Jbox").String()
			if got := names(); !slices.Equal(got, []string{">work", "work>" + box, "work>attic", ">home"}) {
				t.Fatalf("groups %q", got)
			}
			if g := b.Latest().Groups[2]; g.State.Reachable || g.State.Reason == "" {
				t.Errorf("attic: %+v", g.State)
			}
			direct.set(func(d *double) { d.about.Identity = "id_home" })
			b.Refresh("")
			after(time.Minute)
			if got := names(); !slices.Equal(got, []string{">work", "work>attic", ">home"}) || b.Latest().Counts()[0] != 2 {
				t.Errorf("groups %q", got)
			}
			// While it does not answer itself, what only the pairing knows is shown.
			direct.set(func(d *double) { d.down = refusedConnection })
			more := ask(3, func(a *client.Ask) { a.Paired = "rr_1" })
			via.set(func(d *double) { d.asks = append(slices.Clone(d.asks), more) })
			after(time.Minute)
			if !isOpen(b, more) || b.Latest().Counts()[0] != 3 {
				t.Errorf("groups %q, %v open", names(), b.Latest().Counts())
			}
			via.set(func(d *double) { d.down = refusedConnection })
			after(10 * time.Second)
			if g := b.Latest().Groups[1]; g.State.Reachable || g.State.Reason == "" {
				t.Errorf("reached through a silent relay: %+v", g.State)
			}
		}, via, direct)
	})
}
