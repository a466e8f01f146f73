package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/golden"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/inbox"
	"askbox/tui/theme"
)

// screens are the ways in which the body can be filled, by the keys that lead there.
var screens = map[string][]string{
	"inbox": nil, "opened": {"enter"}, "history": {"h"}, "help": {"?"}, "search": {"/", "x"},
	"typing": {"enter", "D", "n", "o"}, "quit": {"enter", "a", "q"}, "raw": {"enter", "v"}, "always": {"enter", "A"},
}

// Every frame is exactly as large as the window, whatever the window (D01, D03, D04).
func TestEveryFrameFits(t *testing.T) {
	for name, keys := range screens {
		t.Run(name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				long := approval("work", "long", strings.Repeat("echo step\n", 200)+"rm -rf ~ "+strings.Repeat("漢", 300), time.Minute)
				w := newWorld(t, 80, 24, append([]*inbox.Group{group("work", 1, long)}, everyday()[1:]...)...)
				s := w.snap(w.box.snapshot.Groups...)
				s.Answered = []*history.Entry{entry("1", strings.Repeat("漢", 300), time.Minute), entry("2", "ls", time.Hour)}
				w.publish(s)
				w.key(keys...)
				for _, width := range []int{0, 1, 2, 5, 39, 40, 41, 59, 60, 61, 79, 99, 100, 101, 133, 200, 300} {
					for _, height := range []int{0, 1, 3, 9, 10, 11, 16, 24, 60, 300} {
						w.send(tea.WindowSizeMsg{Width: width, Height: height})
						w.frame()
					}
				}
				w.send(tea.WindowSizeMsg{Width: 80, Height: 24})
				w.frame()
			})
		})
	}
}

// Before any size is known nothing panics, and nothing is drawn.
func TestNoSizeYet(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 0, 0, everyday()...)
		w.frame()
		w.key("a", "enter", "j", "?", "h", "/", "q")
		w.frame()
		w.sentNothing()
	})
}

// A resize leads to the same screen as a start at that size (D05).
func TestResizeIsAFreshStart(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 80, 24, everyday()...)
		for i := range 500 {
			w.send(tea.WindowSizeMsg{Width: 80 - 40*(i%2), Height: 24 - 14*(i%2)})
		}
		w.send(tea.WindowSizeMsg{Width: 120, Height: 30})
		fresh := newWorld(t, 120, 30, everyday()...)
		if got, want := w.frame(), fresh.frame(); got != want {
			t.Fatalf("after resizing:\n%s\nfresh:\n%s", got, want)
		}
	})
}

// The frames at the sizes that people have. Run with -update to see changes.
func TestGolden(t *testing.T) {
	themes := map[string]*theme.Theme{"dark": theme.Dark(), "plain": theme.PlainTheme()}
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}, {200, 60}} {
		for name, paint := range themes {
			t.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], name), func(t *testing.T) {
				var frame string
				story(t, func(t *testing.T) {
					w := newWorldIn(t, paint, size[0], size[1], everyday()...)
					w.frame()
					frame = w.m.draw()
				})
				golden.RequireEqual(t, []byte(frame))
			})
		}
	}
}

// Without colour everything is told apart by text alone (D07).
func TestPlainHasNoColour(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 30, everyday()...)
		for _, part := range strings.Split(w.m.draw(), "\x1b")[1:] {
			if !strings.HasPrefix(part, "[0m") && !strings.HasPrefix(part, "[1m") && !strings.HasPrefix(part, "[2m") && !strings.HasPrefix(part, "[7m") &&
				!strings.HasPrefix(part, "[4m") && !strings.HasPrefix(part, "[1;7m") {
				t.Fatalf("the plain theme writes %q", part[:min(len(part), 8)])
			}
		}
		for _, want := range []string{"[All 6]", "▌", "now", "Not reachable", "insecure"} {
			w.shows(want)
		}
	})
}

func TestHistoryScreen(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 24, everyday()...)
		s := w.snap(w.box.snapshot.Groups...)
		mine := entry("2", "go test ./...", time.Hour)
		mine.ByMe, mine.Here, mine.How = true, true, client.Dismissed
		s.Answered, s.Mine = []*history.Entry{entry("1", "rm -rf build", time.Minute), mine, entry("3", "ls", 20*time.Hour)}, 2
		w.publish(s)
		w.shows("answered in the last day 2")
		w.key("h")
		for _, want := range []string{"Answered in the last day 3", "13:59 answered", "by", "Ada", "rm -rf build", "go on, but only this once", "the session waited"} {
			w.shows(want)
		}
		w.key("j")
		w.shows("dismissed by you, here in askbox")
		before := w.under()
		w.key("esc")
		w.shows("[All 6]")
		if w.under() != before || w.m.screen != screenInbox {
			t.Fatal("the history moved the list")
		}
		w.sentNothing()
	})
}

func TestHelpShowsEveryKeyAndMark(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 80, 24, everyday()...)
		w.key("?")
		all := strings.Join(w.m.help.laid().lines, "\n")
		for _, b := range w.m.keymap.All() {
			if !strings.Contains(all, b.Help().Key) {
				t.Errorf("the help does not name %s", b.Help().Key)
			}
		}
		for _, word := range []string{"Run", "Edit", "Plan", "Tool", "Ask", "Key", "Off", "??", "waits", "goes on", "now", "in 9m", "over", "draft", "marked", "held",
			"sending", "checking", "allowed", "denied", "answered", "dismissed", "changed", "differs", "refused", "too late", "not known", "expired", "withdrawn",
			"interrupted", "ended", "gone", "unclear", "new ↑", "6+", "2 of 5", "wait", "next out", "│", "┆", "⟨ESC⟩", "lines⟩", "…", "relay:", "kind:", "is:"} {
			if !strings.Contains(all, word) {
				t.Errorf("the help does not explain %q", word)
			}
		}
		for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}} {
			w.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			w.key("g")
			w.shows("below · pgdn")
			w.key("G")
			w.hides("below · pgdn")
		}
	})
}

// A key means one thing: no two bindings of the map share one, but for those that
// quit (C13).
func TestKeysMeanOneThing(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 80, 24)
		taken := map[string]string{}
		for _, b := range w.m.keymap.All() {
			for _, k := range b.Keys() {
				if other, ok := taken[k]; ok {
					t.Errorf("%s means both %q and %q", k, other, b.Help().Desc)
				}
				taken[k] = b.Help().Desc
			}
		}
	})
}

// In the history the keys that look for something and act on an entry work, or say why not (I05).
func TestKeysInTheHistory(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		story(t, func(t *testing.T) {
			open := approval("work", "3", "ls", time.Hour)
			w := newWorld(t, width, 24, group("work", 1, open))
			s := w.snap(w.box.snapshot.Groups...)
			mine := entry("2", "psql Postgres", time.Hour)
			mine.ByMe = true
			s.Answered, s.Mine = []*history.Entry{entry("1", "rm -rf build", time.Minute), mine, entry("3", "ls", 2*time.Hour)}, 1
			w.publish(s)
			w.key("h", "/", "P", "o", "s", "t")
			w.shows("psql")
			w.hides("rm -rf build")
			w.key("enter")
			w.shows("Match 1 of 1")
			w.key("n", "N")
			w.shows("Match 1 of 1")
			w.key("esc")
			w.shows("rm -rf build")
			w.key("f")
			w.shows("[by you 1]")
			w.hides("rm -rf build")
			w.key("f", "v")
			w.shows("Only open asks are kept")
			w.key("g", "o")
			w.shows("No link of this session is known here.")
			w.key("a", "enter", "1")
			w.shows("Press esc")
			w.sentNothing()
			w.key("y")
			if !strings.Contains(w.frame(), "clipboard") {
				t.Errorf("nothing was copied:\n%s", w.frame())
			}
			w.key("esc")
			w.shows("[All 1]")
		})
	}
}

// s orders by need and by age again, and says so; tab goes to what needs a person (J06).
func TestOrderAndNeed(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		story(t, func(t *testing.T) {
			w := newWorld(t, width, 24, everyday()...)
			w.key("tab")
			if w.under() != "p1" {
				t.Fatalf("tab goes to %s", w.under())
			}
			w.key("tab", "tab")
			if w.under() != "w1" {
				t.Fatalf("tab goes to %s", w.under())
			}
			w.key("g", "j", "tab")
			if w.under() != "p1" {
				t.Fatalf("tab goes to %s", w.under())
			}
			w.key("tab", "tab", "shift+tab")
			if w.under() != "w3" {
				t.Fatalf("shift+tab goes to %s", w.under())
			}
			w.key("s")
			w.shows("rdered by need")
			if w.under() != "w3" {
				t.Fatalf("s moves the cursor to %s", w.under())
			}
			w.key("k")
			if w.under() == "w2" {
				t.Fatal("nothing is ordered")
			}
			w.key("s")
			w.shows("rdered by age")
			w.sentNothing()
		})
	}
}
