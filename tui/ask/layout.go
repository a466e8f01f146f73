package ask

import (
	"strings"

	"askbox/client/text"
	"askbox/tui/draw"
	"askbox/tui/theme"
)

// line is one line of a laid out document, drawn when it is on screen.
type line struct {
	words  string // the program's words, safe; left of the gutter when row is set as well
	size   string // more of the program's words, dim
	role   theme.Role
	row    text.Row
	quoted bool // the row stands behind the gutter
	base   theme.Role
	// logical numbers the lines that do not change with the width.
	logical int
}

// layout is a document at one width. It is immutable.
type layout struct {
	width  int
	lines  []line
	after  []line
	must   []int // by line: how many above it have to be seen before an allow
	needed int   // how many those are
	first  int   // the first row of what would be done; -1: there is none
	tail   int   // its last row
	off    string
}

func lay(d *document, width int) *layout {
	l := &layout{width: width, first: -1, tail: -1, off: d.off, must: []int{0}}
	logical := 0
	for _, s := range d.sections {
		at := len(l.lines)
		l.lines = append(l.lines, s.lay(width, &logical, at > 0)...)
		head := len(l.lines)
		if s.first {
			l.first, l.tail = at+s.bodyAt(l.lines[at:]), head-1
		}
		if s.follows {
			l.tail = head - 1
		}
		for range head - at {
			if s.must {
				l.needed++
			}
			l.must = append(l.must, l.needed)
		}
	}
	for _, s := range d.after {
		l.after = append(l.after, s.lay(width, &logical, true)...)
	}
	if l.needed > maxRows && l.off == "" {
		l.off = "It is longer than " + draw.Count(maxRows, "row") + ", too long to be read here, so it cannot be allowed here. You can deny it."
	}
	return l
}

// bodyAt finds the line of a section that stands for what would be done.
func (s section) bodyAt(lines []line) int {
	for i, l := range lines {
		if l.quoted && (l.words == "" || s.named || len(s.body) == 0) {
			return i
		}
	}
	return max(len(lines)-1, 0)
}

// lay lays a section out. Untrusted words stand beside the label where they fit
// whole, and below it otherwise, so that nothing is ever cut.
func (s section) lay(width int, logical *int, gap bool) []line {
	var out []line
	add := func(l line) {
		if !l.quoted || !l.row.Continued {
			*logical++
		}
		l.logical = *logical
		out = append(out, l)
	}
	if gap && s.gap {
		add(line{})
	}
	for _, w := range s.words {
		for i, part := range draw.Wrap(w, width) {
			l := line{words: part, role: s.role}
			add(l)
			if i > 0 {
				// The lines of one wrapped sentence are one line of the document.
				*logical--
				out[len(out)-1].logical = *logical
			}
		}
	}
	head := line{words: s.label, role: s.role, base: s.base}
	if head.base == theme.Plain && !s.beside.Empty() {
		head.base = theme.Strong
	}
	var below []text.Row
	if !s.beside.Empty() {
		room := width - text.Width(s.label) - 1 - draw.GutterWidth
		if rows := s.beside.Rows(max(room, 1), text.Exact); s.label != "" && room > 8 && len(rows) == 1 {
			head.quoted, head.row = true, rows[0]
		} else {
			below = s.beside.Rows(inner(width), text.Exact)
		}
	}
	if s.size != "" && text.Width(s.label)+text.Width(s.size)+3 <= width && !head.quoted {
		head.size = s.size
	}
	if s.label != "" {
		add(head)
	}
	if s.size != "" && head.size == "" {
		for _, part := range draw.Wrap(s.size, width) {
			add(line{words: part, role: theme.Dim})
		}
	}
	for _, r := range below {
		add(line{row: r, quoted: true, base: head.base})
	}
	if len(s.body) > 0 {
		for _, r := range text.Rows(s.body, inner(width), s.mode) {
			add(line{row: r, quoted: true, base: s.base})
		}
	}
	return out
}

func inner(width int) int { return max(width-draw.GutterWidth, 1) }

// draw paints a line to exactly width cells.
func (l line) draw(t *theme.Theme, width int) string {
	switch {
	case l.quoted && l.words == "":
		return draw.Quoted(t, l.row, 0, width, l.base)
	case l.quoted:
		var b strings.Builder
		t.Add(&b, l.role, l.words)
		b.WriteByte(' ')
		t.Add(&b, theme.Gutter, t.Glyphs.Gutter)
		b.WriteByte(' ')
		draw.Pieces(&b, t, l.row, l.base)
		return draw.Fill(b.String(), width)
	case l.size != "":
		return draw.Join(t, width, draw.Part{Role: l.role, Words: l.words}, draw.Part{Role: theme.Dim, Words: l.size})
	}
	return draw.Line(t, l.role, l.words, width)
}
