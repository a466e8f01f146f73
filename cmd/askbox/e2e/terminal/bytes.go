//go:build unix

package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"
)

// Sequences returns the kinds of control that a program's output holds, and how
// often each: "CSI m" for colours, "CSI ?25l" with the parameters of the modes,
// "OSC 52", "ESC c", "C0 \r", "C1 U+009B". Printable text is left out, and so is a
// sequence at the very end whose rest the program had no time to write.
func Sequences(output []byte) map[string]int {
	kinds := map[string]int{}
	state := byte(parser.GroundState)
	p := ansi.NewParser()
	for len(output) > 0 {
		seq, _, n, next := ansi.DecodeSequence(output, state, p)
		if n == 0 {
			break
		}
		if kind := kindOf(seq); kind != "" && (n < len(output) || !unfinished(seq)) {
			kinds[kind]++
		}
		state, output = next, output[n:]
	}
	return kinds
}

// unfinished reports whether a sequence of parameters lacks its final byte.
func unfinished(seq []byte) bool {
	last := seq[len(seq)-1]
	return string(seq) == "\x1b" || string(seq) == "\x1b[" ||
		len(seq) > 2 && seq[1] == '[' && last >= 0x20 && last < 0x40
}

func kindOf(seq []byte) string {
	r, n := utf8.DecodeRune(seq)
	switch {
	case r == utf8.RuneError && n < 2:
		return fmt.Sprintf("byte 0x%02x", seq[0])
	case r >= 0x80 && r < 0xa0:
		return fmt.Sprintf("C1 %U", r)
	case r != 0x1b && (r < 0x20 || r == 0x7f):
		return fmt.Sprintf("C0 %q", r)
	case r != 0x1b:
		return ""
	case len(seq) == 1:
		return "ESC"
	}
	switch seq[1] {
	case '[':
		return kindOfCSI(string(seq[2:]))
	case ']':
		number, _, _ := strings.Cut(strings.TrimRight(string(seq[2:]), "\a\x1b\\"), ";")
		return "OSC " + number
	case 'P', '_', '^', 'X':
		return "string " + string(seq[1:2])
	}
	return "ESC " + string(seq[1:])
}

// kindOfCSI keeps the parameters where they say what is switched, and leaves them
// out where they only say how far or which colour.
func kindOfCSI(rest string) string {
	if rest == "" {
		return "CSI"
	}
	final := rest[len(rest)-1:]
	if strings.ContainsAny(final, "hl") || strings.ContainsAny(rest, "?<=>$!") {
		return "CSI " + rest
	}
	return "CSI " + final
}
