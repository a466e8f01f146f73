package page

import (
	"strings"

	"askbox/tui/theme"
)

// Controls are what the program has on the rows of what a cursor can stand on.
type Controls struct {
	Before string // painted, as many cells as the rows stand in
	After  string // painted, behind the words of the first row
	Chosen bool
}

// Draw draws the rows on screen, each to exactly width cells, and as many as there are.
// controls tells what a cursor can stand on.
func (s Sheet) Draw(t *theme.Theme, width int, controls func(at any) Controls) []string {
	if s.lay == nil || s.height <= 0 {
		return nil
	}
	out := make([]string, 0, s.height)
	pinned, from, to := s.Window()
	if pinned {
		out = append(out, s.lay.rows[s.lay.first].pinned(t, width))
	}
	for i := from; i < to; i++ {
		out = append(out, s.lay.rows[s.source(i)].draw(t, width, controls))
	}
	return out
}

func (r *row) draw(t *theme.Theme, width int, controls func(at any) Controls) string {
	switch {
	case r.beside != nil:
		half := (width - r.indent - 1) / 2
		return theme.Blank(r.indent) + r.cell.draw(t, half) + theme.Blank(width-r.indent-2*half) + r.beside.draw(t, half)
	case r.at == nil && r.words == "" && r.quoted && r.indent < width:
		return theme.Blank(r.indent) + r.cell.draw(t, width-r.indent)
	}
	var b strings.Builder
	var c Controls
	if r.at != nil {
		c = controls(r.at)
	}
	if r.leads {
		b.WriteString(c.Before)
	} else {
		b.WriteString(theme.Blank(r.indent))
	}
	role, base := r.role, r.base
	if c.Chosen {
		role, base = theme.Selected, theme.Selected
	}
	t.Add(&b, role, r.words)
	if r.size != "" {
		t.Add(&b, theme.Dim, " "+t.Glyphs.Dot+" "+r.size)
	}
	if r.leads {
		b.WriteString(c.After)
	}
	if r.quoted {
		if r.words != "" {
			b.WriteByte(' ')
		}
		theme.AddGutter(&b, t, r.quote.Continued)
		theme.AddPieces(&b, t, r.quote, base)
	}
	return theme.Fill(b.String(), width)
}

// draw draws what was sent, with what stands before it.
func (c *cell) draw(t *theme.Theme, width int) string {
	if c.none {
		return theme.Blank(width)
	}
	return theme.Tinted(t, c.lead, c.quote, width, c.base, c.tint)
}

// pinned draws a row for when it is scrolled away, with an arrow that says that it is not
// where it stands.
func (r *row) pinned(t *theme.Theme, width int) string {
	var b strings.Builder
	t.Add(&b, theme.Dim, t.Glyphs.Above+" ")
	theme.AddGutter(&b, t, r.quote.Continued)
	theme.AddPieces(&b, t, r.quote, theme.Strong)
	return theme.Fill(b.String(), width)
}
