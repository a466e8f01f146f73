package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// TestOneReadingAmongFrames scrolls one page, also where the machine is so slow that
// frames are drawn between the keys of one reading (H01).
func TestOneReadingAmongFrames(t *testing.T) {
	for name, read := range map[string][]tea.Msg{
		"pgdn": repeat("pgdown", 20), "space": repeat(" ", 20), "ctrl+d": repeat("ctrl+d", 40), "wheel": wheel(30),
	} {
		t.Run(name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				w := newWorld(t, 120, 30, group("work", 1, lines(1200)))
				readings := 1
				w.m.readings = func() int { return readings }
				w.pass(time.Second)
				for range 2 {
					before := w.m.ask.OnScreen()
					for _, msg := range read {
						w.send(msg)
						w.pass(20 * time.Millisecond)
					}
					if after := w.m.ask.OnScreen(); after.First > before.Last || after.First == before.First {
						t.Errorf("one reading went from %d to %d", before.Last, after.First)
					}
					readings++
				}
			})
		})
	}
}

// TestOnlyScrollingIsHeldBack: a key that goes to a place of a question further away
// than a page does so, and a letter that is typed while its field is out of sight stays.
func TestOnlyScrollingIsHeldBack(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {120, 16}} {
		story(t, func(t *testing.T) {
			it := question("work", "1", strings.Repeat("Which one of them is it? ", 60), time.Minute)
			w := newWorld(t, size[0], size[1], group("work", 1, it))
			if size[0] < twoPanes {
				w.key("enter")
			}
			end := func() {
				for range 60 {
					w.send(keyNamed("pgdown"))
					w.pass(200 * time.Millisecond)
				}
			}
			start := func() {
				for range 60 {
					w.send(keyNamed("pgup"))
					w.pass(200 * time.Millisecond)
				}
			}
			start()
			w.key("enter")
			if !w.m.ask.Focused() {
				t.Fatal("enter did not go into the answer")
			}
			w.key("t")
			if !w.m.ask.Typing() {
				t.Fatal("t opened no field")
			}
			start()
			w.key("x", "y")
			w.shows("xy")
			end()
			w.key("z")
			w.shows("xyz")
			end()
			w.key("ctrl+u")
			w.hides("xy")
		})
	}
}

// TestNoReplyIsLeftToTheShell: a quit waits for the replies that are on their way, also
// where each takes longer than a second.
func TestNoReplyIsLeftToTheShell(t *testing.T) {
	for _, lag := range []time.Duration{300 * time.Millisecond, 1800 * time.Millisecond} {
		story(t, func(t *testing.T) {
			w := newWorld(t, 120, 24, group("work", 1, approval("work", "1", "ls", 0)))
			w.pass(time.Second)
			w.lag = lag
			w.key("?")
			w.pass(3 * time.Second)
			w.send(keyNamed("?"))
			w.frame()
			w.pass(50 * time.Millisecond)
			w.send(keyNamed("ctrl+c"))
			w.pass(lag - 100*time.Millisecond)
			if w.quit {
				t.Error("quit although a reply was on its way")
			}
			w.pass(time.Second)
			if !w.quit {
				t.Error("ctrl+c did not quit")
			}
		})
	}
}
