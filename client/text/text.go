// Package text makes what a relay sent safe to show on a terminal.
//
// Nothing is ever stripped or folded to something else. What cannot be drawn, what
// draws nothing and what is drawn as something else stands as a mark in the brackets
// ⟨ and ⟩; these brackets are themselves marked where they are data, so that no text
// can imitate a mark, with or without colours:
//
//	⟨ESC⟩ ⟨LF⟩ ⟨DEL⟩          a control character, by its usual short name
//	⟨U+009B⟩ ⟨U+202E⟩         any other character that is invisible, blank or not agreed on
//	⟨NBSP⟩ ⟨U+3000⟩           a space that is none to a shell
//	⟨\xff⟩                    a byte that is not UTF-8
//	⟨U+FFFD⟩                  what a decoder puts where it lost something
//	⟨U+0443 у⟩ ⟨U+2019 ’⟩     what passes for another character where it stands
//	⟨אב U+05D0 U+05D1⟩        letters from right to left in a command, and their order
//	⟨500 spaces⟩ ⟨200 tabs⟩   runs too long to be drawn, and spaces at the end of a line
//	⟨U+200B ×12⟩              a run of one character that is a mark
//	⟨3 tags: ;rm⟩             characters that hide ASCII text, and what they spell
//	⟨40 blank lines⟩          lines with nothing to see in them
//	⟨90 blanks: …, mixed #…⟩  a long run of different invisible characters
//
// In rows a line feed ends the row, and a tab is drawn as ⇥ with three cells after it.
// Which characters are marked follows from their Unicode properties.
package text

import (
	"fmt"
	"log/slog"
	"strings"
)

// Text is a string that a relay sent. Its String is safe on a terminal.
type Text struct{ raw string }

// New takes a string as the relay sent it.
func New(raw string) Text { return Text{raw} }

// Raw returns the string as it was sent: for echoing ids and for JSON only.
func (t Text) Raw() string { return t.raw }

// Empty reports whether nothing was sent.
func (t Text) Empty() bool { return t.raw == "" }

// Equal reports whether the same bytes were sent.
func (t Text) Equal(u Text) bool { return t.raw == u.raw }

// String returns the whole text on one line, safe to print. Different texts give
// different strings.
func (t Text) String() string {
	s := newScanner(t.raw, true, Title)
	first, ok := s.next()
	if !ok || first.form == plainRun && len(first.text) == len(t.raw) {
		return t.raw
	}
	var b strings.Builder
	b.Grow(len(t.raw) + 16)
	for u := first; ok; u, ok = s.next() {
		b.WriteString(u.text)
	}
	return b.String()
}

// Format prints the safe string whatever the verb, so that no way of printing a
// Text, or something that holds one, lets raw text through.
func (t Text) Format(f fmt.State, verb rune) {
	fmt.Fprintf(f, fmt.FormatString(f, verb), t.String())
}

// LogValue puts the safe string into logs, cut after 500 cells.
func (t Text) LogValue() slog.Value { return slog.StringValue(t.Fit(500)) }

// Fit returns the text on one line of at most width cells, cut with a visible
// mark (…). Its cost grows with width, not with the text.
func (t Text) Fit(width int) string { return t.FitAs(Title, width) }

// FitAs is Fit for a text that is read as mode says.
func (t Text) FitAs(mode Mode, width int) string {
	if width <= 0 {
		return ""
	}
	units, whole := t.units(mode, width)
	if whole {
		return joinUnits(units)
	}
	end := ellipsis(width)
	return cutUnits(units, width-Width(end)) + end
}

// head returns at most n bytes of s, whole code points, and whether there is more.
func head(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	for back := 0; back < 4 && s[n]&0xc0 == 0x80; back++ {
		n--
	}
	return s[:n], true
}

func joinUnits(units []unit) string {
	var b strings.Builder
	for _, u := range units {
		b.WriteString(u.text)
	}
	return b.String()
}

// cutUnits returns what of the units fits into width cells.
func cutUnits(units []unit, width int) string {
	var b strings.Builder
	for _, u := range units {
		if u.cells <= width {
			b.WriteString(u.text)
			width -= u.cells
			continue
		}
		if u.form != cluster {
			for _, r := range u.text {
				if width -= markCells(r); width < 0 {
					break
				}
				b.WriteRune(r)
			}
		}
		break
	}
	return b.String()
}

// Size returns the bytes and the logical lines of the text. A line feed at the very
// end ends the last line and begins none.
func (t Text) Size() (bytes, lines int) {
	lines = strings.Count(t.raw, "\n")
	if t.raw != "" && !strings.HasSuffix(t.raw, "\n") {
		lines++
	}
	return len(t.raw), lines
}

// Piece is a run of safe characters that is drawn in one style.
type Piece struct {
	S string
	// Mark says that S is the program's mark for something that cannot be shown.
	Mark bool
	// Quiet says of a mark that it stands for what is ordinary there: a tab, blanks or a
	// carriage return at the end of a line.
	Quiet bool
	// Class is the class of the segment that the piece comes from.
	Class int
}

// Row is one row of a screen, without its line end.
type Row struct {
	Pieces []Piece
	// Continued says that the row goes on the logical line of the row above.
	Continued bool
}

// Width returns the cells that the row takes.
func (r Row) Width() int {
	cells := 0
	for _, p := range r.Pieces {
		cells += Width(p.S)
	}
	return cells
}

// String returns the row without styles.
func (r Row) String() string {
	if len(r.Pieces) == 1 {
		return r.Pieces[0].S
	}
	var b strings.Builder
	for _, p := range r.Pieces {
		b.WriteString(p.S)
	}
	return b.String()
}

// Segment is a stretch of raw text with a class of the caller's (a colour of a
// highlighter). Line breaks are part of the raw text.
type Segment struct {
	Raw   string
	Class int
}

// Mode says how a text is read, and so how Rows breaks long lines and what is marked
// beside the characters that are marked everywhere.
//
// In what a machine reads, punctuation that passes for ASCII's is marked and warned of,
// and so are letters that run from right to left. In what people read these are ordinary,
// and a selector, a skin tone or a joiner is drawn as a part of the glyph that it belongs to.
type Mode int

// The modes.
const (
	Exact  Mode = iota // a command, a path, an argument: broken at a single blank near its end
	Words              // prose: broken at spaces where possible
	Line               // as Exact, all of it one logical line: a line feed is a mark
	Source             // the text of a file: as Exact, but quotes and dashes as in print stay
	Typed              // what the person types here: as Exact, and nothing more is marked
	Title              // a name that people gave, as one logical line: nothing more is marked
)

// code reports what a machine reads.
func (m Mode) code() bool { return m == Exact || m == Line || m == Source }

// Rows lays the text out in rows of at most width cells. The rows hold the whole
// text: nothing is cut. A line feed at the end begins one more, empty row; an empty
// text has no rows. The cost is linear in the text: keep the rows, or use [Text.Seq].
func (t Text) Rows(width int, mode Mode) []Row {
	return Rows([]Segment{{Raw: t.raw}}, width, mode)
}

// Rows lays out segments that stand one after the other.
func Rows(segments []Segment, width int, mode Mode) []Row {
	var rows []Row
	for row := range Seq(segments, width, mode) {
		rows = append(rows, row)
	}
	return rows
}

// Visible returns the text for a clipboard, its lines and blanks as they are: what nobody
// would see of it stands as a mark, and nothing in it can act on a terminal or a shell that
// it is pasted into. marks is how many marks there are.
func (t Text) Visible(mode Mode) (s string, marks int) {
	scan := newScanner(t.raw, false, mode)
	var b strings.Builder
	for u, ok := scan.next(); ok; {
		next, more := scan.next()
		end := len(t.raw)
		if more {
			end = next.pos
		}
		switch raw := t.raw[u.pos:end]; {
		case u.form == plainRun, u.form == cluster, strings.Trim(raw, " \t\n") == "":
			b.WriteString(raw)
		default:
			b.WriteString(u.text)
			marks++
		}
		u, ok = next, more
	}
	return b.String(), marks
}
