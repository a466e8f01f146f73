package oar

import (
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// schema is what of JSON Schema forms are made of.
type schema struct {
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
}

type property struct {
	Type      string   `json:"type"`
	Enum      []string `json:"enum"`
	Minimum   *float64 `json:"minimum"`
	Maximum   *float64 `json:"maximum"`
	MinLength *float64 `json:"minLength"`
	MaxLength *float64 `json:"maxLength"`
	MinItems  *float64 `json:"minItems"`
	MaxItems  *float64 `json:"maxItems"`
	Items     struct {
		Enum []string `json:"enum"`
	} `json:"items"`
}

// fieldFault says what is wrong with one field of a form.
type fieldFault struct {
	Name    string `json:"name"`
	Message string `json:"message"`
}

// readSchema returns the form of a card; nil where it has none.
func readSchema(raw jsontext.Value) *schema {
	var s schema
	if raw == nil || json.Unmarshal(raw, &s) != nil || len(s.Properties) == 0 {
		return nil
	}
	return &s
}

// check validates a form that was filled in and names each field at fault.
func (s *schema) check(raw jsontext.Value) (faults []fieldFault) {
	var given map[string]any
	if err := json.Unmarshal(raw, &given); err != nil {
		return []fieldFault{{"", "The form is not an object"}}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		value, ok := given[name]
		message := ""
		switch {
		case ok:
			message = s.Properties[name].check(value)
		case slices.Contains(s.Required, name):
			message = "This field is required"
		}
		if message != "" {
			faults = append(faults, fieldFault{name, message})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := s.Properties[name]; !ok {
			faults = append(faults, fieldFault{name, "There is no such field"})
		}
	}
	return faults
}

// check returns what is wrong with a value; empty when nothing is.
func (p property) check(value any) string {
	of := "" // the type of the value, where it is the one of the property
	size, least, most := 0.0, p.Minimum, p.Maximum
	fits := true
	switch v := value.(type) {
	case bool:
		of = "boolean"
	case float64:
		of, size = "number", v
		if p.Type == "integer" && v == math.Trunc(v) {
			of = "integer"
		}
	case string:
		of, size, least, most = "string", float64(utf8.RuneCountInString(v)), p.MinLength, p.MaxLength
		fits = v != "" && (p.Enum == nil || slices.Contains(p.Enum, v))
	case []any:
		of, size, least, most = "array", float64(len(v)), p.MinItems, p.MaxItems
		fits = len(v) > 0
		for i, item := range v {
			label, ok := item.(string)
			fits = fits && ok && slices.Contains(p.Items.Enum, label) && !slices.Contains(v[:i], item)
		}
	}
	switch {
	case of != p.Type:
		return "Must be of the type " + p.Type
	case !fits:
		return "Must be one of the options, each once; a blank field has to be left out"
	case least != nil && size < *least:
		return "Is too small or too short"
	case most != nil && size > *most:
		return "Is too large or too long"
	}
	return ""
}
