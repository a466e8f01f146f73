package history

import (
	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
	"askbox/tui/theme"
)

// open lays out what there is to say of the selected entry.
func (m Model) open() Model {
	m.detail = nil
	e := m.Selected()
	if e == nil || m.width < 12 {
		return m
	}
	m.say(byLine(e))
	m.say(theme.Sentence(e.Note))
	m.say(theme.Sentence(e.After.String()))
	if t := e.Tried; t != nil {
		m.say(theme.Sentence("tried here: " + t.Answer.Action().String() + ", " + t.End.String()))
		m.say(theme.Sentence(t.Why))
		m.quote("said", t.Said)
	}
	if !e.By.Empty() && !e.ByMe {
		m.quote("by", e.By)
	}
	m.quote("on", e.Surface)
	m.quote("asked", e.What)
	if !e.Shown.Equal(e.What) {
		m.quote("shown", e.Shown)
	}
	m.quote("told", e.Told)
	for _, with := range e.With {
		m.quote("with", with)
	}
	m.quote("session", e.Session)
	m.quote("relay", text.New(e.Ref.Relay))
	return m
}

// byLine says what kind of ask it was, what became of it, and by whom.
func byLine(e *history.Entry) string {
	s := e.Kind.String() + " · " + e.Did()
	if e.How == client.Open {
		s = e.Kind.String() + " · still open"
	}
	if e.ByMe {
		s += " by you"
	}
	if e.Here {
		s += ", here in askbox"
	}
	if e.Waited {
		s += " · the session waited"
	}
	return s
}

// labelWidth is how many cells the words left of a gutter take.
const labelWidth = 8

// indent is how far the lines under an entry stand in.
func (m Model) indent() int {
	if m.width < wide {
		return 3
	}
	return 8
}

// say adds the program's own words, on as many lines as they take.
func (m *Model) say(s string) {
	for _, part := range theme.Wrap(s, m.width-m.indent()) {
		m.detail = append(m.detail, theme.NewLine(m.theme, m.width).Space(m.indent()).Add(theme.Dim, part).String())
	}
}

// quote adds what somebody else wrote, behind the gutter.
func (m *Model) quote(label string, t text.Text) {
	if t.Empty() {
		return
	}
	before := theme.Blank(m.indent()) + text.Pad(label, labelWidth)
	for _, row := range t.Rows(max(m.width-text.Width(before)-theme.GutterWidth, 1), text.Words) {
		m.detail = append(m.detail, theme.Tinted(m.theme, before, row, m.width, theme.Plain, theme.NoTint))
		before = theme.Blank(text.Width(before))
	}
}
