package inbox

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
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
			d.down = &client.RateLimited{Until: time.Now().Add(tt.after)}
			play(t, Options{}, func(t *testing.T, b *Inbox) {
				after(longestWait + time.Second)
				if gap := d.openedAt[1] - d.openedAt[0]; gap < tt.least || gap > tt.most {
					t.Errorf("Retry-After %v: waited %v", tt.after, gap)
				}
			}, d)
		})
	}
}

// TestTheTokenIsAtFault: the relay is asked again by itself, slowly, and at once where
// the person wants it; a token that is still being waited for costs no time.
func TestTheTokenIsAtFault(t *testing.T) {
	for _, tt := range []struct {
		down        error
		trouble     string
		least, most int // polls in an hour
	}{
		{&client.TokenRefused{}, "Token refused", 25, 45},
		{&client.NoToken{From: "token_env T", Why: "the variable is not set"}, "No token", 25, 45},
		{&client.NoToken{From: "keyring", Waiting: true}, "Waiting for its token", 1700, 1801},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDouble(ask(1))
			d.down = tt.down
			play(t, Options{}, func(t *testing.T, b *Inbox) {
				after(time.Hour)
				s := b.Latest().Groups[0].State
				if opens, _, _ := d.count(); opens < tt.least || opens > tt.most || s.Trouble != tt.trouble || s.Next.IsZero() || s.Reachable {
					t.Errorf("asked %d times: %+v", opens, s)
				}
				d.set(func(d *double) { d.down = nil })
				b.Refresh("another")
				synctest.Wait()
				if isOpen(b, ask(1)) {
					t.Error("asked although another relay was meant")
				}
				b.Refresh("work")
				synctest.Wait()
				if s := b.Latest().Groups[0].State; !isOpen(b, ask(1)) || !s.Reachable {
					t.Errorf("after R: %+v", s)
				}
			}, d)
		})
	}
}

// TestASingleRefusalOfTheToken shows the next ask by itself.
func TestASingleRefusalOfTheToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1))
		d.down = &client.TokenRefused{}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(time.Second)
			d.set(func(d *double) { d.down = nil })
			after(slowFirst + 3*time.Second)
			if !isOpen(b, ask(1)) {
				t.Error("the relay is well and not asked")
			}
		}, d)
	})
}

// TestARelayThatHangsIsSaidTo after a few polls that did not come back.
func TestARelayThatHangsIsSaidTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1))
		play(t, Options{Poll: 500 * time.Millisecond}, func(t *testing.T, b *Inbox) {
			after(10 * time.Second)
			d.set(func(d *double) { d.slow = 10 * time.Second })
			after(3 * time.Second)
			since := b.Latest().Groups[0].State.Partial
			if !strings.HasPrefix(since, "it has not answered since ") {
				t.Errorf("it says %q", since)
			}
			after(5 * time.Second)
			if s := b.Latest().Groups[0].State; s.Partial != since || !s.Reachable || !isOpen(b, ask(1)) {
				t.Errorf("later: %+v", s)
			}
			d.set(func(d *double) { d.slow = 0 })
			after(10 * time.Second)
			if s := b.Latest().Groups[0].State; s.Partial != "" {
				t.Errorf("it answers: %+v", s)
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

// TestNothingNewPublishesNothing over a thousand polls of an unchanged relay.
func TestNothingNewPublishesNothing(t *testing.T) {
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
			if n > 6 { // it is down, which says more than that its list has an end too early
				return client.Batch{Partial: "not every page could be read"}, &client.Unreachable{Reason: "ECONNREFUSED"}
			}
			return client.Batch{Asks: []*client.Ask{ask(1)}, Partial: "only 50 pages were read"}, nil
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(2 * time.Second)
			if s := b.Latest(); s.Counts()[0] != 3 || !s.Groups[0].State.Reachable || s.Groups[0].State.Partial == "" {
				t.Errorf("%v, %+v", s.Counts(), s.Groups[0].State)
			}
			after(6 * time.Second)
			if s := b.Latest(); s.Counts()[0] != 3 || s.Groups[0].State.Partial != "only 50 pages were read" || d.gets != 0 {
				t.Errorf("%v, %+v", s.Counts(), s.Groups[0].State)
			}
			after(6 * time.Second)
			if s := b.Latest().Groups[0].State; s.Reachable || s.Reason != "ECONNREFUSED" || s.Partial != "" {
				t.Errorf("%+v", s)
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

// TestOpenAsksComeFirst: no relay is asked for its closed asks while another one is
// still asked for its open ones, unless that takes long.
func TestOpenAsksComeFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, slow := newDouble(ask(1)), newDouble(ask(2))
		slow.slow = time.Second
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(900 * time.Millisecond)
			early := quick.listedClosed()
			after(200 * time.Millisecond)
			if early != 0 || quick.listedClosed() != 1 {
				t.Errorf("listed closed asks %d times before, %d after the open ones", early, quick.listedClosed())
			}
		}, quick, slow)
		quick, slow = newDouble(ask(1)), newDouble(ask(2))
		slow.slow = time.Hour
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(openFirst + time.Second)
			if n := quick.listedClosed(); n != 1 {
				t.Errorf("listed closed asks %d times beside a relay that hangs", n)
			}
		}, quick, slow)
	})
}
