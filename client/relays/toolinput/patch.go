package toolinput

import (
	"fmt"
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// givenDiff takes a diff that was made elsewhere. It is shown as it was sent;
// what stands in its heads beside changed lines is named.
func (s *sorter) givenDiff(path string) {
	for _, key := range diffKeys {
		m, ok := s.look([]string{key}, filled)
		if !ok {
			continue
		}
		diff, _ := httpx.String(m.Value)
		if !looksLikeDiff(diff) {
			continue
		}
		part := Given(path, diff)
		if key != "diff" {
			part.Key = text.New(key)
		}
		s.first = append(s.first, part)
		s.take(key)
	}
}

// Given returns the part that shows a diff as it was sent. path is the file that
// the input names, and may be empty.
func Given(path, diff string) client.Part {
	head := readHeads(diff)
	part := client.Part{Kind: client.PartDiff, Path: text.New(path), Text: text.New(diff), Note: strings.Join(head.notes(path), ", ")}
	if path == "" && len(head.files) == 1 {
		part.Path = text.New(head.files[0])
	}
	return part
}

// Changed returns the lines that a diff takes out and puts in, each with its mark
// and without the line break at its end.
func Changed(diff string) []string {
	h := heads{patch: strings.HasPrefix(diff, beginPatch)}
	for line := range strings.Lines(diff) {
		h.read(strings.TrimSuffix(line, "\n"))
	}
	return h.lines
}

// beginPatch is how a patch of the form begins that has no counts of lines.
const beginPatch = "*** Begin Patch"

// looksLikeDiff reports whether a text is a change of files rather than a value
// that happens to stand under such a key.
func looksLikeDiff(s string) bool {
	for line := range strings.Lines(s) {
		for _, mark := range []string{"@@ ", "@@\n", "--- ", "+++ ", "diff --git ", beginPatch, "Index: "} {
			if strings.HasPrefix(line, mark) {
				return true
			}
		}
	}
	return false
}

// heads is what the heads of a diff say.
type heads struct {
	files  []string // the names after the change, each once
	old    string   // the name of the file before the change, of the file at hand
	named  []string // what happens beside changed lines
	inHunk [2]int   // the old and new lines that the hunk at hand still has
	lines  []string // those that are taken out and put in
	patch  bool     // it is of the form that has no counts of lines
}

// readHeads reads the lines of a diff that are no part of a hunk. It counts the
// lines of each hunk, so that an added line cannot pass for a head, nor a head
// hide as an added line.
func readHeads(diff string) heads {
	h := heads{patch: strings.HasPrefix(diff, beginPatch)}
	for line := range strings.Lines(diff) {
		h.read(strings.TrimRight(line, "\r\n"))
	}
	return h
}

func (h *heads) read(line string) {
	switch {
	case h.patch && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")):
		h.lines = append(h.lines, line)
	case h.inHunk[0] > 0 || h.inHunk[1] > 0:
		h.changed(line)
	default:
		h.head(line)
	}
}

func (h *heads) changed(line string) {
	switch {
	case strings.HasPrefix(line, "-"):
		h.inHunk[0]--
		h.lines = append(h.lines, line)
	case strings.HasPrefix(line, "+"):
		h.inHunk[1]--
		h.lines = append(h.lines, line)
	case strings.HasPrefix(line, "\\"):
	case line == "", strings.HasPrefix(line, " "):
		h.inHunk[0]--
		h.inHunk[1]--
	default:
		// No line of a hunk begins like this, whatever its head promised.
		h.inHunk = [2]int{}
		h.head(line)
	}
}

// beside are the heads that tell of more than changed lines.
var beside = []struct{ prefix, words string }{
	{"rename from ", "renamed"}, {"rename to ", "renamed"}, {"copy from ", "copied"},
	{"new file mode ", "new file"}, {"deleted file mode ", "file deleted"}, {"old mode ", "mode changed"},
	{"new mode ", "mode changed"}, {"Binary files ", "binary"}, {"GIT binary patch", "binary"},
	{"*** Add File: ", "new file"}, {"*** Delete File: ", "file deleted"}, {"*** Move to: ", "renamed"},
}

func (h *heads) head(line string) {
	for _, known := range beside {
		if strings.HasPrefix(line, known.prefix) {
			h.name(known.words)
		}
	}
	for _, prefix := range []string{"*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: ", "rename to ", "copy to "} {
		if name, ok := strings.CutPrefix(line, prefix); ok {
			h.file(name)
		}
	}
	switch {
	case strings.HasPrefix(line, "@@ "):
		h.inHunk = hunk(line)
	case strings.HasPrefix(line, "--- "):
		h.old = fileName(line[4:])
		if h.old == "/dev/null" {
			h.name("new file")
		}
	case strings.HasPrefix(line, "+++ "):
		name := fileName(line[4:])
		if name == "/dev/null" {
			h.name("file deleted")
			name = h.old
		}
		h.file(name)
	}
}

func (h *heads) name(words string) {
	for _, known := range h.named {
		if known == words {
			return
		}
	}
	h.named = append(h.named, words)
}

func (h *heads) file(name string) {
	for _, known := range h.files {
		if known == name {
			return
		}
	}
	h.files = append(h.files, name)
}

// hunk reads the counts of lines of "@@ -1,3 +1,4 @@".
func hunk(line string) [2]int {
	var counts [2]int
	words := strings.Fields(line)
	for i := range counts {
		if len(words) <= i+1 {
			return counts
		}
		counts[i] = 1
		if _, n, ok := strings.Cut(words[i+1], ","); ok {
			counts[i], _ = strconv.Atoi(n)
		}
	}
	return counts
}

// fileName takes the letters that git puts before a name, and the time that diff
// puts behind it, away.
func fileName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if rest, ok := strings.CutPrefix(s, "a/"); ok {
		return rest
	}
	if rest, ok := strings.CutPrefix(s, "b/"); ok {
		return rest
	}
	return s
}

// notes says what the diff does beside changing lines, and whether it keeps to
// the file that the input names.
func (h *heads) notes(path string) []string {
	notes := append([]string(nil), h.named...)
	if len(h.files) > 1 {
		notes = append(notes, fmt.Sprintf("it touches %d files", len(h.files)))
	}
	if path == "" {
		return notes
	}
	for _, file := range h.files {
		if file != path && !strings.HasSuffix(path, "/"+strings.TrimPrefix(file, "./")) && !strings.HasSuffix(file, "/"+path) {
			return append(notes, "the diff names another file than the input does")
		}
	}
	return notes
}
