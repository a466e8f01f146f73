package text

import (
	"strings"
	"unicode/utf8"
)

// How far the neighbourhood of a letter is looked at, in bytes each way. What is
// further away does not change how it is shown, so that the cost stays bounded.
const (
	wordReach = 1024
	lineReach = 2048
)

var (
	latin    = scriptID("Latin")
	cyrillic = scriptID("Cyrillic")
	greek    = scriptID("Greek")
)

// neutral scripts are written without spaces or stand beside Latin letters in
// ordinary words, and have no letters that pass for Latin ones.
var neutral = scriptSet("Han", "Hiragana", "Katakana", "Bopomofo", "Hangul", "Thai", "Lao", "Khmer", "Yi")

// twins are the letters that are drawn like Latin ones in most fonts. They count
// only where a whole word or host is made of them; a word of two scripts is
// flagged whatever its letters look like.
var twins = map[uint8]string{
	cyrillic: "аеорсухіјѕԛԝһԁӏѵүАВЕЗІЈКМНОРСТУХЅԜԚӀҮҺԌѴ",
	greek:    "ανορυικχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳϹ",
}

// science holds the Greek letters that look like no Latin one and stand beside
// Latin letters in formulas and units.
const science = "ΔΘΛΞΠΣΦΨΩδθλξπφψΩ∆"

// hostTwins are drawn like the slash, the dash and the dot of a host's name.
const hostTwins = "ノソゾ丶丿〇ㅡㅣ⁄∕⧸。．｡／․"

// topLevel are the endings by which a word with dots counts as a host even where
// nothing else says so. Others could as well be the endings of file names.
var topLevel = []string{"com", "org", "net", "edu", "gov", "io", "dev", "info"}

type scripts [4]uint64

func scriptSet(names ...string) (set scripts) {
	for _, name := range names {
		set.add(scriptID(name))
	}
	return set
}

func (set *scripts) add(id uint8)     { set[id>>6] |= 1 << (id & 63) }
func (set scripts) has(id uint8) bool { return set[id>>6]&(1<<(id&63)) != 0 }

// word is what is known of a stretch of letters, digits and what joins them.
type word struct {
	start, end int
	host       bool
	set        scripts // but for the neutral ones
	count      int     // of scripts in set
	main       uint8   // the script that the word counts as
	letters    int     // and digits
	ascii      bool    // holds ASCII letters
	allTwins   bool    // every letter that is not neutral passes for a Latin one
	allScience bool    // every Greek letter is one of science
}

// stretch is a part of the text for which something was found out.
type stretch struct {
	start, end int
	script     uint8
	yes        bool
}

func (t stretch) covers(i int) bool { return t.start <= i && i < t.end }

// foreign reports whether the letter at i may be taken for another one where it
// stands: it is of another script than its word, folds to an ASCII letter, or its
// whole word is made of letters that pass for Latin ones.
func (s *scanner) foreign(r rune, p props) bool {
	switch {
	case p.copy:
		s.noteCopy(r)
		return true
	case r < utf8.RuneSelf || !p.twin && !p.hostTwin && (!p.letter || p.script == latin || p.script == 0 || neutral.has(p.script)):
		return false
	}
	if s.i < s.word.start || s.i >= s.word.end {
		s.word = s.analyse(s.i)
	}
	if !s.passesFor(r, p) {
		return false
	}
	s.noteWord(r)
	return true
}

// passesFor decides for a letter of the word at i.
func (s *scanner) passesFor(r rune, p props) bool {
	w := &s.word
	switch {
	case p.hostTwin && w.host && w.set.has(latin) && s.asciiAfter(r):
		return true
	case !p.letter && !p.twin:
		return false
	case p.twin && w.letters > 1:
		return p.script == 0 && p.letter || w.ascii || fullwidth(r) && s.looksLatin()
	case p.twin && s.alone():
		return s.looksLatin()
	case w.count > 1 && p.script != w.main && p.script != 0 && !neutral.has(p.script):
		return w.host || !(p.script == greek && w.main == latin && w.allScience)
	}
	return w.allTwins && p.script != 0 && p.script == w.main && s.looksLatin()
}

// alone reports whether a letter that stands alone is looked at as a word is: in a
// command, where it is an option or a name. Elsewhere it is a part of a formula.
func (s *scanner) alone() bool { return s.mode == Exact || s.mode == Line }

// asciiAfter reports whether the name goes on in ASCII behind the rune at i.
func (s *scanner) asciiAfter(r rune) bool {
	next := s.i + utf8.RuneLen(r)
	return next < len(s.raw) && asciiWord(s.raw[next])
}

func fullwidth(r rune) bool { return r > 0xff00 && r < 0xff5f }

// analyse looks at the word around i, or at the host that it is a part of.
func (s *scanner) analyse(i int) word {
	if !s.host.covers(i) {
		start, end := s.span(i, inHost)
		s.host = stretch{start: start, end: end, yes: s.isHost(start, end)}
	}
	if s.host.yes {
		w := s.describe(s.host.start, s.host.end)
		w.host = true
		return w
	}
	return s.describe(s.span(i, inWord))
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord(byte(r))
	}
	if r >= badByte {
		return false
	}
	p := lookup(r)
	return p.joins || p.word && !(p.letter && neutral.has(p.script))
}

func inHost(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord(byte(r)) || r == '-' || r == '.' || r == '_'
	}
	if r >= badByte {
		return false
	}
	p := lookup(r)
	return p.word || p.joins || p.hostTwin
}

// span returns the stretch around i whose runes are in, as far as wordReach.
func (s *scanner) span(i int, in func(rune) bool) (start, end int) {
	start, end = i, i
	for start > 0 && i-start < wordReach {
		r, size := utf8.DecodeLastRuneInString(s.raw[:start])
		if r == utf8.RuneError && size == 1 || !in(r) {
			break
		}
		start -= size
	}
	for end < len(s.raw) && end-i < wordReach {
		r, size := decode(s.raw, end)
		if end > i && !in(r) {
			break
		}
		end += size
	}
	return start, end
}

// isHost reports whether a stretch stands where a host stands: after // or @, or
// with a well-known ending.
func (s *scanner) isHost(start, end int) bool {
	name, before := s.raw[start:end], s.raw[:start]
	if strings.HasSuffix(before, "//") || strings.HasSuffix(before, "@") {
		return true
	}
	dot := strings.LastIndexByte(strings.TrimRight(name, "."), '.')
	if dot <= 0 {
		return false
	}
	ending := strings.ToLower(strings.Trim(name[dot:], "."))
	for _, t := range topLevel {
		if ending == t {
			return true
		}
	}
	return false
}

// describe counts the scripts of a stretch.
func (s *scanner) describe(start, end int) word {
	w := word{start: start, end: end, allTwins: true, allScience: true}
	var counts [256]uint16
	for i := start; i < end; {
		r, size := decode(s.raw, i)
		i += size
		if r >= badByte {
			continue
		}
		p := lookup(r)
		if p.letter || p.twin || r < utf8.RuneSelf && asciiWord(byte(r)) {
			w.letters++
		}
		w.ascii = w.ascii || r < utf8.RuneSelf && asciiLetter(byte(r))
		if !p.letter || p.script == 0 || neutral.has(p.script) {
			continue
		}
		if counts[p.script]++; counts[p.script] == 1 {
			w.set.add(p.script)
			w.count++
		}
		if main := counts[w.main]; w.main != latin && (counts[p.script] > main || p.script == latin) {
			w.main = p.script
		}
		w.allTwins = w.allTwins && strings.ContainsRune(twins[p.script], r)
		w.allScience = w.allScience && (p.script != greek || strings.ContainsRune(science, r))
	}
	return w
}

// looksLatin reports whether the word, of one script, could pass for Latin where it
// stands: in a line of Latin text, where nothing else shows its script. The answer is
// kept for the part of the line that it holds for.
func (s *scanner) looksLatin() bool {
	w := &s.word
	if w.main == greek && w.letters < 2 && !s.alone() {
		return false
	}
	if !s.line.covers(w.start) || s.line.script != w.main {
		block := w.start - w.start%lineReach
		line := stretch{start: block, end: min(block+lineReach, len(s.raw)), script: w.main}
		if n := strings.LastIndexByte(s.raw[block:w.start], '\n'); n >= 0 {
			line.start += n + 1
		}
		if n := strings.IndexByte(s.raw[w.start:line.end], '\n'); n >= 0 {
			line.end = w.start + n
		}
		line.yes = s.latinAround(line)
		s.line = line
	}
	return s.line.yes
}

// latinAround reports whether the line around a stretch of it holds ASCII letters or
// is a command, and no letter that shows the stretch's script (for fullwidth letters:
// an East Asian one).
func (s *scanner) latinAround(line stretch) bool {
	start, end := max(0, line.start-lineReach), min(len(s.raw), line.end+lineReach)
	if n := strings.LastIndexByte(s.raw[start:line.start], '\n'); n >= 0 {
		start += n + 1
	}
	if n := strings.IndexByte(s.raw[line.end:end], '\n'); n >= 0 {
		end = line.end + n
	}
	// Somebody who reads a command expects Latin letters, also where it has none.
	ascii := s.alone()
	for i := start; i < end; {
		r, size := decode(s.raw, i)
		i += size
		if r < utf8.RuneSelf {
			ascii = ascii || asciiLetter(byte(r))
			continue
		}
		if r >= badByte {
			continue
		}
		p := lookup(r)
		shows := p.script == line.script && !strings.ContainsRune(twins[p.script], r)
		if line.script == latin || line.script == 0 {
			shows = neutral.has(p.script)
		}
		if p.letter && shows {
			return false
		}
	}
	return ascii
}
