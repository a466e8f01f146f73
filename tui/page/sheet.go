package page

import (
	"slices"
	"sort"

	"askbox/client"
)

// Readable is the least width in cells at which rows count as read: below it the gutter
// takes the place of the text.
const Readable = 20

// Sheet is a document on the screen. It is a plain value: methods return the changed one.
type Sheet struct {
	doc    *Document
	lay    *layout
	order  []span // the rows of the layout that stand below each other now
	top    int
	height int
	seen   spans // of the layout's rows
}

// New puts a document on the screen, from its start and unread.
func New(d *Document) Sheet { return Sheet{doc: d} }

// At returns the sheet at the same place, with another document.
func (s Sheet) At(d *Document) Sheet { return Sheet{doc: d, top: s.top} }

// Shows reports whether there is a document.
func (s Sheet) Shows() bool { return s.doc != nil }

// Fit lays the sheet out for a size, where that is another one than before. open reports
// which folds are open. moved says that the number of a row means another row than before.
func (s Sheet) Fit(width, height int, open func(fold int) bool) (_ Sheet, moved bool) {
	was := s
	s.height = height
	if s.lay == nil || s.lay.width != width {
		s.lay = lay(s.doc, width)
	}
	s.order = s.lay.arrange(open)
	switch {
	case was.lay == s.lay:
		return s, !slices.Equal(was.order, s.order)
	case was.lay != nil:
		s.seen = carrySeen(was.lay, was.seen, s.lay)
		s.top = s.place(sameLine(was.lay, s.lay, was.source(was.top)))
	}
	return s, true
}

// arrange returns the rows that are not folded away.
func (l *layout) arrange(open func(fold int) bool) []span {
	var order []span
	from := 0
	for i, f := range l.folds {
		if f.to > f.from && !open(i+1) {
			order = append(order, span{from, f.from})
			from = f.to
		}
	}
	return append(order, span{from, len(l.rows)})
}

// sameLine finds the row at another width where the same line of the text begins.
func sameLine(old, next *layout, at int) int {
	if at >= len(old.rows) {
		return len(next.rows)
	}
	return sort.Search(len(next.rows), func(i int) bool { return next.rows[i].line >= old.rows[at].line })
}

// Total returns how many rows there are.
func (s Sheet) Total() int {
	n := 0
	for _, o := range s.order {
		n += o.to - o.from
	}
	return n
}

// source returns the row of the layout that stands at a place.
func (s Sheet) source(at int) int {
	for _, o := range s.order {
		if at < o.to-o.from {
			return o.from + at
		}
		at -= o.to - o.from
	}
	return len(s.lay.rows)
}

// place returns where a row of the layout stands or, where it is folded, would stand.
func (s Sheet) place(source int) int {
	at := 0
	for _, o := range s.order {
		if source < o.to {
			return at + max(source-o.from, 0)
		}
		at += o.to - o.from
	}
	return at
}

// Note counts the rows from one place to another as read.
func (s Sheet) Note(from, to int) Sheet {
	at := 0
	for _, o := range s.order {
		s.seen = s.seen.add(o.from+max(from-at, 0), o.from+min(to-at, o.to-o.from))
		at += o.to - o.from
	}
	return s
}

// Read reports whether all that has to be read was.
func (s Sheet) Read() bool {
	if s.lay == nil {
		return false
	}
	_, left := s.lay.unseen(s.seen, 0)
	return left == 0
}

// TooLarge says how the document is too large to be shown whole; empty where it is not.
func (s Sheet) TooLarge() string {
	if s.lay == nil {
		return ""
	}
	return s.lay.large
}

// Window returns which rows are on screen, and whether the row that stays visible is
// pinned above them, because it is not among them.
func (s Sheet) Window() (pinned bool, from, to int) { return s.windowAt(s.top) }

func (s Sheet) windowAt(top int) (pinned bool, from, to int) {
	total := s.Total()
	to = min(top+s.height, total)
	if s.lay == nil || s.lay.first < 0 || s.height < 2 {
		return false, top, to
	}
	if first := s.place(s.lay.first); first >= top && first < to {
		return false, top, to
	}
	return true, top, min(top+s.height-1, total)
}

// lastTop is the top from which the last row is on screen.
func (s Sheet) lastTop() int {
	total := s.Total()
	top := max(total-s.height, 0)
	if _, _, to := s.windowAt(top); to < total {
		top++
	}
	return top
}

// Anchored reports whether the row that stays visible is on screen.
func (s Sheet) Anchored() bool {
	if s.lay == nil || s.height <= 0 || s.lay.width < Readable {
		return false
	}
	pinned, from, to := s.Window()
	first := s.lay.first
	return pinned || first < 0 || s.place(first) >= from && s.place(first) < to
}

// ScrollTo goes to a row.
func (s Sheet) ScrollTo(top int) Sheet {
	if s.height > 0 && s.lay != nil {
		s.top = min(max(top, 0), s.lastTop())
	}
	return s
}

// Scroll moves by rows.
func (s Sheet) Scroll(rows int) Sheet { return s.ScrollTo(s.top + rows) }

// ScrollPage moves by parts of a page: one row fewer than are on screen, and where there are
// hardly any, all of them.
func (s Sheet) ScrollPage(by, part int) Sheet {
	pinned, from, to := s.Window()
	rows := to - from
	if !pinned && rows > 3 {
		rows--
	}
	return s.Scroll(by * max(rows/part, 1))
}

// Reveal scrolls so that what a cursor can stand on is on screen; where its rows do not all
// fit, the first ones are.
func (s Sheet) Reveal(at any) Sheet {
	if s.lay == nil || s.height <= 0 {
		return s
	}
	first, last := s.lay.placeOf(at)
	if last <= first {
		return s
	}
	from, to := s.place(first), s.place(last-1)+1
	for range 3 {
		// Whether a row is pinned changes with the place, so this is done again
		// until it holds.
		_, a, b := s.Window()
		switch {
		case from < a:
			s = s.ScrollTo(from)
		case to > b && from > a:
			s = s.ScrollTo(min(s.top+to-b, from))
		}
	}
	return s
}

// Position says how much was not on screen yet. done says that all that has to be read
// was; keys are the ones that go on, if
// they are to be named. check is a glyph.
func (s Sheet) Position(keys, check string) (words string, done bool) {
	total := s.Total()
	if s.lay == nil || total == 0 {
		return "", true
	}
	_, from, to := s.Window()
	above, below := s.lay.unseen(s.seen, s.source(from))
	rest := client.Count(total-to, "more row") + " below"
	if keys != "" {
		rest += " · " + keys
	}
	needed := s.lay.needs(0, len(s.lay.rows)) > 0
	switch {
	case above > 0 && below > 0:
		return client.Count(above, "row") + " above, " + client.Number(below) + " below not read", false
	case above > 0:
		return client.Count(above, "row") + " above not read · pgup", false
	case below > 0:
		return rest, false
	case needed && to < total:
		return "read to the end " + check + " · " + client.Count(total-to, "row") + " below", true
	case needed:
		return "read to the end " + check, true
	case to < total:
		return rest, true
	}
	return "", true
}
