package theme

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"askbox/client/text"
)

// GutterWidth is the cells that the gutter takes left of an untrusted row.
const GutterWidth = 2

// Fill pads or cuts a painted line to exactly width cells.
func Fill(line string, width int) string {
	if width <= 0 {
		return ""
	}
	return text.Pad(line, width)
}

// Blank returns an empty line of width cells.
func Blank(width int) string { return strings.Repeat(" ", max(width, 0)) }

// Wrap breaks safe words of the program at spaces into lines of at most width
// cells. Nothing is lost: a word that is too long goes on in the next line.
func Wrap(words string, width int) []string {
	if words == "" {
		return nil
	}
	if width <= 0 {
		return []string{""}
	}
	return strings.Split(ansi.Wrap(words, width, ""), "\n")
}

// Sentence makes a clause of the program's words a sentence.
func Sentence(clause string) string {
	if clause == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(clause)
	s := string(unicode.ToUpper(first)) + clause[size:]
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// Words wraps the program's own words and paints them, each line filled to width.
func Words(t *Theme, role Role, words string, width int) []string {
	lines := Wrap(words, width)
	for i, l := range lines {
		lines[i] = OneLine(t, role, l, width)
	}
	return lines
}

// OneLine paints one line of the program's words, cut or filled to width.
func OneLine(t *Theme, role Role, words string, width int) string {
	if width <= 0 {
		return ""
	}
	return t.Paint(role, text.Pad(words, width))
}

// Quoted draws one untrusted row behind the gutter after indent cells, filled to
// width. base is the role of its unclassed pieces; a class other than 0 is
// itself a role.
func Quoted(t *Theme, row text.Row, indent, width int, base Role) string {
	return Tinted(t, Blank(indent), row, width, base, NoTint)
}

// Tinted draws one untrusted row as [Quoted] does, behind dim words of the program, on a
// tint. Its words keep their colours where the tint is a background; elsewhere the tint is
// the colour of all of them.
func Tinted(t *Theme, before string, row text.Row, width int, base Role, tint Tint) string {
	var b strings.Builder
	b.Grow(width + 48)
	said := Dim
	if tint != NoTint {
		said = Plain // without colours the sign is all that tells
	}
	t.add(&b, said, tint, before)
	glyph := t.Glyphs.Gutter
	if row.Continued {
		glyph = t.Glyphs.Continued
	}
	t.add(&b, Gutter, tint, glyph)
	t.add(&b, Plain, tint, " ")
	used := text.Width(before) + GutterWidth
	for _, p := range row.Pieces {
		role := roleOf(p, base)
		if !p.Mark && tint != NoTint && t.tint[tint] == "" {
			role = [...]Role{TintAdd: Add, TintDel: Del}[tint]
		}
		t.add(&b, role, tint, p.S)
		used += text.Width(p.S)
	}
	if used > width {
		return text.Pad(b.String(), max(width, 0))
	}
	t.add(&b, Plain, tint, Blank(width-used))
	return b.String()
}

// roleOf returns the role of a piece where base is that of what has no class. Colours do
// not make loud words quieter.
func roleOf(p text.Piece, base Role) Role {
	switch {
	case p.Quiet:
		return Dim
	case p.Mark:
		return Mark
	case p.Class == 0:
		return base
	case base == Strong:
		return Role(p.Class) + loud
	}
	return Role(p.Class)
}

// AddGutter adds what stands left of untrusted words. A row that goes on the line
// above has another one, so that a line break of the text is never mistaken for one
// of the screen.
func AddGutter(b *strings.Builder, t *Theme, goesOn bool) {
	glyph := t.Glyphs.Gutter
	if goesOn {
		glyph = t.Glyphs.Continued
	}
	t.Add(b, Gutter, glyph)
	b.WriteByte(' ')
}

// AddPieces adds the pieces of a row to b and returns how many cells they take.
func AddPieces(b *strings.Builder, t *Theme, row text.Row, base Role) int {
	cells := 0
	for _, p := range row.Pieces {
		t.Add(b, roleOf(p, base), p.S)
		cells += text.Width(p.S)
	}
	return cells
}

// Between is the cells that the dot between two words takes with its spaces.
var Between = text.Width(" · ")

// Join paints words one after the other with a dim dot between them; the empty
// ones are left out. The line is cut or filled to width.
func Join(t *Theme, width int, parts ...Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Words == "" {
			continue
		}
		if b.Len() > 0 {
			t.Add(&b, Dim, " "+t.Glyphs.Dot+" ")
		}
		t.Add(&b, p.Role, p.Words)
	}
	return Fill(b.String(), width)
}

// Part is a stretch of safe words in one role.
type Part struct {
	Role  Role
	Words string
}
