package httpx

import (
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
)

// EachItem calls f with the items of {"list":[…]} as they arrive, for [Request.Read]. An
// item is only good until f returns.
func EachItem(body io.Reader, list string, f func(jsontext.Value)) error {
	d := jsontext.NewDecoder(body, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return &client.NotRelay{What: "JSON of another form"}
	}
	found := false
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		switch {
		case err == nil && name.Kind() == '"' && name.String() == list && d.PeekKind() == '[':
			found = true
			for _, err = d.ReadToken(); err == nil && d.PeekKind() != ']'; {
				var raw jsontext.Value
				if raw, err = d.ReadValue(); err == nil {
					f(raw)
				}
			}
			if err == nil {
				_, err = d.ReadToken()
			}
		case err == nil:
			err = d.SkipValue()
		}
		if err != nil {
			return &client.NotRelay{What: "broken JSON"}
		}
	}
	if !found {
		return &client.NotRelay{What: "JSON without a list of " + list}
	}
	return nil
}
