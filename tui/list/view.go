package list

import (
	"strconv"
	"time"

	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// View returns the lines of the pane: exactly its height, each exactly its
// width. Only what is in sight is laid out.
func (m Model) View(now time.Time) []string {
	lines := make([]string, 0, m.height)
	for at := m.top; len(lines) < m.height; at++ {
		i := m.blockAt(at)
		switch {
		case i < 0:
			lines = append(lines, theme.NewLine(m.theme, m.width).String())
		case len(lines) == 0 && at > m.blocks[i].start:
			// The heading stays in sight while the asks under it are scrolled.
			lines = append(lines, m.heading(&m.blocks[i]))
		default:
			lines = append(lines, m.line(i, at, now))
		}
	}
	return lines
}

func (m Model) blockAt(line int) int {
	for i := range m.blocks {
		if line < m.blocks[i].start+m.blocks[i].lines() {
			return i
		}
	}
	return -1
}

func (m Model) line(i, line int, now time.Time) string {
	b := &m.blocks[i]
	switch off := line - b.start; {
	case off == 0:
		return m.heading(b)
	case off <= len(b.notes):
		n := b.notes[off-1]
		if n.clock {
			n.text = seen(b.group.State, now) + " · " + next(b.group.State, now)
		}
		return theme.NewLine(m.theme, m.width).Space(indent).Add(n.role, n.text).String()
	}
	return m.row(i, line-b.first(), now)
}

// heading is the name of a relay, a rule, and how many asks are under it.
func (m Model) heading(b *block) string {
	open := len(b.items)
	if m.cursor.set && b == &m.blocks[m.cursor.block] && b.items[m.cursor.at].Ask.Status.Closed() {
		open-- // it stays for the cursor's sake and waits for nobody
	}
	g, count := b.group, strconv.Itoa(open)
	if hidden := len(b.group.Items) - open; hidden > 0 {
		count += " of " + strconv.Itoa(len(b.group.Items))
	}
	if g.State.Partial != "" {
		count += "+"
	}
	warn := ""
	if g.Insecure {
		warn = " insecure"
	}
	l := theme.NewLine(m.theme, m.width).Space(1)
	if g.Via != "" {
		return m.paired(l, g, warn, count)
	}
	if room := l.Left() - len(count) - len(warn) - 3; room > 0 {
		l.Add(theme.Heading, text.Cut(g.Name, room))
	}
	l.Add(theme.Warn, warn).Space(1)
	l.Repeat(theme.Border, m.theme.Glyphs.Rule, l.Left()-len(count)-2)
	return l.Space(1).Add(theme.Dim, count).String()
}

// paired is the heading of a relay that is reached through another one. Its name came
// from there, so it stands last, behind the gutter: it looks like no rule, no count
// and no pane, and never pushes out through whom it is reached. Of the two names it keeps
// two thirds of the room.
func (m Model) paired(l *theme.Line, g *inbox.Group, warn, count string) string {
	const rule = 2
	l.Space(1).Add(theme.Dim, "via ")
	room := l.Left() - len(warn) - len(count) - rule - 5
	l.Add(theme.Dim, text.Cut(g.Via, max(room-min(text.Width(g.Name), room*2/3), 1)))
	l.Add(theme.Warn, warn).Space(1).Repeat(theme.Border, m.theme.Glyphs.Rule, rule).Space(1).Add(theme.Dim, count).Space(1)
	return l.Add(theme.Gutter, m.theme.Glyphs.Gutter).Space(1).Add(theme.Heading, text.Cut(g.Name, l.Left())).String()
}
