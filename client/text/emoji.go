package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"
)

const (
	nonJoiner = 0x200c
	joiner    = 0x200d
)

// maxJoined is how many pictures one emoji is made of at most: a family of four.
const maxJoined = 4

// picture reports a symbol that is an emoji or is made one by a selector. Unicode's rules
// for where glyphs end know them: a joiner holds two of them together, and nothing else.
func picture(r rune) bool {
	if r < 0xa9 {
		return false
	}
	pair := string(r) + "\u200d❤"
	glyph, _ := ansi.FirstGraphemeCluster(pair, ansi.GraphemeWidth)
	return len(glyph) == len(pair)
}

// hands are the emoji that take a skin tone (Unicode's Emoji_Modifier_Base).
var hands = &unicode.RangeTable{
	R16: []unicode.Range16{{0x261d, 0x261d, 1}, {0x26f9, 0x26f9, 1}, {0x270a, 0x270d, 1}},
	R32: []unicode.Range32{
		{0x1f385, 0x1f385, 1}, {0x1f3c2, 0x1f3c4, 1}, {0x1f3c7, 0x1f3c7, 1}, {0x1f3ca, 0x1f3cc, 1},
		{0x1f442, 0x1f443, 1}, {0x1f446, 0x1f450, 1}, {0x1f466, 0x1f478, 1}, {0x1f47c, 0x1f47c, 1},
		{0x1f481, 0x1f483, 1}, {0x1f485, 0x1f487, 1}, {0x1f48f, 0x1f491, 2}, {0x1f4aa, 0x1f4aa, 1},
		{0x1f574, 0x1f575, 1}, {0x1f57a, 0x1f57a, 1}, {0x1f590, 0x1f590, 1}, {0x1f595, 0x1f596, 1},
		{0x1f645, 0x1f647, 1}, {0x1f64b, 0x1f64f, 1}, {0x1f6a3, 0x1f6a3, 1}, {0x1f6b4, 0x1f6b6, 1},
		{0x1f6c0, 0x1f6cc, 12}, {0x1f90c, 0x1f90f, 3}, {0x1f918, 0x1f91f, 1}, {0x1f926, 0x1f926, 1},
		{0x1f930, 0x1f939, 1}, {0x1f93c, 0x1f93e, 1}, {0x1f977, 0x1f977, 1}, {0x1f9b5, 0x1f9b6, 1},
		{0x1f9b8, 0x1f9b9, 1}, {0x1f9bb, 0x1f9bb, 1}, {0x1f9cd, 0x1f9cf, 1}, {0x1f9d1, 0x1f9dd, 1},
		{0x1fac3, 0x1fac5, 1}, {0x1faf0, 0x1faf8, 1},
	},
}

// joining are the scripts whose letters change their form beside one another, so that
// spelling needs a way to keep two of them apart.
var joining = scriptSet("Arabic", "Syriac", "Mandaic", "Mongolian", "Nko", "Phags_Pa",
	"Manichaean", "Psalter_Pahlavi", "Adlam", "Hanifi_Rohingya", "Sogdian")

// joined goes on behind the glyph that was just taken, past what belongs to it in prose:
// a selector, a skin tone, a joiner with the next picture; or the joiner of a spelling.
func (s *scanner) joined(base rune) {
	for n := 1; ; n++ {
		s.dressed(base)
		next, size, ok := s.joins(base)
		if !ok || n == maxJoined {
			break
		}
		s.i += len("\u200d") + size
		base = next
	}
	s.spelled()
}

// dressed takes the selector, the frame of a key or the skin tone behind a base.
func (s *scanner) dressed(base rune) {
	r, size := s.at(s.i)
	switch {
	case skinTone(r) && unicode.Is(hands, base):
		s.i += size
	case (r == emojiStyle || r == textStyle) && lookup(base).picture:
		s.i += size
	case r == emojiStyle && (base >= '0' && base <= '9' || base == '#' || base == '*'):
		if next, more := s.at(s.i + size); next == keycap {
			s.i += size + more
		}
	}
}

// joins returns the picture that a joiner at i ties to the base.
func (s *scanner) joins(base rune) (next rune, size int, ok bool) {
	if r, _ := s.at(s.i); r != joiner || !lookup(base).picture {
		return 0, 0, false
	}
	next, size = s.at(s.i + len("\u200d"))
	return next, size, size > 0 && next < badByte && lookup(next).picture
}

// spelled takes a joiner inside a word: one that keeps two letters apart, or one behind
// the sign that takes a letter's vowel away.
func (s *scanner) spelled() {
	r, size := s.at(s.i)
	if r != joiner && r != nonJoiner {
		return
	}
	before, _ := utf8.DecodeLastRuneInString(s.raw[:s.i])
	after, more := s.at(s.i + size)
	if more == 0 || after >= badByte || !lookup(after).letter {
		return
	}
	p, q := lookup(before), lookup(after)
	apart := r == nonJoiner && p.word && joining.has(q.script) && (p.script == q.script || p.kind == combining)
	if apart || norm.NFC.PropertiesString(string(before)).CCC() == 9 && p.script == q.script {
		s.i += size
	}
}

// flag takes the two letters that a flag is made of, in prose.
func (s *scanner) flag(r rune) bool {
	if s.mode != Words || !unicode.Is(unicode.Regional_Indicator, r) {
		return false
	}
	size := utf8.RuneLen(r)
	if next, _ := s.at(s.i + size); !unicode.Is(unicode.Regional_Indicator, next) {
		return false
	}
	whole := s.raw[s.i : s.i+2*size]
	s.push(unit{cluster, whole, s.i, Width(whole)})
	s.i += 2 * size
	return true
}

// at returns the code point at a place and its bytes; 0 and 0 behind the end.
func (s *scanner) at(i int) (rune, int) {
	if i >= len(s.raw) {
		return 0, 0
	}
	return decode(s.raw, i)
}
