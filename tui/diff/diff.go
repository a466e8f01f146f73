// Package diff shows changes: what a unified diff does, line by line with its numbers and
// in colour, and what one text is against another. Its segments have roles of the theme
// as their classes.
package diff

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"askbox/client/text"
)

// Kind is what a line of a unified diff is.
type Kind byte

// The kinds.
const (
	Beside  Kind = iota // outside of the changed lines: a mode, another name
	Skip                // lines of the file are left out here
	Same                // a line that stays
	Added               // a line that comes
	Deleted             // a line that goes
	NoEnd               // says of the line above that no line break ends it
)

// Sign returns the sign that a diff has before such a line.
func (k Kind) Sign() string { return [...]string{" ", " ", " ", "+", "-", " "}[k] }

// Line is one line of a change.
type Line struct {
	Kind Kind
	// Old and New are the numbers of the line in the file before and after the change;
	// 0 where it is not in that file, or its number is not known.
	Old, New int
	// Text is the line as it was sent, without its sign and its end. Of a Skip it is what
	// the diff says of the place, and mostly empty.
	Text []text.Segment
}

// Change is what a unified diff does to a file.
type Change struct {
	Lines       []Line
	Plus, Minus int
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?`)

// Read takes a unified diff of a file apart. The names are the ones that the file goes by,
// the first of which tells its language: lines that only say one of them once more are
// left out. Every other line is there, with every byte of it. numbered says that the heads of the
// hunks tell places in the file, which those of a piece of it do not.
func Read(raw string, numbered bool, names ...string) Change {
	r := &reader{names: names, numbered: numbered}
	if raw == "" {
		return r.Change
	}
	for l := range strings.SplitSeq(strings.TrimSuffix(raw, "\n"), "\n") {
		r.line(l)
	}
	r.colour()
	return r.Change
}

// reader reads the lines of a unified diff one after the other. It counts down what the
// hunk's head promised, because inside a hunk a line such as "--- x" is a deleted "-- x"
// and no head of a file.
type reader struct {
	Change
	names            []string
	numbered         bool
	old, new         int // lines that the hunk still has
	oldLine, newLine int // the numbers of the next ones
	inHunk           bool
	hunks            int             // how many there were
	before, after    strings.Builder // the file before and after, as far as it is shown
}

func (r *reader) line(l string) {
	switch m := hunkHead.FindStringSubmatch(l); {
	case m != nil:
		// No line of a hunk begins like this, whatever its head promised.
		r.hunk(m, l[len(m[0]):])
	case strings.HasPrefix(l, "+") && (r.new > 0 || !strings.HasPrefix(l, "+++ ")):
		r.Plus++
		r.put(Added, l[1:])
	case strings.HasPrefix(l, "-") && (r.old > 0 || !strings.HasPrefix(l, "--- ")):
		r.Minus++
		r.put(Deleted, l[1:])
	case r.inHunk && (l == "" || l[0] == ' '):
		r.put(Same, strings.TrimPrefix(l, " "))
	case l == `\ No newline at end of file`:
		r.Lines = append(r.Lines, Line{Kind: NoEnd})
	case strings.HasPrefix(l, `\`):
		r.put(Beside, l)
	default:
		// Behind a hunk such a line may be one that its head did not promise.
		if r.inHunk = r.old > 0 || r.new > 0; r.hunks > 0 || !r.repeats(l) {
			r.put(Beside, l)
		}
	}
}

// hunk begins a hunk. What is left out before the first line of a file is nothing.
func (r *reader) hunk(m []string, place string) {
	if from := count(m[1], 1); place != "" || r.numbered && (from > 1 || r.inHunk) {
		r.put(Skip, place)
	}
	r.hunks++
	r.old, r.new, r.inHunk = count(m[2], 1), count(m[4], 1), true
	if r.numbered {
		r.oldLine, r.newLine = count(m[1], 0), count(m[3], 0)
	}
}

// count reads a number of a hunk's head.
func count(s string, missing int) int {
	if s == "" {
		return missing
	}
	const most = 9_999_999 // no file that anybody reads has more lines
	n, err := strconv.Atoi(s)
	if err != nil || n > most {
		return 0
	}
	return n
}

// repeats reports whether a line only says the file's name once more, or that there is none.
func (r *reader) repeats(l string) bool {
	if len(l) > 3 && strings.Trim(l, "=") == "" {
		return true
	}
	for _, prefix := range []string{"--- ", "+++ ", "Index: "} {
		name, ok := strings.CutPrefix(l, prefix)
		name = strings.TrimRight(name, "\t")
		for _, side := range []string{"", "a/", "b/"} {
			if short, its := strings.CutPrefix(name, side); ok && its && (short == "/dev/null" && side == "" || slices.Contains(r.names, short)) {
				return true
			}
		}
	}
	return slices.ContainsFunc(r.names, func(n string) bool { return l == "diff --git a/"+n+" b/"+n })
}

// put adds a line, with its numbers where the hunk says them.
func (r *reader) put(k Kind, s string) {
	l := Line{Kind: k, Text: []text.Segment{{Raw: s}}}
	if k == Same || k == Deleted {
		l.Old = next(&r.oldLine, &r.old)
		r.before.WriteString(s + "\n")
	}
	if k == Same || k == Added {
		l.New = next(&r.newLine, &r.new)
		r.after.WriteString(s + "\n")
	}
	r.Lines = append(r.Lines, l)
}

// next returns the number of a line. One that the head of its hunk did not promise has none.
func next(number, left *int) int {
	n := *number
	if *left--; n > 0 {
		*number++
	}
	if *left < 0 {
		return 0
	}
	return n
}

// colour gives the lines the colours of their language.
func (r *reader) colour() {
	if len(r.names) == 0 || r.names[0] == "" {
		return
	}
	l := languageOf(r.names[0])
	if l == nil {
		return
	}
	before, after := l.colour(r.before.String()), l.colour(r.after.String())
	for i := range r.Lines {
		line := &r.Lines[i]
		if line.Kind != Same && line.Kind != Added && line.Kind != Deleted {
			continue
		}
		raw := line.Text[0].Raw
		if line.Kind != Added {
			line.Text = before.take(raw)
			before.take("\n")
		}
		if line.Kind != Deleted {
			line.Text = after.take(raw)
			after.take("\n")
		}
	}
}

// Shell cuts a command into segments in the colours of a shell. What may be a comment has
// the colour of all the rest: nothing in a command is quieter than what runs.
func Shell(command string) []text.Segment {
	return shell.colour(command).take(command)
}
