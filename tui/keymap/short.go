package keymap

import "github.com/charmbracelet/bubbles/key"

// shorts are the words of the footer, where the help's are too long. By the
// first key of a binding.
var shorts = map[string]string{
	"u": "take back", "ctrl+j": "new line", "ctrl+e": "editor",
	"o": "link", "y": "copy", "v": "as sent", "p": "pause",
	"f": "filter", "R": "ask now", "pgdown": "read on",
}

// Short returns what a binding does in the few words of a footer. A pane that
// gives its binding other words than the map has keeps them.
func (m *Map) Short(b key.Binding) string {
	for _, own := range m.All() {
		if len(b.Keys()) == 0 || own.Keys()[0] != b.Keys()[0] {
			continue
		}
		if own.Help().Desc != b.Help().Desc {
			break
		}
		if s, ok := shorts[b.Keys()[0]]; ok {
			return s
		}
	}
	return b.Help().Desc
}
