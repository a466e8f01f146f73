package list

import (
	"strconv"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// View returns the lines of the pane: exactly its height, each exactly its
// width. Only what is in sight is laid out.
func (m Model) View(now time.Time) []string {
	lines := make([]string, 0, m.height)
	like := m.alikes(m.textWidth())
	for i := range m.blocks {
		b := &m.blocks[i]
		if b.end() <= m.top || len(lines) >= m.height {
			continue
		}
		// The heading stays in sight while the asks under it are scrolled.
		lines = append(lines, m.heading(b, now))
		for at := b.at(max(m.top, b.start) + 1); at < len(b.items) && len(lines) < m.height; at++ {
			rows := m.rows(b, at, like[b.items[at]], now)
			lines = append(lines, rows[max(m.top+1-b.line(at), 0):]...)
		}
	}
	lines = lines[:min(len(lines), m.height)]
	notes := m.notes(now)
	if free := m.height - len(lines); len(notes) >= free {
		notes = nil
	}
	for len(lines) < m.height-len(notes) {
		lines = append(lines, theme.Blank(m.width))
	}
	return append(lines, notes...)
}

// Line says in one line what an ask that is listed asks, and what tells it from the others.
func (m Model) Line(it *inbox.Item, width int) string {
	for other, like := range m.alikes(width) {
		if other.Ask.Ref == it.Ask.Ref {
			return it.Ask.LineFrom(width, like.bytes)
		}
	}
	return it.Ask.Line(width)
}

// alike says what an ask has in common with another one in sight, which would be cut to the
// very same row.
type alike struct {
	bytes int  // of what is asked
	whole bool // all of it
}

// alikes compares the asks in sight. The rows of those that begin alike show what comes after
// that, in turn until they differ; what asks the very same is told apart by its session.
func (m Model) alikes(width int) map[*inbox.Item]alike {
	var seen []*inbox.Item
	for i := range m.blocks {
		b := &m.blocks[i]
		if b.end() <= m.top || b.start >= m.top+m.height {
			continue
		}
		for at := b.at(max(m.top, b.start) + 1); at < len(b.items) && b.line(at) < m.top+m.height; at++ {
			seen = append(seen, b.items[at])
		}
	}
	like := map[*inbox.Item]alike{}
	const rounds = 3
	for range rounds {
		rows := map[string][]*inbox.Item{}
		for _, it := range seen {
			row := kindOf(it.Ask) + it.Ask.LineFrom(width, like[it].bytes)
			rows[row] = append(rows[row], it)
		}
		again := false
		for _, same := range rows {
			again = differ(same, like) || again
		}
		if !again {
			break
		}
	}
	for _, it := range seen {
		like[it] = m.found(it.Ask, like[it])
	}
	return like
}

// found has a row show where the words stand that are searched for.
func (m Model) found(a *client.Ask, like alike) alike {
	words := m.only.query.words
	row, _ := a.Row()
	at := strings.Index(strings.ToLower(row.Raw()), words)
	if words != "" && at > 0 && !strings.Contains(strings.ToLower(a.LineFrom(m.textWidth(), like.bytes)), words) {
		like.bytes = at
	}
	return like
}

// differ notes up to where asks with the same row say the same. It reports whether that is
// further than before.
func differ(same []*inbox.Item, like map[*inbox.Item]alike) (further bool) {
	if len(same) < 2 {
		return false
	}
	first, _ := same[0].Ask.Row()
	common, whole := len(first.Raw()), true
	for _, it := range same[1:] {
		t, _ := it.Ask.Row()
		n := commonBytes(first.Raw()[:common], t.Raw())
		whole = whole && n == len(first.Raw()) && n == len(t.Raw())
		common = n
	}
	for _, it := range same {
		was := like[it]
		like[it] = alike{bytes: common, whole: whole}
		if whole {
			like[it] = alike{bytes: was.bytes, whole: true}
		}
		further = further || !whole && common > was.bytes
	}
	return further
}

func commonBytes(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

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
