package text

import "strings"

// Quote returns one argument of a command as a unit of its own, the way that a
// shell would take it: as it is where it holds nothing special, else in single
// quotes. An empty argument is two quotes, and blanks stand between quotes, so
// that no two lists of arguments look the same.
func Quote(t Text) Text {
	if bare(t.raw) {
		return t
	}
	return Text{"'" + strings.ReplaceAll(t.raw, "'", `'\''`) + "'"}
}

// bare reports whether a shell takes an argument as it is.
func bare(raw string) bool {
	for i := range len(raw) {
		if c := raw[i]; !asciiWord(c) && strings.IndexByte("_@%+=:,./-", c) < 0 {
			return false
		}
	}
	return raw != ""
}

// Quoted returns the text on one line in double quotes, cut to at most width cells
// between them: for a name in a sentence of the program's. A quote in the text has a
// backslash before it, so that nothing in it can end the quotes.
func (t Text) Quoted(width int) string {
	return `"` + escapes.Replace(t.Fit(width)) + `"`
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
