package inbox

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
)

// in puts an ask into a folder, by which relays are read in parts here.
func in(folder string) func(*client.Ask) {
	return func(a *client.Ask) { a.Session.Folder = text.New(folder) }
}

// covers is a reading of some folders.
func covers(folders ...string) func(*client.Ask) bool {
	return func(a *client.Ask) bool { return slices.Contains(folders, a.Session.Folder.Raw()) }
}

// TestFoldInParts lists random parts of a relay while its asks open, close and
// change, with readings that arrive later than newer ones: listed is what the newest
// reading that covers an ask, or holds it, has of it.
func TestFoldInParts(t *testing.T) {
	folders := []string{"/a", "/b", "/c"}
	folderOf := func(n int) string { return folders[n%len(folders)] }
	rapid.Check(t, func(t *rapid.T) {
		var b board
		type fact struct {
			began uint64
			open  bool
			what  string
		}
		known := map[int]fact{}
		late := []news{}
		tell := func(n news) {
			out := b.tell(n)
			for _, it := range out.missing { // the relay knows nothing of it any more
				b.tell(news{asks: []*client.Ask{ended(it.Ask, client.Gone, gone)}, single: true})
			}
			for _, a := range out.relisted { // and everything of what it lists
				b.tell(news{asks: []*client.Ask{a}, single: true})
			}
		}
		for step := range rapid.IntRange(1, 15).Draw(t, "steps") {
			b.now++
			n := news{began: b.now}
			parts := rapid.SliceOfNDistinct(rapid.SampledFrom(folders), 0, 3, rapid.ID).Draw(t, "parts")
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				n.complete, parts = true, folders
			case 1:
				n.covers = covers(parts...)
			case 2:
				n.complete, n.covers = true, covers(parts...)
			case 3: // a half list: what it lacks may be open
				parts = nil
			}
			for id := range 9 {
				covered := slices.Contains(parts, folderOf(id))
				listed := (covered || n.covers == nil && !n.complete) && rapid.Bool().Draw(t, fmt.Sprint("lists ", id))
				if listed {
					what := fmt.Sprint("step ", rapid.SampledFrom([]int{0, step}).Draw(t, "content"))
					n.asks = append(n.asks, ask(id, command(what), in(folderOf(id))))
					known[id] = fact{n.began, true, what}
				} else if covered {
					known[id] = fact{began: n.began}
				}
			}
			if rapid.IntRange(0, 3).Draw(t, "late") == 0 {
				late = append(late, n)
				continue
			}
			tell(n)
			// What was on its way meanwhile arrives now, and every part is read anew.
			for _, n := range late {
				tell(n)
			}
			late = nil
		}
		for _, n := range late {
			tell(n)
		}
		for _, f := range slices.Concat(folders, folders) { // what closes in the first round is kept up to the second
			n := news{complete: true, covers: covers(f)}
			for id, k := range known {
				if k.open && folderOf(id) == f {
					n.asks = append(n.asks, ask(id, command(k.what), in(f)))
				}
			}
			tell(n)
		}
		var want []string
		for _, id := range slices.Backward(slices.Sorted(maps.Keys(known))) {
			if known[id].open {
				want = append(want, fmt.Sprintf("ak_%d", id))
			}
		}
		if got := b.ids(); !slices.Equal(got, want) {
			t.Fatalf("listed %v, want %v", got, want)
		}
		for _, it := range b.flat() {
			var id int
			fmt.Sscanf(it.Ask.ID, "ak_%d", &id)
			if it.Ask.What().Raw() != known[id].what {
				t.Fatalf("ask %d is %q, want %q", id, it.Ask.What().Raw(), known[id].what)
			}
		}
		if len(b.shut) > 0 {
			t.Fatalf("%d closed asks are kept although every part was read since", len(b.shut))
		}
	})
}

// TestFoldInPartsStepByStep says what one reading of a part does to the others.
func TestFoldInPartsStepByStep(t *testing.T) {
	var b board
	one, two, three := ask(1, in("/a")), ask(2, in("/b")), ask(3, in("/a"))
	b.list(one, two, three)
	began := b.now
	if out := b.tell(news{asks: []*client.Ask{one}, covers: covers("/a")}); len(out.missing) != 1 || out.missing[0].Ask != three {
		t.Errorf("missing: %+v", out.missing)
	}
	b.shows(t, "ak_3", "ak_2", "ak_1") // until it is known how it closed
	if out := b.tell(news{complete: true, covers: covers()}); len(out.missing) != 0 {
		t.Error("a reading that covers nothing misses something")
	}
	b.tell(news{asks: []*client.Ask{ended(three, client.Answered, "")}, single: true})
	b.tell(news{asks: []*client.Ask{two}, covers: covers("/b")})
	if _, kept := b.shut[three.Ref]; !kept {
		t.Error("the end of an ask is forgotten although its part was not read since")
	}
	b.tell(news{asks: []*client.Ask{three}, covers: covers("/a"), began: began})
	b.shows(t, "ak_2", "ak_1")
	out := b.tell(news{asks: []*client.Ask{one, three}, covers: covers("/a")})
	if len(out.relisted) != 1 {
		t.Error("a closed ask that is listed again is not asked about")
	}
	// An event that says too little closes it in its part all the same.
	b.tell(news{asks: []*client.Ask{{Ref: one.Ref, Status: client.Answered}}, single: true})
	b.tell(news{covers: covers("/a")})
	if len(b.shut) != 0 {
		t.Errorf("kept: %+v", b.shut)
	}
}

// TestPartsOfARelay reads one folder at each poll, with an error beside it: how the
// asks closed is asked for in their own part's time, and the rest stays.
func TestPartsOfARelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1, in("/a")), ask(2, in("/b")), ask(3, in("/b")))
		d.lists = func(n int) (client.Batch, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			folder := []string{"/a", "/b"}[n%2]
			b := client.Batch{Covers: covers(folder)}
			for _, a := range d.asks {
				if covers(folder)(a) {
					b.Asks = append(b.Asks, a)
				}
			}
			return b, &client.Failed{Status: 500}
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(10 * time.Second)
			if got := b.Latest().Counts(); got[0] != 3 {
				t.Fatalf("%v open", got)
			}
			d.end(ask(3).Ref, client.Answered, byGrace("deny"))
			d.end(ask(1).Ref, client.Answered, byGrace("allow"))
			d.set(func(d *double) {
				d.reads = func(int, *client.Ask) (*client.Ask, error) { return nil, refusedConnection }
			})
			after(20 * time.Second)
			if !isOpen(b, ask(1)) || !isOpen(b, ask(3)) {
				t.Error("closed although the relay does not say how, before it was asked often enough")
			}
			after(10 * time.Minute)
			_, gets, _ := d.count()
			if isOpen(b, ask(1)) || isOpen(b, ask(3)) || !isOpen(b, ask(2)) || gets != 2*lookupTries {
				t.Errorf("open: %v, read %d times", b.Latest().Counts(), gets)
			}
		}, d)
	})
}

// TestEventsOfBareAsks are placed in the session that other asks have, and end
// with what was listed.
func TestEventsOfBareAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreaming(ask(1))
		bare := func(n int, session string) *client.Ask {
			return ask(n, func(a *client.Ask) { a.Ref.Session = session; a.Session = client.Session{ID: session} })
		}
		play(t, Options{Poll: time.Minute}, func(t *testing.T, b *Inbox) {
			after(time.Second)
			opens, _, _ := s.count()
			s.events <- client.Event{Opened: bare(2, "cs_1")}
			after(time.Second)
			if it := b.Latest().Find(ask(2).Ref); it == nil || it.Ask.Session != ask(1).Session {
				t.Errorf("an ask in a known session: %+v", it)
			}
			if now, _, _ := s.count(); now != opens {
				t.Error("listed for an ask that was told whole")
			}
			s.events <- client.Event{Opened: bare(3, "cs_9")}
			after(time.Second)
			if now, _, _ := s.count(); now != opens+1 || b.Latest().Find(bare(3, "cs_9").Ref) != nil {
				t.Errorf("%d listings for an ask in a session that is not known", now-opens)
			}
			closing := byGrace("deny")
			for _, n := range []int{1, 7} {
				s.events <- client.Event{Closed: &client.Ask{Ref: ask(n).Ref, Status: client.Answered, Closing: &closing}}
			}
			after(time.Second)
			if it := b.Latest().Find(ask(1).Ref); it.Ask.Status != client.Answered || !it.Ask.What().Equal(ask(1).What()) || it.Ask.Session != ask(1).Session {
				t.Errorf("closed: %+v", it.Ask)
			}
			l := b.Latest().Answered // the one in a known session is not listed, and gone
			if len(l) != 2 || slices.ContainsFunc(l, func(e *history.Entry) bool { return e.Ref == ask(7).Ref }) {
				t.Errorf("answered: %+v", l)
			}
		}, s)
	})
}
