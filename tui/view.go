package tui

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"askbox/client"
	"askbox/tui/frames"
	"askbox/tui/list"
	"askbox/tui/theme"
)

func itoa(n int) string { return strconv.Itoa(n) }

func clock(t, now time.Time) string { return theme.Clock(t, now) }

func firstRune(s string) (rune, int) { return utf8.DecodeRuneInString(s) }

// View returns the frame with its number, see package frames.
func (m model) View() string {
	return m.frames.Stamp(m.draw(), frames.Size{Width: m.width, Height: m.height}, m.seen())
}

// draw draws the frame: exactly height lines, each exactly width cells.
func (m model) draw() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	if m.small() {
		return strings.Join(m.tooSmall(), "\n")
	}
	var b strings.Builder
	b.Grow(m.width * m.height * 2)
	b.WriteString(m.header())
	body, bottom := m.bodyLines(), m.bottom()
	for _, line := range append(body[:m.height-1-len(bottom)], bottom...) {
		b.WriteByte('\n')
		b.WriteString(line)
	}
	return m.theme.Frame(b.String())
}

// tooSmall says so, on however little room there is.
func (m model) tooSmall() []string {
	says := []string{"askbox needs a window", "of 40 by 10 or more.", m.counted(client.All) + " open. " + m.keymap.Spell("{quit} quits.")}
	lines := make([]string, m.height)
	for i := range lines {
		l := theme.NewLine(m.theme, m.width)
		if i < len(says) {
			l.Add(theme.Plain, says[i])
		}
		lines[i] = l.String()
	}
	return lines
}

func (m model) bodyLines() []string {
	switch {
	case m.screen == screenHistory:
		return m.history.View(m.now)
	case m.screen == screenHelp:
		return m.help.view()
	case m.screen == screenQuit:
		return m.quitView()
	case m.wide():
		return m.sideBySide()
	case m.opened:
		return m.indented(m.askLines())
	}
	return m.listLines()
}

// marks are what the list does not know of its asks by itself.
func (m model) marks() list.Marks {
	marks := list.Marks{Changed: m.ask.Changed, Away: m.wide() && m.ask.Focused(),
		Marked: func(ref client.Ref) bool { return slices.Contains(m.bundle.refs, ref) }}
	if m.drafts != nil {
		marks.Draft = func(ref client.Ref) bool {
			_, begun := m.drafts.Load(ref)
			return begun
		}
	}
	return marks
}

func (m model) listLines() []string {
	return m.list.Mark(m.marks()).View(m.now)
}

// askLines draws the ask, with the words that are searched for.
func (m model) askLines() []string {
	lines := strings.Split(m.ask.View(), "\n")
	for i, line := range lines {
		lines[i] = m.theme.Find(line, m.list.Words())
	}
	return lines
}

// indented puts lines of the pane below the names of the header.
func (m model) indented(lines []string) []string {
	if m.margin() == 0 {
		return lines
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

func (m model) sideBySide() []string {
	left, right := m.listLines(), m.askLines()
	if m.nothing() != "" {
		right = m.nothingLines(m.paneWidth())
	}
	divider := m.theme.Paint(theme.Border, m.theme.Glyphs.Divider)
	lines := make([]string, len(left))
	for i := range left {
		lines[i] = left[i] + divider + " " + right[i]
	}
	return lines
}
