package oar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// form is a card whose answer is an object: a JSON Schema as MCP's elicitation
// has it, flat and of simple types.
type form struct {
	// about is what the schema says of itself, in the agent's words.
	about  string
	fields []field
	// why says why it cannot be answered here; empty when it can.
	why string
}

// field is one property of a form.
type field struct {
	ask client.QuestionAsk
	// values are what the options are on the wire, by their ids.
	values map[string]jsontext.Value
	// extra is what stands in its items and choices beside what is read.
	extra relays.Extra
}

// The keys of a schema that are read, or that decide nothing about an answer.
var (
	formKeys  = []string{"type", "properties", "required", "title", "description", "$schema", "additionalProperties"}
	fieldKeys = []string{"type", "title", "description", "default", "enum", "enumNames", "oneOf", "anyOf", "items"}
	// structural keys change what a value has to be in ways that are not known here.
	structural = []string{"$ref", "allOf", "not", "if", "then", "else", "const", "properties", "patternProperties",
		"prefixItems", "contains", "dependentRequired", "dependentSchemas", "$defs"}
)

// readForm reads a requestSchema, and returns nil where there is none or where it
// asks for nothing.
func readForm(raw jsontext.Value) *form {
	if raw.Kind() == 'n' || raw.Kind() == 0 {
		return nil
	}
	o, err := httpx.Split(raw)
	if err != nil {
		return &form{about: string(raw), why: unknownForm("it is no object")}
	}
	properties, err := httpx.Split(o.Get("properties"))
	switch {
	case err == nil && len(properties.Members) == 0, o.Get("properties") == nil && plainObject(o):
		return nil
	case err != nil:
		return &form{about: string(raw), why: unknownForm("it has no fields that could be read")}
	}
	f := &form{about: strings.TrimSpace(relays.Word(o, "title") + "\n" + relays.Word(o, "description"))}
	for _, m := range o.Members {
		if !slices.Contains(formKeys, m.Name) {
			f.why = unknownForm("it has the part " + quote(m.Name))
			f.about += "\n" + m.Name + ": " + string(m.Value)
		}
	}
	var required []string
	if raw := o.Get("required"); raw != nil && json.Unmarshal(raw, &required) != nil {
		f.why = unknownForm("it does not say which fields are required")
	}
	for _, m := range properties.Members {
		one, why := readField(m.Name, m.Value)
		one.ask.Optional = !slices.Contains(required, m.Name)
		if why != "" {
			f.why = unknownForm("the field " + quote(m.Name) + " " + why)
		}
		f.fields = append(f.fields, one)
	}
	return f
}

// plainObject reports whether a schema without properties wants nothing in particular.
func plainObject(o httpx.Object) bool {
	for _, m := range o.Members {
		if !slices.Contains(formKeys, m.Name) {
			return false
		}
	}
	return true
}

func unknownForm(why string) string {
	return "this version of askbox cannot fill in this form: " + why + ". Open the session (o) and answer it there"
}

// readField reads one property. why says what cannot be filled in here; the
// field is shown all the same.
func readField(name string, raw jsontext.Value) (f field, why string) {
	f.ask = client.QuestionAsk{ID: name, Header: text.New(name), Type: client.FieldText}
	o, err := httpx.Split(raw)
	if err != nil {
		f.ask.Detail = text.New(string(raw))
		return f, "is not described in a way that is known"
	}
	if title := relays.Word(o, "title"); title != "" {
		f.ask.Header = text.New(title)
	}
	f.ask.Text = text.New(relays.Word(o, "description"))
	var more []string
	for _, m := range o.Members {
		if slices.Contains(fieldKeys, m.Name) {
			continue
		}
		more = append(more, m.Name+": "+string(m.Value))
		if slices.Contains(structural, m.Name) {
			why = "has the part " + quote(m.Name)
		}
	}
	if n, err := strconv.Atoi(string(o.Get("maxLength"))); err == nil && n > 0 {
		f.ask.MaxText = n
	}
	if bad := f.shape(o); bad != "" {
		why = bad
		more = append(more, string(raw))
	}
	f.ask.Detail = text.New(strings.Join(more, "\n"))
	f.ask.Default = text.New(defaultOf(o.Get("default"), f))
	return f, why
}

// shape reads the type of a field and what can be chosen in it.
func (f *field) shape(o httpx.Object) (why string) {
	options, names := o.Get("enum"), o.Get("enumNames")
	titled := o.Get("oneOf")
	if titled == nil {
		titled = o.Get("anyOf")
	}
	kind := relays.Word(o, "type")
	if kind == "array" {
		items, err := httpx.Split(o.Get("items"))
		if err != nil {
			return "takes several values of a kind that is not known"
		}
		f.ask.Multi = true
		f.beside("items", items, "type", "enum", "enumNames", "anyOf", "oneOf")
		options, names, titled = items.Get("enum"), items.Get("enumNames"), items.Get("anyOf")
		if titled == nil {
			titled = items.Get("oneOf")
		}
		if options == nil && titled == nil {
			return "takes several values that are not listed"
		}
	}
	switch {
	case options != nil || titled != nil:
		f.ask.Type = client.FieldChoice
		return f.choices(options, names, titled)
	case kind == "string":
	case kind == "number":
		f.ask.Type = client.FieldNumber
	case kind == "integer":
		f.ask.Type = client.FieldInteger
	case kind == "boolean":
		f.ask.Type = client.FieldBool
		f.values = map[string]jsontext.Value{"true": jsontext.Value("true"), "false": jsontext.Value("false")}
		f.ask.Options = []client.Option{{ID: "true", Label: text.New("yes")}, {ID: "false", Label: text.New("no")}}
	default:
		return "has a type that is not known"
	}
	return ""
}

// beside takes what stands in a part of the field beside what is read of it.
func (f *field) beside(path string, o httpx.Object, known ...string) {
	rest := slices.DeleteFunc(slices.Clone(o.Members), func(m httpx.Member) bool { return slices.Contains(known, m.Name) })
	f.extra.Members(relays.At("requestSchema.properties", f.ask.ID)+"."+path, rest)
}

// choices reads what can be chosen: a list of values, with names beside it or
// not, or a list of values that each have a title.
func (f *field) choices(options, names, titled jsontext.Value) (why string) {
	f.values = map[string]jsontext.Value{}
	var labels []string
	_ = json.Unmarshal(names, &labels)
	source := options
	if source == nil {
		source = titled
	}
	items, err := httpx.List(source)
	if err != nil || len(items) == 0 {
		return "has no choices that could be read"
	}
	for i, item := range items {
		value, label := item, ""
		if options == nil {
			o, err := httpx.Split(item)
			if err != nil || o.Get("const") == nil {
				return "has a choice that could not be read"
			}
			value, label = o.Get("const"), relays.Word(o, "title")
			f.beside(relays.Item("choices", i), o, "const", "title")
		} else if len(labels) == len(items) {
			label = labels[i]
		}
		id := plainValue(value)
		if _, twice := f.values[id]; twice {
			return fmt.Sprintf("has two choices that are both called %s", quote(id))
		}
		if label == "" {
			label = id
		}
		f.values[id] = value
		f.ask.Options = append(f.ask.Options, client.Option{ID: id, Label: text.New(label)})
	}
	return ""
}

// plainValue writes a value down for a person: a text as it is, anything else as JSON.
func plainValue(raw jsontext.Value) string {
	var s string
	if raw.Kind() == '"' && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func defaultOf(raw jsontext.Value, f field) string {
	if raw == nil {
		return ""
	}
	items, err := httpx.List(raw)
	if err != nil || !f.ask.Multi {
		return plainValue(raw)
	}
	var all []string
	for _, item := range items {
		all = append(all, plainValue(item))
	}
	return strings.Join(all, ", ")
}

// questions are the fields as questions. The card's own words stand above the first.
func (f *form) questions(prompt string, c cardContext) []client.QuestionAsk {
	lead := strings.TrimSpace(prompt + "\n" + f.about)
	if len(f.fields) == 0 {
		return []client.QuestionAsk{{Header: text.New(c.header), Text: text.New(lead), Detail: text.New(c.rationale)}}
	}
	var all []client.QuestionAsk
	for i, one := range f.fields {
		q := one.ask
		if i == 0 {
			q.Text = text.New(strings.TrimSpace(lead + "\n\n" + q.Text.Raw()))
			q.Detail = text.New(strings.TrimSpace(c.rationale + "\n" + q.Detail.Raw()))
		}
		all = append(all, q)
	}
	return all
}

// answer writes the object that the form wants. What was left blank is left out.
func (f *form) answer(given []client.QuestionAnswer) (map[string]jsontext.Value, error) {
	out := map[string]jsontext.Value{}
	for i, a := range given {
		if i >= len(f.fields) || a.Empty() {
			continue
		}
		value, err := f.fields[i].value(a)
		if err != nil {
			return nil, err
		}
		out[a.ID] = value
	}
	return out, nil
}

func (f *field) value(a client.QuestionAnswer) (jsontext.Value, error) {
	if a.HasText {
		if f.ask.Type == client.FieldNumber || f.ask.Type == client.FieldInteger {
			return jsontext.Value(a.Text), nil
		}
		raw, err := json.Marshal(a.Text)
		return raw, err
	}
	var chosen []jsontext.Value
	for _, o := range f.ask.Options {
		if slices.Contains(a.Choices, o.ID) {
			chosen = append(chosen, f.values[o.ID])
		}
	}
	switch {
	case f.ask.Multi:
		return json.Marshal(chosen)
	case len(chosen) == 1:
		return chosen[0], nil
	}
	return nil, &client.InvalidAnswer{Field: text.New(a.ID).Fit(80), Reason: "names an option that is not offered"}
}
