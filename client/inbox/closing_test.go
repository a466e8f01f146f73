package inbox

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
	"askbox/client/text"
)

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
			if len(s.Answered) != 2 || s.Answered[0].Here || s.Answered[1].Here {
				t.Errorf("answered: %+v", s.Answered)
			}
			_, gets, _ := d.count()
			after(time.Minute)
			if _, now, _ := d.count(); gets != 2 || now != 2 {
				t.Errorf("%d, then %d were read one by one", gets, now)
			}
			d.set(func(d *double) { d.asks = append(d.asks, ask(3)) })
			after(2 * time.Second)
			if !isOpen(b, ask(3)) || b.Latest().Closed.Find(ask(3).Ref) != nil {
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
			if _, gets, _ := d.count(); most > lookupsAtOnce || gets > maxLookups {
				t.Errorf("%d at once, %d in all", most, gets)
			}
			if s := b.Latest(); s.Counts()[0] != 0 || s.Closed.Len() != 300 {
				t.Errorf("%d open, %d closed", s.Counts()[0], s.Closed.Len())
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
			var unread *Unread
			if f := flightOf(t, b, ask(1)); f.State != Held || !errors.As(f.Err, &unread) || !unread.Again {
				t.Errorf("state %d: %v", f.State, f.Err)
			}
			after(10 * time.Second)
			if f := flightOf(t, b, ask(1)); f.State != TooLate || len(d.sent) != 0 {
				t.Errorf("state %d, sent %d", f.State, len(d.sent))
			}
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
			send(t, b, a, deny)
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

// TestPairedRelaysOfOneName are told apart, in whatever order they are listed.
func TestPairedRelaysOfOneName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pair := []client.Paired{
			{ID: "rr_1", Name: text.New("build-box"), Reachable: true},
			{ID: "rr_2", Name: text.New("build-box"), Reachable: true},
			{ID: "rr_3", Name: text.New("attic"), Reachable: true},
		}
		via := newDouble(ask(1, func(a *client.Ask) { a.Paired = "rr_1" }), ask(2, func(a *client.Ask) { a.Paired = "rr_2" }))
		via.pair = pair
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			where := func() map[string]string {
				found := map[string]string{}
				for _, g := range b.Latest().Groups {
					if _, twice := found[g.Name]; twice {
						t.Errorf("two groups are called %q", g.Name)
					}
					found[g.Name] = ""
					for _, it := range g.Items {
						found[g.Name] += it.Ask.ID
					}
				}
				return found
			}
			before := where()
			via.set(func(d *double) { d.pair = []client.Paired{pair[1], pair[2], pair[0]} })
			after(time.Minute)
			if now := where(); !maps.Equal(before, now) || len(now) != 4 || now["attic"] != "" {
				t.Errorf("before %q, now %q", before, now)
			}
		}, via)
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
