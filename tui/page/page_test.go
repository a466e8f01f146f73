package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"askbox/client/text"
	"askbox/tui/diff"
	"askbox/tui/theme"
)

// Spans hold exactly the rows that were added.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s spans
		want := map[int]bool{}
		for range rapid.IntRange(0, 20).Draw(t, "adds") {
			from := rapid.IntRange(0, 50).Draw(t, "from")
			to := from + rapid.IntRange(0, 10).Draw(t, "n")
			s = s.add(from, to)
			for i := from; i < to; i++ {
				want[i] = true
			}
		}
		for i := range 70 {
			if s.has(i) != want[i] {
				t.Fatalf("row %d: %v in %v", i, s.has(i), s)
			}
		}
		for i := 1; i < len(s); i++ {
			if s[i-1].to >= s[i].from {
				t.Fatalf("spans touch or are out of order: %v", s)
			}
		}
	})
}

// A resize never makes a row count as seen of whose line a part was not seen.
func TestCarryKeepsToWholeLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(1, 10).Draw(t, "lines") {
			lines = append(lines, strings.Repeat("x", rapid.IntRange(0, 60).Draw(t, "length")))
		}
		d := &Document{sections: []Section{{Body: []text.Segment{{Raw: strings.Join(lines, "\n")}}, Must: true}}}
		old, next := lay(d, rapid.IntRange(3, 80).Draw(t, "old")), lay(d, rapid.IntRange(3, 80).Draw(t, "new"))
		var seen spans
		for i := range old.rows {
			if rapid.Bool().Draw(t, "seen") {
				seen = seen.add(i, i+1)
			}
		}
		got := carrySeen(old, seen, next)
		for i, l := range next.rows {
			whole := true
			for j, o := range old.rows {
				whole = whole && (o.line != l.line || seen.has(j))
			}
			if got.has(i) != whole {
				t.Fatalf("row %d of line %d: seen %v, was seen whole %v", i, l.line, got.has(i), whole)
			}
		}
	})
}

// The rows that are left to read are those that have to be read and were not.
func TestUnseenRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &Document{}
		for range rapid.IntRange(1, 6).Draw(t, "sections") {
			body := strings.Repeat("x\n", rapid.IntRange(0, 6).Draw(t, "rows")) + "x"
			d.sections = append(d.sections, Section{Body: []text.Segment{{Raw: body}}, Must: rapid.Bool().Draw(t, "must")})
		}
		l := lay(d, 40)
		var must []bool
		for _, s := range d.sections {
			for range strings.Count(s.Body[0].Raw, "\n") + 1 {
				must = append(must, s.Must)
			}
		}
		if len(must) != len(l.rows) {
			t.Skip("blank lines were folded")
		}
		var seen spans
		for range rapid.IntRange(0, 5).Draw(t, "spans") {
			at := rapid.IntRange(0, len(must)).Draw(t, "at")
			seen = seen.add(at, min(at+rapid.IntRange(0, 5).Draw(t, "n"), len(must)))
		}
		from := rapid.IntRange(-1, len(must)+1).Draw(t, "from")
		var above, below int
		for i, m := range must {
			if m && !seen.has(i) {
				if i < from {
					above++
				} else {
					below++
				}
			}
		}
		if a, b := l.unseen(seen, from); a != above || b != below {
			t.Fatalf("%d above and %d below, want %d and %d", a, b, above, below)
		}
	})
}

// A change is all on the page at every width, one line below the other and side by side:
// each line with its number and sign, and no width makes one read that was not.
func TestChangeAtEveryWidth(t *testing.T) {
	kinds := rapid.SampledFrom([]diff.Kind{diff.Same, diff.Same, diff.Added, diff.Deleted, diff.Skip, diff.NoEnd, diff.Beside})
	rapid.Check(t, func(t *rapid.T) {
		var change []diff.Line
		for i := range rapid.IntRange(1, 12).Draw(t, "lines") {
			l := diff.Line{Kind: kinds.Draw(t, "kind"), Text: []text.Segment{{Raw: fmt.Sprintf("<%d>", i) + strings.Repeat("x", rapid.IntRange(0, 200).Draw(t, "length"))}}}
			if l.Kind == diff.Same || l.Kind == diff.Deleted {
				l.Old = 10 + i
			}
			if l.Kind == diff.Same || l.Kind == diff.Added {
				l.New = 20 + i
			}
			change = append(change, l)
		}
		d := &Document{sections: []Section{{Change: change, Must: true}}}
		widths := rapid.IntRange(30, 300)
		old, next := lay(d, widths.Draw(t, "old")), lay(d, widths.Draw(t, "new"))
		var drawn strings.Builder
		for _, r := range next.rows {
			line := r.draw(theme.PlainTheme(), next.width, nil)
			if text.Width(line) != next.width {
				t.Fatalf("%d cells at %d: %q", text.Width(line), next.width, line)
			}
			drawn.WriteString(line + "\n")
		}
		for i, l := range change {
			n, sign := 0, l.Kind.Sign()
			switch l.Kind {
			case diff.Same, diff.Added:
				n = l.New
			case diff.Deleted:
				n = l.Old
			case diff.NoEnd:
				continue
			}
			if want := fmt.Sprintf("%d %s │ <%d>", n, sign, i); n > 0 && !strings.Contains(ansi.Strip(drawn.String()), want) {
				t.Fatalf("%q does not stand in\n%s", want, drawn.String())
			}
		}
		var seen spans
		unread := map[int]bool{}
		for i, r := range old.rows {
			if rapid.Bool().Draw(t, "seen") {
				seen = seen.add(i, i+1)
			} else {
				unread[r.line], unread[r.also] = true, true
			}
		}
		got := carrySeen(old, seen, next)
		for i, r := range next.rows {
			if got.has(i) != (!unread[r.line] && !unread[r.also]) {
				t.Fatalf("row %d of the lines %d and %d: seen %v", i, r.line, r.also, got.has(i))
			}
		}
	})
}

// Weight and colour change nothing of a text.
func TestWeighedIsTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOf(rapid.OneOf(rapid.SampledFrom([]string{"# a", "- b", "  1. c", "```", "#", "-", "", "\t- d", "$(x) 'y"}), rapid.String())).Draw(t, "lines"), "\n")
		s := Section{Mode: rapid.SampledFrom([]text.Mode{text.Words, text.Exact, text.Source}).Draw(t, "mode"), Base: rapid.SampledFrom([]theme.Role{theme.Plain, theme.Strong, theme.Dim}).Draw(t, "base")}
		var got strings.Builder
		for _, p := range weighed(raw, s) {
			got.WriteString(p.Raw)
		}
		if got.String() != raw {
			t.Fatalf("%q became %q", raw, got.String())
		}
	})
	weights := ""
	for _, p := range weighed("# Plan\n\n- one\n  2. two\n3 three\n```\n# no\n- no\n```\n", Section{Mode: text.Words}) {
		if p.Class == int(theme.Strong) {
			weights += p.Raw + "|"
		}
	}
	if weights != "# Plan\n|-|  2.|" {
		t.Errorf("bold is %q", weights)
	}
}
