package theme

import (
	"strings"

	"askbox/client/text"
)

// Line builds one line of the screen from left to right and knows how many
// cells are left, so that no line is ever too wide.
type Line struct {
	t    *Theme
	b    strings.Builder
	left int
}

// NewLine starts a line of width cells.
func NewLine(t *Theme, width int) *Line {
	l := &Line{t: t, left: max(width, 0)}
	l.b.Grow(width + 64)
	return l
}

// Left returns how many cells are left.
func (l *Line) Left() int { return l.left }

// Add appends a safe string in a role, cut with … where it does not fit.
func (l *Line) Add(r Role, s string) *Line {
	if s == "" || l.left == 0 {
		return l
	}
	w := text.Width(s)
	if w > l.left {
		s = text.Cut(s, l.left)
		w = text.Width(s)
	}
	l.t.Add(&l.b, r, s)
	l.left -= w
	return l
}

// Room appends a safe string in a role in exactly width cells.
func (l *Line) Room(r Role, s string, width int) *Line {
	width = min(width, l.left)
	if width <= 0 {
		return l
	}
	l.t.Add(&l.b, r, text.Pad(s, width))
	l.left -= width
	return l
}

// Space appends n spaces.
func (l *Line) Space(n int) *Line {
	n = min(n, l.left)
	if n > 0 {
		l.b.WriteString(strings.Repeat(" ", n))
		l.left -= n
	}
	return l
}

// Repeat fills n cells with a glyph in a role.
func (l *Line) Repeat(r Role, glyph string, n int) *Line {
	cells := text.Width(glyph)
	if n = min(n, l.left) / max(cells, 1); n > 0 {
		l.t.Add(&l.b, r, strings.Repeat(glyph, n))
		l.left -= n * cells
	}
	return l
}

// String returns the line, filled to its whole width.
func (l *Line) String() string {
	l.Space(l.left)
	return l.b.String()
}
