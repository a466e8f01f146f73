package ask

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"askbox/client/text"
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
		d := &document{sections: []section{{body: []text.Segment{{Raw: strings.Join(lines, "\n")}}, must: true}}}
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
				whole = whole && (o.logical != l.logical || seen.has(j))
			}
			if got.has(i) != whole {
				t.Fatalf("row %d of line %d: seen %v, was seen whole %v", i, l.logical, got.has(i), whole)
			}
		}
	})
}

// The rows that are left to read are those that have to be read and were not.
func TestUnseenRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &document{}
		for range rapid.IntRange(1, 6).Draw(t, "sections") {
			body := strings.Repeat("x\n", rapid.IntRange(0, 6).Draw(t, "rows")) + "x"
			d.sections = append(d.sections, section{body: []text.Segment{{Raw: body}}, must: rapid.Bool().Draw(t, "must")})
		}
		l := lay(d, 40)
		var must []bool
		for _, s := range d.sections {
			for range strings.Count(s.body[0].Raw, "\n") + 1 {
				must = append(must, s.must)
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
