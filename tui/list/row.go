package list

import (
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// rows draws an ask, a line for each that it has: what the program knows stands left,
// what an agent wrote stands right of it (R4).
func (m Model) rows(b *block, at int, like alike, now time.Time) []string {
	it, lines := b.items[at], b.height(at)
	said := lines
	if m.second {
		said--
	}
	what, session := m.what(it.Ask, said, like)
	rows := make([]string, lines)
	for i := range rows {
		l := theme.NewLine(m.theme, m.width)
		m.program(l, b, it, i, now)
		gutter := m.theme.Glyphs.Gutter
		if i > 0 && i < len(what) {
			gutter = m.theme.Glyphs.Continued
		}
		l.Space(m.marksWidth()-(m.width-l.Left())).Add(theme.Gutter, gutter).Space(1)
		switch {
		case i < len(what):
			const least = 12
			l.Add(m.role(it), what[i])
			if m.second || i < said-1 {
				break
			}
			if room := m.textWidth() - text.Width(what[i]) - 2; session || room >= least {
				l.Space(2).Add(theme.Dim, m.session(it.Ask, room))
			}
		case i == len(rows)-1 && m.second:
			l.Add(theme.Dim, m.session(it.Ask, m.textWidth()))
		}
		rows[i] = l.String()
	}
	return m.painted(rows, m.cursor.set && it == m.blocks[m.cursor.block].items[m.cursor.at])
}

// painted marks what is searched for, and paints the rows of the ask under the cursor: in
// the pane that has the focus.
func (m Model) painted(rows []string, selected bool) []string {
	for i, row := range rows {
		switch {
		case m.marks.Away:
			rows[i] = m.theme.Repaint(theme.Dim, row)
		case selected:
			rows[i] = m.theme.Repaint(theme.Bar, row)
		}
		rows[i] = m.theme.Find(rows[i], m.only.query.words)
	}
	return rows
}

// role is how what is asked is drawn.
func (m Model) role(it *inbox.Item) theme.Role {
	if !Open(it) {
		return theme.Dim
	}
	return theme.Plain
}

// what returns what is asked, on at most so many lines, and whether the session has to
// stand beside it, because another row asks the very same.
func (m Model) what(a *client.Ask, lines int, like alike) (what []string, session bool) {
	width := m.textWidth()
	if session = like.whole && !m.second; session {
		width -= min(width/2, sessionWidth, text.Width(m.session(a, m.width))+2)
	}
	if ap := a.Approval; ap != nil && kindOf(a) == tool && !ap.Tool.Empty() {
		name := ap.Tool.Ends(text.Title, max(width/2, 12), width/4)
		if room := width*lines - text.Width(name) - 1; room > 0 {
			return text.Chop(name+" "+a.LineFrom(room, like.bytes), width, false), session
		}
	}
	if all := text.Chop(a.LineFrom(mostLines*width, like.bytes), width, true); len(all) <= lines {
		return all, session
	}
	for room := width * lines; ; room -= max(width/8, 1) {
		if all := text.Chop(a.LineFrom(room, like.bytes), width, false); len(all) <= lines || room <= width {
			return all[:min(len(all), lines)], session
		}
	}
}

// sessionWidth is the cells that a session gets where nothing else tells two asks apart.
const sessionWidth = 24

// session names the session and the project in which it works.
func (m Model) session(a *client.Ask, width int) string {
	title, project := a.Session.Title, a.Session.Project()
	if project.Empty() || width < 8 {
		return title.Ends(text.Title, width, width/2)
	}
	dot := " " + m.theme.Glyphs.Dot + " "
	name := project.Ends(text.Title, max(width/3, 4), width/4)
	if room := width - text.Width(name) - text.Width(dot); room >= 4 && !title.Empty() {
		return title.Ends(text.Title, room, room/2) + dot + name
	}
	return name
}

// program draws what the program says of an ask in one of its lines: in the first one its
// age and kind, in the second one its state, or beside them where it has one line.
func (m Model) program(l *theme.Line, b *block, it *inbox.Item, line int, now time.Time) {
	relay := now.Add(b.group.Skew)
	switch {
	case !m.cursor.set || it != m.blocks[m.cursor.block].items[m.cursor.at]:
		l.Space(1)
	case m.marks.Away:
		l.Add(theme.Cursor, m.theme.Glyphs.Away)
	default:
		l.Add(theme.Cursor, m.theme.Glyphs.Cursor)
	}
	states := m.states(it, now, relay)
	switch {
	case line == 0:
		age := theme.ShortAge(it.Ask.Opened, relay)
		l.Space(4-text.Width(age)).Add(theme.Dim, age).Space(1)
		width := m.stateWidth()
		switch {
		case m.second:
			l.Room(theme.Accent, kindOf(it.Ask), 4)
		case len(states) > 0 && len(states[0].word) > width:
			// A long one takes the place of the kind, so that the gutter stays where it is.
			l.Add(states[0].role, text.Cut(states[0].word, 5+width))
		default:
			l.Room(theme.Accent, kindOf(it.Ask), 4).Space(1)
			said, _ := fitting(states, width)
			say(l, said)
		}
	case line == 1 && m.second:
		const room = 9
		said, width := fitting(states, room)
		say(l.Space(room-width), said)
	}
}
