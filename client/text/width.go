package text

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"askbox/client/text/widths"
)

func init() { widths.Restore() }

// WideAmbiguous reports whether characters of ambiguous width count as two cells here.
// The program draws its own frame in ASCII then.
func WideAmbiguous() bool { return widths.Wide() }

// Width returns the cells that a safe string takes at most, as every part of the screen
// counts them. The program's own styles (SGR sequences) take none.
//
// Terminals differ about emoji of several code points: some draw one glyph, some each
// of its parts. The larger number counts, which is never below the renderer's own, so
// that it has nothing to cut and no terminal has anything to wrap.
func Width(safe string) int {
	cells := 0
	for safe != "" {
		size, n := first(safe)
		cells += n
		safe = safe[size:]
	}
	return cells
}

// first returns the bytes of what a string begins with, one glyph or one sequence of
// the terminal's, and its cells.
func first(s string) (size, cells int) {
	switch c := s[0]; {
	case c >= ' ' && c < 0x7f && (len(s) == 1 || s[1] < utf8.RuneSelf):
		return 1, 1
	case c == 0x1b || c < ' ' || c == 0x7f:
		_, cells, size, _ = ansi.DecodeSequence(s, ansi.NormalState, nil)
		return max(size, 1), cells
	}
	glyph, cells := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(glyph), glyphCells(glyph, cells)
}

// glyphCells returns the cells of one glyph: as the renderer counts, or the sum of its
// parts where that is more. A selector makes its base two cells wide on some terminals.
func glyphCells(glyph string, cells int) int {
	sum := 0
	for _, r := range glyph {
		if r == emojiStyle || r == keycap {
			cells = max(cells, 2)
		}
		sum += int(lookup(r).cells)
	}
	return max(cells, sum)
}

// Cut shortens a safe string (the program's own, or from String) to at most
// width cells, with … where something is missing. Styles behind the cut are kept,
// so that none stays switched on.
func Cut(safe string, width int) string {
	if width <= 0 {
		return ""
	}
	if Width(safe) <= width {
		return safe
	}
	var b strings.Builder
	left, cut := width-Width(ellipsis(width)), false
	for safe != "" {
		size, cells := first(safe)
		switch {
		case cells == 0 && (!cut || safe[0] == 0x1b):
			b.WriteString(safe[:size])
		case cut:
		case cells > left:
			b.WriteString(ellipsis(width))
			cut = true
		default:
			b.WriteString(safe[:size])
			left -= cells
		}
		safe = safe[size:]
	}
	return b.String()
}

// ellipsis is the sign for what is missing; where it takes two cells and there is one, a
// smaller one.
func ellipsis(width int) string {
	if width == 1 && widths.Wide() {
		return ">"
	}
	return "…"
}

// Pad cuts or fills a safe string to exactly width cells.
func Pad(safe string, width int) string {
	safe = Cut(safe, width)
	if n := width - Width(safe); n > 0 {
		return safe + strings.Repeat(" ", n)
	}
	return safe
}
