package ask

import (
	"strings"

	"github.com/dustin/go-humanize"

	"askbox/client/text"
	"askbox/tui/draw"
	"askbox/tui/theme"
)

func (m detail) page() page { return m.pages[m.view] }

// total is how many lines there are to scroll through.
func (m detail) total() int {
	l := m.page().lay
	if l == nil {
		return 0
	}
	n := len(l.lines)
	if m.view == viewContent {
		n += len(m.tail) + len(l.after)
	}
	return n
}

// window says which lines are on screen and whether the first row of what would
// be done is pinned above them, because it is not among them: whoever may allow
// sees what.
func (m detail) window() (pinned bool, from, to int) { return m.windowAt(m.page().top) }

func (m detail) windowAt(top int) (pinned bool, from, to int) {
	l, total := m.page().lay, m.total()
	to = min(top+m.height, total)
	if l == nil || l.first < 0 || m.height < 2 || l.first >= top && l.first < to {
		return false, top, to
	}
	return true, top, min(top+m.height-1, total)
}

// last is the top from which the last line is on screen.
func (m detail) last() int {
	total := m.total()
	top := max(total-m.height, 0)
	if _, _, to := m.windowAt(top); to < total {
		top++
	}
	return top
}

// Anchored reports whether the first row of what would be done is on screen.
func (m detail) Anchored() bool {
	l := m.page().lay
	if l == nil || m.height <= 0 || m.width < readable {
		return false
	}
	pinned, from, to := m.window()
	return pinned || l.first < 0 || l.first >= from && l.first < to
}

// Scroll moves by rows; a page by Page.
func (m detail) Scroll(rows int) detail { return m.to(m.page().top + rows) }

// Page moves by pages of which one row stays on screen. Half is half a page.
func (m detail) Page(pages int) detail { return m.Scroll(pages * m.step()) }

// Half moves by half a page.
func (m detail) Half(halves int) detail { return m.Scroll(halves * max(m.step()/2, 1)) }

// step is a page: one row fewer than are on screen, and where there are hardly
// any, all of them.
func (m detail) step() int {
	pinned, from, to := m.window()
	rows := to - from
	if !pinned && rows > 3 {
		rows--
	}
	return max(rows, 1)
}

// Top goes to the first row.
func (m detail) Top() detail { return m.to(0) }

// End goes to the end of what would be done and, from there or where all of the
// rest fits below it, to the last row. What is skipped on the way does not count
// as seen.
func (m detail) End() detail {
	l, last := m.page().lay, m.last()
	if l == nil || l.tail < 0 {
		return m.to(last)
	}
	if _, from, _ := m.windowAt(last); from <= l.tail {
		return m.to(last)
	}
	top := max(l.tail+1-m.height, 0)
	if _, _, to := m.windowAt(top); to <= l.tail {
		top++
	}
	if m.page().top >= top {
		return m.to(last)
	}
	return m.to(top)
}

func (m detail) to(top int) detail {
	p := m.page()
	p.top = min(max(top, 0), m.last())
	m.pages[m.view] = p
	return m
}

// Reveal scrolls so that rows of the tail, from included, to not, are on screen;
// where they do not all fit, the first ones are.
func (m detail) Reveal(from, to int) detail {
	l := m.pages[viewContent].lay
	if m.view != viewContent || l == nil || m.height <= 0 {
		return m
	}
	from, to = from+len(l.lines), to+len(l.lines)
	for range 3 {
		// Whether a row is pinned changes with the place, so this is done again
		// until it holds.
		_, a, b := m.window()
		switch {
		case from < a:
			m = m.to(from)
		case to > b && from > a:
			m = m.to(min(m.page().top+to-b, from))
		}
	}
	return m
}

// Body draws exactly as many lines as the body is high, each exactly its width.
func (m detail) Body() []string {
	out := make([]string, 0, max(m.height, 0))
	if m.item == nil || m.page().lay == nil {
		return m.fill(out)
	}
	l := m.page().lay
	pinned, from, to := m.window()
	if pinned {
		out = append(out, m.pin(l.lines[l.first]))
	}
	for i := from; i < to; i++ {
		out = append(out, m.lineAt(l, i))
	}
	return m.fill(out)
}

func (m detail) lineAt(l *layout, i int) string {
	if i < len(l.lines) {
		return l.lines[i].draw(m.theme, m.width)
	}
	i -= len(l.lines)
	if i < len(m.tail) {
		return draw.Fill(m.tail[i].Line, m.width)
	}
	return l.after[i-len(m.tail)].draw(m.theme, m.width)
}

func (m detail) fill(out []string) []string {
	for len(out) < m.height {
		out = append(out, draw.Blank(m.width))
	}
	return out
}

// pin draws the first row of what would be done for when it is scrolled away,
// with an arrow that says that it is not where it stands.
func (m detail) pin(l line) string {
	var b strings.Builder
	m.theme.Add(&b, theme.Dim, m.theme.Glyphs.Above+" ")
	m.theme.Add(&b, theme.Gutter, m.theme.Glyphs.Gutter+" ")
	draw.Pieces(&b, m.theme, l.row, theme.Strong)
	line := b.String()
	if text.Width(line) > m.width {
		line = text.Cut(line, m.width)
	}
	return draw.Fill(line, m.width)
}

// Position says how much of the ask was not on screen yet, for the line below
// the body. done says that all of it was.
func (m detail) Position() (words string, done bool) {
	l := m.page().lay
	if l == nil || m.total() == 0 {
		return "", true
	}
	p := m.page()
	_, from, to := m.window()
	above, below := l.unseen(p.seen, from)
	for i, r := range m.tail {
		if m.view == viewContent && r.Must && !m.read[r.Key] {
			if len(l.lines)+i < from {
				above++
			} else {
				below++
			}
		}
	}
	rest := m.total() - to
	switch {
	case above > 0 && below > 0:
		return draw.Count(above, "row") + " above, " + humanize.Comma(int64(below)) + " below not read", false
	case above > 0:
		return draw.Count(above, "row") + " above not read · pgup", false
	case rest > 0:
		return draw.Count(rest, "more row") + " below · pgdn", below == 0
	case l.needed > 0:
		return "read to the end " + m.theme.Glyphs.Check, true
	}
	return "", true
}
