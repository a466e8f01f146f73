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
