package text

import (
	"iter"
	"strings"
)

// tabCells is what a tab takes on the screen, wherever it stands.
const tabCells = 4

const tabDrawn = string(tabGlyph) + "   "

// Seq lays the text out as [Text.Rows] does, one row at a time: for a text so
// large that only the rows on screen are wanted. The work is done as far as rows
// are taken.
func (t Text) Seq(width int, mode Mode) iter.Seq[Row] {
	return Seq([]Segment{{Raw: t.raw}}, width, mode)
}

// Seq lays out segments as [Rows] does, one row at a time.
func Seq(segments []Segment, width int, mode Mode) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		raw, classes := join(segments)
		if raw == "" {
			return
		}
		l := &layout{
			scanner: newScanner(raw, mode == Line || mode == Title, mode), classes: classes,
			width: max(1, width), words: mode == Words, yield: yield,
		}
		l.run()
	}
}

// classEnd says up to which byte a class holds.
type classEnd struct{ end, class int }

// join puts the segments together, so that what belongs together is seen together
// wherever a segment ends.
func join(segments []Segment) (raw string, classes []classEnd) {
	if len(segments) == 1 {
		return segments[0].Raw, []classEnd{{len(segments[0].Raw), segments[0].Class}}
	}
	var b strings.Builder
	for _, s := range segments {
		b.WriteString(s.Raw)
		classes = append(classes, classEnd{b.Len(), s.Class})
	}
	return b.String(), classes
}

// layout fills rows with units.
type layout struct {
	*scanner
	classes []classEnd
	width   int
	words   bool
	yield   func(Row) bool
	stopped bool

	row   Row
	cells int
	// open is the piece that is being written: its source, and where in it.
	open    part
	pending bool
	// brk is where the row may be broken at a word, if anywhere.
	brk breakPoint
}

// part is a stretch of a source string that becomes a piece.
type part struct {
	source     string
	start, end int
	mark       bool
	class      int
}

// breakPoint lies after so many pieces and bytes of the next one; cells is the
// width of what comes before.
type breakPoint struct{ pieces, bytes, cells int }

func (l *layout) run() {
	for !l.stopped {
		u, ok := l.next()
		if !ok {
			l.finish()
			return
		}
		switch u.form {
		case plainRun:
			l.plain(u)
		case cluster:
			l.cluster(u)
		case mark:
			l.mark(u)
		case tabStop:
			l.tab(u)
		case lineEnd:
			l.finish()
			l.row.Continued = false
		}
	}
}

// class returns the class of the byte at pos; pos only grows.
func (l *layout) class(pos int) int {
	for len(l.classes) > 1 && pos >= l.classes[0].end {
		l.classes = l.classes[1:]
	}
	return l.classes[0].class
}

// plain adds printable ASCII, a cell for each byte.
func (l *layout) plain(u unit) {
	end := u.pos + len(u.text)
	for pos := u.pos; pos < end && !l.stopped; {
		room := l.room(1)
		class := l.class(pos)
		stop := min(end, pos+room)
		if len(l.classes) > 1 {
			stop = min(stop, l.classes[0].end)
		}
		l.add(part{l.raw, pos, stop, false, class}, stop-pos)
		if l.words {
			if n := strings.LastIndexByte(l.raw[pos:stop], ' '); n >= 0 {
				l.mayBreak(stop - pos - n - 1)
			}
		}
		pos = stop
	}
}

// cluster adds one glyph. One that is too wide for any row becomes a mark.
func (l *layout) cluster(u unit) {
	if u.cells > l.width {
		l.splitMark(clusterMark(u.text), l.class(u.pos))
		return
	}
	l.room(u.cells)
	l.add(part{l.raw, u.pos, u.pos + len(u.text), false, l.class(u.pos)}, u.cells)
	if l.words && u.cells > 1 {
		l.mayBreak(0)
	}
}

// clusterMark names the code points of a glyph.
func clusterMark(glyph string) string {
	var b strings.Builder
	for _, r := range glyph {
		b.WriteString(bracketed(codePoint(r)))
	}
	return b.String()
}

// mark adds a mark, in one piece where a row can hold it.
func (l *layout) mark(u unit) {
	if u.cells > l.width {
		l.splitMark(u.text, l.class(u.pos))
		return
	}
	l.room(u.cells)
	l.add(part{u.text, 0, len(u.text), true, l.class(u.pos)}, u.cells)
	if l.words {
		l.mayBreak(0)
	}
}

// splitMark spreads a mark over rows. A wide letter in it that no row can hold is
// left out, because its code point stands beside it.
func (l *layout) splitMark(text string, class int) {
	for i, r := range text {
		cells := markCells(r)
		if cells > l.width {
			continue
		}
		l.room(cells)
		l.add(part{text, i, i + len(string(r)), true, class}, cells)
	}
}

// markCells returns the cells of a rune of a mark.
func markCells(r rune) int { return max(1, int(lookup(r).cells)) }

// tab adds a tab, narrower where the row ends.
func (l *layout) tab(u unit) {
	cells := min(l.room(1), tabCells)
	l.add(part{tabDrawn, 0, len(string(tabGlyph)) + cells - 1, true, l.class(u.pos)}, cells)
	if l.words {
		l.mayBreak(0)
	}
}

// room makes sure that so many cells are free, and returns how many are.
func (l *layout) room(cells int) int {
	for l.width-l.cells < cells && l.cells > 0 {
		l.wrap()
	}
	return l.width - l.cells
}

// add puts a part at the end of the row, into the piece before it where it goes on.
func (l *layout) add(p part, cells int) {
	l.cells += cells
	if o := l.open; l.pending && p.start == o.end && p.start > 0 && p.mark == o.mark &&
		p.class == o.class && len(p.source) == len(o.source) && p.source == o.source {
		l.open.end = p.end
		return
	}
	l.closePiece()
	l.open, l.pending = p, true
}

func (l *layout) closePiece() {
	if l.pending {
		o := l.open
		l.row.Pieces = append(l.row.Pieces, Piece{o.source[o.start:o.end], o.mark, o.class})
		l.pending = false
	}
}

// mayBreak notes that the row may be broken so many bytes and cells before its end.
func (l *layout) mayBreak(before int) {
	l.brk = breakPoint{len(l.row.Pieces), l.open.end - l.open.start - before, l.cells - before}
}

// wrap ends the row at its last word, or at its end where it holds only one.
func (l *layout) wrap() {
	l.closePiece()
	b := l.brk
	if b.cells == 0 || b.cells >= l.cells {
		l.emit(l.row.Pieces)
		l.cells = 0
		return
	}
	head := append([]Piece(nil), l.row.Pieces[:b.pieces+1]...)
	rest := append([]Piece(nil), l.row.Pieces[b.pieces:]...)
	head[b.pieces].S = head[b.pieces].S[:b.bytes]
	rest[0].S = rest[0].S[b.bytes:]
	if rest[0].S == "" {
		rest = rest[1:]
	}
	left := l.cells - b.cells
	l.emit(head)
	l.row.Pieces, l.cells = rest, left
}

// emit hands out a row and begins the one that goes on with its line.
func (l *layout) emit(pieces []Piece) {
	if !l.stopped && !l.yield(Row{Pieces: pieces, Continued: l.row.Continued}) {
		l.stopped = true
	}
	l.row = Row{Continued: true}
	l.brk = breakPoint{}
}

// finish hands out the last row of a logical line.
func (l *layout) finish() {
	l.closePiece()
	l.emit(l.row.Pieces)
	l.cells = 0
}
