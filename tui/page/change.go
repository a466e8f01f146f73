package page

import (
	"strconv"
	"strings"

	"askbox/client/text"
	"askbox/tui/diff"
	"askbox/tui/theme"
)

// sideBySide is the width from which what goes stands beside what comes.
const sideBySide = 140

// changeLayout lays the lines of a change out.
type changeLayout struct {
	*layout
	s      *Section
	width  int
	digits int // of the numbers; 0: there are none
	before int // the number of the line above the first one
}

// change lays a change out. The program's words, a number and a sign, stand left of the
// gutter on each row, so that no line of a file looks like another one than it is.
func (l *layout) change(s *Section, width int) {
	c := &changeLayout{layout: l, s: s, width: width, before: l.lines + 1}
	most, kinds := 0, [diff.NoEnd + 1]bool{}
	for _, line := range s.Change {
		most = max(most, line.Old, line.New)
		kinds[line.Kind] = true
	}
	beside := width >= sideBySide && kinds[diff.Added] && kinds[diff.Deleted]
	if most > 0 {
		c.digits = len(strconv.Itoa(most))
	}
	for i := 0; i < len(s.Change); {
		switch gone, come := c.runs(i); {
		case !beside || s.Change[i].Kind == diff.Beside || s.Change[i].Kind == diff.Skip || s.Change[i].Kind == diff.NoEnd:
			c.alone(i)
			i++
		case gone+come == 0:
			c.pair(i, i)
			i++
		default:
			for k := range max(gone, come) {
				left, right := -1, -1
				if k < gone {
					left = i + k
				}
				if k < come {
					right = i + gone + k
				}
				c.pair(left, right)
			}
			i += gone + come
		}
	}
	l.lines = c.before + len(s.Change)
}

// runs counts the lines that go from i on, and those that come behind them.
func (c *changeLayout) runs(i int) (gone, come int) {
	all := c.s.Change
	for i+gone < len(all) && all[i+gone].Kind == diff.Deleted {
		gone++
	}
	for i+gone+come < len(all) && all[i+gone+come].Kind == diff.Added {
		come++
	}
	return gone, come
}

// alone puts a line on rows of its own.
func (c *changeLayout) alone(i int) {
	line := &c.s.Change[i]
	if line.Kind == diff.NoEnd {
		c.put(row{words: theme.Blank(c.leadWidth()) + "no line break at the end", role: theme.Dim}, i, i)
		return
	}
	n := line.New
	if line.Kind == diff.Deleted {
		n = line.Old
	}
	for _, cell := range c.cells(line, n, c.width) {
		c.put(row{quoted: true, cell: cell}, i, i)
	}
}

// pair puts a line that goes beside one that comes, or one that stays on both sides.
func (c *changeLayout) pair(left, right int) {
	half, first := (c.width-1)/2, left
	if left < 0 {
		first = right
	}
	var l, r []cell
	if left >= 0 {
		l = c.cells(&c.s.Change[left], c.s.Change[left].Old, half)
	}
	if right >= 0 {
		r = c.cells(&c.s.Change[right], c.s.Change[right].New, half)
	}
	for k := range max(len(l), len(r)) {
		x, y := cell{none: true}, cell{none: true}
		if k < len(l) {
			x = l[k]
		}
		if k < len(r) {
			y = r[k]
		}
		c.put(row{quoted: true, cell: x, beside: &y}, first, max(left, right))
	}
}

// put adds a row of one line, or of two that stand side by side.
func (c *changeLayout) put(r row, line, also int) {
	r.indent, r.line, r.also = c.s.Indent, c.before+line, c.before+also
	c.rows = append(c.rows, r)
}

func (c *changeLayout) leadWidth() int {
	if c.digits == 0 {
		return len("+ ")
	}
	return c.digits + len(" + ")
}

// cells wraps a line with its number and its sign.
func (c *changeLayout) cells(line *diff.Line, number, width int) []cell {
	lead := line.Kind.Sign() + " "
	if c.digits > 0 {
		said := ""
		switch {
		case line.Kind == diff.Skip:
			said = strings.Repeat(".", min(c.digits, 3))
		case number > 0:
			said = strconv.Itoa(number)
		}
		lead = strings.Repeat(" ", c.digits-len(said)) + said + " " + lead
	}
	one := cell{base: theme.Plain}
	switch line.Kind {
	case diff.Added:
		one.tint = theme.TintAdd
	case diff.Deleted:
		one.tint = theme.TintDel
	case diff.Skip, diff.Beside:
		one.base = theme.Dim
	}
	var out []cell
	for r := range text.Seq(line.Text, max(width-len(lead)-theme.GutterWidth, 1), c.s.Mode) {
		one.lead, one.quote = lead, r
		out = append(out, one)
		lead = theme.Blank(len(lead))
	}
	if out == nil {
		one.lead = lead
		out = append(out, one)
	}
	return out
}
