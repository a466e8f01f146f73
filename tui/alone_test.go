package tui

import (
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/inbox"
)

// Sentences as people type them into shells and chats, also with first and last
// letters that mean something here.
//
//go:embed testdata/sentences.txt
var sentences string

// scenes are asks that somebody may have in front of them while they type.
var scenes = map[string]func() *inbox.Item{
	"approval": func() *inbox.Item { return approval("work", "1", "ls", time.Minute) },
	"plan": func() *inbox.Item {
		it := approval("work", "1", "split the importer", time.Minute)
		it.Ask.Approval.Modes = []client.Mode{{ID: "default", Label: "ask before edits"}, {ID: "auto", Label: "edit alone", Confirm: "It edits without asking."}}
		it.Digest = it.Ask.Digest()
		return it
	},
	"one of": func() *inbox.Item { return question("work", "1", "Ship today?", time.Minute) },
	"several": func() *inbox.Item {
		it := question("work", "1", "Which ones?", time.Minute)
		it.Ask.Questions[0].Multi, it.Ask.Questions[0].Recommended = true, 0
		it.Digest = it.Ask.Digest()
		return it
	},
	"own text": func() *inbox.Item {
		it := question("work", "1", "What now?", time.Minute)
		it.Ask.Questions[0].Options, it.Ask.Questions[0].Recommended = nil, 0
		it.Digest = it.Ask.Digest()
		return it
	},
}

// places are where the ask stands: beside the list, in the list alone, and opened.
var places = map[string]struct {
	width int
	open  bool
}{"two panes": {120, false}, "list": {80, false}, "opened": {80, true}}

var everywhere = flag.Bool("everywhere", false, "type each sentence at each pace into every scene, which takes minutes")

// TestSentencesDecideNothing: whoever types words into the wrong window sends and
// dismisses nothing, and finds no field that kept a part of them.
func TestSentencesDecideNothing(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(sentences), "\n")
	if len(lines) < 200 {
		t.Fatalf("%d sentences", len(lines))
	}
	n := 0
	for _, scene := range slices.Sorted(maps.Keys(scenes)) {
		for _, place := range slices.Sorted(maps.Keys(places)) {
			ask, p, turn := scenes[scene], places[place], n
			n++
			t.Run(scene+"/"+place, func(t *testing.T) {
				for i, line := range lines {
					for j, pace := range []time.Duration{60, 120, 180, 250} {
						if !*everywhere && (i*4+j)%(len(scenes)*len(places)) != turn {
							continue
						}
						story(t, func(t *testing.T) {
							w := newWorld(t, p.width, 30, group("work", 1, ask(), approval("work", "2", "pwd", time.Hour)))
							if p.open {
								w.key("enter")
							}
							w.pass(2 * time.Second)
							if wrong := w.types(line+"\r", pace*time.Millisecond); wrong != "" {
								t.Errorf("%q at %d ms a key: %s", line, pace, wrong)
							}
						})
					}
				}
			})
		}
	}
}

// types types a text at a pace and reports what that did which it must not.
func (w *world) types(text string, pace time.Duration) (wrong string) {
	for _, r := range text {
		if w.quit {
			return ""
		}
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
		switch r {
		case '\r':
			msg = keyNamed("enter")
		case ' ':
			msg = keyNamed(" ")
		}
		w.send(msg)
		w.pass(pace)
	}
	w.pass(2 * time.Second)
	switch {
	case len(w.box.sent)+len(w.box.waiting) > 0:
		return fmt.Sprintf("sent %+v, held %+v", w.box.sent, w.box.waiting)
	case len(w.box.paused) > 0:
		return "paused the session"
	case w.m.ask.Typing():
		return "a field is open:\n" + w.frame()
	}
	return ""
}

// TestDecisionsInARow: two asks are decided in one go, at the pace of somebody who
// knows what to do, and each is held within the frame of its key.
func TestDecisionsInARow(t *testing.T) {
	story(t, func(t *testing.T) {
		first, second := approval("work", "1", "ls", time.Minute), approval("work", "2", "pwd", time.Hour)
		w := newWorld(t, 120, 30, group("work", 1, first, second, approval("work", "3", "date", 2*time.Hour)))
		w.pass(2 * time.Second)
		for i, k := range []string{"a", "j", "a", "j"} {
			w.send(keyNamed(k))
			if got := len(w.box.taken); got != i/2+1 {
				t.Fatalf("%d are held after key %d; the screen:\n%s", got, i+1, w.frame())
			}
			w.pass(250 * time.Millisecond)
		}
		w.sentNothing()
		w.pass(2 * aloneTime)
		if len(w.box.sent) != 2 || w.box.sent[0].ref != first.Ask.Ref || w.box.sent[1].ref != second.Ask.Ref {
			t.Errorf("sent %+v", w.box.sent)
		}
	})
}

// TestTypedOn: what follows a key that decides takes it back with a word, every
// decision of the same run, and the gate stays closed while typing goes on.
func TestTypedOn(t *testing.T) {
	for _, c := range []struct {
		name  string
		keys  []string
		pace  time.Duration
		says  string
		taken int // held for a moment
	}{
		{"a word", []string{"a", "p", "p", "l", "e"}, 120, typedOnSent, 1},
		{"fast", []string{"a", "p", "p", "l", "e"}, 35, typedOnSent, 1},
		{"a run", []string{"a", "j", "a", "r"}, 250, typedOnSent, 2},
		{"a word with a move in it", []string{"a", "j", "a", "r"}, 180, typedOnSent, 1},
		{"an enter", []string{"d", "enter"}, 250, typedOnSent, 1},
		{"a correction", []string{"x", "backspace"}, 250, typedOnSent, 1},
		{"the way back", []string{"a", "esc"}, 100, wentBack, 1},
		{"the way back at once", []string{"d", "esc"}, 5, wentBack, 1},
		{"another key that decides", []string{"a", "d"}, 250, typedOnSent, 1},
		{"the key once more", []string{"a", "a"}, 250, typedOnSent, 1},
		{"words for a field", []string{"D", "o", " ", "i", "t"}, 120, typedOnOpened, 0},
		{"words for always", []string{"A", "d", "d"}, 120, typedOnOpened, 0},
		{"words and then a key", []string{"a", "d", "x"}, 399, typedOnSent, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				it := approval("work", "1", "ls", time.Minute)
				w := newWorld(t, 120, 30, group("work", 1, it, approval("work", "2", "pwd", time.Hour)))
				w.pass(2 * time.Second)
				for _, k := range c.keys {
					w.send(keyNamed(k))
					w.pass(c.pace * time.Millisecond)
				}
				w.shows(c.says)
				w.pass(3 * time.Second)
				if len(w.box.sent)+len(w.box.waiting) > 0 || len(w.box.taken) != c.taken || w.m.ask.Typing() {
					t.Fatalf("sent %+v, held %+v, taken %d, typing %v", w.box.sent, w.box.waiting, len(w.box.taken), w.m.ask.Typing())
				}
				w.key("g", "d")
				w.sentOnly(it, client.Deny)
			})
		})
	}
}

// TestMovesAreNoTyping: moving keeps a decision waiting, however it is done.
func TestMovesAreNoTyping(t *testing.T) {
	for _, keys := range [][]string{{"down", "up"}, {"j", "k"}, {"pgdown", "pgup"}, {"g", "G"}} {
		story(t, func(t *testing.T) {
			it := approval("work", "1", "ls", time.Minute)
			w := newWorld(t, 120, 30, group("work", 1, it, approval("work", "2", "pwd", time.Hour)))
			w.pass(2 * time.Second)
			w.send(keyNamed("a"))
			for i := range 20 {
				w.pass(200 * time.Millisecond)
				w.sentNothing()
				w.send(keyNamed(keys[i%2]))
			}
			w.pass(time.Second)
			w.sentOnly(it, client.Allow)
		})
	}
}

// TestAnyKeyProvesTheFocus: the first key after the focus went is refused and says
// why, and the next one counts (G10).
func TestAnyKeyProvesTheFocus(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("work", "1", "ls", time.Minute)
		w := newWorld(t, 120, 30, group("work", 1, it))
		w.send(tea.BlurMsg{})
		w.key("a")
		w.sentNothing()
		w.shows("was not in focus")
		w.key("a")
		w.sentOnly(it, client.Allow)
	})
}

// TestNewLineInAText: enter with a modifier is a line break and not the end (G11).
func TestNewLineInAText(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("work", "1", "ls", time.Minute)
		w := newWorld(t, 120, 30, group("work", 1, it))
		w.key("D", "o", "n", "e")
		w.send(tea.KeyMsg{Type: tea.KeyEnter, Alt: true})
		w.key("t", "w", "o", "enter")
		w.sentOnly(it, client.Deny)
		if got := w.box.sent[0].answer.Message; got != "one\ntwo" {
			t.Errorf("the message is %q", got)
		}
	})
}

// TestTypedTextIsSentAtItsPace: a text is typed without a pause before the enter
// that sends it, and more text behind that takes it back.
func TestTypedTextIsSentAtItsPace(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("work", "1", "ls", time.Minute)
		w := newWorld(t, 120, 30, group("work", 1, it))
		w.key("D")
		w.types("not now\r", 60*time.Millisecond)
		w.sentOnly(it, client.Deny)
	})
	story(t, func(t *testing.T) {
		it := approval("work", "1", "ls", time.Minute)
		w := newWorld(t, 120, 30, group("work", 1, it))
		w.key("D")
		w.types("not now\rmaybe later\r", 60*time.Millisecond)
		w.sentNothing()
	})
}

// TestUndoInASmallWindow takes an answer back also where the window got too small in
// between: u is pressed on what stood there before.
func TestUndoInASmallWindow(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 30, group("work", 1, approval("work", "1", "ls", time.Minute)))
		w.key("a")
		w.send(tea.WindowSizeMsg{Width: 0, Height: 0})
		w.key("u")
		if len(w.box.undone) != 1 || len(w.box.sent) != 0 {
			t.Errorf("taken back %v, sent %v", w.box.undone, w.box.sent)
		}
	})
}

// A key that opens a field does so too where the ask has only just come on the screen,
// once it is known to stand alone. Words behind it decide nothing and open nothing, and
// what was said stays on the screen while they come (J24, H10).
func TestFieldKeySoonAfterTheAsk(t *testing.T) {
	for _, c := range []struct {
		name  string
		words string
		opens bool
	}{{"alone", "", true}, {"words behind it", "please use make", false}, {"a word that allows", "apply", false}} {
		t.Run(c.name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				w := newWorld(t, 120, 30)
				w.pass(2 * time.Second)
				w.publish(w.snap(group("work", 1, approval("work", "1", "make", 0))))
				w.send(keyNamed("down"))
				w.pass(200 * time.Millisecond)
				w.send(keyNamed("D"))
				w.pass(120 * time.Millisecond)
				for _, r := range c.words {
					w.send(keyNamed(string(r)))
					w.pass(120 * time.Millisecond)
					w.shows("Nothing was opened: you typed on.")
				}
				w.pass(time.Second)
				if got := w.m.ask.Typing(); got != c.opens {
					t.Errorf("a field is open: %v, want %v:\n%s", got, c.opens, w.frame())
				}
				w.sentNothing()
			})
		})
	}
}

// What is said of a key that opened nothing stays while words come behind it.
func TestRefusedFieldKeyStaysSaid(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 30, group("work", 1, approval("work", "1", "make", time.Minute)))
		w.pass(2 * time.Second)
		w.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("pasted"), Paste: true})
		w.pass(100 * time.Millisecond)
		w.send(keyNamed("D"))
		for _, r := range "a reason" {
			w.pass(120 * time.Millisecond)
			w.shows("Nothing was sent: that came with a paste.")
			w.send(keyNamed(string(r)))
		}
		w.pass(2 * time.Second)
		w.sentNothing()
		w.key("D")
		w.shows("enter sends")
	})
}
