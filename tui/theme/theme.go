// Package theme holds what every pane draws with: colours, glyphs, lines and ages. A
// role is painted by name, so that no pane knows a colour, and everything that a colour
// says is said in words or glyphs as well: the plain theme has no colour at all.
package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"askbox/client/text"
)

// Role is what a stretch of text is on the screen.
type Role int

// The roles.
const (
	Plain Role = iota
	Dim
	Strong
	Accent
	Border
	Gutter   // the line that stands left of everything an agent wrote
	Cursor   // the mark of the row under the cursor
	Selected // the option under the cursor
	Bar      // the row under the cursor, where the keys go
	Mark     // a mark for what cannot be shown
	Warn
	Danger
	Good
	Key // a key in the footer or beside an action
	Add
	Del
	Heading
	Urgent
	SynKeyword
	SynString
	SynComment
	SynNumber
	SynName
	SynType
	SynOperator
	roles
	loud = roles // added to a role: its colour in bold
)

// Tint is what a whole line of a change is told by, besides its sign.
type Tint int

// The tints.
const (
	NoTint Tint = iota
	TintAdd
	TintDel
)

// Theme paints text. It is immutable and safe to share.
type Theme struct {
	name   string
	full   bool // 256 colours, and not 16
	ascii  bool // only ASCII is drawn
	prefix [2 * roles]string
	tint   [3]string // the background of each, where there is one
	// Glyphs are the marks that the program draws with.
	Glyphs Glyphs
}

// Glyphs are the program's own marks. Those of the frame, Cursor to Continued, take one
// cell each. None of them is an emoji, because
// terminals do not agree on the width of those.
type Glyphs struct {
	Cursor, Away            string // Away is the cursor of a pane that the keys do not go to
	Rule, Divider           string
	Gutter, Continued       string
	Above                   string
	Check, Ticked, Unticked string
	Chosen, Unchosen, Dot   string
}

// drawn are the usual marks.
var drawn = Glyphs{
	Cursor: "▌", Away: ">", Rule: "─", Divider: "│",
	Gutter: "│", Continued: "┆",
	Above: "↑",
	Check: "✓", Ticked: "[x]", Unticked: "[ ]",
	Chosen: "(x)", Unchosen: "( )", Dot: "·",
}

// glyphs returns the marks for this terminal. Where lines and blocks may take two cells,
// the frame is drawn in ASCII, because what stands right of it would not be where it was
// reckoned. The other marks stand in sentences, which are measured as they are.
func glyphs() Glyphs {
	g := drawn
	if text.WideAmbiguous() {
		g.Cursor, g.Away, g.Rule, g.Divider, g.Gutter, g.Continued = ">", "=", "-", "|", "|", ":"
	}
	return g
}

const reset = "\x1b[0m"

// Name returns dark, light or plain.
func (t *Theme) Name() string { return t.name }

// Paint returns s in a role. s must be safe to print and must not be painted
// already: roles do not nest.
func (t *Theme) Paint(r Role, s string) string {
	if s == "" || t.prefix[r] == "" {
		return s
	}
	return t.prefix[r] + s + reset
}

// Add appends s in a role to b, for code that builds a line from many pieces.
func (t *Theme) Add(b *strings.Builder, r Role, s string) {
	if s == "" || t.prefix[r] == "" {
		b.WriteString(s)
		return
	}
	b.WriteString(t.prefix[r])
	b.WriteString(s)
	b.WriteString(reset)
}

// add is Add on a tint.
func (t *Theme) add(b *strings.Builder, r Role, tint Tint, s string) {
	if bg := t.tint[tint]; bg != "" && s != "" {
		b.WriteString(bg)
		b.WriteString(t.prefix[r])
		b.WriteString(s)
		b.WriteString(reset)
		return
	}
	t.Add(b, r, s)
}

// Repaint draws a painted line anew in one role: nothing else of its style stays.
func (t *Theme) Repaint(r Role, line string) string { return t.Paint(r, ansi.Strip(line)) }

// Coloured reports whether the theme uses colour.
func (t *Theme) Coloured() bool { return t.name != "plain" }
