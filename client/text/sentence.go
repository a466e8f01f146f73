package text

import "strings"

// Sentence makes words of the program's own safe to print, such as an error whose
// parts may come from elsewhere. The marks that a [Text] put into it stay as they
// are, where New would mark their brackets a second time; what no Text went through
// is marked here. It is for what the program says and never for what a relay sent,
// which could imitate a mark.
func Sentence(said string) string {
	if plainLength(said) == len(said) {
		return said
	}
	var b strings.Builder
	for i := 0; i < len(said); {
		r, size := decode(said, i)
		if keeps(r) {
			b.WriteString(said[i : i+size])
		} else {
			b.WriteString(bracketed(label(r)))
		}
		i += size
	}
	return b.String()
}

// keeps reports whether a character may stand in the program's own words: what is
// drawn, and what the marks are made of.
func keeps(r rune) bool {
	if r == markOpen || r == markClose || r == tabGlyph {
		return true
	}
	if r >= badByte {
		return false
	}
	switch kindOf(r) {
	case space, glyph, combining:
		return true
	}
	return false
}
