// Package history is the pane that shows what was answered in the last day: who
// did it, how, when, and with what.
package history

import (
	"strconv"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
	"askbox/tui/theme"
)

// Model is the pane, a value like every pane.
type Model struct {
	theme         *theme.Theme
	width, height int
	entries       []*history.Entry // newest first
	since         time.Time        // what others closed before is not held; zero: all of the day is
	at            int              // the selected entry
	top           int              // the first line on the screen, the title not counted
	detail        []string         // the lines under the selected entry
}

// New returns an empty pane.
func New(t *theme.Theme) Model { return Model{theme: t} }

// Resize gives the pane its size in cells.
func (m Model) Resize(width, height int) Model {
	m.width, m.height = max(width, 0), max(height, 0)
	return m.open().settle()
}

// Take shows entries, newest first, and says since when they are held where that is
// not the whole day (since is not zero). The selection stays on its entry.
func (m Model) Take(entries []*history.Entry, since time.Time) Model {
	old := m.entries
	m.entries, m.since = entries, since
	if m.at < len(old) {
		row := m.at - m.top
		for i := range entries {
			if same(entries[i], old[m.at]) {
				m.at, m.top = i, i-row
				break
			}
		}
	}
	m.at = max(min(m.at, len(entries)-1), 0)
	return m.open().settle()
}

func same(a, b *history.Entry) bool { return a.Ref == b.Ref && a.At.Equal(b.At) }

// Move selects an entry some rows away; a large number selects the first or last.
func (m Model) Move(rows int) Model {
	at := max(min(m.at+rows, len(m.entries)-1), 0)
	if at == m.at {
		// At the end of the list the key goes on through the last entry's lines.
		m.top += max(min(rows, 1), -1)
		return m.settle()
	}
	m.at = at
	m = m.open()
	if end := m.at + len(m.detail); end >= m.top+m.room() {
		m.top = end - m.room() + 1
	}
	m.top = min(m.top, m.at)
	return m.settle()
}

// Scroll moves the window and leaves the selection.
func (m Model) Scroll(lines int) Model {
	m.top += lines
	return m.settle()
}

// Page returns how many lines a page has.
func (m Model) Page() int { return max(m.room()-1, 1) }

// room is the height without the title.
func (m Model) room() int { return max(m.height-1, 0) }

func (m Model) settle() Model {
	m.top = max(min(m.top, len(m.entries)+len(m.detail)-m.room()), 0)
	return m
}

// open lays out what there is to say of the selected entry.
func (m Model) open() Model {
	m.detail = nil
	if m.at >= len(m.entries) || m.width < 12 {
		return m
	}
	e := m.entries[m.at]
	words := byLine(e)
	if e.Waited {
		words += " · the session waited"
	}
	m.say(words)
	m.say(theme.Sentence(e.Note))
	if !e.By.Empty() && !e.ByMe {
		m.quote("by", e.By)
	}
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

func byLine(e *history.Entry) string {
	s := e.How.String()
	if e.ByMe {
		s += " by you"
	}
	if e.Here {
		s += ", here in askbox"
	}
	return s
}

// labelWidth is how many cells the words left of a gutter take.
const labelWidth = 8

// indent is how far the lines under an entry stand in.
func (m Model) indent() int {
	if m.width < 60 {
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
	left := m.indent() + labelWidth
	for i, row := range t.Rows(max(m.width-left-2, 1), text.Words) {
		l := theme.NewLine(m.theme, m.width).Space(m.indent())
		if i > 0 {
			label = ""
		}
		l.Room(theme.Dim, label, labelWidth)
		gutter := m.theme.Glyphs.Gutter
		if row.Continued {
			gutter = m.theme.Glyphs.Continued
		}
		l.Add(theme.Gutter, gutter).Space(1)
		for _, p := range row.Pieces {
			role := theme.Plain
			if p.Mark {
				role = theme.Mark
			}
			l.Add(role, p.S)
		}
		m.detail = append(m.detail, l.String())
	}
}

// View returns the lines of the pane: exactly its height, each exactly its width.
func (m Model) View(now time.Time) []string {
	lines := make([]string, 0, m.height)
	if m.height > 0 {
		title := theme.NewLine(m.theme, m.width).Space(1).Add(theme.Heading, "Answered in the last day")
		title.Space(1).Add(theme.Dim, strconv.Itoa(len(m.entries)))
		if !m.since.IsZero() {
			title.Space(1).Add(theme.Dim, "· those of others only since "+m.since.Local().Format("15:04")+", there are too many")
		}
		lines = append(lines, title.String())
	}
	for line := m.top; len(lines) < m.height; line++ {
		switch {
		case len(m.entries) == 0 && line == m.top:
			lines = append(lines, theme.NewLine(m.theme, m.width).Space(3).Add(theme.Dim, "Nothing was answered in the last day.").String())
		case line > m.at && line <= m.at+len(m.detail):
			lines = append(lines, m.detail[line-m.at-1])
		case line <= m.at && line < len(m.entries):
			lines = append(lines, m.row(line, now))
		case line > m.at && line-len(m.detail) < len(m.entries):
			lines = append(lines, m.row(line-len(m.detail), now))
		default:
			lines = append(lines, theme.NewLine(m.theme, m.width).String())
		}
	}
	return lines
}

// row is one entry on one line: when, how, what kind, then what others wrote.
func (m Model) row(i int, now time.Time) string {
	e := m.entries[i]
	l := theme.NewLine(m.theme, m.width)
	role := theme.Plain
	if i == m.at {
		l.Add(theme.Cursor, m.theme.Glyphs.Cursor)
		role = theme.Selected
	} else {
		l.Space(1)
	}
	l.Room(theme.Dim, when(e.At, now), 6)
	l.Room(role, e.How.String(), 12)
	if m.width >= 60 {
		by := ""
		if e.ByMe {
			by = "by you"
		}
		l.Room(role, by, 7).Room(theme.Dim, kind(e.Kind), 9)
	}
	// What others wrote stands right of the gutter, their names as well: somebody
	// may be called "by you".
	l.Add(theme.Gutter, m.theme.Glyphs.Gutter).Space(1)
	if m.width >= 60 {
		l.Room(theme.Dim, text.New(e.Ref.Relay).Fit(10), 11)
	}
	if m.width >= 100 {
		name := e.By.Fit(12)
		if e.ByMe {
			name = ""
		}
		l.Room(theme.Dim, name, 13)
	}
	if m.width >= 120 && len(e.With) > 0 {
		l.Room(theme.Dim, e.With[0].Fit(15), 16)
	}
	l.Add(role, what(e, max(l.Left(), 1)))
	if l.Left() > 10 && !e.Session.Empty() {
		l.Space(2).Add(theme.Dim, e.Session.Fit(l.Left()))
	}
	return l.String()
}

// what is what was asked on one line. Of a question the first line is enough; a
// command shows its line breaks, because they are part of what ran.
func what(e *history.Entry, width int) string {
	first, _, more := strings.Cut(e.What.Raw(), "\n")
	if !more || first == "" || width < 2 || e.Kind != client.Question {
		return e.What.FitAs(reads(e), width)
	}
	return strings.TrimSuffix(text.New(first).FitAs(reads(e), width-1), "…") + "…"
}

// reads says how what was asked is to be read. Of an approval the history keeps no more
// than the line that says what would be done, so that it is read as a command.
func reads(e *history.Entry) text.Mode {
	if e.Kind == client.Approval {
		return text.Exact
	}
	return text.Words
}

// when is the time of day, or that the relay does not tell.
func when(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	s := theme.Clock(t, now)
	return s[max(len(s)-5, 0):]
}

func kind(k client.Kind) string {
	if k == client.Unknown {
		return "unknown"
	}
	return k.String()
}
