package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// What a shell or a parser takes as syntax is ASCII. Characters that are drawn like it
// and are none make a command read as something that it is not: a quote that opens
// nothing, a pipe that pipes nowhere, a slash in one name. These lists hold what
// Unicode's table of confusables folds to ASCII punctuation, and the lines that look as
// much like it in a terminal's font; characters whose compatibility form is ASCII
// punctuation (fullwidth, small, ‥ and …) are found by that.

// quotesAndPipes are those that matter most: they decide where a command ends.
const quotesAndPipes = "‘’‚‛“”„‟′″‴‵‶‷‹›«»´¨ʹʺʻʼʽʾʿˈˊˋ˝ˮ˴˶΄՚՝׳״ߴߵᛌ᾽᾿´῾〃Ꞌꞌ＂＇｀" +
	"ǀǁ¦‖∣∥│┃║╎╏┆┇┊┋╿╽⎪⎮❘❙❚⏐⏽⼁〡ㅣ丨｜￨׀।॥⫼⫽"

// syntaxTwins are the rest of ASCII's punctuation.
const syntaxTwins = "‐‑‒–—―−⁃˗➖﹘Ⲻⲻー─━╌╍╴╶╸╺ㅡ一ߺ﹍﹎﹏" + // - _
	"⁄∕╱⟋⧸⧶᜵⁁〳Ⳇノ丿⼃㇓" + "∖⟍⧵⧹╲﹨〵丶⼂㇔⼀" + // / \
	"․‧܁܂꘎𐩐٠۰ꓸ。｡" + "‚،٫ꓹ、¸" + ";؛⁏፤" + // . , ;
	"։׃܃܄᛬︰᠃᠉⁚˸꞉∶ː˖ꓽ፡" + "ǃⵑ" + "ʔɁॽᎮꛫ⁇⁈" + // : ! ?
	"❨❲〔﴾" + "❩❳〕﴿" + "❴" + "❵" + "〚⁅" + "〛⁆" + // ( ) { } [ ]
	"⁎٭∗✱" + "ꝸ﹠" + "‸˄ˆ⌃ꞈ" + "᛭➕∔﹢" + "˂ᐸᚲ❮〈《" + "˃ᐳ❯〉》" + // * & ^ + < >
	"᐀⹀゠꓿═" + "٪⁒" + "♯⌗" + "˜῀⁓∼〜～〰" + "＄﹩" + "＠﹫" // = % # ~ $ @

// typographic is the punctuation of printed prose. In a file that is changed it is
// what its author wrote; in a command it is not what it looks like.
const typographic = "‘’‚“”„‹›«»′″‐‑‒–—―−…´"

// eastAsian is the punctuation of Chinese, Japanese and Korean, ordinary beside their letters.
const eastAsian = "，、。！？；：（）《》〈〉【】〔〕～ー一ノ丨丶丿ㅡㅣ〃"

// asSyntax reports whether a character passes for ASCII punctuation, and whether for a
// quote or a pipe.
func asSyntax(r rune) (twin, weighty bool) {
	if r < utf8.RuneSelf {
		return false, false
	}
	if strings.ContainsRune(quotesAndPipes, r) {
		return true, true
	}
	return strings.ContainsRune(syntaxTwins, r) || punctuation(norm.NFKC.String(string(r))), false
}

// punctuation reports ASCII without a letter, a digit or a blank.
func punctuation(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || asciiWord(c) {
			return false
		}
	}
	return s != ""
}

// rightToLeft reports a letter or digit that terminals may draw left of what it follows.
func rightToLeft(r rune) bool {
	if r < 0x590 {
		return false
	}
	p, _ := bidi.LookupRune(r)
	switch p.Class() {
	case bidi.R, bidi.AL, bidi.AN:
		return true
	}
	return false
}

// syntax takes the glyphs at i that pass for punctuation of a command, and reports
// whether there are any: a mark for each, or one for a run of the same.
func (s *scanner) syntax(r rune, size int, p props) bool {
	if !p.syntax || !s.mode.code() || s.atHome(r) {
		return false
	}
	start, n := s.i, 0
	for s.i < len(s.raw) && strings.HasPrefix(s.raw[s.i:], s.raw[start:start+size]) {
		s.i += size
		n++
	}
	if s.report != nil {
		f := looksLikeSyntax
		if strings.ContainsRune(quotesAndPipes, r) {
			f = looksLikeQuote
		}
		s.report.add(f, item{r, n, start})
	}
	if n > maxSame {
		s.push(markUnit(letterMarks(r, n), start))
		return true
	}
	for i := range n {
		s.push(markUnit(letterMark(r), start+i*size))
	}
	return true
}

// atHome reports whether such a character is ordinary where it stands: in a file of
// prose, beside letters of East Asia, or as a part of a drawn frame.
func (s *scanner) atHome(r rune) bool {
	if s.mode == Source && strings.ContainsRune(typographic, r) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(s.raw[:s.i])
	after, _ := utf8.DecodeRuneInString(s.raw[s.i+utf8.RuneLen(r):])
	if strings.ContainsRune(eastAsian, r) {
		return ideographic(before) || ideographic(after)
	}
	return frame(r) && s.drawing(s.i)
}

func ideographic(r rune) bool {
	return r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo)
}

// frame reports a character that boxes and rules are drawn with.
func frame(r rune) bool { return r >= 0x2500 && r <= 0x257f }

// drawing reports whether three or more such characters stand in a row around i. A row
// of them is a drawing; one alone, or two, could be meant as a pipe or a dash.
func (s *scanner) drawing(i int) bool {
	const size, enough = 3, 3 // bytes of each in UTF-8, and how many
	n := 0
	for at := i - size; n < enough && at >= 0; at -= size {
		if r, _ := utf8.DecodeRuneInString(s.raw[at:]); !frame(r) {
			break
		}
		n++
	}
	for at := i; n < enough && at < len(s.raw); at += size {
		if r, _ := utf8.DecodeRuneInString(s.raw[at:]); !frame(r) {
			break
		}
		n++
	}
	return n >= enough
}

// maxRightToLeft is how many code points of a word from right to left one mark holds.
const maxRightToLeft = 8

// reversed takes letters at i that run from right to left, with what combines with them.
// The mark spells them as they are drawn, and behind that as they stand; a terminal that
// turns them around leaves everything outside of it in its place.
func (s *scanner) reversed(r rune, p props) bool {
	if !p.reversed || !s.mode.code() {
		return false
	}
	if s.mode == Source {
		s.noteReversed(item{r, 1, s.i})
		return false
	}
	start := s.i
	var b strings.Builder
	for n := 0; n < maxRightToLeft && s.i < len(s.raw); n++ {
		c, size := decode(s.raw, s.i)
		if c < utf8.RuneSelf || c >= badByte || !(s.kindAt(c) == glyph && lookup(c).reversed || n > 0 && s.kindAt(c) == combining) {
			break
		}
		if s.kindAt(c) == glyph {
			s.noteReversed(item{c, 1, s.i})
		}
		b.WriteString(" " + codePoint(c))
		s.i += size
	}
	s.push(markUnit(bracketed(s.raw[start:s.i]+b.String()), start))
	return true
}

func (s *scanner) noteReversed(it item) {
	if s.report != nil {
		s.report.add(backwards, it)
	}
}
