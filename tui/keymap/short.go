package keymap

import (
	"cmp"
	"strings"
	"sync"

	"github.com/charmbracelet/bubbles/key"
)

// shorts are the words of the footer, where the help's are too long.
var shorts = map[string]string{
	"undo": "take back", "new_line": "new line", "editor": "editor",
	"link": "link", "copy": "copy", "as_sent": "as sent", "pause": "pause",
	"next_filter": "filter", "mark": "mark", "refresh": "ask now", "page_down": "read on", "quit": "quit", "interrupt": "quit",
}

// short are these words by what the help says.
var short = sync.OnceValue(func() map[string]string {
	words := map[string]string{}
	for _, a := range (&Map{}).actions() {
		if s := shorts[a.name]; s != "" {
			words[a.desc] = s
		}
	}
	return words
})

// Short returns what a binding does in the few words of a footer. A pane that
// gives its binding other words than the map has keeps them.
func (m *Map) Short(b key.Binding) string { return cmp.Or(short()[b.Help().Desc], b.Help().Desc) }

// Spell puts what keys are called into the program's words: `{allow}` becomes the first key of
// that action, as it is in force.
func (m *Map) Spell(words string) string {
	if !strings.Contains(words, "{") {
		return words
	}
	return m.spelled().Replace(words)
}

// speller returns what Spell replaces, made once it is needed: keys do not change then.
func (m *Map) speller() func() *strings.Replacer {
	return sync.OnceValue(func() *strings.Replacer {
		var pairs []string
		for _, a := range m.actions() {
			if keys := a.bound.Keys(); len(keys) > 0 {
				pairs = append(pairs, "{"+a.name+"}", Label(keys[0]))
			}
		}
		return strings.NewReplacer(pairs...)
	})
}

// Arrows is what the keys that move up and down are called in few cells.
func (m *Map) Arrows() string {
	up, _, _ := strings.Cut(m.Up.Help().Key, " ")
	down, _, _ := strings.Cut(m.Down.Help().Key, " ")
	if up == "↑" && down == "↓" {
		return up + down
	}
	return up + " " + down
}
