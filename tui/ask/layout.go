package ask

import (
	"askbox/client"
	"askbox/client/text"
	"askbox/tui/theme"
)

// row is one row of a document that is laid out; it is drawn when it is on screen.
type row struct {
	words  string // the program's words, safe; left of the gutter where quoted
	size   string // more of the program's words, dim
	role   theme.Role
	quote  text.Row
	quoted bool       // quote stands behind the gutter
	base   theme.Role // of what of it has no class
	indent int        // cells left of it
	at     place      // what the cursor of the answer can stand on
	leads  bool       // the first row of that: it has the answer's controls before it
	// logical numbers the lines that do not change with the width.
	logical int
}

// layout is a document at one width. It is immutable.
type layout struct {
	width  int
	rows   []row
	must   []int // by row: how many above it have to be read before an allow
	needed int   // how many those are
	first  int   // the first row of what would be done; -1: there is none
	last   int   // its last row
	folds  []span
	ends   []int // by question: the row behind its last one
	off    string
}

func lay(d *document, width int) *layout {
	l := &layout{width: width, first: -1, last: -1, off: d.off, must: []int{0}, folds: make([]span, len(d.ends))}
	logical, ended := 0, 0
	for i := range d.sections {
		s := &d.sections[i]
		for ended < len(d.ends) && d.ends[ended] <= i {
			l.ends = append(l.ends, len(l.rows))
			ended++
		}
		at := len(l.rows)
		l.rows = s.lay(l.rows, width, &logical)
		if s.first {
			l.first, l.last = at+s.bodyAt(l.rows[at:]), len(l.rows)-1
		}
		if s.follows {
			l.last = len(l.rows) - 1
		}
		if f := &l.folds; s.folded {
			q := len(l.ends)
			if (*f)[q].to == 0 {
				(*f)[q].from = at
			}
			(*f)[q].to = len(l.rows)
		}
		for range len(l.rows) - at {
			if s.must {
				l.needed++
			}
			l.must = append(l.must, l.needed)
		}
	}
	for len(l.ends) < len(d.ends) {
		l.ends = append(l.ends, len(l.rows))
	}
	if l.needed > maxRows && l.off == "" {
		l.off = d.kind.TooLarge(client.TooManyRows)
	}
	return l
}

// bodyAt finds the row of a section that stands for what would be done.
func (s *section) bodyAt(rows []row) int {
	for i, r := range rows {
		if r.quoted && (r.words == "" || s.named || len(s.body) == 0) {
			return i
		}
	}
	return max(len(rows)-1, 0)
}

// lay lays a section out below the rows that are there. A name stands beside the
// label where it fits whole, and below it otherwise, so that nothing is ever cut.
func (s *section) lay(out []row, width int, logical *int) []row {
	width = max(width-s.indent, 1)
	leads := s.at.kind != nowhere
	add := func(r row, goesOn bool) {
		if !goesOn {
			*logical++
		}
		r.logical, r.indent = *logical, s.indent
		if r.at = s.at; leads {
			r.leads, leads = true, false
		}
		out = append(out, r)
	}
	if s.gap && len(out) > 0 {
		*logical++
		out = append(out, row{logical: *logical})
	}
	for _, w := range s.words {
		for i, part := range theme.Wrap(w, width) {
			// The rows of one wrapped sentence are one line of the document.
			add(row{words: part, role: s.role}, i > 0)
		}
	}
	head := row{words: s.label, role: s.role, base: s.base}
	if head.base == theme.Plain && !s.name.Empty() {
		head.base = theme.Strong
	}
	var below []text.Row
	if !s.name.Empty() {
		mode := text.Line
		if s.person {
			mode = text.Title
		}
		room := width - text.Width(s.label) - 1 - theme.GutterWidth
		if rows := s.name.Rows(max(room, 1), mode); s.label != "" && room > 8 && len(rows) == 1 {
			head.quoted, head.quote = true, rows[0]
		} else {
			below = s.name.Rows(max(width-theme.GutterWidth, 1), mode)
		}
	}
	if s.size != "" && text.Width(s.label)+theme.Between+text.Width(s.size) <= width && !head.quoted {
		head.size = s.size
	}
	if s.label != "" {
		add(head, false)
	}
	if s.size != "" && head.size == "" {
		for _, part := range theme.Wrap(s.size, width) {
			add(row{words: part, role: theme.Dim}, s.label != "")
		}
	}
	for _, r := range below {
		add(row{quote: r, quoted: true, base: head.base}, s.label != "" || r.Continued)
	}
	if len(s.body) > 0 {
		for r := range text.Seq(s.body, max(width-theme.GutterWidth, 1), s.mode) {
			add(row{quote: r, quoted: true, base: s.base}, r.Continued)
		}
	}
	return out
}

// rowsOf finds the rows of a place of the answer, with what is said of it.
func (l *layout) rowsOf(at place) (from, to int) {
	from = -1
	for i := range l.rows {
		switch r := &l.rows[i]; {
		case r.at == at && from < 0:
			from = i
		case from >= 0 && (r.at.kind != nowhere && r.at != at || r.indent == 0):
			return from, i
		}
	}
	if from < 0 {
		return 0, 0
	}
	return from, len(l.rows)
}
