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
