package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/tui/theme"
)

// move is one thing that happens in a random story.
type move struct {
	kind   int // 0, 1: the inbox changes; 2: time passes; 3: the window changes; 4: a burst; else: a key
	how    int // which change
	at     int // of which ask
	wait   time.Duration
	key    string
	behind bool // the change comes while the key is on its way
}

var anyKey = []string{"a", "a", "a", "A", "d", "D", "x", "j", "k", "g", "G", "enter", "enter", "esc", "f", "F", "n", "h", "?", "u", "R", "1", "2", " ", "t", "tab", "pgdown", "v", "q", "/"}

var anyMove = rapid.Custom(func(t *rapid.T) move {
	return move{
		kind: rapid.IntRange(0, 11).Draw(t, "kind"), how: rapid.IntRange(0, 3).Draw(t, "how"), at: rapid.IntRange(0, 99).Draw(t, "at"),
		wait:   time.Duration(rapid.IntRange(1, 2500).Draw(t, "ms")) * time.Millisecond,
		key:    rapid.SampledFrom(anyKey).Draw(t, "key"),
		behind: rapid.IntRange(0, 3).Draw(t, "behind") == 0,
	}
})

// anySize has windows of every kind, and some too small for anything.
var anySize = [][2]int{{40, 12}, {80, 24}, {120, 30}, {120, 12}, {39, 9}, {0, 0}, {200, 60}}

// For any arrivals, changes, closings, sizes, lags, pauses, bursts and keys: what is
// held is for what the terminal showed in full when the key was pressed, which was a
// lag before it came, no ask is answered twice at once, and every frame fits
// (C06, C07, C35, H06).
func TestWhatIsSentStoodOnTheScreen(t *testing.T) {
	answers := 0
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.SampledFrom(anySize[:4]).Draw(rt, "size")
		lag := rapid.SampledFrom([]int{0, 10, 190, 400, 2000}).Draw(rt, "lag")
		moves := rapid.SliceOfN(anyMove, 1, 60).Draw(rt, "moves")
		var wrong string
		story(t, func(t *testing.T) {
			r := &random{says: map[string]string{}}
			r.w = (&world{t: t, lag: time.Duration(lag) * time.Millisecond}).start(theme.PlainTheme(), size[0], size[1])
			// There is something to decide on from the start.
			r.change(move{})
			wrong = r.play(moves)
			answers += r.seen
		})
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
	if answers == 0 {
		t.Fatal("no story held anything, so nothing was tested")
	}
	t.Logf("%d answers were held", answers)
}

// random is a story that is made up as it goes.
type random struct {
	w       *world
	items   []*inbox.Item
	says    map[string]string // what a content asks, by its digest
	next    int
	version uint64
	seen    int // held answers looked at
}

func (r *random) play(moves []move) (wrong string) {
	for _, m := range moves {
		switch m.kind {
		case 0, 1:
			r.change(m)
		case 2:
			r.w.pass(m.wait)
		case 3:
			size := anySize[m.at%len(anySize)]
			r.w.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		default:
			if wrong = r.press(m); wrong != "" {
				return wrong
			}
		}
		r.w.frame()
	}
	return ""
}

// press presses a key, which arrives a lag later, and checks what is held because
// of it against what stood on the terminal when it was pressed.
func (r *random) press(m move) (wrong string) {
	w := r.w
	w.pass(m.wait)
	frame, width := ansi.Strip(w.drawn), w.m.width
	if m.behind {
		w.pass(w.lag / 2)
		r.change(m)
		w.pass(w.lag - w.lag/2)
	} else {
		w.pass(w.lag)
	}
	if m.kind >= 8 {
		// A person who wants to decide, and goes back to where that can be done.
		m.key = []string{"a", "d", "esc", "x"}[m.kind-8]
	}
	keys := []tea.Msg{keyNamed(m.key)}
	if m.kind == 4 {
		keys = append(keys, keyNamed(anyKey[m.at%len(anyKey)]), keyNamed(m.key))
	}
	w.send(keys...)
	for ; r.seen < len(w.box.taken); r.seen++ {
		s := w.box.taken[r.seen]
		if !strings.Contains(pane(frame, width), r.says[s.digest]) {
			return fmt.Sprintf("%s held %+v for %q; on the screen was:\n%s", m.key, s.answer, r.says[s.digest], frame)
		}
	}
	return ""
}

// pane is the part of a frame that shows an ask in full.
func pane(frame string, width int) string {
	if width < twoPanes {
		return frame
	}
	var b strings.Builder
	for _, line := range strings.Split(frame, "\n") {
		if runes := []rune(line); len(runes) > width*42/100 {
			b.WriteString(string(runes[width*42/100:]) + "\n")
		}
	}
	return b.String()
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
	for _, it := range r.items {
		r.says[it.Digest] = it.Ask.What().String()
		it.Ask.Raw = []byte(r.says[it.Digest]) // v shows the same words
	}
	s := r.w.snap(group("work", r.version, r.items...))
	s.Closed = inbox.ItemsOf(closed)
	r.w.publish(s)
}
