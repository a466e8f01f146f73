package keymap

import (
	"cmp"
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
