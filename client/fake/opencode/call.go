package opencode

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// call is the tool call that asks.
type call struct {
	id, message, tool string
	input             jsontext.Value
	// permission, patterns, always and metadata are those of a permission.
	permission       string
	patterns, always []string
	metadata         jsontext.Value // nil in the second engine where there is none
	// undefined is the member of the metadata that breaks the listing.
	undefined string

	status     string // running, completed or error
	output     string // or the error
	start, end time.Time
	// ghost says that the turn was aborted: the ask is listed and can be answered,
	// but nobody waits for it.
	ghost bool
	// ran says that the tool did what it was to do.
	ran bool
	// along says that the ask was closed with another one.
	along bool
}

func callOf(a *fake.Ask) *call { return a.Wire.(*call) }

// Ran reports whether the tool of an ask did what it was to do. That of a ghost's
// edit does too, when it is allowed.
func Ran(a fake.Ask) bool { return callOf(&a).ran }

// TurnRuns reports whether the turn of a session still runs.
func (s *Server) TurnRuns(session string) bool {
	n, ok := s.Session(session)
	return ok && workOf(&n).busy
}

// shape makes the tool call of an ask.
func (s *Server) shape(_ *fake.State, n *fake.Session, a *fake.Ask) {
	_, same, _ := strings.Cut(a.ID, "_")
	c := &call{id: "call_" + same, message: "msg_" + same, tool: a.Tool, permission: a.Tool,
		status: "running", start: a.OpenedAt.Add(-60 * time.Millisecond)}
	a.Wire = c
	input := a.Input
	switch {
	case len(a.Questions) > 0:
		c.tool, input = "question", map[string]any{"questions": wireQuestions(a)}
	case a.Command != "":
		c.bash(n.Engine, a)
		input = bash{a.Command, a.Says}
	case a.Edit != nil:
		full := n.Folder + "/" + a.Edit.Path
		c.edit(n.Engine, full, a.Edit)
		input = map[string]string{"filePath": full, "oldString": a.Edit.Before, "newString": a.Edit.After}
	default:
		c.patterns, c.always, c.metadata = []string{a.Rule}, []string{a.Rule}, fake.Marshal(a.Input)
		c.undefined = missing(n.Engine, c.permission, c.metadata)
	}
	c.input = fake.Marshal(input)
	if c.metadata == nil && n.Engine == 1 {
		c.metadata = []byte("{}")
	}
}

type bash struct {
	Command     string `json:"command"`
	Description string `json:"description,omitzero"`
}

// bash is a shell command. Its patterns are the commands of the line in the first
// engine and the line as it is in the second; "always" would allow the first word
// of each with anything behind it, or exactly the line.
func (c *call) bash(engine int, a *fake.Ask) {
	c.tool, c.permission, c.patterns, c.always = "bash", "bash", []string{a.Command}, []string{a.Command}
	if engine == 2 {
		return
	}
	c.metadata, c.patterns, c.always = fake.Marshal(bash{Command: a.Command}), nil, nil
	for _, one := range strings.FieldsFunc(strings.ReplaceAll(a.Command, "&&", ";"), func(r rune) bool { return strings.ContainsRune(";|\n", r) }) {
		if words := strings.Fields(one); len(words) > 0 {
			c.patterns = append(c.patterns, strings.Join(words, " "))
			c.always = append(c.always, words[0]+" *")
		}
	}
}

// edit is the change of a file: the first engine sends the change as a diff, the
// second one only the name.
func (c *call) edit(engine int, full string, e *fake.Edit) {
	c.tool, c.permission, c.patterns, c.always = "edit", "edit", []string{e.Path}, []string{"*"}
	if engine == 1 {
		c.metadata = fake.Marshal(map[string]string{"filepath": full, "diff": diff(full, e.Before, e.After)})
	}
}

// diff is the change of a whole file as the server shows it: a unified diff with
// a head of its own. Every line of before goes and every line of after comes. The
// indentation that all of them have in common is cut away.
func diff(file, before, after string) string {
	var out strings.Builder
	old, fresh := lines(before), lines(after)
	fmt.Fprintf(&out, "Index: %s\n%s\n--- %s\n+++ %s\n@@ -%s +%s @@\n", file, strings.Repeat("=", 67), file, file, span(old), span(fresh))
	cut := indentation(append(slices.Clone(old), fresh...))
	for _, line := range old {
		out.WriteString("-" + line[min(cut, len(line)):] + "\n")
	}
	for _, line := range fresh {
		out.WriteString("+" + line[min(cut, len(line)):] + "\n")
	}
	return out.String()
}

// indentation counts the blanks with which every line begins that has more in it.
func indentation(lines []string) int {
	least := -1
	for _, line := range lines {
		if rest := strings.TrimLeft(line, " \t"); rest != "" && (least < 0 || len(line)-len(rest) < least) {
			least = len(line) - len(rest)
		}
	}
	return max(least, 0)
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func span(of []string) string {
	if len(of) == 0 {
		return "0,0"
	}
	return fmt.Sprintf("1,%d", len(of))
}

// missing is the member whose lack breaks the listing of the first engine.
func missing(engine int, permission string, metadata jsontext.Value) string {
	member := map[string]string{"webfetch": "timeout", "glob": "path", "grep": "path"}[permission]
	var members map[string]jsontext.Value
	_ = json.Unmarshal(metadata, &members)
	if engine == 2 || members[member] != nil {
		return ""
	}
	return member
}
