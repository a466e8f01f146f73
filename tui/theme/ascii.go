package theme

import (
	"strings"

	"askbox/client/text"
)

// ASCII reports whether only ASCII is drawn.
func (t *Theme) ASCII() bool { return t.ascii }

// Frame returns a frame as the terminal gets it: where only ASCII is drawn, with a letter of
// that in the place of each of the program's own signs. What others wrote has marks there
// already (text.OnlyASCII).
func (t *Theme) Frame(frame string) string {
	if !t.ascii {
		return frame
	}
	var b strings.Builder
	for _, r := range frame {
		switch sign, ok := signs[r]; {
		case r < 0x80:
			b.WriteRune(r)
		case !ok:
			b.WriteString(strings.Repeat("?", text.Width(string(r))))
		default:
			b.WriteString(text.Pad(string(sign), text.Width(string(r))))
		}
	}
	return b.String()
}

// signs are what the program draws with, and what stands for it in ASCII.
var signs = map[rune]rune{
	'▌': '>', '─': '-', '│': '|', '┆': ':', '┃': '|', '▏': '|', '↑': '^', '↓': 'v', '←': '<', '→': '>', '✓': 'v', '·': '-',
	'…': '~', '⟨': '<', '⟩': '>', '×': 'x', '⇥': '>', '↵': '<', '“': '"', '”': '"', '‘': '\'', '’': '\'', '–': '-', '—': '-', '−': '-',
}

// latin reports whether the locale of an environment says that the terminal takes no UTF-8.
// One that says nothing is believed to take it, as nearly all do.
func latin(environ []string) bool {
	for _, name := range []string{"LC_ALL=", "LC_CTYPE=", "LANG="} {
		for _, e := range environ {
			if value, ok := strings.CutPrefix(e, name); ok && value != "" {
				value = strings.ToLower(value)
				return !strings.Contains(value, "utf-8") && !strings.Contains(value, "utf8")
			}
		}
	}
	return false
}
