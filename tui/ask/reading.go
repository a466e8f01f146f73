package ask

import (
	"askbox/client/inbox"
	"askbox/tui/page"
)

// view is one of the documents that the pane can show of an ask.
type view int

const (
	viewContent view = iota // what is asked
	viewRaw                 // the ask as the relay sent it
	viewRules               // the exact rules that "always" would allow
	views
)

// reading is what is shown of an ask and how much of it was read.
type reading struct {
	view  view
	pages [views]page.Sheet
	about string // what the document depends on besides the digest
	turns int    // grows whenever the number of a row means another row than before
	same  string // what the ask is found again by
	// compared is what the document shows against each other.
	compared comparison
}

// open takes over which ask is shown. The same ref with the same digest keeps what
// was scrolled and read.
func (m Model) open(before *inbox.Item) Model {
	it := m.item
	about := aboutOf(it.Ask, m.group)
	c := m.comparison()
	switch {
	case before == nil || before.Ask.Ref != it.Ask.Ref || before.Digest != it.Digest || m.about != about || m.compares(c):
		m.reading = reading{about: about, turns: m.turns + 1, compared: c}
		m.pages[viewContent] = page.New(m.build(c))
		if m.group != nil {
			m.same = it.Ask.Sameness(m.group.Kind)
		}
	case before.Ask != it.Ask:
		// This view is drawn from what need not be part of the digest.
		m.pages[viewRaw] = m.pages[viewRaw].At(nil)
	}
	return m
}

// look shows another view, from its start.
func (m Model) look(v view) Model {
	m.view = v
	m.turns++
	if v != viewContent {
		m.pages[v] = page.Sheet{}
	}
	return m
}
