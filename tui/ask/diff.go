package ask

import (
	"regexp"
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/theme"
)

var hunkHead = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)

// diffLine says what a line of a unified diff is.
type diffLine byte

const (
	diffMeta diffLine = iota // before the first hunk, and between files
	diffHead                 // the head of a hunk
	diffSame
	diffAdd
	diffDel
)

// diffScan tells the kinds of the lines of a unified diff one after the other.
// It counts down what the hunk's head promised, because inside a hunk a line
// such as "--- x" is a deleted "-- x" and no head of a file.
type diffScan struct {
	old, new int
	inHunk   bool
}

func (d *diffScan) line(l string) diffLine {
	if m := hunkHead.FindStringSubmatch(l); m != nil && d.old <= 0 && d.new <= 0 {
		d.old, d.new, d.inHunk = count(m[1]), count(m[2]), true
		return diffHead
	}
	kind := diffMeta
	switch {
	case strings.HasPrefix(l, "+") && (d.new > 0 || !strings.HasPrefix(l, "+++ ")):
		kind = diffAdd
		d.new--
	case strings.HasPrefix(l, "-") && (d.old > 0 || !strings.HasPrefix(l, "--- ")):
		kind = diffDel
		d.old--
	case d.inHunk && (l == "" || l[0] == ' '):
		kind = diffSame
		d.old--
		d.new--
	case strings.HasPrefix(l, `\`):
	default:
		d.inHunk = d.old > 0 || d.new > 0
	}
	return kind
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

// diff adds a change of a file: its path and the counts as the heading, then the
// lines in colour. All counts come from the text that is shown.
func (b *builder) diff(s section, p client.Part) section {
	raw := p.Text.Raw()
	s = b.quote(s, p.Text)
	s.beside, s.named = p.Path, !p.Path.Empty()
	plus, minus, notes := summary(raw)
	if p.Note != "" {
		notes = append([]string{p.Note}, notes...)
	}
	s.label = dotted("Change", "+"+strconv.Itoa(plus)+" -"+strconv.Itoa(minus), strings.Join(dedupe(notes), ", "))
	if len(s.body) == 1 && s.body[0].Raw == raw {
		// The line end of the last line ends the diff and begins no line.
		s.body = paintDiff(strings.TrimSuffix(raw, "\n"), p.Path.Raw())
	}
	if !p.Key.Empty() {
		s.label = dotted(s.label, "input "+p.Key.String())
	}
	return s
}

func summary(raw string) (plus, minus int, notes []string) {
	var scan diffScan
	for l := range strings.Lines(raw) {
		l = strings.TrimSuffix(l, "\n")
		switch scan.line(l) {
		case diffAdd:
			plus++
		case diffDel:
			minus++
		case diffMeta:
			for _, n := range notable {
				if strings.HasPrefix(l, n.prefix) {
					notes = append(notes, n.words)
				}
			}
		}
	}
	return plus, minus, notes
}

func dedupe(words []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// paintDiff cuts a diff into segments whose classes are roles. The segments
// together are the text, byte for byte.
func paintDiff(raw, path string) []text.Segment {
	var out []text.Segment
	var scan diffScan
	lines := strings.SplitAfter(raw, "\n")
	kinds := make([]diffLine, len(lines))
	for i, l := range lines {
		kinds[i] = scan.line(strings.TrimSuffix(l, "\n"))
	}
	syntax := colour(path, content(lines, kinds))
	for i, l := range lines {
		if l == "" {
			continue
		}
		switch kinds[i] {
		case diffHead, diffMeta:
			out = append(out, text.Segment{Raw: l, Class: int(theme.Dim)})
		case diffDel:
			out = append(out, text.Segment{Raw: l, Class: int(theme.Del)})
		case diffAdd:
			out = append(out, text.Segment{Raw: l[:1], Class: int(theme.Add)})
			out = append(out, syntax.take(len(l)-1, l[1:], int(theme.Add))...)
		case diffSame:
			if l == "\n" {
				out = append(out, text.Segment{Raw: l})
				continue
			}
			out = append(out, text.Segment{Raw: l[:1]})
			out = append(out, syntax.take(len(l)-1, l[1:], 0)...)
		}
	}
	return out
}

// content is the text after the change, as far as the diff shows it: what a
// lexer can make sense of.
func content(lines []string, kinds []diffLine) string {
	var b strings.Builder
	for i, l := range lines {
		if (kinds[i] == diffAdd || kinds[i] == diffSame) && l != "" && l != "\n" {
			b.WriteString(l[1:])
		}
	}
	return b.String()
}
