package ask

import (
	"askbox/client"
	"askbox/tui/page"
)

// Shown is what one frame of the pane shows: a plain value, to be compared with
// == and to be given back to [Model.Confirm] once the terminal has drawn it.
type Shown struct {
	Ref    client.Ref
	Digest string
	// Stage changes whenever a key would decide something else than before.
	Stage int
	// Layout changes whenever the number of a row means another row than before.
	Layout int
	// First and Last are the rows of the ask on the screen, Last excluded.
	First, Last int
}

// OnScreen returns what the next frame shows.
func (m Model) OnScreen() Shown {
	if m.item == nil {
		return Shown{}
	}
	s := Shown{Ref: m.item.Ask.Ref, Digest: m.item.Digest, Stage: m.Stage(), Layout: m.turns}
	if m.width >= page.Readable && m.body > 0 {
		_, s.First, s.Last = m.pages[m.view].Window()
	}
	return s
}

// Confirm takes that the terminal has drawn a frame that held s: its rows count
// as read. This is the only way for a row to count.
func (m Model) Confirm(s Shown) Model {
	if m.item == nil || s.Ref != m.item.Ask.Ref || s.Digest != m.item.Digest {
		return m
	}
	m.known = m.known.drawn(m.item)
	if s.Layout == m.turns {
		m.pages[m.view] = m.pages[m.view].Note(s.First, s.Last)
	}
	return m
}
