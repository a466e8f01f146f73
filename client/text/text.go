// Package text makes what a relay sent safe to show on a terminal.
package text

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

// String returns the whole text on one line, safe to print.
func (t Text) String() string { return t.raw }

// Fit returns the text on one line of at most width cells, cut with a visible
// mark (…). Its cost grows with width, not with the text.
func (t Text) Fit(width int) string { return t.raw }

// Size returns the bytes and the logical lines of the text.
func (t Text) Size() (bytes, lines int) { return len(t.raw), 1 }

// Warnings says in the program's words what is unusual in the text: controls,
// hidden characters, look-alike words, with their code points and counts. Empty
// for ordinary text.
func (t Text) Warnings() []string { return nil }

// Piece is a run of safe characters that is drawn in one style.
type Piece struct {
	S string
	// Mark says that S is the program's mark for something that cannot be shown.
	Mark bool
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
func (r Row) Width() int { return 0 }

// String returns the row without styles.
func (r Row) String() string { return "" }

// Segment is a stretch of raw text with a class of the caller's (a colour of a
// highlighter). Line breaks are part of the raw text.
type Segment struct {
	Raw   string
	Class int
}

// Mode says how Rows breaks long lines.
type Mode int

// The modes.
const (
	Exact Mode = iota // at the last cell: commands, diffs
	Words             // at spaces where possible: prose
)

// Rows lays the text out in rows of at most width cells. The rows hold the whole
// text: nothing is cut.
func (t Text) Rows(width int, mode Mode) []Row { return nil }

// Rows lays out segments that stand one after the other.
func Rows(segments []Segment, width int, mode Mode) []Row { return nil }

// Width returns the cells that a safe string takes, as every part of the screen counts them.
func Width(safe string) int { return 0 }

// Cut shortens a safe string (the program's own, or from String) to at most
// width cells, with … where something is missing.
func Cut(safe string, width int) string { return safe }

// Pad cuts or fills a safe string to exactly width cells.
func Pad(safe string, width int) string { return safe }
