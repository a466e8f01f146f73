// Package textfield is a text that a person types. It keeps every character as it came,
// control characters and tabs too, and draws them as safe text: what is sent has to be
// what was typed, and the screen has to stay whole. The text area of bubbles cannot be
// used for this: it replaces tabs, drops control characters and ends after 99 lines, all
// without a word.
package textfield

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/rivo/uniseg"

	"askbox/client/text"
	"askbox/tui/theme"
)

// MaxBytes is the most that a field takes; a paste beyond it is refused as a whole, because
// half a paste would be worse than none.
const MaxBytes = 256 << 10

// cursor is the program's mark for where typing goes on. It is drawn between characters,
// so that nothing typed is ever covered by it.
const cursor = "▏"

// Field is a text with a cursor: a plain value, whose methods return the changed one.
type Field struct {
	// Value is the text, exactly as it was typed.
	Value string
	at    int // the cursor, in bytes, at the border of a character as people see it
}

// New returns a field that holds a text, with the cursor at its end.
func New(value string) Field { return Field{Value: value, at: len(value)} }

// Insert puts s at the cursor and reports whether there was room.
func (f Field) Insert(s string) (Field, bool) {
	if len(f.Value)+len(s) > MaxBytes {
		return f, false
	}
	f.Value = f.Value[:f.at] + s + f.Value[f.at:]
	f.at += len(s)
	return f, true
}

// Pasted is a paste as it goes into a field: terminals send the line breaks of
// a paste as carriage returns.
func Pasted(runes []rune) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(runes))
}

// Key edits the text, and reports whether the key meant something here.
func (f Field) Key(msg tea.KeyMsg) (Field, bool) {
	switch msg.String() {
	case "left", "ctrl+b":
		f.at = f.before()
	case "right", "ctrl+f":
		f.at = f.behind()
	case "ctrl+left", "alt+left", "alt+b":
		f.at = f.wordBefore()
	case "ctrl+right", "alt+right", "alt+f":
		f.at = f.wordBehind()
	case "home", "ctrl+a":
		f.at = f.lineStart()
	case "end":
		f.at = f.lineEnd()
	case "up":
		f.at = f.vertical(-1)
	case "down":
		f.at = f.vertical(+1)
	case "ctrl+home":
		f.at = 0
	case "ctrl+end":
		f.at = len(f.Value)
	case "backspace", "ctrl+h":
		f = f.cut(f.before(), f.at)
	case "delete", "ctrl+d":
		f = f.cut(f.at, f.behind())
	case "ctrl+w", "alt+backspace":
		f = f.cut(f.wordBefore(), f.at)
	case "alt+d", "alt+delete":
		f = f.cut(f.at, f.wordBehind())
	case "ctrl+u":
		f = f.cut(f.lineStart(), f.at)
	case "ctrl+k":
		f = f.cut(f.at, f.lineEnd())
	default:
		if msg.Alt || msg.Type != tea.KeyRunes && msg.Type != tea.KeySpace {
			return f, false
		}
		return f.Insert(string(msg.Runes))
	}
	return f, true
}

func (f Field) cut(from, to int) Field {
	f.Value = f.Value[:from] + f.Value[to:]
	f.at = from
	return f
}

// before is where the character left of the cursor begins. Characters are those
// that people see, so an accent goes with its letter.
func (f Field) before() int {
	start := strings.LastIndexByte(f.Value[:f.at], '\n')
	if start == f.at-1 {
		return max(start, 0)
	}
	// Characters do not go over line ends, and a long line is looked at in its
	// last part only, so that each key costs the same.
	start = max(start+1, f.at-256)
	for start < f.at && !utf8.RuneStart(f.Value[start]) {
		start++
	}
	last := start
	for rest := f.Value[start:f.at]; rest != ""; {
		c, next, _, _ := uniseg.FirstGraphemeClusterInString(rest, -1)
		last = f.at - len(rest)
		rest = next
		if c == "" {
			break
		}
	}
	return last
}

func (f Field) behind() int {
	c, _, _, _ := uniseg.FirstGraphemeClusterInString(f.Value[f.at:], -1)
	return f.at + len(c)
}

func (f Field) wordBefore() int {
	s := strings.TrimRightFunc(f.Value[:f.at], unicode.IsSpace)
	return strings.LastIndexFunc(s, unicode.IsSpace) + 1
}

func (f Field) wordBehind() int {
	rest := strings.TrimLeftFunc(f.Value[f.at:], unicode.IsSpace)
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		return len(f.Value) - len(rest) + i
	}
	return len(f.Value)
}

func (f Field) lineStart() int { return strings.LastIndexByte(f.Value[:f.at], '\n') + 1 }

func (f Field) lineEnd() int {
	if i := strings.IndexByte(f.Value[f.at:], '\n'); i >= 0 {
		return f.at + i
	}
	return len(f.Value)
}

// vertical goes to about the same place in the line above or below.
func (f Field) vertical(by int) int {
	start := f.lineStart()
	column := uniseg.GraphemeClusterCount(f.Value[start:f.at])
	var line string
	var from int
	switch {
	case by < 0 && start == 0:
		return 0
	case by < 0:
		from = strings.LastIndexByte(f.Value[:start-1], '\n') + 1
		line = f.Value[from : start-1]
	default:
		end := f.lineEnd()
		if end == len(f.Value) {
			return end
		}
		from = end + 1
		line = f.Value[from:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
	}
	for ; column > 0 && line != ""; column-- {
		c, rest, _, _ := uniseg.FirstGraphemeClusterInString(line, -1)
		from += len(c)
		line = rest
	}
	return from
}

// Count is the characters typed, as a relay counts them.
func (f Field) Count() int { return utf8.RuneCountInString(f.Value) }

// Draw lays the text out behind a bar of its own, in at most rows lines of width
// cells, so that the cursor is among them.
func (f Field) Draw(t *theme.Theme, indent, width, rows int, focus bool) []string {
	if rows <= 0 || width <= 0 {
		return nil
	}
	segments := []text.Segment{{Raw: f.Value[:f.at]}}
	if focus {
		segments = append(segments, text.Segment{Raw: cursor, Class: int(theme.Accent)})
	}
	segments = append(segments, text.Segment{Raw: f.Value[f.at:]})
	laid := text.Rows(segments, max(width-indent-theme.GutterWidth, 1), text.Typed)
	from := 0
	if len(laid) > rows {
		from = min(max(cursorRow(laid)-rows+1, 0), len(laid)-rows)
	}
	var out []string
	for i := from; i < len(laid) && len(out) < rows; i++ {
		out = append(out, bar(t, laid[i], indent, width))
	}
	if len(out) == 0 {
		out = append(out, bar(t, text.Row{}, indent, width))
	}
	return out
}

func cursorRow(rows []text.Row) int {
	for i, r := range rows {
		for _, p := range r.Pieces {
			if p.Class == int(theme.Accent) {
				return i
			}
		}
	}
	return len(rows) - 1
}

// bar draws a row of one's own words. Its bar is not the gutter of what agents wrote.
func bar(t *theme.Theme, row text.Row, indent, width int) string {
	var b strings.Builder
	b.WriteString(theme.Blank(indent))
	t.Add(&b, theme.Accent, "┃ ")
	theme.AddPieces(&b, t, row, theme.Plain)
	return theme.Fill(b.String(), width)
}
