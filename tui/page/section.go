// Package page lays out what there is to read as rows of a width, scrolls them, and keeps
// which of them a terminal has shown. It knows of no ask: package ask says what stands on
// a page, and what of it has to be read.
//
//   - A [Document] is made of sections with a [Builder] (section.go), and laid out once for
//     a width (layout.go, change.go).
//   - A [Sheet] is a document on the screen: where it is scrolled to (sheet.go), which rows
//     were read (spans.go), and how they are drawn (draw.go).
//
// The viewport of bubbles is not used, because it does not tell which rows were drawn, and
// an allow depends on that.
package page

import (
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/diff"
	"askbox/tui/theme"
)

// What is larger than this is not laid out whole, and nothing can come of it.
const (
	maxBytes = client.MaxShown // of all sections together
	maxRows  = client.MaxRows  // at the width of the page
	// headBytes, tailBytes, headLines and tailLines are what is still shown at the
	// most of a text that is larger.
	headBytes, headLines = 512 << 10, maxRows * 3 / 4
	tailBytes, tailLines = 128 << 10, maxRows / 5
	// longBytes and longLines are from where on a section's size is told.
	longBytes = 1000
	longLines = 15
)

// Section is a stretch of a document: the program's words, then what was sent, behind the
// gutter.
type Section struct {
	Label string     // the program's words, on one line with the name
	Words string     // the program's words, wrapped, above all else
	Size  string     // bytes and lines where it is long
	Role  theme.Role // of these words
	// Name is what was sent as one: right of the label where it fits, else below it. Of a
	// Person it is in a person's words, and no path or key.
	Name     text.Text
	NameRole theme.Role
	Person   bool
	// Body is what was sent, read as Mode says. Base is the role of what has no class.
	Body []text.Segment
	Mode text.Mode
	Base theme.Role
	// Change stands instead of a body.
	Change []diff.Line
	Indent int  // cells left of all of it
	Gap    bool // an empty line stands above
	Must   bool // it has to be read
	First  bool // its first row that was sent stays visible; Named: that is its name
	Named  bool
	At     any  // what a cursor can stand on, to be compared; nil: nothing
	Fold   int  // the fold that it is in, from 1 on; 0: none
	Beside bool // its body stands right of the label where it is one row
}

// Document is what stands on a page. It is immutable once it is built.
type Document struct {
	sections []Section
	large    string // how it is too large to be shown whole; empty: it is not
}

// Builder makes a document within what may be laid out.
type Builder struct {
	doc    Document
	left   int             // bytes that may still be laid out
	warned map[string]bool // what was warned of; nil: nothing is
}

// NewBuilder begins a document. warn says whether it warns of what is unusual in its texts.
func NewBuilder(warn bool) *Builder {
	b := &Builder{left: maxBytes}
	if warn {
		b.warned = map[string]bool{}
	}
	return b
}

// Document returns what was built.
func (b *Builder) Document() *Document { return &b.doc }

// Add adds a section.
func (b *Builder) Add(s Section) {
	if len(b.doc.sections) >= maxRows {
		b.tooLarge(client.TooManyRows)
		return
	}
	b.doc.sections = append(b.doc.sections, s)
}

// Words adds the program's words.
func (b *Builder) Words(role theme.Role, gap bool, words string) {
	if words != "" {
		b.Add(Section{Words: words, Role: role, Gap: gap})
	}
}

// Quote adds a section whose body is a text, of which it leaves out the middle where it is
// too large.
func (b *Builder) Quote(s Section, t text.Text) {
	n, lines := t.Size()
	if n > longBytes || lines > longLines {
		s.Size = client.Count(n, "byte") + " · " + client.Count(lines, "line")
	}
	head, tail := b.fit(t.Raw())
	s.Body = weighed(head, s)
	b.Add(s)
	if cut := n - len(head) - len(tail); cut > 0 {
		b.Words(theme.Warn, false, client.Count(cut, "byte")+" are left out here.")
		b.Add(Section{Body: []text.Segment{{Raw: tail}}, Mode: s.Mode, Base: s.Base, Must: s.Must, Indent: s.Indent, Fold: s.Fold})
	}
}

// Segments adds a section whose body is made of pieces that the program put together, as
// far as they may still be laid out.
func (b *Builder) Segments(s Section, all []text.Segment) {
	lines := 0
	for _, piece := range all {
		if lines += strings.Count(piece.Raw, "\n"); len(piece.Raw) > b.left || lines > maxRows {
			head, _ := b.fit(piece.Raw)
			b.tooLarge(client.TooManyBytes)
			s.Body = append(s.Body, text.Segment{Raw: head, Class: piece.Class})
			break
		}
		b.left -= len(piece.Raw)
		s.Body = append(s.Body, piece)
	}
	b.Add(s)
}

// fit takes what of a text may still be laid out: all of it, or its ends.
func (b *Builder) fit(raw string) (head, tail string) {
	switch lines := strings.Count(raw, "\n"); {
	case len(raw) > b.left:
		b.tooLarge(client.TooManyBytes)
	case lines > maxRows:
		b.tooLarge(client.TooManyRows)
	default:
		b.left -= len(raw)
		return raw, ""
	}
	head, tail = ends(raw, b.left)
	b.left = max(b.left-len(head)-len(tail), 0)
	return head, tail
}

// Change adds a section that shows the change which a unified diff tells of, or the diff
// as it is where it is too large.
func (b *Builder) Change(s Section, raw string, c diff.Change) {
	if len(raw) > b.left || len(c.Lines) > maxRows {
		b.Quote(s, text.New(raw))
		return
	}
	b.left -= len(raw)
	s.Change = c.Lines
	b.Add(s)
}

// tooLarge notes that not all of it is shown, so that nothing may come of it.
func (b *Builder) tooLarge(how string) {
	if b.doc.large == "" {
		b.doc.large = how
	}
}

// Warn puts what is unusual in any of the texts, read as mode says, above what follows.
func (b *Builder) Warn(mode text.Mode, ts ...text.Text) {
	if b.warned == nil {
		return
	}
	for _, t := range ts {
		for _, w := range t.Warnings(mode) {
			if !b.warned[w] {
				b.warned[w] = true
				b.Words(theme.Warn, false, "Look closely: "+w)
			}
		}
	}
}

// String returns all of a document as lines, to be compared with another one.
func (d *Document) String() string {
	var out strings.Builder
	for _, s := range d.sections {
		name := s.Name.Raw()
		if strings.Contains(name, "\n") {
			name = strconv.Quote(name)
		}
		head := strings.TrimSpace(s.Label + " " + name)
		for _, w := range []string{s.Words, head} {
			if w != "" {
				out.WriteString(w + "\n")
			}
		}
		for _, p := range s.Body {
			out.WriteString(p.Raw)
		}
		if len(s.Body) > 0 {
			out.WriteByte('\n')
		}
		for _, l := range s.Change {
			out.WriteString(l.Kind.Sign())
			for _, p := range l.Text {
				out.WriteString(p.Raw)
			}
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// ends cuts a text that is too large into its first and last part, of which the
// first takes at most half of what is left.
func ends(raw string, left int) (head, tail string) {
	to := runeStart(raw, min(len(raw), headBytes, max(left/2, longBytes)))
	to = min(to, behindLines(raw, headLines))
	from := runeStart(raw, max(to, len(raw)-min(tailBytes, max(left/8, longBytes))))
	for lines := strings.Count(raw[from:], "\n"); lines > tailLines; lines-- {
		from += strings.IndexByte(raw[from:], '\n') + 1
	}
	return raw[:to], raw[from:]
}

// behindLines is where a text goes on after its first n lines.
func behindLines(raw string, n int) int {
	at := 0
	for ; n > 0; n-- {
		i := strings.IndexByte(raw[at:], '\n')
		if i < 0 {
			return len(raw)
		}
		at += i + 1
	}
	return at
}

func runeStart(s string, i int) int {
	for j := 0; j < 4 && i > 0 && i < len(s) && s[i]&0xC0 == 0x80; j++ {
		i--
	}
	return i
}

// weighed cuts a text into segments: prose that is long enough to have headings and lists
// shows them by their weight alone, a command in the colours of a shell.
func weighed(raw string, s Section) []text.Segment {
	switch {
	case s.Mode == text.Exact && s.Base == theme.Strong:
		return diff.Shell(raw)
	case s.Mode != text.Words || s.Base == theme.Dim || !strings.Contains(raw, "\n"):
		return []text.Segment{{Raw: raw}}
	}
	var out []text.Segment
	fenced := false
	for line := range strings.Lines(raw) {
		bare := strings.TrimLeft(line, " ")
		mark := 0
		switch {
		case strings.HasPrefix(bare, "```"):
			fenced = !fenced
		case fenced:
		case strings.HasPrefix(strings.TrimLeft(bare, "#"), " ") && bare[0] == '#':
			mark = len(line)
		default:
			if mark = listMark(bare); mark > 0 {
				mark += len(line) - len(bare)
			}
		}
		if mark > 0 {
			out = append(out, text.Segment{Raw: line[:mark], Class: int(theme.Strong)})
		}
		out = append(out, text.Segment{Raw: line[mark:]})
	}
	return out
}

// listMark returns the bytes of the mark with which an item of a list begins; 0: it is none.
func listMark(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "0123456789"))
	switch {
	case n > 0 && n < 4 && (strings.HasPrefix(line[n:], ". ") || strings.HasPrefix(line[n:], ") ")):
		return n + 1
	case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "* "), strings.HasPrefix(line, "+ "):
		return 1
	}
	return 0
}
