// Package diff shows changes: what a unified diff does, in colour, and what one text is
// against another. Its segments have roles of the theme as their classes.
package diff

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"askbox/client/text"
	"askbox/tui/theme"
)

var hunkHead = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)

// kind is what a line of a unified diff is.
type kind byte

const (
	outside kind = iota // before the first hunk, and between files
	head                // the head of a hunk
	same
	added
	deleted
)

// scanner tells the kinds of the lines of a unified diff one after the other. It
// counts down what the hunk's head promised, because inside a hunk a line such as
// "--- x" is a deleted "-- x" and no head of a file.
type scanner struct {
	old, new int
	inHunk   bool
}

func (d *scanner) line(l string) kind {
	if m := hunkHead.FindStringSubmatch(l); m != nil && d.old <= 0 && d.new <= 0 {
		d.old, d.new, d.inHunk = count(m[1]), count(m[2]), true
		return head
	}
	k := outside
	switch {
	case strings.HasPrefix(l, "+") && (d.new > 0 || !strings.HasPrefix(l, "+++ ")):
		k = added
		d.new--
	case strings.HasPrefix(l, "-") && (d.old > 0 || !strings.HasPrefix(l, "--- ")):
		k = deleted
		d.old--
	case d.inHunk && (l == "" || l[0] == ' '):
		k = same
		d.old--
		d.new--
	case strings.HasPrefix(l, `\`):
	default:
		d.inHunk = d.old > 0 || d.new > 0
	}
	return k
}

func count(s string) int {
	if s == "" {
		return 1
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// notable are the beginnings of lines outside hunks that change more than text,
// with the words that name it.
var notable = []struct{ prefix, words string }{
	{"rename from ", "renamed"}, {"copy from ", "copied"},
	{"new file mode ", "new file"}, {"deleted file mode ", "file deleted"},
	{"old mode ", "mode changed"},
	{"Binary files ", "binary"}, {"GIT binary patch", "binary"},
}

// Summary counts the lines that a unified diff adds and takes away, and names what else it
// changes, each once: `renamed`, `mode changed`.
func Summary(raw string) (plus, minus int, notes []string) {
	var scan scanner
	for l := range strings.Lines(raw) {
		l = strings.TrimSuffix(l, "\n")
		switch scan.line(l) {
		case added:
			plus++
		case deleted:
			minus++
		case outside:
			for _, n := range notable {
				if strings.HasPrefix(l, n.prefix) && !slices.Contains(notes, n.words) {
					notes = append(notes, n.words)
				}
			}
		}
	}
	return plus, minus, notes
}

// Paint cuts a unified diff of the file at path into segments. Together they are the diff,
// byte for byte.
func Paint(raw, path string) []text.Segment {
	var out []text.Segment
	var scan scanner
	lines := strings.SplitAfter(raw, "\n")
	kinds := make([]kind, len(lines))
	for i, l := range lines {
		kinds[i] = scan.line(strings.TrimSuffix(l, "\n"))
	}
	syntax := colour(path, content(lines, kinds))
	for i, l := range lines {
		if l == "" {
			continue
		}
		switch kinds[i] {
		case head, outside:
			out = append(out, text.Segment{Raw: l, Class: int(theme.Dim)})
		case deleted:
			out = append(out, text.Segment{Raw: l, Class: int(theme.Del)})
		case added:
			out = append(out, text.Segment{Raw: l[:1], Class: int(theme.Add)})
			out = append(out, syntax.take(l[1:], theme.Add)...)
		case same:
			if l == "\n" {
				out = append(out, text.Segment{Raw: l})
				continue
			}
			out = append(out, text.Segment{Raw: l[:1]})
			out = append(out, syntax.take(l[1:], theme.Plain)...)
		}
	}
	return out
}

// content is the text after the change, as far as the diff shows it: what has a syntax.
func content(lines []string, kinds []kind) string {
	var b strings.Builder
	for i, l := range lines {
		if (kinds[i] == added || kinds[i] == same) && l != "" && l != "\n" {
			b.WriteString(l[1:])
		}
	}
	return b.String()
}
