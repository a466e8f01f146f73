package input

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// sequence says what an escape sequence is to the program.
type sequence int

const (
	seqMore     sequence = iota // its end has not arrived
	seqDrop                     // nothing that a keyboard sends
	seqKey                      // a key; legacy tells which
	seqEscape                   // the escape key, with something else behind it
	seqFocus                    // a report of the focus
	seqExcess                   // the start of a sequence that does not end
	seqString                   // the start of a string with a body
	seqPaste                    // the start of a paste
	seqPasteEnd                 // the end of a paste that did not start
	seqReplied                  // the terminal's reply to a status request
)

// focusLost is what a terminal reports when another window is in front, and
// focusGained when it is in front again.
const (
	focusLost   = "\x1b[O"
	focusGained = "\x1b[I"
)

// longestSequence is the length in bytes above which a sequence is garbage.
const longestSequence = 64

// readEscape reads the sequence at the start of b, whose first byte is ESC, and
// returns its length and what it is. The length is 0 where its end is missing.
func readEscape(b []byte, mouse bool) (int, sequence) {
	if len(b) == 1 {
		return 0, seqMore
	}
	switch c := b[1]; c {
	case esc:
		return readAltSequence(b, mouse)
	case '[':
		return readCSI(b, mouse)
	case 'O':
		return readSS3(b)
	case ']', 'P', '_', '^', 'X':
		if len(b) == 2 {
			return 0, seqMore
		}
		return 2, seqString
	case '\\':
		return 2, seqDrop // The end of a string that was cut.
	case interrupt:
		return 1, seqEscape // Ctrl+c must not be lost to a key with alt.
	default:
		return readAltKey(b)
	}
}

// readAltKey reads ESC and one character: the key with alt.
func readAltKey(b []byte) (int, sequence) {
	if b[1] < utf8.RuneSelf {
		return 2, seqKey
	}
	if !utf8.FullRune(b[1:]) {
		return 0, seqMore
	}
	r, n := utf8.DecodeRune(b[1:])
	if r == utf8.RuneError || r < 0xa0 || said(r) {
		return 1, seqEscape
	}
	return 1 + n, seqKey
}

// readAltSequence reads two ESC: a sequence with alt, or the escape key and then
// something else.
func readAltSequence(b []byte, mouse bool) (int, sequence) {
	if len(b) == 2 {
		return 0, seqMore
	}
	if b[2] != '[' && b[2] != 'O' {
		return 1, seqEscape
	}
	n, what := readEscape(b[1:], mouse)
	switch {
	case what == seqMore:
		return 0, seqMore
	case what == seqKey && legacy(string(b[:n+1])) != "":
		return n + 1, seqKey
	}
	return 1, seqEscape
}

// readSS3 reads ESC O and what follows it.
func readSS3(b []byte) (int, sequence) {
	i := 2
	for i < len(b) && (b[i] >= '0' && b[i] <= '9' || b[i] == ';') {
		i++
	}
	if i > longestSequence {
		return i, seqExcess
	}
	if i == len(b) {
		return 0, seqMore
	}
	if b[i] < 0x20 || b[i] > 0x7e {
		return i, seqDrop
	}
	return i + 1, keyOrDrop(b[:i+1])
}

// keyOrDrop tells whether a whole sequence is a key.
func keyOrDrop(b []byte) sequence {
	if legacy(string(b)) == "" {
		return seqDrop
	}
	return seqKey
}

// readCSI reads ESC [ up to its final byte. A byte that cannot be a part of it
// ends it, and the fragment is dropped.
func readCSI(b []byte, mouse bool) (int, sequence) {
	i := 2
	for i < len(b) && b[i] >= 0x30 && b[i] <= 0x3f {
		i++
	}
	params := i
	for i < len(b) && b[i] >= 0x20 && b[i] <= 0x2f {
		i++
		if urxvtShift(b[:i]) {
			return i, seqKey
		}
	}
	switch {
	case i > longestSequence:
		return i, seqExcess
	case i == len(b):
		return 0, seqMore
	case b[i] < 0x40 || b[i] > 0x7e:
		return i, seqDrop
	}
	return readFinal(b, params, i, mouse)
}

// readFinal tells apart the sequences whose final byte has arrived, at index i.
func readFinal(b []byte, params, i int, mouse bool) (int, sequence) {
	whole := b[:i+1]
	switch {
	case string(whole) == pasteStart:
		return i + 1, seqPaste
	case string(whole) == pasteEnd:
		return i + 1, seqPasteEnd
	case string(whole) == "\x1b[0n", string(whole) == "\x1b[3n":
		return i + 1, seqReplied
	case i == 2 && b[i] == 'M':
		return readX10(b)
	case i == 2 && b[i] == '[':
		return readConsole(b)
	case i == 2 && b[i] == 'O' && len(b) > 3 && strings.IndexByte("ABCDabcd", b[3]) >= 0:
		// Either an arrow of an old terminal or a lost focus and a letter. As an
		// arrow it decides nothing.
		return 4, seqKey
	case i == 2 && (b[i] == 'I' || b[i] == 'O'):
		return 3, seqFocus
	case b[2] == '<':
		if mouse && sgrMouse(whole) {
			return i + 1, seqKey
		}
		return i + 1, seqDrop
	case params == i:
		return i + 1, keyOrDrop(whole)
	}
	return i + 1, seqDrop
}

// urxvtShift reports whether b is a key with shift as urxvt sends it, which
// unlike every other sequence ends in an intermediate byte.
func urxvtShift(b []byte) bool {
	return len(b) == 4 && b[3] == '$' && b[2] >= '2' && b[2] <= '8'
}

// sgrMouse reports whether b is a mouse report of the form ESC [ < n ; n ; n M.
func sgrMouse(b []byte) bool {
	final := b[len(b)-1]
	if len(b) < 4 || b[2] != '<' || final != 'M' && final != 'm' {
		return false
	}
	fields := bytes.Split(b[3:len(b)-1], []byte(";"))
	for _, f := range fields {
		if len(f) == 0 || len(f) > 5 || len(bytes.Trim(f, "0123456789")) > 0 {
			return false
		}
	}
	return len(fields) == 3
}

// readX10 drops a mouse report of the old form: three bytes follow, none of
// which is a control.
func readX10(b []byte) (int, sequence) {
	for i := 3; i < 6; i++ {
		if i == len(b) {
			return 0, seqMore
		}
		if b[i] < 0x20 {
			return i, seqDrop
		}
	}
	return 6, seqDrop
}

// readConsole reads a function key of the Linux console, ESC [ [ A to E.
func readConsole(b []byte) (int, sequence) {
	switch {
	case len(b) == 3:
		return 0, seqMore
	case b[3] >= 'A' && b[3] <= 'E':
		return 4, seqKey
	case b[3] < 0x20 || b[3] > 0x7e:
		return 3, seqDrop
	}
	return 4, seqDrop
}

// introduces returns the byte that stands behind the ESC where b, one character,
// is the start of a sequence in a single byte of 8 bits, as some terminals write
// it, and 0 where it is not.
func introduces(b []byte) byte {
	c := b[len(b)-1]
	if len(b) > 2 || len(b) == 2 && b[0] != 0xc2 {
		return 0
	}
	switch c {
	case 0x8f, 0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f:
		return c - 0x40
	}
	return 0
}
