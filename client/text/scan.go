package text

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// form says what a unit is made of.
type form uint8

const (
	plainRun form = iota // printable ASCII: a cell for each byte
	cluster              // one glyph with what combines with it
	mark                 // the program's words in brackets
	tabStop              // a tab that is drawn as one
	lineEnd
)

// unit is what is drawn next.
type unit struct {
	form  form
	text  string // safe; of plainRun and cluster a part of the raw text
	pos   int    // where it comes from, in bytes
	cells int
}

// scanner turns raw text into units, in order and without gaps. It looks ahead as
// far as a run of hidden characters goes, and a bounded way for the scripts of a word.
type scanner struct {
	raw     string
	oneLine bool // line feeds are marks
	more    bool // raw is only the beginning of the text
	i       int
	queue   []unit
	items   []item
	word    word
	host    stretch // the last one that could be a host
	line    stretch // the last one that was asked whether it looks Latin
	// lineStart says that a logical line begins at i; folded is up to where
	// blank lines were already counted.
	lineStart bool
	folded    int
	report    *report // what Warnings collects; nil otherwise
	flagged   word    // the last word with letters that pass for others
	suspects  []item  // these letters
}

func newScanner(raw string, oneLine bool) *scanner {
	return &scanner{raw: raw, oneLine: oneLine, lineStart: !oneLine}
}

// next returns the next unit, and false at the end.
func (s *scanner) next() (unit, bool) {
	for {
		if len(s.queue) > 0 {
			u := s.queue[0]
			s.queue = s.queue[1:]
			return u, true
		}
		if s.i >= len(s.raw) {
			return unit{}, false
		}
		if s.lineStart {
			s.lineStart = false
			if s.foldLines() {
				continue
			}
		}
		if n := plainLength(s.raw[s.i:]); n > 0 {
			u := unit{plainRun, s.raw[s.i : s.i+n], s.i, n}
			s.i += n
			return u, true
		}
		s.step()
	}
}

// plainLength returns how many bytes at the start of s are drawn as they are: printable
// ASCII with short runs of spaces inside. The last character before something else
// than ASCII is left out, because it may combine with that.
func plainLength(s string) int {
	end, spaces := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c > ' ' && c < 0x7f:
			end, spaces = i+1, 0
			continue
		case c == ' ' && spaces < maxSpaces:
			spaces++
			continue
		case c >= utf8.RuneSelf && spaces == 0 && end > 0:
			return end - 1
		}
		break
	}
	return end
}

// decode returns the code point at i and its bytes. A byte that is not UTF-8 is
// returned as badByte and its value.
func decode(raw string, i int) (rune, int) {
	r, size := utf8.DecodeRuneInString(raw[i:])
	if r == utf8.RuneError && size == 1 {
		return badByte + rune(raw[i]), 1
	}
	return r, size
}

// kindAt is lookup(r).kind for what decode returns.
func (s *scanner) kindAt(r rune) kind {
	if r >= badByte {
		return lit
	}
	if k := lookup(r).kind; k != lineFeed || !s.oneLine {
		return k
	}
	return dark
}

// step handles what is not a plain run and puts its units into the queue.
func (s *scanner) step() {
	s.queue = s.queue[:0]
	r, size := decode(s.raw, s.i)
	switch s.kindAt(r) {
	case glyph:
		s.glyph(r, size)
	case lineFeed:
		s.push(unit{lineEnd, "", s.i, 0})
		s.i += size
		s.lineStart = true
	case tag:
		s.collect(func(k kind) bool { return k == tag })
		s.push(markUnit(tagMark(s.items, s.cutHere()), s.items[0].pos))
		s.noteAll()
	case combining, lit:
		s.same(r, size)
	default:
		s.hidden()
	}
}

func (s *scanner) push(u unit) { s.queue = append(s.queue, u) }

func markUnit(text string, pos int) unit {
	return unit{mark, text, pos, ansi.StringWidth(text)}
}

// cutHere reports whether what is at i may go on beyond the end of raw.
func (s *scanner) cutHere() bool { return s.more && s.i >= len(s.raw) }

// glyph takes one glyph and what combines with it.
func (s *scanner) glyph(r rune, size int) {
	start, p := s.i, lookup(r)
	if s.foreign(r, p) {
		s.i += size
		s.push(markUnit(letterMark(r), start))
		return
	}
	s.i += size
	cells := int(p.cells)
	for n := 0; n < maxCombining && s.i < len(s.raw); n++ {
		c, size := decode(s.raw, s.i)
		if s.kindAt(c) != combining || conjoining(c) && !(n > 0 || joinsHangul(r)) {
			break
		}
		s.i += size
	}
	whole := s.raw[start:s.i]
	if len(whole) > size {
		cells = max(ansi.StringWidth(whole), ansi.StringWidthWc(whole))
	}
	s.push(unit{cluster, whole, start, cells})
}

// joinsHangul reports whether a vowel or final consonant can stand on the letter.
func joinsHangul(r rune) bool { return lookup(r).script == hangul }

var hangul = scriptID("Hangul")

// same takes a run of one code point that is a mark wherever it stands.
func (s *scanner) same(r rune, size int) {
	start, n := s.i, 0
	for s.i < len(s.raw) && strings.HasPrefix(s.raw[s.i:], s.raw[start:start+size]) {
		if c, _ := decode(s.raw, s.i); c != r {
			break
		}
		s.i += size
		n++
	}
	s.note(item{r, n, start})
	s.pushSame(item{r, n, start}, size)
}

// pushSame pushes a mark for each, or one for all of them.
func (s *scanner) pushSame(it item, size int) {
	if it.count > maxSame {
		s.push(markUnit(sameMark(it.r, it.count, s.cutHere()), it.pos))
		return
	}
	one := bracketed(label(it.r))
	for i := range it.count {
		s.push(markUnit(one, it.pos+i*size))
	}
}

// collect gathers the run at i whose kinds are as wanted, and goes past it.
func (s *scanner) collect(want func(kind) bool) {
	s.items = s.items[:0]
	for s.i < len(s.raw) {
		r, size := decode(s.raw, s.i)
		if !want(s.kindAt(r)) {
			return
		}
		if n := len(s.items); n > 0 && s.items[n-1].r == r {
			s.items[n-1].count++
		} else {
			s.items = append(s.items, item{r, 1, s.i})
		}
		s.i += size
	}
}

// hidden takes a run of what draws nothing or a blank: spaces, tabs, controls,
// invisible characters.
func (s *scanner) hidden() {
	start := s.i
	s.collect(isHidden)
	s.noteAll()
	if len(s.items) > maxItems {
		s.push(markUnit(mixedMark(s.items, s.raw[start:s.i], s.cutHere()), start))
		return
	}
	for i, it := range s.items {
		last := i == len(s.items)-1
		switch {
		case it.r == ' ' && it.count <= maxSpaces && !(last && s.lineEndsHere()):
			s.push(unit{plainRun, s.raw[it.pos : it.pos+it.count], it.pos, it.count})
		case it.r == ' ' || it.r == '\t' && it.count > maxTabs:
			s.push(markUnit(sameMark(it.r, it.count, last && s.cutHere()), it.pos))
		case it.r == '\t' && !s.oneLine:
			for i := range it.count {
				s.push(unit{tabStop, "", it.pos + i, tabCells})
			}
		default:
			s.pushSame(it, runeBytes(it.r))
		}
	}
}

func isHidden(k kind) bool { return k == space || k == tab || k == dark }

func runeBytes(r rune) int {
	if r >= badByte {
		return 1
	}
	return utf8.RuneLen(r)
}

// lineEndsHere reports whether nothing comes after i on the logical line.
func (s *scanner) lineEndsHere() bool {
	if s.i >= len(s.raw) {
		return !s.more
	}
	return s.raw[s.i] == '\n' && !s.oneLine
}

// foldLines folds the blank lines that begin at i into one mark, and reports whether
// there were enough of them. What it read is not read again for the next line.
func (s *scanner) foldLines() bool {
	if s.i < s.folded {
		return false
	}
	lines, end := 0, s.i
	for i := s.i; i < len(s.raw); {
		r, size := decode(s.raw, i)
		k := s.kindAt(r)
		if k != lineFeed && !isHidden(k) {
			break
		}
		i += size
		if k == lineFeed {
			lines++
			end = i
		}
	}
	s.folded = end
	if lines <= maxBlankLines {
		return false
	}
	start := s.i
	s.i = end
	s.noteLines(s.raw[start:end], lines)
	s.queue = append(s.queue[:0],
		markUnit(blankLinesMark(lines, s.raw[start:end], s.cutHere()), start),
		unit{lineEnd, "", end - 1, 0})
	s.lineStart = true
	return true
}
