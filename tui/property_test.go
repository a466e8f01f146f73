package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"askbox/client"
	"askbox/client/inbox"
)

// move is one thing that happens in a random story.
type move struct {
	kind int // 0: the inbox changes; 1: time passes; else: a key
	how  int // which change
	at   int // of which ask
	wait time.Duration
	key  string
}

var anyKey = []string{"a", "a", "A", "d", "D", "x", "j", "k", "g", "G", "enter", "enter", "esc", "f", "F", "n", "h", "?", "u", "R", "1", "2", " ", "t", "tab", "pgdown", "v", "q", "/"}

var anyMove = rapid.Custom(func(t *rapid.T) move {
	return move{
		kind: rapid.IntRange(0, 5).Draw(t, "kind"), how: rapid.IntRange(0, 3).Draw(t, "how"), at: rapid.IntRange(0, 99).Draw(t, "at"),
		wait: time.Duration(rapid.IntRange(1, 2000).Draw(t, "ms")) * time.Millisecond,
		key:  rapid.SampledFrom(anyKey).Draw(t, "key"),
	}
})

// For any arrivals, changes, closings, sizes, pauses and keys: what is sent is
// for what stood on the screen when the key was pressed, and every frame fits
// (C06, C07, C35).
func TestWhatIsSentStoodOnTheScreen(t *testing.T) {
	answers := 0
	rapid.Check(t, func(rt *rapid.T) {
		width := rapid.SampledFrom([]int{40, 80, 120}).Draw(rt, "width")
		height := rapid.IntRange(12, 40).Draw(rt, "height")
		moves := rapid.SliceOfN(anyMove, 1, 60).Draw(rt, "moves")
		var wrong string
		story(t, func(t *testing.T) {
			r := &random{w: newWorld(t, width, height)}
			// There is something to decide on from the start.
			r.change(move{})
			wrong = r.play(moves)
			answers += r.sent
		})
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
	if answers == 0 {
		t.Fatal("no story sent anything, so nothing was tested")
	}
}

// random is a story that is made up as it goes.
type random struct {
	w       *world
	items   []*inbox.Item
	next    int
	version uint64
	seen    int // answers looked at
	sent    int
}

func (r *random) play(moves []move) (wrong string) {
	for _, m := range moves {
		switch m.kind {
		case 0:
			r.change(m)
		case 1:
			r.w.pass(m.wait)
		default:
			if wrong = r.press(m); wrong != "" {
				return wrong
			}
		}
		r.w.frame()
	}
	return ""
}

// press presses a key and checks what it sent against the frame before it.
func (r *random) press(m move) (wrong string) {
	w := r.w
	w.pass(m.wait)
	on, frame := w.m.drawn, ansi.Strip(w.drawn)
	r.seen = len(w.box.taken)
	w.send(keyNamed(m.key))
	for ; r.seen < len(w.box.taken); r.seen++ {
		r.sent++
		s := w.box.taken[r.seen]
		if !on.ok || s.ref != on.ref || s.digest != on.digest || !strings.Contains(frame, r.says(s.ref)) {
			return fmt.Sprintf("%s sent %+v for %v; on the screen was %v:\n%s", m.key, s.answer, s.ref, on.ref, frame)
		}
	}
	return ""
}

// change lets an ask arrive, change, or close elsewhere.
func (r *random) change(m move) {
	closed := map[client.Ref]*inbox.Item{}
	r.version++
	at := 0
	if len(r.items) > 0 {
		at = m.at % len(r.items)
	}
	switch {
	case m.how < 2 || len(r.items) == 0:
		r.next++
		id, age := fmt.Sprint("ask-", r.next), -time.Duration(r.next)*time.Second
		it := approval("work", id, fmt.Sprintf("run %d now", r.next), age)
		if m.how == 1 {
			it = question("work", id, fmt.Sprintf("which of %d now?", r.next), age)
		}
		r.items = append([]*inbox.Item{it}, r.items...)
	case m.how == 2:
		closed[r.items[at].Ask.Ref] = closeItem(r.items[at], client.Answered, "Grace")
		r.items = append(append([]*inbox.Item{}, r.items[:at]...), r.items[at+1:]...)
	default:
		r.items = append([]*inbox.Item{}, r.items...)
		r.items[at] = approval("work", r.items[at].Ask.ID, fmt.Sprintf("changed %d now", r.version), time.Minute)
	}
	s := r.w.snap(group("work", r.version, r.items...))
	s.Closed = closed
	r.w.publish(s)
}

// says returns what an open ask asks.
func (r *random) says(ref client.Ref) string {
	for _, it := range r.items {
		if it.Ask.Ref == ref {
			return it.Ask.What().String()
		}
	}
	return "(the ask is not open)"
}
