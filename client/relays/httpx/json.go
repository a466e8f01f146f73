package httpx

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/text"
)

// MaxDepth is how deep an item may be nested. Nothing that a person could read
// and decide on is deeper.
const MaxDepth = 100

// ErrDepth means that an item is nested deeper than MaxDepth.
var ErrDepth = errors.New("nested too deep")

// Member is one key of an object with its value, as it was sent.
type Member struct {
	Name  string
	Value jsontext.Value
}

// Object is a JSON object that was taken apart one level deep.
type Object struct {
	Members []Member // in the order in which they were sent, doubled ones too
}

// Get returns the value of a key, or nil where it is missing, null, or there
// twice: of two values none can be believed.
func (o Object) Get(name string) jsontext.Value {
	var found jsontext.Value
	for _, m := range o.Members {
		if m.Name != name {
			continue
		}
		if found != nil {
			return nil
		}
		found = m.Value
	}
	if found.Kind() == 'n' {
		return nil
	}
	return found
}

func (o Object) has(name string) bool {
	return slices.ContainsFunc(o.Members, func(m Member) bool { return m.Name == name })
}

// Doubled returns a key that stands twice in the object, and whether there is one.
func (o Object) Doubled() (string, bool) {
	if len(o.Members) <= fewMembers {
		for i, m := range o.Members {
			if (Object{o.Members[:i]}).has(m.Name) {
				return m.Name, true
			}
		}
		return "", false
	}
	seen := make(map[string]bool, len(o.Members))
	for _, m := range o.Members {
		if seen[m.Name] {
			return m.Name, true
		}
		seen[m.Name] = true
	}
	return "", false
}

// fewMembers is up to how many members of an object are compared with one another.
const fewMembers = 16

// Split takes an object apart. What stands in its values is checked for syntax
// only. The error is a *client.NotRelay that says what was sent instead.
func Split(raw []byte) (Object, error) {
	r := read(raw)
	defer r.done()
	o, err := r.object("", nil)
	return o, r.end(err)
}

// List takes an array apart, as Split does an object.
func List(raw []byte) ([]jsontext.Value, error) {
	r := read(raw)
	defer r.done()
	items, err := r.list()
	return items, r.end(err)
}

// SplitList takes an object apart and, in the same pass, the list under one of its
// keys. isList is false, and the items are nil, where no list stands there, or where
// the key stands there twice.
func SplitList(raw []byte, key string) (o Object, items []jsontext.Value, isList bool, err error) {
	r := read(raw)
	defer r.done()
	o, err = r.object(key, func() (err error) {
		items, err = r.list()
		return err
	})
	if err = r.end(err); err != nil || o.Get(key).Kind() != '[' {
		return o, nil, false, err
	}
	return o, items, true, nil
}

// Decode reads one item strictly into v: exact names, no key twice, valid
// Unicode, nothing behind it, at most MaxDepth deep. Unknown keys are ignored.
// [Reason] says in words what its error means.
func Decode(raw []byte, v any) error {
	if Deeper(raw, MaxDepth) {
		return ErrDepth
	}
	return json.Unmarshal(raw, v)
}

// Deeper reports whether JSON is nested more than limit levels deep.
func Deeper(raw []byte, limit int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch b := raw[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			if depth++; depth > limit {
				return true
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return false
}

// Reason says why [Decode] could not read an item, in the program's words, safe
// to print.
func Reason(raw []byte, err error) string {
	var syntax *jsontext.SyntacticError
	var meaning *json.SemanticError
	switch {
	case errors.Is(err, ErrDepth):
		return fmt.Sprintf("it is nested more than %d levels deep", MaxDepth)
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
		return fmt.Sprintf("the key %q stands in it twice", text.New(syntax.JSONPointer.LastToken()).Fit(60))
	case errors.As(err, &syntax) && jsontext.Value(raw).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)):
		return "it holds text that is not valid Unicode"
	case errors.As(err, &meaning) && meaning.JSONPointer != "":
		return "it has an unexpected value at " + text.New(string(meaning.JSONPointer)).Fit(80)
	}
	return "it has an unexpected form"
}

// String returns the string that a JSON value is, and whether it is one.
// Invalid Unicode in it becomes U+FFFD: use it where that decides nothing.
func String(raw jsontext.Value) (string, bool) {
	if raw.Kind() != '"' {
		return "", false
	}
	if inner := raw[1 : len(raw)-1]; len(inner) == 0 || bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	s, err := jsontext.AppendUnquote(nil, []byte(raw))
	if err != nil && len(s) == 0 {
		return "", false
	}
	return string(s), true
}
