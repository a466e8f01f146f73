package page

import (
	"askbox/client"
	"askbox/client/text"
	"askbox/tui/theme"
)

// row is one row of a document that is laid out; it is drawn when it is on screen.
type row struct {
	words  string // the program's words, safe; left of what was sent
	size   string // more of the program's words
	role   theme.Role
	indent int // cells left of it
	quoted bool
	cell
	beside *cell // what stands in the right half of the row
	at     any   // what a cursor can stand on
	leads  bool  // the first row of that: it has its controls before it
	// line numbers the lines that do not change with the width; also is the one in the
	// right half.
	line, also int
}

// cell is a row of what was sent, with what the program has before it.
type cell struct {
	lead  string // the number and the sign of a line of a change
	quote text.Row
	base  theme.Role // of what of it has no class
	tint  theme.Tint
	none  bool // nothing stands in this half
}

// layout is a document at one width. It is immutable.
type layout struct {
	width int
	rows  []row
	must  []int // by row: how many above it have to be read
	first int   // the first row of what stays visible; -1: there is none
	folds []span
	large string
	lines int // how many were laid out
}

func lay(d *Document, width int) *layout {
	l := &layout{width: width, first: -1, must: []int{0}, large: d.large}
	for i := range d.sections {
		s, from := &d.sections[i], len(l.rows)
		l.section(s)
		if s.First && l.first < 0 {
			l.first = from + firstOf(s, l.rows[from:])
		}
		if s.Fold > 0 {
			for len(l.folds) < s.Fold {
				l.folds = append(l.folds, span{})
			}
			if f := &l.folds[s.Fold-1]; f.to == 0 {
				f.from = from
			}
			l.folds[s.Fold-1].to = len(l.rows)
		}
		for range len(l.rows) - from {
			needed := l.must[len(l.must)-1]
			if s.Must {
				needed++
			}
			l.must = append(l.must, needed)
		}
	}
	if l.needs(0, len(l.rows)) > maxRows && l.large == "" {
		l.large = client.TooManyRows
	}
	return l
}

// firstOf finds the row of a section that stays visible.
func firstOf(s *Section, rows []row) int {
	for i, r := range rows {
		if r.quoted && (r.words == "" || s.Named || len(s.Body)+len(s.Change) == 0) {
			return i
		}
	}
	return max(len(rows)-1, 0)
}

// add adds a row of a section. One that goes on the line above is a part of it.
func (l *layout) add(s *Section, r row, goesOn bool) {
	if !goesOn {
		l.lines++
	}
	r.line, r.indent, r.at = l.lines, s.Indent, s.At
	r.leads = s.At != nil && (len(l.rows) == 0 || l.rows[len(l.rows)-1].at != s.At)
	l.rows = append(l.rows, r)
}

// section lays a section out. A name stands beside the label where it fits whole, and
// below it otherwise, so that nothing is ever cut.
func (l *layout) section(s *Section) {
	width := max(l.width-s.Indent, 1)
	quoted := max(width-theme.GutterWidth, 1)
	if s.Gap && len(l.rows) > 0 {
		l.lines++
		l.rows = append(l.rows, row{line: l.lines})
	}
	for i, part := range theme.Wrap(s.Words, width) {
		// The rows of one wrapped sentence are one line of the document.
		l.add(s, row{words: part, role: s.Role}, i > 0)
	}
	head := row{words: s.Label, role: s.Role, cell: cell{base: s.NameRole}}
	mode := text.Line
	if s.Person {
		mode = text.Title
	}
	below := s.Name.Rows(quoted, mode)
	if room := width - text.Width(s.Label) - 1 - theme.GutterWidth; s.Label != "" && room > 8 && len(below) > 0 {
		if beside := s.Name.Rows(room, mode); len(beside) == 1 {
			head.quoted, head.quote, below = true, beside[0], nil
		}
	}
	body := s.Body
	if room := width - text.Width(s.Label) - 1 - theme.GutterWidth; s.Beside && room > 8 && len(body) == 1 && len(body[0].Raw) < 4*room {
		if rows := text.Rows(body, room, s.Mode); len(rows) == 1 {
			head.quoted, head.quote, head.base, body = true, rows[0], s.Base, nil
		}
	}
	fits := text.Width(s.Label)+theme.Between+text.Width(s.Size) <= width && !head.quoted
	if s.Label != "" {
		if fits {
			head.size = s.Size
		}
		l.add(s, head, false)
	}
	if s.Size != "" && (s.Label == "" || !fits) {
		for i, part := range theme.Wrap(s.Size, width) {
			l.add(s, row{words: part, role: theme.Dim}, s.Label != "" || i > 0)
		}
	}
	for _, r := range below {
		l.add(s, row{quoted: true, cell: cell{quote: r, base: s.NameRole}}, s.Label != "" || r.Continued)
	}
	if len(body) > 0 {
		for r := range text.Seq(body, quoted, s.Mode) {
			l.add(s, row{quoted: true, cell: cell{quote: r, base: s.Base}}, r.Continued)
		}
	}
	if len(s.Change) > 0 {
		l.change(s, width)
	}
}

// placeOf finds the rows of what a cursor can stand on, with what is said of it.
func (l *layout) placeOf(at any) (from, to int) {
	from = -1
	for i := range l.rows {
		switch r := &l.rows[i]; {
		case r.at == at && from < 0:
			from = i
		case from >= 0 && (r.at != nil && r.at != at || r.indent == 0):
			return from, i
		}
	}
	if from < 0 {
		return 0, 0
	}
	return from, len(l.rows)
}
