package list

import (
	"strconv"
	"time"

	"askbox/client/text"
	"askbox/tui/theme"
)

// heading is one line: the name of a relay, how many asks are under it, and how the relay
// does where that is to be said. What comes from the relay stands last.
func (m Model) heading(b *block, now time.Time) string {
	g, count := b.group, strconv.Itoa(b.open)
	if len(g.Items) > len(b.items) {
		count += " of " + strconv.Itoa(len(g.Items))
	}
	if g.State.Partial != "" {
		count += "+"
	}
	warn := ""
	if g.Insecure {
		warn = " insecure"
	}
	l := theme.NewLine(m.theme, m.width).Space(1)
	role := theme.Heading
	if b.open == 0 {
		role = theme.Dim
	}
	if g.Via != "" {
		m.paired(l, b, role, warn, count)
	} else {
		m.own(l, b, role, warn, count, now)
	}
	return m.painted([]string{l.String()}, false)[0]
}

// own is the heading of a configured relay.
func (m Model) own(l *theme.Line, b *block, role theme.Role, warn, count string, now time.Time) {
	how, trouble := b.trouble(now)
	room := l.Left() - len(count) - len(warn) - 3
	if len(how) > 0 {
		room -= text.Width(how[0]) + 2
	}
	l.Add(role, text.Cut(b.group.Name, max(room, 4))).Add(theme.Warn, warn).Space(1)
	if len(how) == 0 {
		l.Repeat(theme.Border, m.theme.Glyphs.Rule, l.Left()-len(count)-2).Space(1).Add(theme.Dim, count)
		return
	}
	const rule = 2
	said := m.joined(how[0], how[1:], l.Left()-len(count)-rule-3)
	l.Repeat(theme.Border, m.theme.Glyphs.Rule, rule).Space(1).Add(theme.Dim, count).Space(1).Add(trouble, said)
}

// paired is the heading of a relay that is reached through another one. Its name came
// from there, so it stands last, behind the gutter: it looks like no rule, no count
// and no pane, and never pushes out through whom it is reached. Of the two names it keeps
// two thirds of the room.
func (m Model) paired(l *theme.Line, b *block, role theme.Role, warn, count string) {
	const rule = 2
	g := b.group
	if how, _ := b.trouble(time.Time{}); len(how) > 0 {
		warn += " " + how[0]
	}
	l.Space(1).Add(theme.Dim, "via ")
	room := l.Left() - text.Width(warn) - len(count) - rule - 5
	l.Add(theme.Dim, text.Cut(g.Via, max(room-min(text.Width(g.Name), room*2/3), 1)))
	l.Add(theme.Warn, warn).Space(1).Repeat(theme.Border, m.theme.Glyphs.Rule, rule).Space(1).Add(theme.Dim, count).Space(1)
	l.Add(theme.Gutter, m.theme.Glyphs.Gutter).Space(1).Add(role, text.Cut(g.Name, l.Left()))
}
