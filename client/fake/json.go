package fake

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Marshal encodes what a relay itself made, hostile parts of it as they are. That
// cannot fail unless a test gave it something that is not JSON, which has to be
// noticed: it panics.
func Marshal(v any) jsontext.Value {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		panic(fmt.Sprintf("the fake relay cannot encode %T: %v", v, err))
	}
	return b
}

// MustBeJSON returns one JSON value as it was given, doubled keys and broken
// Unicode included. It panics where it is not JSON.
func MustBeJSON(raw string) jsontext.Value {
	value := jsontext.Value(raw)
	if !value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		panic("the fake relay was given something that is not JSON: " + raw)
	}
	return value
}

// SendJSON sends a reply. Its Content-Type is application/json, unless the
// handler set another one before.
func SendJSON(w http.ResponseWriter, status int, body any) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	_, _ = w.Write(Marshal(body))
}
