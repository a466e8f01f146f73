package httpx

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/text"
)

// MaxDepth is how deep an item may be nested. Nothing that a person could read
// and decide on is deeper.
const MaxDepth = 100

// ErrDepth is that an item is nested deeper than MaxDepth.
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

// Doubled returns a key that stands twice in the object, and whether there is one.
func (o Object) Doubled() (string, bool) {
	seen := make(map[string]bool, len(o.Members))
	for _, m := range o.Members {
		if seen[m.Name] {
			return m.Name, true
		}
		seen[m.Name] = true
	}
	return "", false
}

// lenient lets pass what only costs the item that it stands in.
func lenient(raw []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Split takes an object apart. What stands in its values is checked for syntax
// only. The error is a *client.NotRelay that says what was sent instead.
func Split(raw []byte) (Object, error) {
	var o Object
	d := lenient(raw)
	if err := open(d, '{'); err != nil {
		return o, err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return Object{}, broken(err)
		}
		m := Member{Name: name.String()}
		if m.Value, err = next(d, raw); err != nil {
			return Object{}, err
		}
		o.Members = append(o.Members, m)
	}
	return o, end(d)
}

// List takes an array apart, as Split does an object.
func List(raw []byte) ([]jsontext.Value, error) {
	var items []jsontext.Value
	d := lenient(raw)
	if err := open(d, '['); err != nil {
		return nil, err
	}
	for d.PeekKind() != ']' {
		item, err := next(d, raw)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, end(d)
}

func open(d *jsontext.Decoder, kind jsontext.Kind) error {
	token, err := d.ReadToken()
	if err != nil {
		return broken(err)
	}
	if token.Kind() != kind {
		return &client.NotRelay{What: "JSON of another form"}
	}
	return nil
}

// next reads one value and returns it as a part of raw, which stays as it is
// while the decoder goes on.
func next(d *jsontext.Decoder, raw []byte) (jsontext.Value, error) {
	value, err := d.ReadValue()
	if err != nil {
		return nil, broken(err)
	}
	to := d.InputOffset()
	return raw[to-int64(len(value)) : to : to], nil
}

// end makes sure that nothing follows.
func end(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return broken(err)
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return &client.NotRelay{What: "JSON with something behind it"}
	}
	return nil
}

func broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return &client.NotRelay{What: "JSON that breaks off"}
	}
	return &client.NotRelay{What: "broken JSON"}
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
	s, err := jsontext.AppendUnquote(nil, []byte(raw))
	if err != nil && len(s) == 0 {
		return "", false
	}
	return string(s), true
}
