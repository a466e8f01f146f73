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

// A highlighted diff is the diff, byte for byte, whatever it holds.
func TestPaintedDiffIsTheDiff(t *testing.T) {
	line := rapid.OneOf(rapid.SampledFrom([]string{
		"@@ -1,3 +1,4 @@", "--- a/x.go", "+++ b/x.go", "+func f() { /* \"a\\n", "-// x", " return 0x1F", "+\t\"unterminated",
		"", "\\ No newline at end of file", "@@ -1 +1 @@ x", "+`raw", "--- drop", "+++ add", "+\"\"\"doc", "+<a href='x'>",
	}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOfN(line, 0, 20).Draw(t, "lines"), "\n")
		path := rapid.SampledFrom([]string{"a.go", "b.py", "c.sql", "d.html", "e.unknown", "Makefile"}).Draw(t, "path")
		var b strings.Builder
		for _, s := range paintDiff(raw, path) {
			b.WriteString(s.Raw)
		}
		if b.String() != raw {
			t.Fatalf("%q became %q", raw, b.String())
		}
	})
}

func TestDiffCounts(t *testing.T) {
	for _, c := range []struct {
		name, diff  string
		plus, minus int
		notes       string
	}{
		{"one hunk", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n", 1, 1, ""},
		{"a deleted line that looks like a head", "--- a\n+++ b\n@@ -1,2 +1 @@\n--- x\n-y\n+z\n", 1, 2, ""},
		{"more lines than the head says", "@@ -1 +1 @@\n-a\n+b\n+c\n", 2, 1, ""},
		{"no head at all", "+all:\n+\trm -rf build\n", 2, 0, ""},
		{"two files", "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n--- c\n+++ c\n@@ -0,0 +1 @@\n+d\n", 2, 1, ""},
		{"renamed and made executable", "old mode 100644\nnew mode 100755\nrename from a\nrename to b\n", 0, 0, "mode changed, renamed"},
		{"binary", "Binary files a/x.png and b/x.png differ\n", 0, 0, "binary"},
	} {
		plus, minus, notes := summary(c.diff)
		if plus != c.plus || minus != c.minus || strings.Join(dedupe(notes), ", ") != c.notes {
			t.Errorf("%s: +%d -%d %v", c.name, plus, minus, notes)
		}
	}
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
