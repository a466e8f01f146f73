package ask

import "askbox/client"

// Shown is what one frame of the pane shows: a plain value, to be compared with
// == and to be given back to [Model.Confirm] once the terminal has drawn it.
type Shown struct {
	Ref    client.Ref
	Digest string
	// Stage changes whenever a key would decide something else than before.
	Stage int
	// Layout changes whenever the number of a row means another row than before.
	Layout int
	// First and Last are the rows on the screen, Last excluded.
	First, Last int
}

// OnScreen returns what the next frame shows.
func (p Model) OnScreen() Shown {
	if p.item == nil {
		return Shown{}
	}
	s := Shown{Ref: p.item.Ask.Ref, Digest: p.item.Digest, Stage: p.Stage(), Layout: p.detail.turns}
	s.First, s.Last = p.detail.onScreen()
	return s
}

// Confirm takes that the terminal has drawn a frame that held s: its rows count
// as read. This is the only way for a row to count.
func (p Model) Confirm(s Shown) Model {
	if p.item == nil || s.Ref != p.item.Ask.Ref || s.Digest != p.item.Digest || s.Layout != p.detail.turns {
		return p
	}
	p.detail = p.detail.note(s.First, s.Last)
	return p
}
