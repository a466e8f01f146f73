// Package history is the pane that shows what was answered in the last day: who
// did it, how, when, and with what.
package history

import (
	"slices"
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
	shown         []*history.Entry // those that are listed
	query         string           // in lower case; empty: all
	mine          bool             // what this person answered or dismissed alone
	since         time.Time        // what others closed before is not held; zero: all of the day is
	at            int              // the selected entry
	moved         bool             // a key has moved the selection from the newest one
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

// Open tells that the pane comes on the screen: with the newest entry, or as it was left.
func (m Model) Open() Model {
	if !m.moved {
		m.at, m.top = 0, 0
	}
	return m.open().settle()
}

// Take shows entries, newest first, and says since when they are held where that is
// not the whole day (since is not zero). The selection stays on its entry.
func (m Model) Take(entries []*history.Entry, since time.Time) Model {
	same := len(entries) == len(m.entries) && (len(entries) == 0 || &entries[0] == &m.entries[0])
	m.entries, m.since = entries, since
	if same { // nothing closed since: most snapshots are of something else
		return m
	}
	return m.list()
}

// Search narrows the list to what holds some words; empty shows all again.
func (m Model) Search(words string) Model {
	m.query = strings.ToLower(words)
	return m.list()
}

// Query returns the words that the list is narrowed to, in lower case.
func (m Model) Query() string { return m.query }

// Mine shows what this person answered or dismissed alone, or everything again.
func (m Model) Mine(mine bool) Model {
	m.mine = mine
	return m.list()
}

// OnlyMine reports whether only that is shown.
func (m Model) OnlyMine() bool { return m.mine }

// Len returns how many entries are listed.
func (m Model) Len() int { return len(m.shown) }

// Selected returns the entry under the cursor, nil where there is none.
func (m Model) Selected() *history.Entry {
	if m.at >= len(m.shown) {
		return nil
	}
	return m.shown[m.at]
}

// list lists what is let through. The selection stays on its entry, or goes to the next one.
func (m Model) list() Model {
	old, row := m.shown, m.at-m.top
	if m.shown = m.entries; m.query != "" || m.mine {
		m.shown = nil
		for _, e := range m.entries {
			if (!m.mine || e.Mine()) && m.matches(e) {
				m.shown = append(m.shown, e)
			}
		}
	}
	at := m.at
	if at < len(old) {
		if place := follow(m.shown, old[at:]); place >= 0 {
			at, m.top = place, place-row
		}
	}
	m.at = max(min(at, len(m.shown)-1), 0)
	return m.open().settle()
}

// follow returns the place of the entry that was selected, the first of some, or of the
// next of them that is still shown; -1 where none is.
func follow(shown, from []*history.Entry) int {
	same := func(a, b *history.Entry) bool { return a == b || a.Ref == b.Ref && a.At.Equal(b.At) }
	if place := slices.IndexFunc(shown, func(e *history.Entry) bool { return same(e, from[0]) }); place >= 0 {
		return place
	}
	places := make(map[client.Ref]int, len(shown))
	for i, e := range shown {
		places[e.Ref] = i
	}
	for _, e := range from[1:] {
		if place, ok := places[e.Ref]; ok && same(shown[place], e) {
			return place
		}
	}
	return -1
}

func (m Model) matches(e *history.Entry) bool {
	if m.query == "" {
		return true
	}
	texts := append([]text.Text{e.What, e.Session, e.By, e.Surface, text.New(e.Ref.Relay), text.New(did(e))}, e.With...)
	for _, t := range texts {
		if strings.Contains(strings.ToLower(t.Raw()), m.query) {
			return true
		}
	}
	return false
}

// Move selects an entry some rows away; a large number selects the first or last.
func (m Model) Move(rows int) Model {
	at := max(min(m.at+rows, len(m.shown)-1), 0)
	if at == m.at {
		// At the end of the list the key goes on through the last entry's lines.
		m.top += max(min(rows, 1), -1)
		return m.settle()
	}
	m.at, m.moved = at, at > 0
	m = m.open()
	if end := m.at + len(m.detail); end >= m.top+m.room() {
		m.top = end - m.room() + 1
	}
	m.top = min(m.top, m.at)
	return m.settle()
}

// Seek selects the next or the previous match, around the ends, and returns which it is,
// from 1; with stay, not another one.
func (m Model) Seek(forward, stay bool) (_ Model, at, of int) {
	of = len(m.shown)
	if of == 0 || m.query == "" {
		return m, 0, 0
	}
	to := m.at
	switch {
	case stay:
	case forward:
		to = (to + 1) % of
	default:
		to = (to + of - 1) % of
	}
	return m.Move(to - m.at), to + 1, of
}

// Scroll moves the window and leaves the selection.
func (m Model) Scroll(lines int) Model {
	m.top += lines
	return m.settle()
}

// room is the height without the title.
func (m Model) room() int { return max(m.height-1, 0) }

func (m Model) settle() Model {
	m.top = max(min(m.top, len(m.shown)+len(m.detail)-m.room()), 0)
	return m
}

// View returns the lines of the pane: exactly its height, each exactly its width.
func (m Model) View(now time.Time) []string {
	lines := make([]string, 0, m.height)
	if m.height > 0 {
		lines = append(lines, m.title())
	}
	for line := m.top; len(lines) < m.height; line++ {
		switch {
		case len(m.shown) == 0 && line == m.top:
			lines = append(lines, theme.NewLine(m.theme, m.width).Space(3).Add(theme.Dim, m.nothing()).String())
		case line > m.at && line <= m.at+len(m.detail):
			lines = append(lines, m.theme.Find(m.detail[line-m.at-1], m.query))
		case line <= m.at && line < len(m.shown):
			lines = append(lines, m.row(line, now))
		case line > m.at && line-len(m.detail) < len(m.shown):
			lines = append(lines, m.row(line-len(m.detail), now))
		default:
			lines = append(lines, theme.Blank(m.width))
		}
	}
	return lines
}

func (m Model) nothing() string {
	if len(m.entries) > 0 {
		return "Nothing of the last day is listed here; esc or f shows all."
	}
	return "Nothing was answered in the last day."
}

func (m Model) title() string {
	l := theme.NewLine(m.theme, m.width).Space(1).Add(theme.Heading, "Answered in the last day")
	l.Space(1).Add(theme.Dim, strconv.Itoa(len(m.entries)))
	if m.mine {
		l.Space(1).Add(theme.Accent, "[by you "+strconv.Itoa(len(m.shown))+"]")
	}
	if m.query != "" {
		l.Space(1).Add(theme.Accent, "/"+text.New(m.query).Fit(20)+" "+strconv.Itoa(len(m.shown)))
	}
	if !m.since.IsZero() {
		l.Space(1).Add(theme.Dim, m.theme.Glyphs.Dot+" those of others only since "+m.since.Local().Format("15:04")+", there are too many")
	}
	return l.String()
}
