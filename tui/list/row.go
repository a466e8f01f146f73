package list

import (
	"strconv"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// words is the width from which a row names the kind of its ask in full, and has
// a column for the session.
const words = 60

// row is one ask: what the program knows stands left, what an agent wrote stands
// right of it (R4).
func (m Model) row(block, at int, now time.Time) string {
	b := &m.blocks[block]
	it := b.items[at]
	ask := it.Ask
	selected := m.cursor.set && m.cursor.block == block && m.cursor.at == at
	l := theme.NewLine(m.theme, m.width)
	if selected {
		l.Add(theme.Cursor, m.theme.Glyphs.Cursor)
	} else {
		l.Space(1)
	}
	m.age(l, b.group, it, now)
	short, word, role := kind(ask)
	if m.width >= words {
		l.Room(role, word, 10)
	} else {
		l.Room(role, short, 4)
	}
	l.Space(1)
	if ask.Urgent {
		l.Add(theme.Urgent, "now").Space(1)
	}
	if m.changed != nil && m.changed(it) {
		l.Add(theme.Warn, "changed").Space(1)
	}
	if s, r := state(it, now, now.Add(b.group.Skew)); s != "" {
		l.Add(r, s).Space(1)
	}
	m.asked(l, b, it, selected)
	return l.String()
}

// age puts the age, or the time that is left, into five cells and a space.
func (m Model) age(l *theme.Line, g *inbox.Group, it *inbox.Item, now time.Time) {
	relay := now.Add(g.Skew)
	s, role := theme.ShortAge(it.Ask.Opened, relay), theme.Dim
	if left, ok := theme.Left(it.Ask.Expires, relay); ok && !it.Ask.Status.Closed() && !it.Ask.RunOut(relay) {
		s, role = left, theme.Warn
	}
	l.Space(max(4-text.Width(s), 0)).Add(role, s).Space(1)
}

// asked is what the agent wrote: the tool, what is asked, and the session.
//
// The gutter before it is what keeps an agent's `done` from reading as the
// program's, also without colour.
func (m Model) asked(l *theme.Line, b *block, it *inbox.Item, selected bool) {
	l.Add(theme.Gutter, m.theme.Glyphs.Gutter).Space(1)
	role := theme.Plain
	switch {
	case it.Ask.Status.Closed():
		role = theme.Dim
	case selected:
		role = theme.Selected
	}
	if m.hit(b, it) {
		role = theme.Match
	}
	if a := it.Ask.Approval; a != nil && !a.Tool.Empty() && named(first(a), m.width >= words) {
		l.Add(theme.Dim, a.Tool.Fit(min(12, max(l.Left(), 1)))).Add(role, " ")
	}
	room, title := l.Left(), it.Ask.Session.Title
	if m.width >= words && !title.Empty() {
		// Where there is room for both, the sessions stand in a column of their own.
		column := min(m.width/4, 40)
		l.Room(role, it.Ask.Line(room-column-2), room-column-2).Space(2)
		l.Add(theme.Dim, title.Fit(max(l.Left(), 1)))
		return
	}
	if room > 0 {
		l.Add(role, it.Ask.Line(room))
	}
	if l.Left() >= 8 && !title.Empty() {
		l.Space(2).Add(theme.Dim, title.Fit(l.Left()))
	}
}

// named reports whether a row begins with the tool: where the short word says
// what is to be done, and for a plan, its name is only noise.
func named(leads client.PartKind, roomy bool) bool {
	return leads == client.PartField || (roomy && leads != client.PartPlan)
}

// state says what this program does with an ask, or how it closed. The second
// time is the relay's.
func state(it *inbox.Item, now, relay time.Time) (string, theme.Role) {
	if f := it.Flight; f != nil {
		if f.Differs != nil {
			return "differs", theme.Danger
		}
		switch f.State {
		case inbox.Held:
			left := max(f.Until.Sub(now), 0)
			return "held " + strconv.Itoa(int((left+time.Second-1)/time.Second)) + "s", theme.Accent
		case inbox.Sending:
			return "sending", theme.Accent
		case inbox.Checking:
			return "checking", theme.Warn
		case inbox.Done:
			return "done", theme.Good
		case inbox.Refused:
			return "refused", theme.Danger
		case inbox.TooLate:
			return "too late", theme.Danger
		case inbox.NotKnown:
			return "not known", theme.Danger
		}
	}
	switch {
	case it.Ask.Status.Closed():
		return it.Ask.Status.String(), theme.Warn
	case it.Ask.Status == client.StatusUnknown:
		return "unclear", theme.Warn
	case it.Ask.RunOut(relay):
		return client.Expired.String(), theme.Danger
	}
	return "", theme.Plain
}
