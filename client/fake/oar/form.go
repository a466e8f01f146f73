package oar

import (
	"fmt"
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
	Items     *items   `json:"items"`
	Minimum   *float64 `json:"minimum"`
	Maximum   *float64 `json:"maximum"`
	MinLength *int     `json:"minLength"`
	MaxLength *int     `json:"maxLength"`
	MinItems  *int     `json:"minItems"`
	MaxItems  *int     `json:"maxItems"`
}

type items struct {
	Enum []string `json:"enum"`
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
func (s *schema) check(raw jsontext.Value) []fieldFault {
	var given map[string]any
	if err := json.Unmarshal(raw, &given); err != nil {
		return []fieldFault{{"", "The form is not an object"}}
	}
	var faults []fieldFault
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
	switch v := value.(type) {
	case bool:
		if p.Type == "boolean" {
			return ""
		}
	case float64:
		return p.checkNumber(v)
	case string:
		return p.checkString(v)
	case []any:
		return p.checkArray(v)
	}
	return "Must be of the type " + p.Type
}

func (p property) checkNumber(v float64) string {
	switch {
	case p.Type != "number" && p.Type != "integer":
		return "Must be of the type " + p.Type
	case p.Type == "integer" && v != math.Trunc(v):
		return "Must be a whole number"
	case p.Minimum != nil && v < *p.Minimum:
		return fmt.Sprintf("Must be at least %v", *p.Minimum)
	case p.Maximum != nil && v > *p.Maximum:
		return fmt.Sprintf("Must be at most %v", *p.Maximum)
	}
	return ""
}

func (p property) checkString(v string) string {
	n := utf8.RuneCountInString(v)
	switch {
	case p.Type != "string":
		return "Must be of the type " + p.Type
	case v == "":
		return "A blank field has to be left out"
	case p.Enum != nil && !slices.Contains(p.Enum, v):
		return "Must be one of the options"
	case p.MinLength != nil && n < *p.MinLength:
		return fmt.Sprintf("Must have at least %d characters", *p.MinLength)
	case p.MaxLength != nil && n > *p.MaxLength:
		return fmt.Sprintf("Must have at most %d characters", *p.MaxLength)
	}
	return ""
}

func (p property) checkArray(v []any) string {
	if p.Type != "array" || p.Items == nil {
		return "Must be of the type " + p.Type
	}
	for i, item := range v {
		label, ok := item.(string)
		if !ok || !slices.Contains(p.Items.Enum, label) || slices.Contains(v[:i], item) {
			return "Must be some of the options, each once"
		}
	}
	switch {
	case len(v) == 0:
		return "A blank field has to be left out"
	case p.MinItems != nil && len(v) < *p.MinItems:
		return fmt.Sprintf("Must have at least %d items", *p.MinItems)
	case p.MaxItems != nil && len(v) > *p.MaxItems:
		return fmt.Sprintf("Must have at most %d items", *p.MaxItems)
	}
	return ""
}
