package inbox

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
)

// TestDayIsSortedAsItComes learns of random endings from every origin, in any order,
// and compares the list with one that is put together from nothing.
func TestDayIsSortedAsItComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Now()
		var d day
		what := [origins]map[client.Ref]*history.Entry{{}, {}, {}, {}}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			from := origin(rapid.IntRange(0, int(origins)-1).Draw(t, "from"))
			var entries []*history.Entry
			for _, id := range rapid.SliceOfNDistinct(rapid.IntRange(1, 6), 1, 6, rapid.ID).Draw(t, "asks") {
				e := &history.Entry{Ref: ask(id).Ref, How: client.Answered, Here: from == fromHere || from == fromHistory, ByMe: rapid.Bool().Draw(t, "mine"), What: text.New(fmt.Sprint("step ", id)),
					At: now.Add(-time.Duration(rapid.IntRange(0, 30).Draw(t, "hours"))*time.Hour - 30*time.Minute)}
				if from == fromAttempt {
					e.Tried = &history.Attempt{End: history.TooLate, At: e.At}
				}
				if rapid.Bool().Draw(t, "with") {
					e.With = []text.Text{text.New(fmt.Sprint("said to ", from))}
				}
				entries = append(entries, e)
			}
			if rapid.IntRange(0, 4).Draw(t, "reopens") == 0 {
				ref := entries[0].Ref
				d.reopened(ref)
				delete(what[fromHere], ref)
				delete(what[fromListing], ref)
				continue
			}
			for _, e := range entries {
				what[from][e.Ref] = e
				d.learn(e, from)
			}
		}
		var want []*history.Entry
		for id := range 7 {
			k := closedAs{}
			for from := range origins {
				k.from[from] = what[from][ask(id).Ref]
			}
			if e := k.merged(now.Add(-answeredFor)); e != nil {
				want = append(want, e)
			}
		}
		slices.SortFunc(want, laterFirst)
		mine := 0
		for _, e := range want {
			if e.Mine() {
				mine++
			}
		}
		if d.mine != mine {
			t.Fatalf("%d are said to be mine, %d are", d.mine, mine)
		}
		if !slices.EqualFunc(d.all, want, sameEntry) {
			t.Fatalf("listed %v, want %v", d.all, want)
		}
		if !d.since.IsZero() {
			t.Fatal("something is said not to be held")
		}
	})
}

// TestDayHoldsSoMuch drops the oldest of what others closed, says so, holds what was
// answered here, and holds all of the day again once that is possible.
func TestDayHoldsSoMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d day
		began := time.Now()
		closing := func(n int, here bool) *history.Entry {
			return &history.Entry{Ref: client.Ref{Relay: "work", ID: fmt.Sprint(n, here)}, How: client.Answered, At: time.Now(), Here: here}
		}
		for n := range 4 * heldMost {
			time.Sleep(time.Second)
			d.learn(closing(n, false), fromHere)
			if n%100 == 0 {
				d.learn(closing(n, true), fromHere)
			}
			if held := len(d.all); held > heldMost+heldMost/4 || held != len(d.known) {
				t.Fatalf("%d are held, %d known", held, len(d.known))
			}
		}
		others, mine := 0, 0
		for _, e := range d.all {
			if e.Here {
				mine++
			} else if others++; e.At.Before(d.since) {
				t.Errorf("%v is listed, and said not to be", e.At)
			}
		}
		if others < heldMost || mine != 4*heldMost/100 || !d.since.After(began.Add(time.Hour)) {
			t.Errorf("%d and %d of mine, since %v", others, mine, d.since)
		}
		held := len(d.all)
		d.learn(&history.Entry{Ref: client.Ref{Relay: "work", ID: "old"}, At: began, How: client.Answered}, fromListing)
		if len(d.all) != held {
			t.Error("what is too old to be held was taken")
		}
		time.Sleep(answeredFor + time.Minute)
		d.expire()
		if len(d.all)+len(d.known) > 0 || !d.since.IsZero() {
			t.Errorf("a day later %d are held, since %v", len(d.all), d.since)
		}
	})
}

// TestLongListingOfClosedAsks is cut, and said to be.
func TestLongListingOfClosedAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble()
		d.shut.Complete = true
		for n := range 23_000 {
			a := ask(n)
			c := byGrace("allow")
			c.At = time.Now().Add(-time.Duration(n) * time.Second)
			a.Status, a.Closing = client.Answered, &c
			d.shut.Asks = append(d.shut.Asks, a)
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			s := b.Latest()
			if len(s.Answered) != heldMost || !s.AnsweredSince.Equal(s.Answered[heldMost-1].At) {
				t.Errorf("%d are held, since %v", len(s.Answered), s.AnsweredSince)
			}
			after(10 * time.Minute)
			if now := b.Latest(); now.Number != s.Number {
				t.Errorf("%d snapshots while nothing changed", now.Number-s.Number)
			}
		}, d)
	})
}
