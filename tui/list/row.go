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

// rows draws an ask, a line for each that it has: what the program knows stands left,
// what an agent wrote stands right of it (R4). same is how much of it another row has too.
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

// state is one thing that the program says of an ask.
type state struct {
	word string
	role theme.Role
}

// fitting returns those of the states for which there is room, and the cells that they take.
func fitting(states []state, room int) (fit []state, width int) {
	for i, s := range states {
		s.word = text.Cut(s.word, room)
		cells := text.Width(s.word) + min(i, 1)
		if width+cells > room {
			break
		}
		fit, width = append(fit, s), width+cells
	}
	return fit, width
}

func say(l *theme.Line, states []state) {
	for i, s := range states {
		l.Space(min(i, 1)).Add(s.role, s.word)
	}
}

// states is what the program says of an ask, the most important first: what this program
// does with it or how it closed, or else what calls for the person.
func (m Model) states(it *inbox.Item, now, relay time.Time) []state {
	if s, role := outcome(it, now, relay); s != "" {
		return []state{{s, role}}
	}
	var all []state
	add := func(holds bool, word string, role theme.Role) {
		if holds {
			all = append(all, state{word, role})
		}
	}
	left, soon := theme.Left(it.Ask.Expires, relay)
	add(m.marks.Marked != nil && m.marks.Marked(it.Ask.Ref), "marked", theme.Accent)
	add(m.marks.Changed != nil && m.marks.Changed(it), "changed", theme.Warn)
	add(soon, left, theme.Warn)
	add(it.Ask.Urgent, "now", theme.Urgent)
	add(m.marks.Draft != nil && m.marks.Draft(it.Ask.Ref), "draft", theme.Accent)
	add(it.Ask.Waits, "waits", theme.Plain)
	paused := it.Ask.Kind == client.Paused
	add(paused, "paused", theme.Dim)
	add(!it.Ask.Waits && !paused && m.second && it.Ask.Unreadable == "", "goes on", theme.Dim)
	return all
}

// outcome says what this program does with an ask, or how it closed; empty while it is
// only open. The second time is the relay's.
func outcome(it *inbox.Item, now, relay time.Time) (string, theme.Role) {
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
			return word(f.Answer.Done()), theme.Good
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
		return word(it.Ask.Did()), theme.Warn
	case it.Ask.Status == client.StatusUnknown:
		return "unclear", theme.Warn
	case it.Ask.RunOut(relay):
		return client.Expired.String(), theme.Danger
	}
	return "", theme.Plain
}

// word is the first of the program's words for an end: that an allow was for always stands
// on the ask.
func word(did string) string {
	first, _, _ := strings.Cut(did, ",")
	return first
}

// The words for what an ask is, which are the program's own: that of an approval comes
// from what would be done, never from the name that the agent's tool has.
const (
	run     = "Run"
	edit    = "Edit"
	plan    = "Plan"
	tool    = "Tool"
	ask     = "Ask"
	secret  = "Key"
	off     = "Off" // a session that is paused
	unknown = "??"
)

// kindOf returns what an ask is, as a word of at most four cells.
func kindOf(a *client.Ask) string {
	switch {
	case a.Unreadable != "":
		return unknown
	case a.Kind == client.Question:
		return ask
	case a.Kind == client.Secret:
		return secret
	case a.Kind == client.Paused:
		return off
	case a.Kind != client.Approval:
		return unknown
	}
	switch a.Leads() {
	case client.PartCommand, client.PartArgs:
		return run
	case client.PartDiff:
		return edit
	case client.PartPlan:
		return plan
	}
	return tool
}
