package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Find marks words in what somebody else wrote: behind the first gutter of a painted line.
// Upper and lower case are the same; words is in lower case.
func (t *Theme) Find(line, words string) string {
	if words == "" {
		return line
	}
	from := 0
	for _, glyph := range []string{t.Glyphs.Gutter, t.Glyphs.Continued} {
		if i := strings.Index(line, glyph); i >= 0 && (from == 0 || i < from) {
			from = i + len(glyph)
		}
	}
	if from == 0 {
		return line
	}
	var b strings.Builder
	b.WriteString(line[:from])
	for rest := line[from:]; rest != ""; {
		size := t.found(&b, rest, words)
		if size == 0 {
			_, _, size, _ = ansi.DecodeSequence(rest, ansi.NormalState, nil)
			b.WriteString(rest[:size])
		}
		rest = rest[size:]
	}
	return b.String()
}

// found marks words at the beginning of a painted string and returns its bytes; 0 where it
// begins with something else. The styles in between stay.
func (t *Theme) found(b *strings.Builder, painted, words string) int {
	const on, off = "\x1b[4m", "\x1b[24m"
	var marked strings.Builder
	marked.WriteString(on)
	at := 0
	for words != "" {
		if at == len(painted) {
			return 0
		}
		glyph, _, size, _ := ansi.DecodeSequence(painted[at:], ansi.NormalState, nil)
		at += size
		marked.WriteString(glyph)
		if strings.HasPrefix(glyph, "\x1b") {
			marked.WriteString(on)
			continue
		}
		rest, ok := strings.CutPrefix(words, strings.ToLower(glyph))
		if !ok || at == size && glyph == "" {
			return 0
		}
		words = rest
	}
	b.WriteString(marked.String())
	b.WriteString(off)
	return at
}
