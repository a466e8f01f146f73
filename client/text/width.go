package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the cells that a safe string takes, as every part of the screen
// counts them. The program's own styles (SGR sequences) take none.
func Width(safe string) int { return ansi.StringWidth(safe) }

// Cut shortens a safe string (the program's own, or from String) to at most
// width cells, with … where something is missing. Styles behind the cut are kept,
// so that none stays switched on.
func Cut(safe string, width int) string {
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(safe, width, "…")
}

// Pad cuts or fills a safe string to exactly width cells.
func Pad(safe string, width int) string {
	safe = Cut(safe, width)
	if n := width - Width(safe); n > 0 {
		return safe + strings.Repeat(" ", n)
	}
	return safe
}
