package tui

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
	"askbox/tui/keymap"
	"askbox/tui/theme"
)

// askPane shows one ask in full and takes its answer. It is a plain value: every
// method that changes it returns the changed one.
type askPane struct {
	theme         *theme.Theme
	keymap        *keymap.Map
	drafts        *drafts.Store
	width, height int
}

func newAskPane(t *theme.Theme, keys *keymap.Map, d *drafts.Store) askPane {
	return askPane{theme: t, keymap: keys, drafts: d}
}

// show sets what is shown; it nil: nothing is selected. The same ref and digest
// keep what was scrolled, read, chosen and typed.
func (p askPane) show(g *inbox.Group, it *inbox.Item, now time.Time) askPane { return p }

// resize sets the size of the pane in cells.
func (p askPane) resize(width, height int) askPane {
	p.width, p.height = width, height
	return p
}

// key takes a key that is not the root's.
func (p askPane) key(msg tea.KeyMsg, gate gate) (askPane, intent) { return p, intent{} }

// paste takes a bracketed paste: it belongs to the text field in focus or to nobody.
func (p askPane) paste(msg tea.KeyMsg) askPane { return p }

// edited takes what the editor wrote; it goes to the field it came from, or is
// dropped where another ask is shown by now (its draft keeps it).
func (p askPane) edited(ref client.Ref, written string) askPane { return p }

// refused takes the error with which the inbox would not take an answer, so
// that it stands at its field.
func (p askPane) refused(ref client.Ref, err error) askPane { return p }

// view draws exactly height lines of exactly width cells.
func (p askPane) view() string {
	line := strings.Repeat(" ", max(p.width, 0))
	return strings.TrimSuffix(strings.Repeat(line+"\n", max(p.height, 0)), "\n")
}

// typing reports whether a text field has the focus.
func (p askPane) typing() bool { return false }

// focused reports whether the pane is inside its answer, so that esc goes back in it.
func (p askPane) focused() bool { return false }

// stage changes whenever a key would decide something else than before on the
// same ask (a question asked once more, a summary): the keys are armed anew then.
func (p askPane) stage() int { return 0 }

// wake is when something on the pane changes by the clock alone; zero: never.
func (p askPane) wake() time.Time { return time.Time{} }

// keys lists the bindings that do something now, for the footer.
func (p askPane) keys() []key.Binding { return nil }
