package relays

import (
	"errors"
	"testing"

	"askbox/client/relays/httpx"
)

// TestWhatIsReadAgain only where the page is another one, or is read on another basis.
func TestWhatIsReadAgain(t *testing.T) {
	var m Memory[string, int]
	reads := 0
	read := func(page, me, body string, keep bool) (*Reading[string, int], int) {
		t.Helper()
		r := m.Begin()
		sum := map[string]httpx.Sum{"one": 1, "two": 2}[body]
		got, err := r.Take(page, me, sum, r.Before(page, func() string { return me }) == sum, func() (int, error) { reads++; return reads, nil })
		if err != nil {
			t.Fatal(err)
		}
		if keep {
			r.Keep(nil)
		}
		return r, got
	}
	for _, step := range []struct {
		page, me, body string
		keep           bool
		want           int
		same           bool
	}{
		{"", "ada", "one", false, 1, false},
		{"", "ada", "one", true, 2, false}, // what was not kept is not held
		{"", "ada", "one", true, 2, true},
		{"", "bob", "one", true, 3, false},
		{"", "bob", "two", true, 4, false},
		{"b", "bob", "two", true, 5, false},
		{"", "bob", "two", true, 6, false}, // the last reading did not have this page
	} {
		r, got := read(step.page, step.me, step.body, step.keep)
		if got != step.want || r.Same() != step.same {
			t.Errorf("%+v: read as %d, the same: %v", step, got, r.Same())
		}
	}
	r := m.Begin()
	if _, err := r.Take("c", "bob", 3, false, func() (int, error) { return 0, errors.New("broken") }); err == nil || r.Same() {
		t.Errorf("a page that could not be read gave %v", err)
	}
}
