package keymap

import "github.com/charmbracelet/bubbles/key"

// shorts are the words of the footer, where the help's are too long. By the
// first key of a binding.
var shorts = map[string]string{
	"enter": "answer", "esc": "back", "A": "always", "m": "allow, message", "D": "deny, reason",
	"X": "dismiss, message", "u": "take back", "1": "choose", " ": "tick", "t": "own answer", "ctrl+e": "editor",
	"o": "link", "y": "copy", "v": "as sent", "p": "pause", "ctrl+j": "new line", "tab": "next", "shift+tab": "previous",
	"f": "filter", "h": "answered", "R": "ask now", "pgdown": "read on", "pgup": "read back",
	"ctrl+d": "read on", "ctrl+u": "read back", "home": "start", "end": "end",
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
