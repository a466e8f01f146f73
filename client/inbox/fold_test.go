package inbox

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"askbox/client"
	"askbox/client/text"
)

// board is a listing with the counter of moments that an inbox would have.
type board struct {
	listing
	now uint64
}

func (b *board) tell(n news) outcome {
	b.now++
	if n.began == 0 {
		n.began = b.now
	}
	b.now++
	n.relay, n.ended = "work", b.now
	var out outcome
	b.listing, out = fold(b.listing, n)
	return out
}

func (b *board) list(asks ...*client.Ask) outcome { return b.tell(news{asks: asks, complete: true}) }

// flat returns the open items, part by part.
func (l *listing) flat() (all []*Item) {
	l.each(func(it *Item) { all = append(all, it) })
	return all
}

func (b *board) ids() (ids []string) {
	for _, it := range b.flat() {
		ids = append(ids, it.Ask.ID)
	}
	return ids
}

func (b *board) shows(t *testing.T, want ...string) {
	t.Helper()
	if got := b.ids(); !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

func TestFoldKeepsWhatDidNotChange(t *testing.T) {
	var b board
	if out := b.list(ask(1), ask(2)); len(out.opened) != 2 {
		t.Errorf("opened %d", len(out.opened))
	}
	b.shows(t, "ak_2", "ak_1")
	before := b.listing
	b.list(ask(2), ask(1)) // read anew, in another order
	if &b.parts[0].items[0] != &before.parts[0].items[0] || b.parts[0].version != before.parts[0].version {
		t.Error("a poll that brought nothing made a new list")
	}
	b.list(ask(1), ask(2, command("rm -rf ~")), ask(3))
	b.shows(t, "ak_3", "ak_2", "ak_1")
	if b.flat()[2] != before.flat()[1] {
		t.Error("an ask that did not change has another item")
	}
	if b.flat()[1] == before.flat()[0] || b.flat()[1].Digest == before.flat()[0].Digest || b.parts[0].version == before.parts[0].version {
		t.Error("an ask that changed looks the same")
	}
	if len(before.flat()) != 2 || before.flat()[0].Ask.What().Raw() != "make step-2" {
		t.Error("the listing before was changed")
	}
}

// TestFoldTheSameSliceAgain is a relay that gives the very slice of the poll
// before: it brings nothing, unless something else was learnt meanwhile.
func TestFoldTheSameSliceAgain(t *testing.T) {
	var b board
	asks := []*client.Ask{ask(1), ask(2), ask(3)}
	b.list(asks[:2]...)
	b.list(asks[:2]...)
	if b.source == nil {
		t.Fatal("it is not kept in mind what the listing is")
	}
	before := b.listing
	allocs := testing.AllocsPerRun(10, func() { b.list(asks[:2]...) })
	if allocs > 0 || &b.parts[0].items[0] != &before.parts[0].items[0] {
		t.Errorf("%v allocations", allocs)
	}
	b.list(asks...)
	b.shows(t, "ak_3", "ak_2", "ak_1")
	b.list(asks...)
	if out := b.list(asks[:2]...); len(out.missing) != 1 {
		t.Error("a shorter list in the same memory is taken for the whole one")
	}
	over := *ask(1)
	over.Status = client.Gone
	b.list(asks...)
	if out := b.tell(news{asks: []*client.Ask{&over}, single: true}); len(out.closed) != 1 {
		t.Fatal("an ask did not close")
	}
	if out := b.list(asks...); len(out.relisted) != 1 {
		t.Error("that the list has a closed ask is not seen")
	}
	flying := *b.find(ask(2).Ref)
	flying.Flight = &Flight{State: Sending}
	b.listing = b.set(&flying)
	b.list(asks...)
	if b.find(ask(2).Ref).Flight == nil {
		t.Error("a poll took an answer under way off its ask")
	}
}

// TestFoldListsAnAskOnce although pages overlap and the newer page differs.
func TestFoldListsAnAskOnce(t *testing.T) {
	var b board
	b.list(ask(1), ask(2), ask(3), ask(3, command("newer")), ask(4))
	b.shows(t, "ak_4", "ak_3", "ak_2", "ak_1")
	if got := b.flat()[1].Ask.What().Raw(); got != "newer" {
		t.Errorf("got %q", got)
	}
}

func TestFoldClosesNothingOnAHalfList(t *testing.T) {
	var b board
	b.list(ask(1), ask(2))
	if out := b.tell(news{asks: []*client.Ask{ask(1)}}); len(out.missing) != 0 {
		t.Error("a half list made an ask missing")
	}
	b.shows(t, "ak_2", "ak_1")
	if out := b.list(ask(1)); len(out.missing) != 1 || out.missing[0].Ask.ID != "ak_2" {
		t.Errorf("missing: %v", out.missing)
	}
	b.shows(t, "ak_2", "ak_1") // until it is known how it closed
}

// TestFoldSameTime keeps four asks of one moment apart and in a stable order.
func TestFoldSameTime(t *testing.T) {
	var b board
	at := func(n int) *client.Ask { return ask(n, func(a *client.Ask) { a.Opened = sixOClock }) }
	b.list(at(3), at(1), at(2))
	b.shows(t, "ak_1", "ak_2", "ak_3")
	b.list(at(4), at(2), at(3), at(1))
	b.shows(t, "ak_1", "ak_2", "ak_3", "ak_4")
}

// TestFoldUnknownTimes lists asks without a time last, and none is lost.
func TestFoldUnknownTimes(t *testing.T) {
	var b board
	b.list(ask(1, func(a *client.Ask) { a.Opened = time.Time{} }), ask(2))
	b.shows(t, "ak_2", "ak_1")
}

func TestFoldCountsUnreadableItems(t *testing.T) {
	var b board
	bad := func(id, raw string) *client.Ask {
		return &client.Ask{Ref: client.Ref{Relay: "work", Session: "cs_1", ID: id}, Unreadable: "its id is a number", Raw: []byte(raw)}
	}
	for range 2 {
		b.list(ask(1), bad("", "2"), bad("", "3"), bad("ak_1", "null"))
	}
	if len(b.flat()) != 4 {
		t.Errorf("listed %q", b.ids())
	}
	if it := b.find(ask(1).Ref); it == nil || it.Ask.Unreadable != "" {
		t.Error("a readable ask gave way to an unreadable one with its id")
	}
}

func TestFoldStaleNews(t *testing.T) {
	closed := ended(ask(1), client.Answered, "")
	t.Run("a list from before the end", func(t *testing.T) {
		var b board
		b.list(ask(1))
		began := b.now
		b.tell(news{asks: []*client.Ask{closed}})
		b.tell(news{asks: []*client.Ask{ask(1)}, complete: true, began: began})
		b.shows(t)
	})
	t.Run("a list from before it opened", func(t *testing.T) {
		var b board
		b.list()
		began := b.now
		b.tell(news{asks: []*client.Ask{ask(1)}, single: true})
		if out := b.tell(news{complete: true, began: began}); len(out.missing) != 0 {
			t.Error("missed in a list that is older than it")
		}
		b.shows(t, "ak_1")
	})
	t.Run("a list from before it changed", func(t *testing.T) {
		var b board
		b.list(ask(1))
		began := b.now
		b.tell(news{asks: []*client.Ask{ask(1, command("new"))}, single: true})
		b.tell(news{asks: []*client.Ask{ask(1)}, complete: true, began: began})
		if got := b.flat()[0].Ask.What().Raw(); got != "new" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("a list from after the end", func(t *testing.T) {
		var b board
		b.list(ask(1))
		b.tell(news{asks: []*client.Ask{closed}})
		if out := b.list(ask(1)); len(out.relisted) != 1 {
			t.Error("not asked about again")
		}
		b.shows(t)
		if out := b.tell(news{asks: []*client.Ask{ask(1)}, single: true}); len(out.reopened) != 1 {
			t.Error("not open again although the relay says so")
		}
		b.shows(t, "ak_1")
	})
	t.Run("gone for a while", func(t *testing.T) {
		var b board
		b.list(ask(1))
		b.tell(news{asks: []*client.Ask{closed}})
		b.list()
		if out := b.list(ask(1)); len(out.opened) != 1 {
			t.Error("an ask that shows up again is open again")
		}
		b.shows(t, "ak_1")
	})
}

func TestFoldPaired(t *testing.T) {
	box := client.Paired{ID: "rr_1", Name: text.New("build-box"), Reachable: true}
	there := func(n int) *client.Ask { return ask(n, func(a *client.Ask) { a.Paired = "rr_1" }) }
	var b board
	b.tell(news{asks: []*client.Ask{ask(1), there(2)}, complete: true, paired: []client.Paired{box, {ID: "rr_2"}}})
	if len(b.parts) != 3 || len(b.parts[0].items) != 1 || len(b.parts[1].items) != 1 || len(b.parts[2].items) != 0 {
		t.Fatalf("parts: %+v", b.parts)
	}
	// It does not answer: that its asks are not listed says nothing of them.
	box.Reachable = false
	if out := b.tell(news{asks: []*client.Ask{ask(1)}, complete: true, paired: []client.Paired{box}}); len(out.missing) != 0 {
		t.Error("an ask of a silent relay is missing")
	}
	if b.find(there(2).Ref) == nil || b.parts[1].paired.Reachable {
		t.Error("the silent relay lost its asks, or looks reachable")
	}
	// Of a paired relay that was not told of there is still a group.
	b.tell(news{asks: []*client.Ask{ask(1), ask(3, func(a *client.Ask) { a.Paired = "rr_9" })}})
	if last := b.parts[len(b.parts)-1]; last.paired.ID != "rr_9" || len(last.items) != 1 {
		t.Errorf("parts: %+v", b.parts)
	}
}

// TestFoldLosesNothing checks for any run of news that exactly what the newest
// of them say is open is listed, once, in order.
func TestFoldLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b board
		open := map[int]bool{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			some := rapid.SliceOfN(rapid.IntRange(1, 8), 0, 10).Draw(t, "asks")
			var asks []*client.Ask
			for _, n := range some {
				asks = append(asks, ask(n))
			}
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0: // a whole list; what it lacks is looked up and closed
				out := b.list(asks...)
				clear(open)
				for _, it := range out.missing {
					b.tell(news{asks: []*client.Ask{ended(it.Ask, client.Gone, gone)}})
				}
				for _, a := range out.relisted {
					b.tell(news{asks: []*client.Ask{a}, single: true})
				}
				for _, n := range some {
					open[n] = true
				}
			case 1: // events
				b.tell(news{asks: asks, single: true})
				for _, n := range some {
					open[n] = true
				}
			case 2:
				for _, n := range some {
					b.tell(news{asks: []*client.Ask{ended(ask(n), client.Answered, "")}})
					delete(open, n)
				}
			}
			var want []string
			for n := 8; n > 0; n-- {
				if open[n] {
					want = append(want, fmt.Sprintf("ak_%d", n))
				}
			}
			if got := b.ids(); !slices.Equal(got, want) {
				t.Fatalf("listed %v, want %v", got, want)
			}
			if len(b.parts) > 0 && b.parts[0].counts != count(b.flat()) {
				t.Fatalf("counted %v", b.parts[0].counts)
			}
			for _, it := range b.flat() {
				if b.find(it.Ask.Ref) != it || b.items.Len() != len(want) {
					t.Fatalf("%v is not found, or one too many is", it.Ask.Ref)
				}
			}
		}
	})
}

// TestClosedAsksOfARelayThatListsNothingWhole are not held without an end.
func TestClosedAsksOfARelayThatListsNothingWhole(t *testing.T) {
	var l listing
	for n := range 3 * mostShut {
		over := ended(ask(n), client.Answered, "")
		l, _ = fold(l, news{relay: "work", asks: []*client.Ask{over}, single: true, began: uint64(2 * n), ended: uint64(2*n + 1)})
	}
	if len(l.shut) > 2*mostShut || len(l.shut) < mostShut {
		t.Errorf("%d are held", len(l.shut))
	}
	if _, newest := l.shut[ask(3*mostShut-1).Ref]; !newest {
		t.Error("the newest is not")
	}
}
