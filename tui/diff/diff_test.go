package diff

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"askbox/client/text"
	"askbox/tui/theme"
)

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
		for _, s := range Paint(raw, path) {
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
		plus, minus, notes := Summary(c.diff)
		if plus != c.plus || minus != c.minus || strings.Join(notes, ", ") != c.notes {
			t.Errorf("%s: +%d -%d %v", c.name, plus, minus, notes)
		}
	}
}

// What two texts share at both ends costs nothing and changes nothing of what is
// shown of their difference.
func TestAroundKeepsTheDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a", "b", "", "long line"})
		all := func(label string) string { return strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, label), "\n") }
		head, tail := all("head"), all("tail")
		a, b := head+all("a")+tail, head+all("b")+tail
		x, y := around(a, b)
		fits := false
		for i := range len(a) - len(x) + 1 {
			fits = fits || a[i:i+len(x)] == x && a[:i]+y+a[i+len(x):] == b
		}
		if !fits {
			t.Fatalf("%q and %q became %q and %q", a, b, x, y)
		}
		if (x == y) != (a == b) {
			t.Fatalf("%q and %q: the difference is gone", a, b)
		}
	})
}

// Words have the colours of their language, and only where they are words.
func TestColours(t *testing.T) {
	for file, want := range map[string][]text.Segment{
		"main.go":    {{Raw: "func", Class: int(theme.SynKeyword)}, {Raw: "f", Class: int(theme.SynName)}, {Raw: "int", Class: int(theme.SynType)}, {Raw: "// func", Class: int(theme.SynComment)}},
		"a.SQL":      {{Raw: "Select", Class: int(theme.SynKeyword)}, {Raw: "0x1F", Class: int(theme.SynNumber)}, {Raw: "-- from", Class: int(theme.SynComment)}},
		"Dockerfile": {{Raw: "$HOME", Class: int(theme.SynName)}, {Raw: `"if \"x\""`, Class: int(theme.SynString)}, {Raw: "# if", Class: int(theme.SynComment)}},
		"x.html":     {{Raw: "<a", Class: int(theme.SynName)}, {Raw: "'if'", Class: int(theme.SynString)}, {Raw: "<!-- a -->", Class: int(theme.SynComment)}},
		"plain.txt":  nil,
	} {
		content := map[string]string{
			"main.go": "func f(x int) // func", "a.SQL": "Select 0x1F -- from", "Dockerfile": `$HOME "if \"x\"" # if`,
			"x.html": "<a b='if' <!-- a -->", "plain.txt": "func if",
		}[file]
		var got []text.Segment
		for _, s := range colour(file, content).segments {
			if s.Class != 0 {
				got = append(got, s)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %v", file, got)
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", file, got[i], want[i])
			}
		}
	}
}

// The largest text that is coloured takes a moment, also where it is made to cost the most.
func TestColoursSoon(t *testing.T) {
	for file, piece := range map[string]string{"a.go": "/*", "b.py": `"""`, "c.html": "<!-", "d.go": `"\`, "e.sql": "a_", "f.go": "0_"} {
		content := strings.Repeat(piece, maxColoured/len(piece))
		start := time.Now()
		if n := len(colour(file, content).segments); n == 0 || time.Since(start) > 5*time.Second {
			t.Errorf("%s: %d segments in %s", file, n, time.Since(start))
		}
	}
	for _, s := range colour("a.go", "//"+strings.Repeat("漢", maxColoured)).segments {
		if !utf8.ValidString(s.Raw) {
			t.Error("a character is cut apart")
		}
	}
	if garbage := colour("a.go", strings.Repeat("\x80", 2*maxColoured)).segments; len(garbage) != 1 {
		t.Errorf("bytes that are no text are %d segments", len(garbage))
	}
	all := colour("a.go", strings.Repeat("if ", maxColoured)).segments
	if last := all[len(all)-1]; last.Class != 0 || len(last.Raw) < maxColoured {
		t.Errorf("more is coloured than may be: %d bytes are left", len(last.Raw))
	}
}

// What is another line stands with a sign before it, among a few lines around it.
func TestBetween(t *testing.T) {
	was := strings.Repeat("same\n", 10) + "ls\nend"
	body, more := Between(was, strings.Replace(was, "ls", "rm -rf ~", 1))
	var all strings.Builder
	for _, s := range body {
		all.WriteString(s.Raw)
		if sign := s.Raw[0]; s.Class != map[byte]int{' ': int(theme.Dim), '-': int(theme.Del), '+': int(theme.Add)}[sign] {
			t.Errorf("%q has the class %d", s.Raw, s.Class)
		}
	}
	if got := all.String(); got != " same\n same\n-ls\n+rm -rf ~\n end" || more != 0 {
		t.Errorf("%q and %d more", got, more)
	}
	if body, more := Between("a", "a"); body != nil || more != 0 {
		t.Errorf("the same is told as %v", body)
	}
	long := strings.Repeat("a\n", mostDiffers+7)
	if body, more := Between("", long); len(body) != mostDiffers || more != 7 {
		t.Errorf("of %d lines %d are shown and %d left out", mostDiffers+7, len(body), more)
	}
	large := strings.Repeat("a", mostCompared)
	if body, _ := Between(large, "b"); len(body) != 2 {
		t.Errorf("what is large is told in %d lines", len(body))
	}
}
