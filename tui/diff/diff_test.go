package diff

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"askbox/client/text"
	"askbox/tui/theme"
)

// A diff that was read is the diff, byte for byte, whatever it holds: only what names the
// file once more, and the places of hunks, are told in other ways.
func TestReadIsTheDiff(t *testing.T) {
	line := rapid.OneOf(rapid.SampledFrom([]string{
		"@@ -1,3 +1,4 @@", "--- a/x.go", "+++ b/x.go", "+func f() { /* \"a\\n", "-// x", " return 0x1F", "+\t\"unterminated",
		"", "\\ No newline at end of file", "@@ -1 +1 @@ x", "+`raw", "--- drop", "+++ add", "+\"\"\"doc", "+<a href='x'>",
	}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOfN(line, 1, 20).Draw(t, "lines"), "\n")
		name := rapid.SampledFrom([]string{"x.go", "b.py", "c.sql", "d.html", "e.unknown", "Makefile"}).Draw(t, "name")
		change := Read(raw, rapid.Bool().Draw(t, "numbered"), name)
		if raw == "" {
			if len(change.Lines) > 0 {
				t.Fatalf("nothing became %v", change.Lines)
			}
			return
		}
		at := 0
		for l := range strings.SplitSeq(strings.TrimSuffix(raw, "\n"), "\n") {
			next := Line{}
			if at < len(change.Lines) {
				next = change.Lines[at]
			}
			var said strings.Builder
			for _, s := range next.Text {
				said.WriteString(s.Raw)
			}
			m := hunkHead.FindString(l)
			switch {
			case l == next.Kind.Sign()+said.String() && next.Kind != Beside && next.Kind != Skip, next.Kind == Same && l == said.String(),
				next.Kind == Beside && l == said.String(), next.Kind == NoEnd && l == `\ No newline at end of file`,
				next.Kind == Skip && m != "" && l == m+said.String():
				at++
			case m == l, l == "--- a/"+name, l == "+++ b/"+name:
			default:
				t.Fatalf("%q became %v, %q", l, next.Kind, said.String())
			}
		}
		if at != len(change.Lines) {
			t.Fatalf("%d lines more than %q has", len(change.Lines)-at, raw)
		}
	})
}

func TestReadCounts(t *testing.T) {
	for _, c := range []struct {
		name, diff  string
		plus, minus int
	}{
		{"one hunk", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n", 1, 1},
		{"a deleted line that looks like a head", "--- a\n+++ b\n@@ -1,2 +1 @@\n--- x\n-y\n+z\n", 1, 2},
		{"more lines than the head says", "@@ -1 +1 @@\n-a\n+b\n+c\n", 2, 1},
		{"no head at all", "+all:\n+\trm -rf build\n", 2, 0},
		{"two files", "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n--- c\n+++ c\n@@ -0,0 +1 @@\n+d\n", 2, 1},
		{"renamed and made executable", "old mode 100644\nnew mode 100755\nrename from a\nrename to b\n", 0, 0},
		{"binary", "Binary files a/x.png and b/x.png differ\n", 0, 0},
		{"a new file", "--- /dev/null\n+++ b/x.go\n@@ -0,0 +1 @@\n+a\n", 1, 0},
	} {
		change := Read(c.diff, true, "x.go")
		if change.Plus != c.plus || change.Minus != c.minus {
			t.Errorf("%s: +%d -%d", c.name, change.Plus, change.Minus)
		}
	}
}

// Each line has its number where the diff says which.
func TestReadNumbers(t *testing.T) {
	const raw = "Index: /srv/x.go\n===================================\n--- /srv/x.go\n+++ /srv/x.go\n" +
		"@@ -9,3 +9,3 @@ func f() {\n a\n-b\n+B\n c\n@@ -40 +40,2 @@\n d\n+e\n\\ No newline at end of file\n"
	tell := func(numbered bool) string {
		var b strings.Builder
		for _, l := range Read(raw, numbered, "/srv/x.go").Lines {
			s := ""
			for _, p := range l.Text {
				s += p.Raw
			}
			fmt.Fprintf(&b, "%d %d %d %q\n", l.Kind, l.Old, l.New, s)
		}
		return b.String()
	}
	if got, want := tell(true), "1 0 0 \"func f() {\"\n2 9 9 \"a\"\n4 10 0 \"b\"\n3 0 10 \"B\"\n2 11 11 \"c\"\n1 0 0 \"\"\n2 40 40 \"d\"\n3 0 41 \"e\"\n5 0 0 \"\"\n"; got != want {
		t.Errorf("it is\n%s\nand not\n%s", got, want)
	}
	wrong := Read("@@ -5,9 +5 @@\n a\n+b\n@@ -40 +41 @@\n-c\n+d\n+e\n", true, "x")
	for i, want := range [][2]int{{}, {5, 5}, {}, {}, {40, 0}, {0, 41}, {}} {
		if l := wrong.Lines[i]; l.Old != want[0] || l.New != want[1] {
			t.Errorf("line %d has the numbers %d and %d, which no head promised", i, l.Old, l.New)
		}
	}
	if got := tell(false); strings.Contains(got, " 9 ") || strings.Contains(got, "40") {
		t.Errorf("a piece of a file has numbers:\n%s", got)
	}
	unsaid := "@@ -1 +1 @@\n-a\n+b\n+++ /srv/x.go\n--- /srv/x.go\n"
	if got := len(Read(unsaid, true, "/srv/x.go").Lines); got != 4 {
		t.Errorf("of a hunk that is longer than its head says, %d lines are shown", got)
	}
	if len(Read("", true, "x").Lines) != 0 {
		t.Error("no diff has lines")
	}
	if other := Read(raw, true, "/srv/other.go"); len(other.Lines) != len(Read(raw, true, "/srv/x.go").Lines)+3 {
		t.Error("the name of another file is left out")
	}
}

// In a command nothing that runs looks like a text or is quieter than the rest.
func TestShell(t *testing.T) {
	classes := func(command string) (out string) {
		all := ""
		for _, s := range Shell(command) {
			all += s.Raw
			if s.Class != 0 {
				out += fmt.Sprintf("%s:%s ", map[int]string{int(theme.SynString): "text", int(theme.SynName): "name", int(theme.SynOperator): "op", int(theme.SynKeyword): "word", int(theme.SynNumber): "number"}[s.Class], s.Raw)
			}
		}
		if all != command {
			t.Errorf("%q became %q", command, all)
		}
		return strings.TrimSpace(out)
	}
	for command, want := range map[string]string{
		`echo 'a b' | sh`:          "text:'a b' op:|",
		`echo '\'; rm -rf ~ #'`:    "text:'\\' op:; text:'",
		`echo \"; rm -rf "$HOME"`:  "op:; text:\"$HOME\"",
		"echo \"$(rm -rf ~)\" x":   "",
		`ls # a; rm`:               "op:;",
		`if [ $x ]; then y; fi`:    "word:if name:$x op:; word:then op:; word:fi",
		`curl -s http://a/b&&c >d`: "op:&& op:>",
	} {
		if got := classes(command); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
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

func coloured(file, content string) []text.Segment {
	if l := languageOf(file); l != nil {
		return l.colour(content).segments
	}
	return nil
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
		for _, s := range coloured(file, content) {
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
		if n := len(coloured(file, content)); n == 0 || time.Since(start) > 5*time.Second {
			t.Errorf("%s: %d segments in %s", file, n, time.Since(start))
		}
	}
	for _, s := range coloured("a.go", "//"+strings.Repeat("漢", maxColoured)) {
		if !utf8.ValidString(s.Raw) {
			t.Error("a character is cut apart")
		}
	}
	if garbage := coloured("a.go", strings.Repeat("\x80", 2*maxColoured)); len(garbage) != 1 {
		t.Errorf("bytes that are no text are %d segments", len(garbage))
	}
	all := coloured("a.go", strings.Repeat("if ", maxColoured))
	if last := all[len(all)-1]; last.Class != 0 || len(last.Raw) < maxColoured {
		t.Errorf("more is coloured than may be: %d bytes are left", len(last.Raw))
	}
}

// What is another line stands with a sign before it, among a few lines around it.
func TestBetween(t *testing.T) {
	was := strings.Repeat("same\n", 10) + "ls\nend"
	lines, more := Between(was, strings.Replace(was, "ls", "rm -rf ~", 1))
	got := ""
	for _, l := range lines {
		got += l.Kind.Sign() + l.Text[0].Raw + "\n"
	}
	if got != " same\n same\n-ls\n+rm -rf ~\n end\n" || more != 0 {
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
