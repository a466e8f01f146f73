package opencode

import (
	"slices"
	"strings"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/relays/toolinput"
	"askbox/client/text"
)

// approval makes what a permission shows: what the request tells of it, and what
// else the tool gets by its call, so that nothing is allowed unseen.
func approval(b basis) *client.ApprovalAsk {
	q, call := b.request, b.call
	a := &client.ApprovalAsk{Tool: text.New(q.name)}
	var input jsontext.Value
	tool := q.name
	if call != nil {
		input = call.input
		if call.tool != "" {
			tool = call.tool
		}
	}
	members, path, diff := merge(q, input)
	parts := withDiff(toolinput.Parts(tool, members), path, diff)
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
		a.AlwaysScope = scope(b)
	}
	return a
}

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
	at := leading(parts)
	return slices.Concat(parts[:at], more, parts[at:])
}

// merge puts the metadata of the request behind the input of the tool call, which is
// what the tool gets, and leaves out what stands in the input already. A key that
// both have with different values is shown twice, because neither may hide the
// other. The server's own diff is returned by itself, with the file that it is of.
func merge(q *request, input jsontext.Value) (members jsontext.Value, path, diff string) {
	given, err := httpx.Split(input)
	if err != nil && len(input) > 0 && input.Kind() != 'n' {
		given.Members = []httpx.Member{{Name: "input", Value: input}}
	}
	known, err := httpx.Split(q.metadata)
	if err != nil && len(q.metadata) > 0 && q.metadata.Kind() != 'n' {
		known.Members = []httpx.Member{{Name: "metadata", Value: q.metadata}}
	}
	diff, _ = httpx.String(known.Get("diff"))
	path, _ = httpx.String(known.Get("filepath"))
	asked, _ := json.Marshal(q.patterns)
	all := slices.Clone(given.Members)
	for _, m := range known.Members {
		switch {
		case m.Name == "diff" && diff != "", stands(given.Members, m):
			continue
		case m.Name == "filepath" && diff != "" && len(given.Members) == 0:
			continue // it stands over the diff
		case m.Name == "patterns" && equal(m.Value, asked):
			continue // the patterns of the request stand in a part of their own
		}
		for slices.ContainsFunc(all, func(k httpx.Member) bool { return k.Name == m.Name }) {
			m.Name = "metadata." + m.Name
		}
		all = append(all, m)
	}
	return object(all), path, diff
}

// stands reports whether a value stands among members under the same key, which
// the two sides spell differently (filepath, filePath).
func stands(members []httpx.Member, m httpx.Member) bool {
	return slices.ContainsFunc(members, func(k httpx.Member) bool {
		return plainKey(k.Name) == plainKey(m.Name) && equal(k.Value, m.Value)
	})
}

func plainKey(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

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
