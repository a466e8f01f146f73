package opencode

import (
	"cmp"
	"path"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/relays/toolinput"
	"askbox/client/text"
)

// approval makes what a permission shows: what the tool gets by its call, and what the
// request tells of it besides, each fact once. What is left out is a copy of something
// that is shown, so that nothing is allowed unseen.
func approval(b basis) *client.ApprovalAsk {
	q := b.request
	a := &client.ApprovalAsk{Tool: text.New(q.name)}
	tool := q.name
	var input jsontext.Value
	if b.call != nil {
		input, tool = b.call.input, cmp.Or(b.call.tool, q.name)
	}
	m := merge(q, input, b.folder)
	parts := withDiff(toolinput.Members(tool, m.all), m.path, m.diff)
	relativePaths(parts, tool, b.folder)
	more := m.patterns(b, parts)
	if tool != q.name && !(q.name == "edit" && changes[tool]) {
		more = append(more, client.Part{Kind: client.PartField, Key: text.New("tool"), Text: text.New(tool)})
	}
	if q.name == outside {
		// It is the folders that are allowed, and not what the tool does there.
		parts = append(more, parts...)
	} else {
		at := leading(parts)
		parts = slices.Concat(parts[:at], more, parts[at:])
	}
	a.Parts, a.Excerpt = parts, excerpt(q, b.call, parts)
	for _, rule := range q.always {
		a.Always = append(a.Always, text.New(rule))
	}
	if len(a.Always) > 0 {
		a.AlwaysScope = scope(b)
	}
	return a
}

// outside is the permission to work beyond the folder of the session.
const outside = "external_directory"

// The server's own tools that change files, which all ask for edit, and those that
// look at files.
var (
	changes = map[string]bool{"edit": true, "write": true, "multiedit": true, "patch": true, "apply_patch": true}
	looks   = map[string]bool{"read": true, "glob": true, "grep": true, "list": true}
)

// scope says for what and how long the patterns of always hold.
func scope(b basis) string {
	kind := "for the permission " + text.New(b.request.name).Quoted(60)
	if b.request.engine == second {
		return kind + ", in every session of this project; it is stored, and holds after a restart too"
	}
	return kind + ", in every session in " + text.New(b.folder).Quoted(200) + " until the " + b.brand.String() + " server restarts"
}

// excerpt says why what is shown may not be all of it; empty where it is.
func excerpt(q *request, call *toolCall, parts []client.Part) string {
	if call.whole() {
		return ""
	}
	if q.engine == second && slices.ContainsFunc(parts, func(p client.Part) bool { return p.Kind == client.PartCommand }) {
		return ""
	}
	return "the tool call could not be read, so the tool may get more than is shown, or text with other indentation"
}

// merged is what a tool gets and what its request says of it.
type merged struct {
	all []httpx.Member // of the input, then of the metadata
	// path and diff are the change as the server tells of it.
	path, diff string
	values     []string // the texts among all, and the paths among them as seen from the folder
}

// merge puts the metadata of the request behind the input of the tool call, which is
// what the tool gets, and leaves out what stands in the input already. A key that
// both have with different values is shown twice, because neither may hide the
// other. The server's own diff is returned by itself, with the file that it is of.
func merge(q *request, input jsontext.Value, folder string) merged {
	given, known := members("input", input), members("metadata", q.metadata)
	m := merged{all: slices.Clone(given.Members)}
	m.diff, _ = httpx.String(known.Get("diff"))
	m.path, _ = httpx.String(known.Get("filepath"))
	asked, _ := json.Marshal(q.patterns)
	for _, k := range known.Members {
		switch {
		case k.Name == "diff" && m.diff != "", stands(given.Members, k),
			k.Name == "filediff" && m.repeats(k.Value),
			k.Name == "filepath" && m.diff != "" && len(given.Members) == 0, // it stands over the diff
			k.Name == "patterns" && equal(k.Value, asked),
			(k.Name == "parentDir" || k.Name == "directories") && q.name == outside && within(q.patterns, k.Value):
			continue
		}
		for slices.ContainsFunc(m.all, func(o httpx.Member) bool { return o.Name == k.Name }) {
			k.Name = "metadata." + k.Name
		}
		m.all = append(m.all, k)
	}
	for _, one := range m.all {
		if s, ok := httpx.String(one.Value); ok {
			m.values = append(m.values, s, relative(folder, s))
		}
	}
	m.values = append(m.values, m.path, relative(folder, m.path))
	return m
}

// members takes an object apart; anything else that is not empty is one member.
func members(name string, raw jsontext.Value) httpx.Object {
	o, err := httpx.Split(raw)
	if err != nil && len(raw) > 0 && raw.Kind() != 'n' {
		o.Members = []httpx.Member{{Name: name, Value: raw}}
	}
	return o
}

// repeats reports whether Kilo's other telling of a change says the same as the diff. Its
// patch, in which no indentation is cut away, then takes the place of the diff.
func (m *merged) repeats(raw jsontext.Value) bool {
	var other struct {
		File      string         `json:"file"`
		Patch     string         `json:"patch"`
		Additions int            `json:"additions"`
		Deletions int            `json:"deletions"`
		Rest      jsontext.Value `json:",embed"`
	}
	if httpx.Decode(raw, &other) != nil || len(other.Rest) > 0 || m.diff == "" || other.File != m.path {
		return false
	}
	if !slices.EqualFunc(toolinput.Changed(other.Patch), toolinput.Changed(m.diff), indented) {
		return false
	}
	m.diff = other.Patch
	return true
}

// within reports whether patterns cover each of some folders, or one.
func within(patterns []string, raw jsontext.Value) bool {
	var all []string
	if one, ok := httpx.String(raw); ok {
		all = []string{one}
	} else if json.Unmarshal(raw, &all) != nil {
		return false
	}
	return !slices.ContainsFunc(all, func(dir string) bool {
		return !slices.Contains(patterns, dir) && !slices.Contains(patterns, strings.TrimSuffix(dir, "/")+"/*")
	})
}

// patterns shows what rules are held against, unless all of it stands there anyway: as a
// value, as a command of the line, or as the sign for any call of a tool whose input
// is shown.
func (m *merged) patterns(b basis, parts []client.Part) []client.Part {
	q := b.request
	told := func(pattern string) bool {
		return slices.Contains(m.values, pattern) || pattern == "*" && b.call.whole() && len(parts) > 0 ||
			slices.ContainsFunc(parts, func(p client.Part) bool {
				return p.Kind == client.PartCommand && pattern != "" && strings.Contains(p.Text.Raw(), pattern)
			})
	}
	switch {
	case q.name != outside && !slices.ContainsFunc(q.patterns, func(pattern string) bool { return !told(pattern) }):
		return nil
	case len(q.patterns) == 1 && strings.EqualFold(q.name, "bash") && len(parts) == 0:
		return []client.Part{{Kind: client.PartCommand, Text: text.New(q.patterns[0])}}
	case len(q.patterns) == 1:
		return []client.Part{{Kind: client.PartField, Key: text.New("patterns"), Text: text.New(q.patterns[0])}}
	}
	raw, err := json.Marshal(map[string][]string{"patterns": q.patterns})
	if err != nil {
		return nil
	}
	return toolinput.Fields(raw)
}

// relative returns a path as seen from a folder that it is below, and any other text as
// it is.
func relative(folder, name string) string {
	rest, below := strings.CutPrefix(name, strings.TrimSuffix(folder, "/")+"/")
	if !below || folder == "" || rest == "" || path.Clean(name) != name {
		return name
	}
	return rest
}

// relativePaths writes the paths of the server's own tools as seen from the folder of
// the session, which stands beside them.
func relativePaths(parts []client.Part, tool, folder string) {
	for i, p := range parts {
		key := p.Key.Raw()
		switch {
		case p.Kind == client.PartDiff:
			parts[i].Path = text.New(relative(folder, p.Path.Raw()))
		case looks[tool] && p.Kind == client.PartField && (key == "filePath" || key == "path" || key == "filepath"):
			parts[i].Text = text.New(relative(folder, p.Text.Raw()))
		}
	}
}

// stands reports whether a value stands among members under the same key, which
// the two sides spell differently (filepath, filePath, path).
func stands(members []httpx.Member, m httpx.Member) bool {
	return slices.ContainsFunc(members, func(k httpx.Member) bool {
		return (plainKey(k.Name) == plainKey(m.Name) || m.Name == "filepath" && k.Name == "path") && equal(k.Value, m.Value)
	})
}

func plainKey(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
