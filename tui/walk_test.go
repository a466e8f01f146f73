package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/tui/keymap"
)

// One level back by q, from wherever one is; it quits from the list, and :q and
// ctrl+c from everywhere (J08).
func TestQGoesBackOneLevel(t *testing.T) {
	for _, c := range []struct {
		width int
		keys  string
		quits bool
	}{
		{80, "q", true}, {80, "enter q", false}, {80, "enter q q", true}, {80, "? q", false}, {80, "h q q", true},
		{80, "enter v q", false}, {80, "enter v q q q", true}, {120, "q", true}, {120, "? q", false}, {120, "v q", false}, {120, "v q q", true},
		{80, "enter : q enter", true}, {120, ": q u i t enter", true}, {120, ": x y enter", false}, {120, ": q esc", false},
		{80, "enter ctrl+c", true}, {80, "? ctrl+c", true}, {80, "h : q enter", true}, {120, "? : q enter", true}, {120, "D q", false},
	} {
		story(t, func(t *testing.T) {
			w := newWorld(t, c.width, 30, group("work", 1, approval("work", "1", "ls", time.Minute)))
			w.key(strings.Fields(c.keys)...)
			if w.quit != c.quits {
				t.Errorf("%s at %d: quit %v, want %v:\n%s", c.keys, c.width, w.quit, c.quits, w.frame())
			}
			w.sentNothing()
		})
	}
}

// The next and previous ask is a key away from inside an open one, and has to stand
// on the screen before a key decides on it, as any other (J04).
func TestStepsFromAnOpenAsk(t *testing.T) {
	for _, width := range []int{80, 120} {
		story(t, func(t *testing.T) {
			asks := []*inbox.Item{approval("work", "1", "make one", time.Minute), approval("work", "2", "make two", time.Hour), question("work", "3", "Which one?", 2*time.Hour)}
			w := newWorld(t, width, 30, group("work", 1, asks...))
			w.key("enter", "ctrl+n")
			w.shows("make two")
			w.key("ctrl+n")
			w.shows("Which one?")
			w.key("ctrl+n")
			w.shows("This is the last ask.")
			w.key("enter", "down", "ctrl+p")
			if w.shows("make two"); w.under() != "2" {
				t.Fatalf("the cursor is on %s", w.under())
			}
			w.key("D", "n", "o", "ctrl+n")
			if w.shows("with esc first"); w.under() != "2" {
				t.Fatalf("the cursor is on %s", w.under())
			}
			w.key("esc", "ctrl+p", "ctrl+p")
			w.shows("This is the first ask.")
			w.pass(time.Second)
			w.send(keyNamed("ctrl+n"), keyNamed("a"))
			w.pass(time.Second)
			w.sentNothing()
			w.key("a")
			w.sentOnly(asks[1], client.Allow)
		})
	}
}

// Enter goes on from an ask that was answered to the next that needs an answer.
func TestEnterGoesOnAfterAnAnswer(t *testing.T) {
	for _, width := range []int{80, 120} {
		story(t, func(t *testing.T) {
			asks := []*inbox.Item{approval("work", "1", "make one", time.Minute), approval("work", "2", "make two", time.Hour), approval("work", "3", "make three", 2*time.Hour)}
			w := newWorld(t, width, 30, group("work", 1, asks...))
			flying := func(at int, state inbox.FlightState) {
				held := *asks[at]
				held.Flight = &inbox.Flight{State: state, Answer: client.Answer{Decision: client.Allow}, Until: w.m.now.Add(time.Hour)}
				asks[at] = &held
				w.publish(w.snap(group("work", w.number+1, asks...)))
			}
			flying(1, inbox.Sending)
			w.key("enter", "a")
			flying(0, inbox.Held)
			if w.key("enter"); w.under() != "3" {
				t.Fatalf("the cursor is on %s:\n%s", w.under(), w.frame())
			}
			w.key("enter")
			if w.under() != "3" || len(w.box.sent) != 1 {
				t.Fatalf("enter did something on an open approval: %s, %v", w.under(), w.box.sent)
			}
			flying(2, inbox.Held)
			w.key("enter")
			w.shows("No other ask needs you now.")
		})
	}
}

// Keys that are set do what the usual ones did, and those do nothing any more (K25).
func TestKeysThatAreSet(t *testing.T) {
	story(t, func(t *testing.T) {
		keys, faults := keymap.With([]keymap.Setting{{Action: "allow", Keys: []string{"ctrl+y"}}, {Action: "down", Keys: []string{"e"}}})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		it := approval("work", "2", "ls", time.Hour)
		w := newWorld(t, 120, 30, group("work", 1, approval("work", "1", "pwd", time.Minute), it))
		w.m = newModel(setup{ctx: w.m.ctx, box: w.box, theme: w.m.theme, out: w.m.out, clock: w.m.clock, frames: w.m.frames, keymap: keys}, client.All).resize(120, 30)
		w.key("a", "e", "a")
		w.sentNothing()
		w.shows("ctrl+y  allow")
		w.key("ctrl+y")
		w.sentOnly(it, client.Allow)
		if help := strings.Join(w.m.help.resize(120, 300).view(), "\n"); !strings.Contains(help, "ctrl+y") {
			t.Errorf("the help says:\n%s", help)
		}
	})
}

// A click puts the cursor on the ask under it, the wheel moves what is under it, and
// nothing is decided (J28, R7).
func TestMouse(t *testing.T) {
	for _, width := range []int{80, 120} {
		story(t, func(t *testing.T) {
			asks := []*inbox.Item{approval("work", "1", "make one", time.Minute), approval("work", "2", "make two", time.Hour), approval("work", "3", "make three", 2*time.Hour)}
			w := newWorld(t, width, 30, group("work", 1, asks...), group("home", 1, approval("home", "4", strings.Repeat("make four\n", 60), time.Minute)))
			row := func(text string) int {
				t.Helper()
				for y, line := range strings.Split(w.frame(), "\n") {
					if strings.Contains(line[:min(len(line), 50)], text) {
						return y
					}
				}
				t.Fatalf("%q is not there:\n%s", text, w.frame())
				return 0
			}
			mouse := func(x, y int, button tea.MouseButton) {
				w.pass(time.Second)
				w.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: button}, tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionRelease, Button: button})
			}
			on := func(want string) {
				t.Helper()
				if w.under() != want {
					t.Fatalf("at %d: the cursor is on %s, want %s", width, w.under(), want)
				}
			}
			mouse(5, row("make three"), tea.MouseButtonLeft)
			on("3")
			mouse(5, row("home ─"), tea.MouseButtonLeft)
			on("3")
			mouse(5, 10, tea.MouseButtonWheelUp)
			on("2")
			mouse(5, row("make four"), tea.MouseButtonLeft)
			on("4")
			if w.key("enter"); width == 120 {
				w.key("esc")
			}
			before := w.frame()
			mouse(width-5, 10, tea.MouseButtonWheelDown)
			if on("4"); w.frame() == before {
				t.Fatal("the wheel over the ask did nothing")
			}
			mouse(width-5, 10, tea.MouseButtonLeft)
			w.key("D", "n", "o")
			mouse(5, 2, tea.MouseButtonLeft)
			on("4")
			w.sentNothing()
		})
	}
}
