package relays

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/relays/toolinput"
	"askbox/client/text"
)

// Extra gathers for [client.Ask.Extra] what a relay sent beside what its adapter
// reads, in the order in which it is added.
type Extra []client.Part

// Add takes one value by the path to it.
func (e *Extra) Add(path string, value jsontext.Value) {
	*e = append(*e, client.Part{Kind: client.PartField, Key: text.New(path), Text: text.New(toolinput.JSON(value))})
}

// Rest takes the members that decoding an object left over. Those that internal
// names are the relay's own ids, which nobody has to read: they are left out
// where they are ids, and not something else under their name.
func (e *Extra) Rest(path string, rest jsontext.Value, internal ...string) {
	if len(rest) == 0 {
		return
	}
	if o, err := httpx.Split(rest); err == nil {
		e.Members(path, o.Members, internal...)
	}
}

// RestOf takes what decoding an item of a list left over.
func (e *Extra) RestOf(list string, i int, rest jsontext.Value) {
	if len(rest) > 0 {
		e.Rest(Item(list, i), rest)
	}
}

// RestOfOption takes what decoding an option of a question left over.
func (e *Extra) RestOfOption(questions string, i, option int, rest jsontext.Value) {
	if len(rest) > 0 {
		e.Rest(Item(Item(questions, i)+".options", option), rest)
	}
}

// Members is Rest for members that were taken apart.
func (e *Extra) Members(path string, members []httpx.Member, internal ...string) {
	for _, m := range members {
		if slices.Contains(internal, m.Name) && isID(m.Value) {
			continue
		}
		e.Add(At(path, m.Name), m.Value)
	}
}

// Unread takes members that the adapter knows and has no use for in an item of
// this kind, where they hold anything.
func (e *Extra) Unread(path string, item jsontext.Value, names ...string) {
	o, err := httpx.Split(item)
	if err != nil {
		return
	}
	for _, m := range o.Members {
		if slices.Contains(names, m.Name) && Holds(m.Value) {
			e.Add(At(path, m.Name), m.Value)
		}
	}
}

// Holds reports whether there is anything in a value: it is not missing, null or
// empty.
func Holds(raw jsontext.Value) bool {
	switch raw.Kind() {
	case 0, 'n':
		return false
	case '"', '[', '{':
		return strings.TrimSpace(string(raw[1:len(raw)-1])) != ""
	}
	return true
}

func isID(raw jsontext.Value) bool {
	kind := raw.Kind()
	return kind == '"' || kind == '0' || kind == 'n'
}

// At returns the path of a member: `approval.env`. A name that is no plain word
// is quoted, so that it cannot read like another path.
func At(path, name string) string {
	if name == "" || strings.ContainsFunc(name, unusual) {
		quoted, err := jsontext.AppendQuote(nil, name)
		if err != nil {
			quoted = fmt.Appendf(nil, "%q", name)
		}
		return path + "[" + string(quoted) + "]"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

func unusual(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != '$'
}

// Item returns the path of an item of a list: `questions[0]`.
func Item(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
