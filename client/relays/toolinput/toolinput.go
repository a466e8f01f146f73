// Package toolinput turns what a tool would get into the parts that a person
// reads before they allow it.
//
// It goes by the shape of the input first, because a tool's name is untrusted
// and may lie. The name only decides between two readings of the same shape,
// and never hides a key: whatever is not recognised is shown under its own key,
// as it is. So every value that was sent stands in exactly one part.
package toolinput

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// Parts returns the parts of a tool's input, which is JSON as the relay sent it:
// what runs or changes first, then every other key in the agent's order, and
// what the agent says about it last. Missing, null or empty input has no parts,
// and then there is nothing that could be approved: see [Shows].
func Parts(tool string, input []byte) []client.Part {
	raw := jsontext.Value(input)
	switch raw.Kind() {
	case 'n', 0:
		return nil
	case '{':
	default:
		return whole(tool, raw)
	}
	object, err := httpx.Split(raw)
	if err != nil {
		return []client.Part{{Kind: client.PartField, Text: text.New(string(input)), Note: "it could not be read"}}
	}
	if name, doubled := object.Doubled(); doubled {
		// Two readers could see two different commands, so none is picked.
		return []client.Part{{Kind: client.PartField, Key: text.New(name), Text: text.New(string(input)), Note: "a key stands in it twice"}}
	}
	return Members(tool, object.Members)
}

// Members is Parts for an input that was taken apart and has no key twice.
func Members(tool string, members []httpx.Member) []client.Part {
	s := &sorter{tool: nameOf(tool), left: slices.Clone(members)}
	s.edits()
	s.runs()
	s.plan()
	s.rest()
	return append(append(s.first, s.fields...), s.says...)
}

// whole shows an input that is not an object.
func whole(tool string, raw jsontext.Value) []client.Part {
	if s, ok := httpx.String(raw); ok {
		if s == "" {
			return nil
		}
		if shells[nameOf(tool)] {
			return []client.Part{{Kind: client.PartCommand, Text: text.New(s)}}
		}
	}
	if args, ok := arguments(raw); ok && shells[nameOf(tool)] {
		return []client.Part{{Kind: client.PartArgs, Args: args}}
	}
	return []client.Part{field("", raw)}
}

// Fields returns one part for each key of a JSON object, or one for the whole
// of what is not an object: for asks whose kind this version does not know.
func Fields(raw []byte) []client.Part {
	object, err := httpx.Split(raw)
	if err != nil {
		return []client.Part{field("", raw)}
	}
	parts := make([]client.Part, 0, len(object.Members))
	for _, m := range object.Members {
		parts = append(parts, field(m.Name, m.Value))
	}
	return parts
}

// Shows reports whether the parts show what would be done, so that allowing it
// can be offered at all. What an agent says about it is not what would be done,
// and a shell without a command has nothing to run that anybody could read.
func Shows(tool string, parts []client.Part) bool {
	shell := shells[nameOf(tool)]
	for _, p := range parts {
		switch p.Kind {
		case client.PartSays:
		case client.PartArgs:
			if len(p.Args) > 0 {
				return true
			}
		case client.PartField:
			// A null says nothing, unlike a text that reads null.
			if !shell && !p.Text.Empty() && (p.Text.Raw() != "null" || p.Note != "") {
				return true
			}
		case client.PartDiff:
			if !p.Text.Empty() || !p.Path.Empty() {
				return true
			}
		default:
			if strings.TrimSpace(p.Text.Raw()) != "" {
				return true
			}
		}
	}
	return false
}

// nameOf makes tool names comparable: ExitPlanMode, exit_plan_mode, exit-plan-mode.
func nameOf(tool string) string { return separators.Replace(strings.ToLower(tool)) }

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// names makes a set.
func names(list ...string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, name := range list {
		set[name] = true
	}
	return set
}

// The names of tools that decide between two readings, as nameOf writes them.
var (
	shells  = names("bash", "sh", "zsh", "shell", "localshell", "powershell", "exec", "execcommand", "runcommand", "runshellcommand", "terminal", "runinterminal")
	writers = names("write", "writefile", "writetofile", "create", "createfile", "newfile", "savefile", "strreplaceeditor", "strreplacebasededittool")
	planner = names("exitplanmode", "planexit", "presentplan")
	// describers have a description that says what the call does, and no
	// parameter of that name that does something.
	describers = names("bash", "shell", "localshell", "exec", "task", "agent")
)

// The keys that have a meaning by their shape.
var (
	commandKeys = []string{"command", "fullCommandText", "cmd", "argv", "args", "script"}
	pathKeys    = []string{"file_path", "filePath", "filepath", "path", "target_file", "notebook_path"}
	oldKeys     = []string{"old_string", "oldString", "old_str", "oldText", "old_text"}
	newKeys     = []string{"new_string", "newString", "new_str", "newText", "new_text"}
	contentKeys = []string{"content", "contents", "file_text"}
	diffKeys    = []string{"diff", "patch", "patchText"}
	sayingKeys  = []string{"description", "explanation", "justification", "intention"}
)

// sorter takes the members of an input one by one and puts them into parts.
// What it has taken is not left any more.
type sorter struct {
	tool                string
	left                []httpx.Member
	first, fields, says []client.Part
}

// look returns the value of the first of the keys that is left and fits.
func (s *sorter) look(keys []string, fits func(jsontext.Value) bool) (httpx.Member, bool) {
	for _, key := range keys {
		for _, m := range s.left {
			if m.Name == key && fits(m.Value) {
				return m, true
			}
		}
	}
	return httpx.Member{}, false
}

func (s *sorter) take(names ...string) {
	s.left = slices.DeleteFunc(s.left, func(m httpx.Member) bool { return slices.Contains(names, m.Name) })
}

func isString(v jsontext.Value) bool { return v.Kind() == '"' }
func isList(v jsontext.Value) bool   { return v.Kind() == '[' }

// filled is a string with something in it.
func filled(v jsontext.Value) bool { return isString(v) && len(v) > len(`""`) }

// runs takes what a shell or a program would get.
func (s *sorter) runs() {
	for _, key := range commandKeys {
		m, ok := s.look([]string{key}, func(v jsontext.Value) bool { return isString(v) || isList(v) })
		if !ok {
			continue
		}
		label := text.New(key)
		if key == "command" {
			label = text.Text{}
		}
		if command, ok := httpx.String(m.Value); ok {
			if key == "args" || key == "argv" {
				continue // A text under these keys is a value like any other.
			}
			s.first = append(s.first, client.Part{Kind: client.PartCommand, Key: label, Text: text.New(command)})
			s.take(key)
		} else if args, ok := arguments(m.Value); ok {
			s.first = append(s.first, client.Part{Kind: client.PartArgs, Key: label, Args: args})
			s.take(key)
		}
	}
}

// arguments returns a list of strings, and false for a list of anything else.
func arguments(raw jsontext.Value) ([]text.Text, bool) {
	if !isList(raw) {
		return nil, false
	}
	items, err := httpx.List(raw)
	if err != nil || len(items) == 0 {
		return nil, false
	}
	var args []text.Text
	for _, item := range items {
		s, ok := httpx.String(item)
		if !ok {
			return nil, false
		}
		args = append(args, text.New(s))
	}
	return args, true
}

func (s *sorter) plan() {
	if !planner[s.tool] {
		return
	}
	if m, ok := s.look([]string{"plan"}, isString); ok {
		plan, _ := httpx.String(m.Value)
		s.first = append(s.first, client.Part{Kind: client.PartPlan, Text: text.New(plan)})
		s.take("plan")
	}
}

// unsaid takes a description without words. An empty one says nothing at all, and
// blanks are shown as what they are.
func (s *sorter) unsaid(m httpx.Member, said string) {
	if said != "" {
		s.fields = append(s.fields, field(m.Name, m.Value))
	}
	s.take(m.Name)
}

// rest shows every key that has no meaning known here, in the agent's order.
func (s *sorter) rest() {
	runs := false
	for _, p := range s.first {
		runs = runs || p.Kind == client.PartCommand || p.Kind == client.PartArgs
	}
	if runs || describers[s.tool] {
		for _, key := range sayingKeys {
			if m, ok := s.look([]string{key}, isString); ok {
				said, _ := httpx.String(m.Value)
				if strings.TrimSpace(said) == "" {
					s.unsaid(m, said)
					continue
				}
				s.says = append(s.says, client.Part{Kind: client.PartSays, Key: text.New(key), Text: text.New(said)})
				s.take(key)
			}
		}
	}
	for _, m := range s.left {
		s.fields = append(s.fields, field(m.Name, m.Value))
	}
}
