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
			width: max(1, width), words: mode == Words, blanks: mode.code() || mode == Typed, yield: yield,
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
	words   bool // rows are broken at any blank
	blanks  bool // rows are broken at a single blank that is near their end
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
	quiet      bool
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
		case mark, quietMark:
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
		l.add(part{source: l.raw, start: pos, end: stop, class: class}, stop-pos)
		if n := l.lastBlank(pos, stop); n >= 0 {
			l.mayBreak(stop - n - 1)
		}
		pos = stop
	}
}

// lastBlank returns where in a stretch the last blank is behind which the row may be
// broken; -1: nowhere. Code is broken at single blanks only, so that nobody has to guess
// how many of them the end of a row hides.
func (l *layout) lastBlank(from, to int) int {
	for i := to - 1; i >= from && (l.words || l.blanks); i-- {
		if l.raw[i] == ' ' && (l.words || i > 0 && l.raw[i-1] > ' ' && i+1 < len(l.raw) && l.raw[i+1] > ' ') {
			return i
		}
	}
	return -1
}

// closes reports whether what comes next closes a sentence or a bracket, and so stands on
// no row of its own.
func (l *layout) closes() bool {
	if l.taken < len(l.queue) || l.i >= len(l.raw) {
		return false
	}
	next, _ := decode(l.raw, l.i)
	return strings.ContainsRune(closers, next)
}

const closers = ".,;:!?)]}\"'…。、，．：；！？）」』】〉》"

// cluster adds one glyph. One that is too wide for any row becomes a mark.
func (l *layout) cluster(u unit) {
	if u.cells > l.width {
		l.splitMark(clusterMark(u.text), l.class(u.pos))
		return
	}
	l.room(u.cells)
	l.add(part{source: l.raw, start: u.pos, end: u.pos + len(u.text), class: l.class(u.pos)}, u.cells)
	if l.words && u.cells > 1 && !l.closes() {
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
	l.add(part{u.text, 0, len(u.text), true, u.form == quietMark, l.class(u.pos)}, u.cells)
	if l.words && !l.closes() {
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
		l.add(part{text, i, i + len(string(r)), true, false, class}, cells)
	}
}

// markCells returns the cells of a rune of a mark.
func markCells(r rune) int { return max(1, int(lookup(r).cells)) }

// tab adds a tab, narrower where the row ends.
func (l *layout) tab(u unit) {
	cells := min(l.room(1), tabCells)
	l.add(part{tabDrawn, 0, len(string(tabGlyph)) + cells - 1, true, true, l.class(u.pos)}, cells)
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
	if o := l.open; l.pending && p.start == o.end && p.start > 0 && p.mark == o.mark && p.quiet == o.quiet &&
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
		l.row.Pieces = append(l.row.Pieces, Piece{o.source[o.start:o.end], o.mark, o.quiet, o.class})
		l.pending = false
	}
}

// mayBreak notes that the row may be broken so many bytes and cells before its end.
func (l *layout) mayBreak(before int) {
	l.brk = breakPoint{len(l.row.Pieces), l.open.end - l.open.start - before, l.cells - before}
}

// wrap ends the row at its last word, or at its end where it holds only one.
func (l *layout) wrap() {
	lone := l.lone()
	l.closePiece()
	b := l.brk
	if last := len(l.row.Pieces) - 1; lone && !l.near(b) && l.cells > 1 {
		b = breakPoint{last, len(l.row.Pieces[last].S) - 1, l.cells - 1}
	}
	if !l.near(b) || b.cells >= l.cells {
		l.emit(l.row.Pieces)
		l.cells = 0
		return
	}
	head := append([]Piece(nil), l.row.Pieces[:b.pieces+1]...)
	rest := append([]Piece(nil), l.row.Pieces[b.pieces:]...)
	if head[b.pieces].S = head[b.pieces].S[:b.bytes]; b.bytes == 0 {
		head = head[:b.pieces]
	}
	rest[0].S = rest[0].S[b.bytes:]
	if rest[0].S == "" {
		rest = rest[1:]
	}
	left := l.cells - b.cells
	l.emit(head)
	l.row.Pieces, l.cells = rest, left
}

// near reports whether a row is broken at a place: anywhere in prose, and in code where
// it fills a quarter of the row at least.
func (l *layout) near(b breakPoint) bool {
	return b.cells > 0 && (l.words || 4*b.cells >= l.width)
}

// lone reports whether all that is left of the line is what closes a sentence, so that it
// would stand on a row by itself, and the row ends with a character that can go with it.
func (l *layout) lone() bool {
	at := l.open.end
	if !l.pending || l.open.mark || at < 1 || at >= len(l.raw) || l.raw[at-1] <= ' ' || l.raw[at-1] > '~' {
		return false
	}
	next, size := decode(l.raw, at)
	return strings.ContainsRune(closers, next) && (at+size == len(l.raw) || l.raw[at+size] == '\n')
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
