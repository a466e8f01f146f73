package opencode

import (
	"slices"
	"strings"

	"askbox/client"
	"askbox/client/relays/toolinput"
	"askbox/client/text"
)

// The words beside the server's own diff. It cuts the indentation away that all of
// its lines have in common.
const (
	cutDiff = "opencode's own diff, which may lack indentation: what is written stands above"
	onlyCut = "opencode's own diff, which may lack indentation"
)

// withDiff puts the diff that the server made beside the change that the tool
// call's own input tells of. Where both take out and put in the same lines, byte for
// byte, the server's stands alone, because it says where in the file they are;
// where they differ by what the server cuts away, the tool call's does.
func withDiff(parts []client.Part, path, diff string) []client.Part {
	if diff == "" {
		return parts
	}
	given := alone(path, diff)
	own := func(p client.Part) bool { return p.Kind == client.PartDiff }
	first := slices.IndexFunc(parts, own)
	if first < 0 {
		given.Note = note(given.Note, onlyCut)
		return slices.Insert(parts, leading(parts), given)
	}
	last := first
	var lines []string
	for i, p := range parts {
		if own(p) {
			last = i
			lines = append(lines, toolinput.Changed(p.Text.Raw())...)
		}
	}
	shown := toolinput.Changed(diff)
	switch {
	case first == last && len(lines) > 0 && slices.Equal(lines, shown) && endsAlike(parts[first].Text.Raw(), diff):
		if named := parts[first].Path; !named.Empty() {
			given = alone(named.Raw(), diff)
		}
		given.Note = note(parts[first].Note, given.Note)
		parts[first] = given
	case slices.EqualFunc(lines, shown, indented):
	default:
		given.Note = note(given.Note, cutDiff)
		parts = slices.Insert(parts, last+1, given)
	}
	return parts
}

// alone is the part that shows a diff of one file. What stands above the changed lines is
// left out where it names that file and nothing else.
func alone(path, diff string) client.Part {
	part := toolinput.Given(path, diff)
	head, hunks, ok := strings.Cut("\n"+diff, "\n@@ ")
	for line := range strings.Lines(strings.TrimPrefix(head, "\n")) {
		line = strings.TrimSuffix(line, "\n")
		named := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(line, "Index: "), "--- "), "+++ ")
		ok = ok && (named != line && named == path || line != "" && strings.Trim(line, "=") == "")
	}
	if ok {
		part.Text = text.New("@@ " + hunks)
	}
	return part
}

func note(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), ", ")
}

// leading counts the parts that say what runs.
func leading(parts []client.Part) int {
	at := 0
	for at < len(parts) && parts[at].Kind != client.PartField && parts[at].Kind != client.PartSays {
		at++
	}
	return at
}

// indented reports whether a changed line is one of the server's diff but for
// blanks at its beginning.
func indented(line, cut string) bool {
	if line == "" || cut == "" || line[0] != cut[0] {
		return false
	}
	rest, ok := strings.CutSuffix(line[1:], cut[1:])
	return ok && strings.TrimSpace(rest) == ""
}

// endsAlike reports whether two diffs say the same of how a file ends, where the
// first is that of a whole file.
func endsAlike(own, diff string) bool {
	const noEnd = "\n\\ No newline at end of file"
	return !strings.HasPrefix(own, "@@ -0,0 ") || strings.Contains(own, noEnd) == strings.Contains(diff, noEnd)
}
