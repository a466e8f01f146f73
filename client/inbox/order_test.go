package inbox

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"askbox/client"
)

// TestReadingsHaveAnOrder lets readings of every kind arrive in any order: each ask
// has the content of the one that began last of those that held it.
func TestReadingsHaveAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b board
		b.list(ask(1), ask(2))
		began := rapid.Permutation([]uint64{11, 12, 13, 14, 15, 16, 17, 18, 19, 20}).Draw(t, "arrival")
		b.now = 100 // every reading had begun before the first one arrived
		newest, want := map[int]uint64{}, map[int]string{1: "make step-1", 2: "make step-2"}
		for i, at := range began {
			n := news{began: at}
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				n.complete = true
			case 1:
				n.single = true
			}
			for _, id := range rapid.SliceOfNDistinct(rapid.IntRange(1, 2), 0, 2, rapid.ID).Draw(t, "asks") {
				content := fmt.Sprint("content ", i)
				if rapid.Bool().Draw(t, "as at first") {
					content = fmt.Sprint("make step-", id)
				}
				n.asks = append(n.asks, ask(id, command(content)))
				if at > newest[id] {
					newest[id], want[id] = at, content
				}
			}
			b.tell(n)
		}
		for id := range want {
			if it := b.find(ask(id).Ref); it == nil || it.Ask.What().Raw() != want[id] || it.Digest != it.Ask.Digest() {
				t.Fatalf("ask %d is %+v, want %q", id, it, want[id])
			}
		}
	})
}

// TestSlowReadingIsOlderThanTheList reads the ask alone because the relay has not
// listed anything for long, and is told the old content after a list with the new one.
func TestSlowReadingIsOlderThanTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1, command("ls -la build")), newDouble(ask(1, command("ls -la build")))
		now := ask(1, command("rm -rf build/../src"))
		broken := &client.Failed{Status: 503}
		d.reads = func(int, *client.Ask) (*client.Ask, error) {
			time.Sleep(3 * time.Second)
			return a, nil
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			d.set(func(d *double) { d.down = broken })
			after(5 * time.Minute)
			d.set(func(d *double) { d.down = nil })
			send(t, b, a, allow)
			d.set(func(d *double) { d.asks = []*client.Ask{now} })
			b.Refresh("")
			after(time.Second)
			if f := flightOf(t, b, a); f.State != Refused {
				t.Errorf("not refused at once: %+v", f)
			}
			after(time.Minute)
			if it := b.Latest().Find(a.Ref); it.Ask.What().Raw() != "rm -rf build/../src" || len(d.sent) != 0 {
				t.Errorf("shown: %v, sent %v", it.Ask.What(), d.sent)
			}
		}, d)
	})
}

// TestEventBeforeAList is told by an event that arrived before a list began: it is
// older, however long it took to be looked at.
func TestEventBeforeAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreaming(ask(1, command("new")))
		play(t, Options{Poll: time.Minute}, func(t *testing.T, b *Inbox) {
			after(10 * time.Second)
			opens, _, _ := s.count()
			s.events <- client.Event{Opened: ask(1, command("old"))}
			after(gather / 2)
			b.Refresh("work")
			after(time.Second)
			if now, _, _ := s.count(); now != opens+1 {
				t.Fatalf("listed %d times", now-opens)
			}
			if got := b.Latest().Find(ask(1).Ref).Ask.What().Raw(); got != "new" {
				t.Errorf("got %q", got)
			}
		}, s)
	})
}
