package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// finding is a kind of thing that Warnings tells about.
type finding int

const (
	altered finding = iota
	looksLikeQuote
	looksLikeSyntax
	backwards
	notUTF8
	control
	reorders
	hiddenTags
	invisible
	blank
	longBlank
	blankLine
	tooMany
	unknown
	private
	replaced
	findings
)

// says holds the words for one and for several of each finding.
var says = [findings][2]string{
	altered:         {"The text was altered in decoding: 1 replacement character stands for something lost", "The text was altered in decoding: %d replacement characters stand for something lost"},
	looksLikeQuote:  {"1 character looks like a quote or a pipe and is none", "%d characters look like quotes or pipes and are none"},
	looksLikeSyntax: {"1 character looks like ASCII punctuation and is none", "%d characters look like ASCII punctuation and are none"},
	backwards:       {"1 letter runs from right to left, and may be drawn in another place than its own", "%d letters run from right to left, and may be drawn in another order than their own"},
	notUTF8:         {"1 byte is not UTF-8", "%d bytes are not UTF-8"},
	control:         {"1 control character", "%d control characters"},
	reorders:        {"1 hidden character that changes the order of what is drawn", "%d hidden characters that change the order of what is drawn"},
	hiddenTags:      {"1 tag character, which hides text", "%d tag characters, which hide text"},
	invisible:       {"1 invisible character", "%d invisible characters"},
	blank:           {"1 blank that is no ordinary space", "%d blanks that are no ordinary spaces"},
	longBlank:       {"1 blank in a long run", "%d blanks in long runs"},
	blankLine:       {"1 blank line in a long run", "%d blank lines in long runs"},
	tooMany:         {"1 combining mark where none belongs", "%d combining marks where none belong"},
	unknown:         {"1 character that has no agreed look", "%d characters that have no agreed look"},
	private:         {"1 private character, which every font draws in its own way", "%d private characters, which every font draws in its own way"},
	replaced:        {"1 character that looks exactly like an ASCII one", "%d characters that look exactly like ASCII ones"},
}

// How many code points of one finding and how many words are named.
const (
	maxNamed = 4
	maxWords = 4
)

// report counts what is unusual in a text.
type report struct {
	total [findings]int
	runes [findings][]item // the first few different ones
	other [findings]int    // how many are not among these
	words []string
	more  int // words that are not named
}

// Warnings says in the program's words what is unusual in the text: controls,
// hidden characters, look-alike words, with their code points and counts. Empty
// for ordinary text in any language that is read as mode says. The cost is linear in the text.
func (t Text) Warnings(mode Mode) []string {
	s := newScanner(t.raw, false, mode)
	s.report = new(report)
	for {
		if _, ok := s.next(); !ok {
			break
		}
	}
	s.endWord()
	return s.report.sentences()
}

func (r *report) add(f finding, it item) {
	r.total[f] += it.count
	for i := range r.runes[f] {
		if r.runes[f][i].r == it.r {
			r.runes[f][i].count += it.count
			return
		}
	}
	if len(r.runes[f]) < maxNamed {
		r.runes[f] = append(r.runes[f], it)
		return
	}
	r.other[f] += it.count
}

func (r *report) sentences() (out []string) {
	for f, n := range r.total {
		if n == 0 {
			continue
		}
		s := says[f][0]
		if n > 1 {
			s = fmt.Sprintf(says[f][1], n)
		}
		if names := r.names(finding(f)); names != "" {
			s += ": " + names
		}
		out = append(out, s+".")
	}
	out = append(out, r.words...)
	if r.more > 0 {
		out = append(out, counted(r.more, "more word mixes", "more words mix", false)+" scripts.")
	}
	return out
}

// names lists the code points of a finding, with counts where there are several.
func (r *report) names(f finding) string {
	if f == blankLine {
		return ""
	}
	var parts []string
	for _, it := range r.runes[f] {
		s := named(it.r)
		if it.count > 1 && len(r.runes[f]) > 1 {
			s += fmt.Sprintf(" ×%d", it.count)
		}
		parts = append(parts, s)
	}
	if n := r.other[f]; n > 0 {
		parts = append(parts, others(n))
	}
	return strings.Join(parts, ", ")
}

func others(n int) string { return "and " + counted(n, "other", "others", false) }

// highControls are the short names of the C1 controls.
var highControls = strings.Fields(`PAD HOP BPH NBH IND NEL SSA ESA HTS HTJ VTS PLD PLU RI SS2 SS3
	DCS PU1 PU2 STS CCH MW SPA EPA SOS SGCI SCI CSI ST OSC PM APC`)

// named returns a code point with its name, where it has one.
func named(r rune) string {
	switch {
	case r >= badByte:
		return label(r)
	case r == ' ':
		return "U+0020 SPACE"
	case r < ' ' || r == 0x7f:
		return codePoint(r) + " " + label(r)
	case r >= 0x80 && r < 0xa0:
		return codePoint(r) + " " + highControls[r-0x80]
	}
	if name := nameOf(r); name != "" {
		return codePoint(r) + " " + name
	}
	return codePoint(r)
}

// noteAll reports the run of items that was just collected.
func (s *scanner) noteAll() {
	if s.report == nil {
		return
	}
	items, long := s.items, s.sums != nil
	if long {
		items = s.sums
	}
	for _, it := range items {
		s.note(it)
		if it.r == ' ' && (long || it.count > maxSpaces) || it.r == '\t' && (long || it.count > maxTabs) {
			s.report.add(longBlank, it)
		}
	}
}

// noteLines reports blank lines that were folded, with what is in them.
func (s *scanner) noteLines(raw string, lines int) {
	if s.report == nil {
		return
	}
	s.report.add(blankLine, item{'\n', lines, 0})
	for i := 0; i < len(raw); {
		r, size := decode(raw, i)
		s.note(item{r, 1, s.i - len(raw) + i})
		i += size
	}
}

// note reports a run of one code point, unless it is ordinary where it stands.
func (s *scanner) note(it item) {
	if s.report == nil {
		return
	}
	if f := findingOf(it.r); f < findings && !s.ordinary(it, f) {
		s.report.add(f, it)
	}
}

func findingOf(r rune) finding {
	switch {
	case r >= badByte:
		return notUTF8
	case r == ' ' || r == '\t' || r == '\n':
		return findings
	case r == unicode.ReplacementChar:
		return altered
	case unicode.Is(unicode.Bidi_Control, r):
		return reorders
	case unicode.Is(unicode.Cc, r):
		return control
	}
	switch lookup(r).kind {
	case tag:
		return hiddenTags
	case combining:
		return tooMany
	case dark:
		if unicode.In(r, unicode.Zs, unicode.Lo, unicode.So) {
			return blank
		}
		return invisible
	}
	switch {
	case unicode.Is(unicode.Co, r):
		return private
	case unicode.Is(unassigned, r):
		return unknown
	case unicode.Is(unicode.Me, r):
		return tooMany
	}
	return findings // brackets, flags, skin tones: marked, but nothing to warn of
}

// ordinary reports whether a marked character is what writing in some language, or
// an emoji, has there.
func (s *scanner) ordinary(it item, f finding) bool {
	if it.count > 1 {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s.raw[:it.pos])
	after, _ := utf8.DecodeRuneInString(s.raw[it.pos+runeBytes(it.r):])
	switch {
	case it.r == '\r':
		return after == '\n'
	case it.r == 0xfe0f || it.r == 0xfe0e:
		return pictorial(before)
	case it.r == 0x20e3:
		return before == 0xfe0f
	case it.r == 0x200d && (pictorial(before) || before == 0xfe0f || skinTone(before)):
		return pictorial(after)
	case it.r == 0x200c || it.r == 0x200d:
		return joinsScript(before, after)
	case it.r == 0x3000:
		return neutral.has(lookup(before).script) || neutral.has(lookup(after).script)
	case it.r == 0xa0 || it.r == 0x202f:
		return strings.ContainsRune("«!?:;»%€", after) || before == '«' ||
			unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return false
}

// pictorial reports a character that a variation selector may turn into an emoji.
func pictorial(r rune) bool {
	return unicode.Is(unicode.So, r) || r >= '0' && r <= '9' || r == '#' || r == '*' ||
		strings.ContainsRune("©®‼⁉↔↕↖↗↘↙↩↪⤴⤵〰〽", r)
}

// joinsScript reports a joiner where the spelling of a script has one: between two of
// its letters, or after the sign that takes a letter's vowel away.
func joinsScript(before, after rune) bool {
	if norm.NFC.PropertiesString(string(before)).CCC() == 9 {
		return true
	}
	p, q := lookup(before), lookup(after)
	return p.script != 0 && p.script == q.script && p.script != latin && p.script != cyrillic &&
		p.script != greek && !neutral.has(p.script)
}

// noteCopy reports a character that is canonically an ASCII one.
func (s *scanner) noteCopy(r rune) {
	if s.report != nil {
		s.report.add(replaced, item{r, 1, s.i})
	}
}

// noteWord reports a letter that passes for another one in the word at i.
func (s *scanner) noteWord(r rune) {
	if s.report == nil {
		return
	}
	if s.flagged.end != s.word.end || s.flagged.start != s.word.start {
		s.endWord()
		s.flagged = s.word
	}
	for _, it := range s.suspects {
		if it.r == r {
			return
		}
	}
	s.suspects = append(s.suspects, item{r, 1, s.i})
}

// endWord puts the word whose letters were reported into words.
func (s *scanner) endWord() {
	if len(s.suspects) == 0 {
		return
	}
	letters := s.suspects
	s.suspects = nil
	if len(s.report.words) == maxWords {
		s.report.more++
		return
	}
	var names []string
	for _, it := range letters[:min(maxNamed, len(letters))] {
		names = append(names, named(it.r))
	}
	if n := len(letters) - maxNamed; n > 0 {
		names = append(names, others(n))
	}
	what := "The word"
	if s.flagged.host {
		what = "The host"
	}
	looks := "is written in letters that pass for others"
	if s.flagged.count > 1 {
		looks = "mixes " + strings.Join(s.flagged.scriptTitles(), " and ")
	}
	shown := New(s.raw[s.flagged.start:s.flagged.end]).Fit(60)
	s.report.words = append(s.report.words,
		fmt.Sprintf("%s “%s” %s: %s.", what, shown, looks, strings.Join(names, ", ")))
}

// scriptTitles names the scripts of a word, the one it counts as first.
func (w *word) scriptTitles() []string {
	titles := []string{scriptTitle(w.main)}
	for id := 1; id < len(scriptNames); id++ {
		if w.set.has(uint8(id)) && uint8(id) != w.main {
			titles = append(titles, scriptTitle(uint8(id)))
		}
	}
	return titles
}
