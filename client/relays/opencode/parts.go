package opencode

import (
	"bytes"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/httpx"
	"askbox/client/text"
	"askbox/client/toolinput"
)

// approval makes what a permission shows: what the request tells of it, and what
// else the tool gets by its call, so that nothing is allowed unseen.
func approval(q *request, call *toolCall, folder string) *client.ApprovalAsk {
	a := &client.ApprovalAsk{Tool: text.New(q.name)}
	var input jsontext.Value
	tool := q.name
	if call != nil {
		input = call.input
		if call.tool != "" {
			tool = call.tool
		}
	}
	parts := toolinput.Parts(tool, merge(q, input))
	more := patterns(q, parts)
	if tool != q.name {
		more = append(more, client.Part{Kind: client.PartField, Key: text.New("tool"), Text: text.New(tool)})
	}
	if q.name == "external_directory" {
		// It is the folders that are allowed, and not what the tool does there.
		parts = append(more, parts...)
	} else {
		parts = lead(parts, more)
	}
	a.Parts = parts
	a.Excerpt = excerpt(q, call, parts)
	for _, rule := range q.always {
		a.Always = append(a.Always, text.New(rule))
	}
	if len(a.Always) > 0 {
		a.AlwaysScope = scope(q, folder)
	}
	return a
}

// scope says for what and how long the patterns of always hold.
func scope(q *request, folder string) string {
	kind := "for the permission " + text.New(q.name).Fit(60)
	if q.engine == second {
		return kind + ", in every session of this project; it is stored, and holds after a restart too"
	}
	return kind + ", in every session in " + text.New(folder).String() + " until the opencode server restarts"
}

// excerpt says why what is shown may not be all of it; empty where it is.
func excerpt(q *request, call *toolCall, parts []client.Part) string {
	if call != nil && call.status != "" && call.settled() {
		return ""
	}
	for _, p := range parts {
		if p.Kind == client.PartDiff || q.engine == second && p.Kind == client.PartCommand {
			return ""
		}
	}
	return "the tool call could not be read, so the tool may get more than is shown"
}

// patterns shows what the request names as asked for. It is left out where it is
// the one command that stands there anyway.
func patterns(q *request, parts []client.Part) []client.Part {
	if len(q.patterns) == 0 {
		return nil
	}
	if len(q.patterns) == 1 {
		only := q.patterns[0]
		if slices.ContainsFunc(parts, func(p client.Part) bool { return p.Kind == client.PartCommand && p.Text.Raw() == only }) {
			return nil
		}
		if strings.EqualFold(q.name, "bash") && len(parts) == 0 {
			return []client.Part{{Kind: client.PartCommand, Text: text.New(only)}}
		}
		return []client.Part{{Kind: client.PartField, Key: text.New("patterns"), Text: text.New(only)}}
	}
	raw, err := json.Marshal(map[string][]string{"patterns": q.patterns})
	if err != nil {
		return nil
	}
	return toolinput.Fields(raw)
}

// lead puts parts behind those that run or change something, and before the rest.
func lead(parts, more []client.Part) []client.Part {
	at := 0
	for at < len(parts) && parts[at].Kind != client.PartField && parts[at].Kind != client.PartSays {
		at++
	}
	return slices.Concat(parts[:at], more, parts[at:])
}

// changes are the keys of a tool's input whose effect stands in the diff.
var changes = map[string]bool{"oldstring": true, "newstring": true, "content": true, "patchtext": true}

// merge puts the input of the tool call behind the metadata of the request, and
// leaves out what stands in the metadata already. A key that both have with
// different values is shown twice, because neither may hide the other.
func merge(q *request, input jsontext.Value) jsontext.Value {
	known, err := httpx.Split(q.metadata)
	if err != nil && len(q.metadata) > 0 && q.metadata.Kind() != 'n' {
		known.Members = []httpx.Member{{Name: "metadata", Value: q.metadata}}
	}
	if asked, err := json.Marshal(q.patterns); err == nil {
		// The patterns of the request stand in a part of their own.
		known.Members = slices.DeleteFunc(known.Members, func(m httpx.Member) bool {
			return m.Name == "patterns" && equal(m.Value, asked)
		})
	}
	given, err := httpx.Split(input)
	if err != nil && len(input) > 0 && input.Kind() != 'n' {
		given.Members = []httpx.Member{{Name: "input", Value: input}}
	}
	diff, _ := httpx.String(known.Get("diff"))
	all := slices.Clone(known.Members)
	for _, m := range given.Members {
		if diff != "" && changes[plainKey(m.Name)] || stands(known.Members, m) {
			continue
		}
		for slices.ContainsFunc(all, func(k httpx.Member) bool { return k.Name == m.Name }) {
			m.Name = "input." + m.Name
		}
		all = append(all, m)
	}
	return object(all)
}

// stands reports whether a value stands among members under the same key, which
// the two sides spell differently (filepath, filePath).
func stands(members []httpx.Member, m httpx.Member) bool {
	return slices.ContainsFunc(members, func(k httpx.Member) bool {
		return plainKey(k.Name) == plainKey(m.Name) && equal(k.Value, m.Value)
	})
}

func plainKey(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

func equal(a, b jsontext.Value) bool {
	if bytes.Equal(a, b) {
		return true
	}
	a, b = a.Clone(), b.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}

// object writes members as one object, and nothing where there are none.
func object(members []httpx.Member) jsontext.Value {
	if len(members) == 0 {
		return nil
	}
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := jsontext.AppendQuote(nil, m.Name)
		if err != nil {
			name = []byte(`"?"`)
		}
		out = append(append(append(out, name...), ':'), m.Value...)
	}
	return append(out, '}')
}
