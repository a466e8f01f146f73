package text

import (
	"sort"
	"strings"
	"sync/atomic"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"
)

// kind says how a code point is treated. It is derived from Unicode's
// properties, so that what a later table adds is treated by its nature.
type kind uint8

const (
	glyph     kind = iota // drawn as it is
	combining             // drawn on the glyph before it, and on nothing else
	space                 // U+0020
	tab
	lineFeed
	dark // draws nothing, or a blank: always a mark
	lit  // may draw something, but not what it seems or not where it seems: always a mark
	tag  // spells hidden ASCII
)

// props is what the package knows of one code point.
type props struct {
	kind   kind
	cells  uint8 // as the more generous of two ways to count
	script uint8 // an index into scriptNames; 0 belongs to every script
	word   bool  // a part of words: letters, digits, and what combines with them
	letter bool
	joins  bool // invisible inside a word, so that it does not end one
	// twin says that compatibility folding makes ASCII letters or digits of it.
	twin bool
	// copy says that it is canonically the same as an ASCII character.
	copy bool
	// hostTwin says that it passes for the punctuation of a host's name.
	hostTwin bool
	// syntax says that it passes for ASCII punctuation, reversed that it runs from
	// right to left, picture that it is an emoji or may be made one.
	syntax, reversed, picture bool
}

// pages remembers the properties of the code points that were asked for, in
// blocks of 256: the tables of package unicode are too slow to be asked for each
// character of a large text.
var pages [(unicode.MaxRune + 1) >> 8]atomic.Pointer[page]

// page holds packed properties; 0 is a code point that nobody asked for yet.
type page [256]atomic.Uint32

// lookup returns the properties of a code point.
func lookup(r rune) props {
	known := pages[r>>8].Load()
	if known == nil {
		pages[r>>8].CompareAndSwap(nil, new(page))
		known = pages[r>>8].Load()
	}
	if packed := known[r&0xff].Load(); packed != 0 {
		return unpack(packed)
	}
	p := propsOf(r)
	known[r&0xff].Store(p.pack())
	return p
}

// pack puts the properties into one word that can be stored atomically. Its
// lowest bit is set, so that it is never 0.
func (p props) pack() uint32 {
	packed := 1 | uint32(p.kind)<<16 | uint32(p.cells)<<20 | uint32(p.script)<<24
	for i, set := range []bool{p.word, p.letter, p.joins, p.twin, p.copy, p.hostTwin, p.syntax, p.reversed, p.picture} {
		if set {
			packed |= 2 << i
		}
	}
	return packed
}

func unpack(packed uint32) props {
	return props{
		kind: kind(packed >> 16 & 0xf), cells: uint8(packed >> 20 & 0xf), script: uint8(packed >> 24),
		word: packed&2 != 0, letter: packed&4 != 0, joins: packed&8 != 0,
		twin: packed&16 != 0, copy: packed&32 != 0, hostTwin: packed&64 != 0,
		syntax: packed&128 != 0, reversed: packed&256 != 0, picture: packed&512 != 0,
	}
}

func propsOf(r rune) props {
	p := props{kind: kindOf(r), script: scriptOf(r)}
	p.letter = unicode.IsLetter(r) || unicode.Is(unicode.Nl, r)
	p.word = p.letter || unicode.IsMark(r) || unicode.IsNumber(r)
	p.joins = p.kind == dark && !unicode.In(r, unicode.Cc, unicode.Zs, unicode.Zl, unicode.Zp)
	s := string(r)
	p.cells = uint8(max(ansi.StringWidth(s), ansi.StringWidthWc(s)))
	if unicode.Is(unicode.Regional_Indicator, r) {
		p.cells = 2 // some terminals draw the letters of a flag, each as wide as the flag
	}
	if p.kind == glyph && p.cells == 0 {
		p.kind = lit
	}
	p.hostTwin = strings.ContainsRune(hostTwins, r)
	p.syntax, _ = asSyntax(r)
	p.reversed = rightToLeft(r)
	p.picture = p.kind == glyph && picture(r)
	if r >= 0x100 {
		p.copy = allASCII(norm.NFC.String(string(r)))
		p.twin = (p.letter || unicode.Is(unicode.Nd, r)) && !unicode.Is(unicode.Lm, r) &&
			alphanumeric(norm.NFKC.String(string(r)))
	}
	return p
}

// blanks draw as a blank although their category is that of letters and symbols,
// and no property that Go has tables for says so.
var blanks = []rune{0x2800, 0x1d159, 0x13441, 0x13442, 0x16fe4}

// brackets are the brackets of the marks, the tab's glyph, and what looks like
// them in one cell: as data they are marked, so that no text can imitate a mark.
var brackets = []rune{markOpen, markClose, tabGlyph, '\u2329', '\u232a', '❬', '❭', '⧼', '⧽'}

const (
	markOpen  = '⟨'
	markClose = '⟩'
	tabGlyph  = '⇥'
)

func kindOf(r rune) kind {
	switch {
	case r == ' ':
		return space
	case r == '\t':
		return tab
	case r == '\n':
		return lineFeed
	case r > ' ' && r < 0x7f:
		return glyph
	case r == 0xe0001 || r >= 0xe0020 && r <= 0xe007f:
		return tag
	case conjoining(r):
		return combining
	case isDark(r):
		return dark
	case isLit(r):
		return lit
	case unicode.In(r, unicode.Mn, unicode.Mc):
		return combining
	}
	return glyph
}

func isDark(r rune) bool {
	for _, b := range blanks {
		if r == b {
			return true
		}
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zs, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isLit covers what has no agreed look (private and unassigned code points, the
// replacement characters) and what terminals and libraries give different widths.
func isLit(r rune) bool {
	for _, b := range brackets {
		if r == b {
			return true
		}
	}
	return r == unicode.ReplacementChar || r == '\ufffc' || skinTone(r) ||
		unicode.In(r, unicode.Co, unicode.Cs, unicode.Me, unicode.Regional_Indicator, unassigned)
}

// The selectors of how a symbol is drawn, and what makes a key of a digit before it.
const (
	textStyle  = 0xfe0e
	emojiStyle = 0xfe0f
	keycap     = 0x20e3
)

// skinTone reports an emoji modifier: two cells more on some terminals, none on others.
func skinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// conjoining reports a vowel or final consonant that forms one Hangul syllable with
// the letters before it. The fillers among them are blanks and no part of it.
func conjoining(r rune) bool {
	return r > 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7c6 || r >= 0xd7cb && r <= 0xd7fb
}

func allASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return s != ""
}

func alphanumeric(s string) bool {
	for i := range len(s) {
		if !asciiWord(s[i]) {
			return false
		}
	}
	return s != ""
}

func asciiLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func asciiWord(c byte) bool { return asciiLetter(c) || c >= '0' && c <= '9' }

var unassigned = unicode.Categories["Cn"]

// scriptNames numbers Unicode's scripts. Number 0 stands for what all scripts share.
var scriptNames, scriptTables = numberScripts()

func numberScripts() (names []string, tables []*unicode.RangeTable) {
	names = []string{""}
	for name := range unicode.Scripts {
		if name != "Common" && name != "Inherited" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		tables = append(tables, unicode.Scripts[name])
	}
	return names, tables
}

func scriptID(name string) uint8 {
	return uint8(sort.SearchStrings(scriptNames, name))
}

func scriptOf(r rune) uint8 {
	if unicode.In(r, unicode.Common, unicode.Inherited) {
		return 0
	}
	for id := 1; id < len(scriptTables); id++ {
		if unicode.Is(scriptTables[id], r) {
			return uint8(id)
		}
	}
	return 0
}

// scriptTitle returns a script's name as prose has it.
func scriptTitle(id uint8) string { return strings.ReplaceAll(scriptNames[id], "_", " ") }
