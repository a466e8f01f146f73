package toolinput

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// edits takes what changes a file: an old and a new text, a list of those, a
// whole new content, or a diff that was made elsewhere.
func (s *sorter) edits() {
	path, named := s.look(pathKeys, filled)
	where, _ := httpx.String(path.Value)
	before := len(s.first)
	s.replacement(where)
	s.manyEdits(where)
	s.content(where, named)
	s.givenDiff(where)
	if named && len(s.first) > before {
		s.take(path.Name)
	}
}

// replacement takes an old and a new text.
func (s *sorter) replacement(path string) {
	if part, taken, ok := swap(s.left, path); ok {
		s.first = append(s.first, part)
		s.take(taken...)
	}
}

// swap makes the change of a pair of old and new text, and names the keys that
// are in it. replace_all is noted and stays to be shown as well.
func swap(members []httpx.Member, path string) (client.Part, []string, bool) {
	s := &sorter{left: members}
	old, ok := s.look(oldKeys, isString)
	if !ok {
		return client.Part{}, nil, false
	}
	replaced, ok := s.look(newKeys, isString)
	if !ok {
		return client.Part{}, nil, false
	}
	from, _ := httpx.String(old.Value)
	to, _ := httpx.String(replaced.Value)
	part := client.Part{Kind: client.PartDiff, Path: text.New(path), Text: text.New(Diff(from, to)), Piece: true}
	var notes []string
	if from == "" {
		notes = append(notes, "new text, nothing is replaced")
	}
	if from == to {
		notes = append(notes, "both texts are the same")
	}
	if strings.HasSuffix(from, "\n") && strings.HasSuffix(to, "\n") {
		notes = append(notes, "both end with a line break")
	}
	if binary(from) || binary(to) {
		notes = append(notes, "binary")
	}
	if all, ok := s.look([]string{"replace_all", "replaceAll"}, func(v jsontext.Value) bool { return v.Kind() == 't' }); ok && all.Name != "" {
		notes = append(notes, "wherever the old text stands")
	}
	part.Note = strings.Join(notes, ", ")
	return part, []string{old.Name, replaced.Name}, true
}

// manyEdits takes a list of replacements. One that is something else leaves the
// whole list to be shown as it is.
func (s *sorter) manyEdits(path string) {
	list, ok := s.look([]string{"edits"}, isList)
	if !ok {
		return
	}
	items, err := httpx.List(list.Value)
	if err != nil || len(items) == 0 {
		return
	}
	var changes, fields []client.Part
	for i, item := range items {
		object, err := httpx.Split(item)
		if err != nil {
			return
		}
		if _, doubled := object.Doubled(); doubled {
			return
		}
		part, taken, ok := swap(object.Members, path)
		if !ok {
			return
		}
		number := fmt.Sprintf("edit %d of %d", i+1, len(items))
		part.Note = strings.TrimSuffix(number+", "+part.Note, ", ")
		changes = append(changes, part)
		others := &sorter{left: object.Members}
		others.take(taken...)
		for _, m := range others.left {
			fields = append(fields, field(fmt.Sprintf("edits[%d].%s", i, m.Name), m.Value))
		}
	}
	s.first, s.fields = append(s.first, changes...), append(s.fields, fields...)
	s.take("edits")
}

// content takes the whole content of a file. That a tool writes it is only known
// from its name; under another name path and content are keys like any other.
func (s *sorter) content(path string, named bool) {
	if !named || !writers[s.tool] {
		return
	}
	m, ok := s.look(contentKeys, isString)
	if !ok {
		return
	}
	content, _ := httpx.String(m.Value)
	note := "new file, or in place of all that is there"
	if binary(content) {
		note += ", binary"
	}
	if content == "" {
		note += ", empty"
	}
	s.first = append(s.first, client.Part{Kind: client.PartDiff, Path: text.New(path), Text: text.New(Diff("", content)), Note: note})
	s.take(m.Name)
}

// binary reports whether a text is none that an editor would show.
func binary(s string) bool { return strings.ContainsRune(s, 0) }

// slowest is the size in bytes of both texts up to which their common lines are
// looked for. Beyond it the old text is shown whole, and then the new one.
const slowest = 512 << 10

// noEnd is what a diff says of a last line without a line break.
const noEnd = "\\ No newline at end of file\n"

// Diff returns the change of one text into another as a unified diff without
// the lines that name files, so that no file's name can imitate a line of it.
// It holds every line of both texts: none is left out as context.
func Diff(from, to string) string {
	// Two texts that both end within a line are pieces of a file. To say of each
	// that it has no line break at its end would be true and only distract.
	if from != "" && to != "" && !strings.HasSuffix(from, "\n") && !strings.HasSuffix(to, "\n") {
		from, to = from+"\n", to+"\n"
	}
	if from == "" && to == "" {
		return ""
	}
	var b strings.Builder
	b.Grow(len(from) + len(to) + 64)
	fmt.Fprintf(&b, "@@ -%s +%s @@\n", span(from), span(to))
	at := 0
	for _, edit := range changes(from, to) {
		lines(&b, ' ', from[at:edit.Start])
		lines(&b, '-', from[edit.Start:edit.End])
		lines(&b, '+', edit.New)
		at = edit.End
	}
	lines(&b, ' ', from[at:])
	return b.String()
}

func changes(from, to string) []udiff.Edit {
	if len(from)+len(to) > slowest && from != to {
		return []udiff.Edit{{Start: 0, End: len(from), New: to}}
	}
	return udiff.Lines(from, to)
}

// span writes where a text begins and how many lines it has.
func span(s string) string {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return fmt.Sprintf("%d,%d", min(n, 1), n)
}

func lines(b *strings.Builder, mark byte, s string) {
	for line := range strings.Lines(s) {
		b.WriteByte(mark)
		b.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			b.WriteString("\n" + noEnd)
		}
	}
}
