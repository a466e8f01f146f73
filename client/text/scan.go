package text

import "unicode/utf8"

// form says what a unit is made of.
type form uint8

const (
	plainRun  form = iota // printable ASCII: a cell for each byte
	cluster               // one glyph with what combines with it
	mark                  // the program's words in brackets
	quietMark             // a mark for what is ordinary where it stands
	tabStop               // a tab that is drawn as one
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
	mode    Mode
	more    bool // raw is only the beginning of the text
	i       int
	// queue holds the units that are ready, from taken on.
	queue []unit
	taken int
	// items is the run that was collected last, sums what of it went beyond maxItems.
	items []item
	sums  []item
	sumOf map[rune]int  // where in sums a code point is counted
	marks map[rune]unit // the marks of single code points made so far
	word  word
	host  stretch // the last one that could be a host
	line  stretch // the last one that was asked whether it looks Latin
	// lineStart says that a logical line begins at i; folded is up to where
	// blank lines were already counted.
	lineStart bool
	folded    int
	report    *report // what Warnings collects; nil otherwise
	flagged   word    // the last word with letters that pass for others
	suspects  []item  // these letters
}

func newScanner(raw string, oneLine bool, mode Mode) *scanner {
	return &scanner{raw: raw, oneLine: oneLine, mode: mode, lineStart: !oneLine}
}

// next returns the next unit, and false at the end.
func (s *scanner) next() (unit, bool) {
	for {
		if s.taken < len(s.queue) {
			u := s.queue[s.taken]
			s.taken++
			return u, true
		}
		s.queue, s.taken = s.queue[:0], 0
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
// ASCII with short runs of spaces inside, not much more than maxPlain. The last character
// before something else than ASCII is left out, because it may combine with that.
func plainLength(s string) int {
	end, spaces := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c > ' ' && c < 0x7f:
			if i >= maxPlain {
				return i
			}
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

// maxPlain bounds how far the text is read for one unit, in bytes.
const maxPlain = 1024

// decode returns the code point at i and its bytes. A byte that is not UTF-8 is
// returned as badByte and its value.
func decode(raw string, i int) (rune, int) {
	if raw[i] < utf8.RuneSelf {
		return rune(raw[i]), 1
	}
	r, size := utf8.DecodeRuneInString(raw[i:])
	if r == utf8.RuneError && size == 1 {
		return badByte + rune(raw[i]), 1
	}
	return r, size
}

// kindAt is lookup(r).kind for what decode returns.
func (s *scanner) kindAt(r rune) kind {
	switch {
	case r == '\n' && s.oneLine:
		return dark
	case r < utf8.RuneSelf:
		return asciiKinds[r]
	case r >= badByte || onlyASCII:
		return lit
	}
	return lookup(r).kind
}

// onlyASCII says that the terminal draws nothing else, so that everything else is a mark.
var onlyASCII bool

// OnlyASCII sets whether everything but ASCII is a mark. It is called before any text is
// drawn, and never again.
func OnlyASCII(only bool) { onlyASCII = only }

var asciiKinds = func() (kinds [utf8.RuneSelf]kind) {
	for r := range kinds {
		kinds[r] = kindOf(rune(r))
	}
	return kinds
}()

// step handles what is not a plain run and puts its units into the queue.
func (s *scanner) step() {
	r, size := decode(s.raw, s.i)
	switch s.kindAt(r) {
	case glyph:
		s.glyph(r, size)
	case lineFeed:
		s.push(unit{lineEnd, "", s.i, 0})
		s.i += size
		s.lineStart = true
	case tag:
		s.collect(func(k kind) bool { return k == tag }, len(s.raw))
		s.push(markUnit(tagMark(s.items, s.cutHere()), s.items[0].pos))
		s.noteAll()
	case combining, lit:
		if !s.flag(r) {
			s.same(r, size)
		}
	default:
		s.hidden()
	}
}

func (s *scanner) push(u unit) { s.queue = append(s.queue, u) }

func markUnit(text string, pos int) unit {
	return unit{mark, text, pos, Width(text)}
}

// cutHere reports whether what is at i may go on beyond the end of raw.
func (s *scanner) cutHere() bool { return s.more && s.i >= len(s.raw) }

// glyph takes one glyph and what combines with it.
func (s *scanner) glyph(r rune, size int) {
	start, p := s.i, lookup(r)
	if s.reversed(r, p) {
		return
	}
	if s.foreign(r, p) {
		s.i += size
		s.push(markUnit(letterMark(r), start))
		return
	}
	if s.syntax(r, size, p) {
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
	if s.mode == Words && s.i == start+size {
		s.joined(r)
	} else if s.mode == Words {
		s.spelled()
	}
	whole := s.raw[start:s.i]
	if len(whole) > size {
		cells = Width(whole)
	}
	s.push(unit{cluster, whole, start, cells})
}

// joinsHangul reports whether a vowel or final consonant can stand on the letter.
func joinsHangul(r rune) bool { return lookup(r).script == hangul }

var hangul = scriptID("Hangul")
