package cli

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"askbox/client/text"
)

// documents are the values that commands write with --json, whole.
var documents = []struct {
	name  string
	value any
}{
	{"askbox list --json", listJSON{}},
	{"askbox show --json", showJSON{}},
	{"askbox answer --json, askbox dismiss --json", outcomeJSON{}},
	{"askbox watch --json, one a line", eventJSON{}},
	{"askbox history --json", historyJSON{}},
	{"askbox relays --json", relaysJSON{}},
	{"askbox relays rules --json", rulesJSON{}},
}

// jsonPage describes what the commands write, from the types that are written.
func jsonPage() string {
	p := jsonPrinter{told: map[reflect.Type]bool{}}
	p.WriteString(`What the commands write with --json. "version" is 1, and changes when something is renamed,
removed or gets another meaning; fields may be added without that. Fields with a ? are left
out where there is nothing to say. Times are RFC 3339 in UTC. Strings of a relay stand as it
sent them, apart from what cannot be printed, which is escaped. Where values are listed, no
others are used; where a field is called a sentence, it is for people and may change.
`)
	for _, d := range documents {
		p.document(d.name, reflect.TypeOf(d.value))
	}
	for len(p.next) > 0 {
		t := p.next[0]
		p.next = p.next[1:]
		p.document(shapeName(t), t)
	}
	return p.String()
}

// jsonPrinter writes one shape after the other, each once.
type jsonPrinter struct {
	strings.Builder
	told map[reflect.Type]bool
	next []reflect.Type
}

func (p *jsonPrinter) document(name string, shape reflect.Type) {
	fmt.Fprintf(p, "\n%s\n", name)
	for _, field := range jsonFields(shape) {
		line := "  " + text.Pad(field.name, 16) + "  " + text.Pad(p.typeName(field.of), 17) + "  " + field.help
		p.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// typeName says what a field holds, and keeps shapes to be told later.
func (p *jsonPrinter) typeName(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t.Kind() == reflect.Pointer:
		return p.typeName(t.Elem())
	case t.Kind() == reflect.Slice:
		return "list of " + p.typeName(t.Elem())
	case t.Kind() == reflect.Map:
		return "object of " + p.typeName(t.Elem())
	case t.Kind() == reflect.Struct:
		if !p.told[t] {
			p.told[t] = true
			p.next = append(p.next, t)
		}
		return shapeName(t)
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.String:
		return "string"
	}
	return "number"
}

func shapeName(t reflect.Type) string { return strings.TrimSuffix(t.Name(), "JSON") }

// jsonField is one field as it is written.
type jsonField struct {
	name string
	of   reflect.Type
	help string
}

// jsonFields returns the fields of a shape. One whose fields stand among the others has no name.
func jsonFields(shape reflect.Type) []jsonField {
	var fields []jsonField
	for i := range shape.NumField() {
		f := shape.Field(i)
		if f.Anonymous {
			fields = append(fields, jsonField{"…", f.Type, "every field of it stands here"})
			continue
		}
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if option == "omitempty" {
			name += "?"
		}
		fields = append(fields, jsonField{name, f.Type, f.Tag.Get("help")})
	}
	return fields
}
