package httpx

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
)

func TestPagesThatAreNone(t *testing.T) {
	for name, body := range map[string]string{
		"trailing":  `{"items":[{"id":"1"}]}<html>`,
		"two":       `{"items":[]} {"items":[]}`,
		"cut":       `{"items":[{`,
		"byte mark": "\ufeff{\"items\":[]}",
		"deep":      `{"items":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`,
		"array":     `[]`,
		"empty":     ``,
		"comment":   `{"items":[] /* x */}`,
		"word":      `{"items":NaN}`,
	} {
		if _, err := Split([]byte(body)); !is[*client.NotRelay](err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := List([]byte(`{}`)); !is[*client.NotRelay](err) {
		t.Errorf("an object is no list: %v", err)
	}
}

func TestOneBadItemCostsThatItemOnly(t *testing.T) {
	page := `{"items":[{"id":"1","command":"ls"},{"id":2,"command":"x"},{"id":"3","command":["a"]},` +
		`{"id":"4","created_at":"yesterday","command":"pwd"},null,{"id":"6","command":"ls","command":"rm -rf ~"},` +
		`{"id":"7","command":"ls \ud800 x"},{"id":"8","command":"` + "\xff" + `"},{"id":"9","x":{"a":1,"a":2}},` +
		`{"id":"10","x":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `},` +
		`{"id":"11","Command":"rm -rf ~","new":{"key":1}}],"nextCursor":null}`
	o, err := Split([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	items, err := List(o.Get("items"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"", "/id", "/command", "", "", `key "command"`, "not valid Unicode", "not valid Unicode", `key "a"`, "100 levels", ""}
	if len(items) != len(want) {
		t.Fatalf("%d items", len(items))
	}
	for i, item := range items {
		var v struct {
			ID      string `json:"id"`
			Command string `json:"command"`
			At      Time   `json:"created_at"`
		}
		err := Decode(item, &v)
		switch {
		case want[i] == "" && err != nil:
			t.Errorf("%s: %v", item, err)
		case want[i] != "" && (err == nil || !strings.Contains(Reason(item, err), want[i])):
			t.Errorf("%s: %v, %s", item, err, Reason(item, err))
		}
		if i == 10 && v.Command != "" {
			t.Error("a key in other letters counted as the right one")
		}
	}
}

func TestObject(t *testing.T) {
	o, err := Split([]byte(`{"a":1,"b":null,"c":"x","c":"y"}`))
	if err != nil {
		t.Fatal(err)
	}
	if string(o.Get("a")) != "1" || o.Get("b") != nil || o.Get("c") != nil || o.Get("d") != nil {
		t.Errorf("%v", o)
	}
	if name, twice := o.Doubled(); name != "c" || !twice {
		t.Errorf("%q %v", name, twice)
	}
}

func TestOddTimes(t *testing.T) {
	for raw, want := range map[string]time.Time{
		`"2026-01-02T03:04:05Z"`:      time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		`"2026-01-02T03:04:05.250Z"`:  time.Date(2026, 1, 2, 3, 4, 5, 25e7, time.UTC),
		`"2026-01-02T03:04:05+14:00"`: time.Date(2026, 1, 1, 13, 4, 5, 0, time.UTC),
		`null`:                        {}, `"2026-01-02T03:04:05"`: {}, `1767323045`: {}, `"yesterday"`: {},
		`"9999-12-31T23:59:59Z"`: {}, `"0001-01-01T00:00:00Z"`: {}, `{"a":1}`: {}, `true`: {}, `""`: {},
	} {
		var v struct {
			At Time `json:"at"`
		}
		if err := Decode([]byte(`{"at":`+raw+`}`), &v); err != nil || !v.At.Equal(want) {
			t.Errorf("%s: %v %v", raw, v.At, err)
		}
	}
	for raw, want := range map[string]int64{`1796070135437`: 1796070135437, `-1`: 0, `1e300`: 0, `"x"`: 0, `null`: 0} {
		var v struct {
			At Millis `json:"at"`
		}
		if err := Decode([]byte(`{"at":`+raw+`}`), &v); err != nil || !v.At.IsZero() && v.At.UnixMilli() != want || want != 0 && v.At.IsZero() {
			t.Errorf("%s: %v %v", raw, v.At, err)
		}
	}
}

func TestString(t *testing.T) {
	for raw, want := range map[string]string{`"a\nb"`: "a\nb", `"x\ud800y"`: "x\ufffdy", `""`: ""} {
		if got, ok := String(jsontext.Value(raw)); !ok || got != want {
			t.Errorf("%s: %q %v", raw, got, ok)
		}
	}
	for _, raw := range []string{`1`, `null`, ``, `{}`} {
		if _, ok := String(jsontext.Value(raw)); ok {
			t.Errorf("%s is no string", raw)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c"}],"a":2}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		o, err := Split(raw)
		if err != nil {
			return
		}
		for _, m := range o.Members {
			if !m.Value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
				t.Fatalf("%q was cut out of %q", m.Value, raw)
			}
			_ = Reason(m.Value, Decode(m.Value, new(any)))
		}
	})
}

func TestAnObjectWithItsList(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":1,"items" : [1, {"items":[2]}],"z":"x"}`: `1 {"items":[2]}`,
		`{"items":[]}`:              ``,
		`{"items":[1],"items":[2]}`: `none`,
		`{"items":[1],"items":7}`:   `none`,
		`{"items":{}}`:              `none`,
		`{"\u0069tems":[3]}`:        `3`,
		`{}`:                        `none`,
		`{"items":[1}`:              `error`,
		`{"items":[1]`:              `error`,
		`{"items":[1]} 7`:           `error`,
		`{7:1}`:                     `error`,
		`{"a`:                       `error`,
	} {
		o, items, isList, err := SplitList([]byte(raw), "items")
		var got []string
		for _, item := range items {
			got = append(got, string(item))
		}
		switch {
		case want == "error":
			if !is[*client.NotRelay](err) || items != nil {
				t.Errorf("%s: %v, %v", raw, got, err)
			}
		case err != nil, isList == (want == "none"), isList && strings.Join(got, " ") != want, !isList && items != nil:
			t.Errorf("%s: %q, a list: %v, %v", raw, got, isList, err)
		case isList && o.Get("items").Kind() != '[':
			t.Errorf("%s: the object lacks it: %v", raw, o)
		}
	}
	o, err := Split([]byte(`{"` + strings.Repeat("n", 2*longestName) + `":1,"` + strings.Repeat("n", 2*longestName) + `":2}`))
	if name, doubled := o.Doubled(); err != nil || !doubled || len(name) != 2*longestName {
		t.Errorf("%v, %q, %v", o, name, err)
	}
	var many strings.Builder
	for i := range 40 {
		many.WriteString(`"` + strings.Repeat("k", i+1) + `":1,`)
	}
	if o, err := Split([]byte(`{` + many.String() + `"kk":2}`)); err != nil || len(o.Members) != 41 {
		t.Errorf("%v, %v", o, err)
	} else if name, doubled := o.Doubled(); !doubled || name != "kk" {
		t.Errorf("%q, %v", name, doubled)
	}
	if o, _ := Split([]byte(`{` + many.String() + `"z":2}`)); len(o.Members) != 41 {
		t.Errorf("%v", o)
	} else if name, doubled := o.Doubled(); doubled {
		t.Errorf("%q stands in it once", name)
	}
}

func TestTimesThatAreGiven(t *testing.T) {
	for raw, want := range map[string]bool{`null`: false, `""`: false, `"soon"`: true, `7`: true, `"2026-01-02T03:04:05Z"`: true} {
		var at Time
		if err := at.UnmarshalJSON([]byte(raw)); err != nil || at.Given != want {
			t.Errorf("%s: %+v, %v", raw, at, err)
		}
	}
}
