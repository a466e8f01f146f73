package text

import (
	"crypto/sha256"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits beyond which a run is folded into one mark, so that nothing can be pushed
// off the screen by something that cannot be seen.
const (
	maxSpaces     = 24 // spaces that are drawn as spaces
	maxTabs       = 8  // tabs of one indentation
	maxSame       = 3  // equal marks in a row
	maxItems      = 24 // different hidden characters in a row
	maxBlankLines = 3
	maxCombining  = 3 // combining marks on one glyph
)

// item is a code point, or a byte that is not UTF-8, with how often it stands in a row.
type item struct {
	r     rune // badByte+b for a byte that is not UTF-8
	count int
	pos   int
}

// badByte lies above all code points, to number the bytes that are not UTF-8.
const badByte = utf8.MaxRune + 1

// controls are the short names of the C0 controls and DEL, by which people know them.
var controls = strings.Fields(`NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI
	DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US`)

// label returns what a mark says of one code point.
func label(r rune) string {
	switch {
	case r >= badByte:
		return fmt.Sprintf(`\x%02x`, r-badByte)
	case r < ' ':
		return controls[r]
	case r == 0x7f:
		return "DEL"
	case r == 0xa0:
		return "NBSP"
	}
	return codePoint(r)
}

func codePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }

// bracketed makes a mark of what it says.
func bracketed(says string) string { return string(markOpen) + says + string(markClose) }

// letterMark shows a character that passes for another one.
func letterMark(r rune) string { return bracketed(codePoint(r) + " " + string(r)) }

// letterMarks is the mark for a run of one such character.
func letterMarks(r rune, n int) string {
	return bracketed(codePoint(r) + " " + string(r) + " ×" + strconv.Itoa(n))
}

// counted returns "1 space", "500 spaces", and with more set "more than 500 spaces".
func counted(n int, one, many string, more bool) string {
	s := strconv.Itoa(n) + " " + many
	if n == 1 {
		s = "1 " + one
	}
	if more {
		return "more than " + s
	}
	return s
}

// sameMark is the mark for a run of one code point.
func sameMark(r rune, n int, more bool) string {
	switch {
	case r == ' ':
		return bracketed(counted(n, "space", "spaces", more))
	case r == '\t':
		return bracketed(counted(n, "tab", "tabs", more))
	case more:
		return bracketed(label(r) + " more than ×" + strconv.Itoa(n))
	}
	return bracketed(label(r) + " ×" + strconv.Itoa(n))
}

// mixedMark is the mark for a long run of different hidden characters, each with its
// sum: how many of which, and a digest that tells it from another run with the same counts.
func mixedMark(items []item, raw string, more bool) string {
	sums := append([]item(nil), items...)
	sort.Slice(sums, func(i, j int) bool {
		if a, b := sums[i].count, sums[j].count; a != b {
			return a > b
		}
		return sums[i].r < sums[j].r
	})
	total := 0
	for _, it := range sums {
		total += it.count
	}
	const shown = 3
	var parts []string
	for _, it := range sums[:min(shown, len(sums))] {
		name := label(it.r)
		if it.r == ' ' {
			name = "space"
		}
		parts = append(parts, name+" ×"+strconv.Itoa(it.count))
	}
	if n := len(sums) - shown; n > 0 {
		parts = append(parts, strconv.Itoa(n)+" more")
	}
	return bracketed(counted(total, "blank", "blanks", more) + ": " +
		strings.Join(parts, ", ") + ", mixed " + digest(raw))
}

// blankLinesMark is the mark for lines that hold nothing that can be seen.
func blankLinesMark(n int, raw string, more bool) string {
	says := counted(n, "blank line", "blank lines", more)
	if len(raw) > n {
		says += fmt.Sprintf(" of %d bytes, %s", len(raw), digest(raw))
	}
	return bracketed(says)
}

func digest(raw string) string {
	sum := sha256.Sum256([]byte(raw))
	return fmt.Sprintf("#%x", sum[:4])
}

// tagMark spells the ASCII that a run of tag characters hides. A run of one
// letter is written once, with its count in braces.
func tagMark(items []item, more bool) string {
	total := 0
	var b strings.Builder
	for _, it := range items {
		total += it.count
		s := tagLetter(it.r)
		if it.count <= maxSame {
			b.WriteString(strings.Repeat(s, it.count))
		} else {
			fmt.Fprintf(&b, "%s{%d}", s, it.count)
		}
	}
	return bracketed(counted(total, "tag", "tags", more) + ": " + b.String())
}

func tagLetter(r rune) string {
	switch c := r - 0xe0000; c {
	case ' ':
		return "␠"
	case '\\', '{':
		return `\` + string(c)
	case 1, 0x7f:
		return fmt.Sprintf(`\x%02x`, c)
	default:
		return string(c)
	}
}
