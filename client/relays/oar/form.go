package oar

import (
	"cmp"
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

// wireForm is a requestSchema: a JSON Schema as MCP's elicitation has it, flat and of
// simple types. Keys that decide nothing about an answer are named and not read.
type wireForm struct {
	Type        jsontext.Value `json:"type"`
	Schema      jsontext.Value `json:"$schema"`
	Additional  jsontext.Value `json:"additionalProperties"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	Properties  jsontext.Value `json:"properties"`
	Required    []string       `json:"required"`
	Rest        jsontext.Value `json:",embed"`
}

// wireField is one property of a form.
type wireField struct {
	wireOptions
	Title       string         `json:"title"`
	Description string         `json:"description"`
	Default     jsontext.Value `json:"default"`
	Items       *wireOptions   `json:"items"`
}

// wireOptions is what a value may be.
type wireOptions struct {
	Type  string           `json:"type"`
	Enum  []jsontext.Value `json:"enum"`
	Names []string         `json:"enumNames"`
	OneOf []wireOption     `json:"oneOf"`
	AnyOf []wireOption     `json:"anyOf"`
	Rest  jsontext.Value   `json:",embed"`
}

type wireOption struct {
	Const jsontext.Value `json:"const"`
	Title string         `json:"title"`
	Rest  jsontext.Value `json:",embed"`
}

// form is a card whose answer is an object.
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

// structural keys change what a value has to be in ways that are not known here.
var structural = []string{"$ref", "allOf", "not", "if", "then", "else", "const", "properties", "patternProperties",
	"prefixItems", "contains", "dependentRequired", "dependentSchemas", "$defs"}

// readForm reads a requestSchema, and returns nil where there is none or where it
// asks for nothing.
func readForm(raw jsontext.Value) *form {
	if raw.Kind() == 'n' || raw.Kind() == 0 {
		return nil
	}
	var w wireForm
	if err := httpx.Decode(raw, &w); err != nil {
		return &form{about: string(raw), why: unknownForm(httpx.Reason(raw, err))}
	}
	properties, err := httpx.Split(w.Properties)
	rest, _ := httpx.Split(w.Rest)
	switch {
	case err == nil && len(properties.Members) == 0, !relays.Holds(w.Properties) && len(rest.Members) == 0:
		return nil
	case err != nil:
		return &form{about: string(raw), why: unknownForm("it has no fields that could be read")}
	}
	f := &form{about: strings.TrimSpace(w.Title + "\n" + w.Description)}
	for _, m := range rest.Members {
		f.why = unknownForm("it has the part " + quote(m.Name))
		f.about += "\n" + m.Name + ": " + string(m.Value)
	}
	for _, m := range properties.Members {
		one, why := readField(m.Name, m.Value)
		one.ask.Optional = !slices.Contains(w.Required, m.Name)
		if why != "" {
			f.why = unknownForm("the field " + quote(m.Name) + " " + why)
		}
		f.fields = append(f.fields, one)
	}
	return f
}

func unknownForm(why string) string {
	return "this version of askbox cannot fill in this form: " + why + ". Open the session (o) and answer it there"
}

// readField reads one property. why says what cannot be filled in here; the
// field is shown all the same.
func readField(name string, raw jsontext.Value) (f field, why string) {
	f.ask = client.QuestionAsk{ID: name, Header: text.New(name), Type: client.FieldText}
	var w wireField
	if httpx.Decode(raw, &w) != nil {
		f.ask.Detail = text.New(string(raw))
		return f, "is not described in a way that is known"
	}
	f.ask.Header, f.ask.Text = text.New(cmp.Or(w.Title, name)), text.New(w.Description)
	var more []string
	rest, _ := httpx.Split(w.Rest)
	for _, m := range rest.Members {
		more = append(more, m.Name+": "+string(m.Value))
		if slices.Contains(structural, m.Name) {
			why = "has the part " + quote(m.Name)
		}
	}
	if n, err := strconv.Atoi(string(rest.Get("maxLength"))); err == nil && n > 0 {
		f.ask.MaxText = n
	}
	if bad := f.shape(&w); bad != "" {
		why = bad
		more = append(more, string(raw))
	}
	f.ask.Detail, f.ask.Default = text.New(strings.Join(more, "\n")), text.New(f.defaultOf(w.Default))
	return f, why
}

// shape reads the type of a field and what can be chosen in it.
func (f *field) shape(w *wireField) (why string) {
	options := &w.wireOptions
	if w.Type == "array" {
		if options = w.Items; options == nil || options.Enum == nil && options.OneOf == nil && options.AnyOf == nil {
			return "takes several values that are not listed"
		}
		f.ask.Multi = true
		f.extra.Rest(relays.At("requestSchema.properties", f.ask.ID)+".items", options.Rest)
	}
	switch {
	case options.Enum != nil || options.OneOf != nil || options.AnyOf != nil:
		f.ask.Type = client.FieldChoice
		return f.choices(options)
	case w.Type == "string":
	case w.Type == "number":
		f.ask.Type = client.FieldNumber
	case w.Type == "integer":
		f.ask.Type = client.FieldInteger
	case w.Type == "boolean":
		f.ask.Type = client.FieldBool
		f.values = map[string]jsontext.Value{"true": jsontext.Value("true"), "false": jsontext.Value("false")}
		f.ask.Options = []client.Option{{ID: "true", Label: text.New("yes")}, {ID: "false", Label: text.New("no")}}
	default:
		return "has a type that is not known"
	}
	return ""
}

// choices reads what can be chosen: a list of values, with names beside it or
// not, or a list of values that each have a title.
func (f *field) choices(w *wireOptions) (why string) {
	all := append(w.OneOf, w.AnyOf...)
	if w.Enum != nil {
		all = nil
		for i, value := range w.Enum {
			one := wireOption{Const: value}
			if len(w.Names) == len(w.Enum) {
				one.Title = w.Names[i]
			}
			all = append(all, one)
		}
	}
	f.values = map[string]jsontext.Value{}
	for i, o := range all {
		id := plainValue(o.Const)
		switch _, twice := f.values[id]; {
		case twice:
			return "has two choices that are both called " + quote(id)
		case o.Const == nil:
			return "has a choice that could not be read"
		}
		f.extra.RestOf(relays.At("requestSchema.properties", f.ask.ID)+".choices", i, o.Rest)
		f.values[id] = o.Const
		f.ask.Options = append(f.ask.Options, client.Option{ID: id, Label: text.New(cmp.Or(o.Title, id))})
	}
	if len(all) == 0 {
		return "has no choices that could be read"
	}
	return ""
}

// plainValue writes a value down for a person: a text as it is, anything else as JSON.
func plainValue(raw jsontext.Value) string {
	if s, ok := httpx.String(raw); ok {
		return s
	}
	return string(raw)
}

// plainValues writes down the values of a list, or the one that is none.
func plainValues(raw jsontext.Value) (all []string) {
	items, err := httpx.List(raw)
	if err != nil {
		items = []jsontext.Value{raw}
	}
	for _, item := range items {
		all = append(all, plainValue(item))
	}
	return all
}

func (f *field) defaultOf(raw jsontext.Value) string {
	switch {
	case raw.Kind() == 'n' || raw.Kind() == 0:
		return ""
	case f.ask.Multi:
		return strings.Join(plainValues(raw), ", ")
	}
	return plainValue(raw)
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
		return json.Marshal(a.Text)
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

// given reads a filled in form back, with a line for each field.
func (f *form) given(raw jsontext.Value) (*client.Answer, []text.Text) {
	o, err := httpx.Split(raw)
	if err != nil {
		return nil, nil
	}
	a := &client.Answer{}
	var lines []text.Text
	for _, one := range f.fields {
		given := client.QuestionAnswer{ID: one.ask.ID}
		if raw := o.Get(one.ask.ID); raw != nil {
			lines = append(lines, text.New(one.ask.Header.Raw()+": "+plainValue(raw)))
			values := plainValues(raw)
			if given.HasText = len(one.ask.Options) == 0 && len(values) > 0; given.HasText {
				given.Text = values[len(values)-1]
			} else {
				given.Choices = values
			}
		}
		a.Questions = append(a.Questions, given)
	}
	return a, lines
}
