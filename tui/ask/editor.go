package ask

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/rivo/uniseg"

	"askbox/client/text"
	"askbox/tui/theme"
)

// maxTyped is the most bytes that a field takes; a paste beyond it is refused as
// a whole, because half a paste would be worse than none.
const maxTyped = 256 << 10

// caret is the program's mark for where typing goes on. It is drawn between
// characters, so that nothing typed is ever covered by it.
const caret = "▏"

// editor is a text that is being typed. It keeps every character as it came,
// control characters and tabs too, and draws them as safe text: the answer has
// to arrive as it was given, and the screen has to stay whole. (The text area of
// bubbles replaces tabs, drops control characters and ends after 99 lines, all
// without a word, so it cannot be used for this.) It is a plain value.
type editor struct {
	value string
	at    int // the cursor, in bytes, at the border of a character as people see it
}

func newEditor(value string) editor { return editor{value: value, at: len(value)} }

// insert puts s at the cursor and reports whether there was room.
func (e editor) insert(s string) (editor, bool) {
	if len(e.value)+len(s) > maxTyped {
		return e, false
	}
	e.value = e.value[:e.at] + s + e.value[e.at:]
	e.at += len(s)
	return e, true
}

// pasted is a paste as it goes into a field: terminals send the line breaks of
// a paste as carriage returns.
func pasted(runes []rune) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(runes))
}

// key edits. It reports whether the key meant something here.
func (e editor) key(msg tea.KeyMsg) (editor, bool) {
	switch msg.String() {
	case "left", "ctrl+b":
		e.at = e.before()
	case "right", "ctrl+f":
		e.at = e.behind()
	case "ctrl+left", "alt+left", "alt+b":
		e.at = e.wordBefore()
	case "ctrl+right", "alt+right", "alt+f":
		e.at = e.wordBehind()
	case "home", "ctrl+a":
		e.at = e.lineStart()
	case "end":
		e.at = e.lineEnd()
	case "up":
		e.at = e.vertical(-1)
	case "down":
		e.at = e.vertical(+1)
	case "ctrl+home":
		e.at = 0
	case "ctrl+end":
		e.at = len(e.value)
	case "backspace", "ctrl+h":
		e = e.cut(e.before(), e.at)
	case "delete", "ctrl+d":
		e = e.cut(e.at, e.behind())
	case "ctrl+w", "alt+backspace":
		e = e.cut(e.wordBefore(), e.at)
	case "alt+d", "alt+delete":
		e = e.cut(e.at, e.wordBehind())
	case "ctrl+u":
		e = e.cut(e.lineStart(), e.at)
	case "ctrl+k":
		e = e.cut(e.at, e.lineEnd())
	default:
		if msg.Alt || msg.Type != tea.KeyRunes && msg.Type != tea.KeySpace {
			return e, false
		}
		return e.insert(string(msg.Runes))
	}
	return e, true
}

func (e editor) cut(from, to int) editor {
	e.value = e.value[:from] + e.value[to:]
	e.at = from
	return e
}

// before is where the character left of the cursor begins. Characters are those
// that people see, so an accent goes with its letter.
func (e editor) before() int {
	start := strings.LastIndexByte(e.value[:e.at], '\n')
	if start == e.at-1 {
		return max(start, 0)
	}
	// Characters do not go over line ends, and a long line is looked at in its
	// last part only, so that each key costs the same.
	start = max(start+1, e.at-256)
	for start < e.at && !utf8.RuneStart(e.value[start]) {
		start++
	}
	last := start
	for rest := e.value[start:e.at]; rest != ""; {
		c, next, _, _ := uniseg.FirstGraphemeClusterInString(rest, -1)
		last = e.at - len(rest)
		rest = next
		if c == "" {
			break
		}
	}
	return last
}

func (e editor) behind() int {
	c, _, _, _ := uniseg.FirstGraphemeClusterInString(e.value[e.at:], -1)
	return e.at + len(c)
}

func (e editor) wordBefore() int {
	s := strings.TrimRightFunc(e.value[:e.at], unicode.IsSpace)
	return strings.LastIndexFunc(s, unicode.IsSpace) + 1
}

func (e editor) wordBehind() int {
	rest := strings.TrimLeftFunc(e.value[e.at:], unicode.IsSpace)
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		return len(e.value) - len(rest) + i
	}
	return len(e.value)
}

func (e editor) lineStart() int { return strings.LastIndexByte(e.value[:e.at], '\n') + 1 }

func (e editor) lineEnd() int {
	if i := strings.IndexByte(e.value[e.at:], '\n'); i >= 0 {
		return e.at + i
	}
	return len(e.value)
}

// vertical goes to about the same place in the line above or below.
func (e editor) vertical(by int) int {
	start := e.lineStart()
	column := uniseg.GraphemeClusterCount(e.value[start:e.at])
	var line string
	var from int
	switch {
	case by < 0 && start == 0:
		return 0
	case by < 0:
		from = strings.LastIndexByte(e.value[:start-1], '\n') + 1
		line = e.value[from : start-1]
	default:
		end := e.lineEnd()
		if end == len(e.value) {
			return end
		}
		from = end + 1
		line = e.value[from:]
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

// count is the characters typed, as a relay counts them.
func (e editor) count() int { return utf8.RuneCountInString(e.value) }

// draw lays the text out behind a bar of its own, in at most rows lines of width
// cells, so that the cursor is among them.
func (e editor) draw(t *theme.Theme, indent, width, rows int, focus bool) []string {
	if rows <= 0 || width <= 0 {
		return nil
	}
	segments := []text.Segment{{Raw: e.value[:e.at]}}
	if focus {
		segments = append(segments, text.Segment{Raw: caret, Class: int(theme.Accent)})
	}
	segments = append(segments, text.Segment{Raw: e.value[e.at:]})
	laid := text.Rows(segments, max(width-indent-theme.GutterWidth, 1), text.Typed)
	from := 0
	if len(laid) > rows {
		from = min(max(caretRow(laid)-rows+1, 0), len(laid)-rows)
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

func caretRow(rows []text.Row) int {
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
