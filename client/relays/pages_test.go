package relays

import (
	"errors"
	"slices"
	"testing"
	"time"

	"askbox/client"
)

// script is a listing of which each page is the cursor of the next one.
type script struct {
	pages map[string]string
	fails map[string][]error // by cursor, one try after the other
	bytes int
	asked []string
	begun int
}

func (s *script) read(p Pages) (End, error) {
	p.Begin = func() { s.begun++ }
	p.Page = func(cursor string) (string, int, error) {
		s.asked = append(s.asked, cursor)
		if left := s.fails[cursor]; len(left) > 0 {
			s.fails[cursor] = left[1:]
			return "", 0, left[0]
		}
		return s.pages[cursor], s.bytes, nil
	}
	return p.Read()
}

func TestHowAListingEnds(t *testing.T) {
	boom := errors.New("boom")
	three := map[string]string{"": "a", "a": "b"}
	for name, test := range map[string]struct {
		script script
		pages  Pages
		want   End
		err    error
		asked  []string
	}{
		"whole":                   {script{pages: three}, Pages{Most: 9}, Whole, nil, []string{"", "a", "b"}},
		"a circle":                {script{pages: map[string]string{"": "a", "a": "b", "b": "a"}}, Pages{Most: 9}, Repeated, nil, []string{"", "a", "b"}},
		"too many":                {script{pages: three}, Pages{Most: 2}, TooMany, nil, []string{"", "a"}},
		"too large":               {script{pages: three, bytes: 10}, Pages{Most: 9, Bytes: 15}, TooLarge, nil, []string{"", "a"}},
		"too slow":                {script{pages: three}, Pages{Most: 9, Within: time.Nanosecond}, TooSlow, nil, []string{""}},
		"a page fails":            {script{pages: three, fails: map[string][]error{"a": {boom}}}, Pages{Most: 9}, Broken, boom, []string{"", "a"}},
		"a cursor is stale":       {script{pages: three, fails: map[string][]error{"a": {Stale(boom)}}}, Pages{Most: 9}, Whole, nil, []string{"", "a", "", "a", "b"}},
		"a cursor is stale twice": {script{pages: three, fails: map[string][]error{"a": {Stale(boom), Stale(boom)}}}, Pages{Most: 9}, Broken, boom, []string{"", "a", "", "a"}},
	} {
		end, err := test.script.read(test.pages)
		if end != test.want || err != test.err || !slices.Equal(test.script.asked, test.asked) {
			t.Errorf("%s: %v, %v, asked %q", name, end, err, test.script.asked)
		}
		if (end == Whole) != (end.Partial() == "") {
			t.Errorf("%s: it says %q", name, end.Partial())
		}
	}
}

func TestPagesThatAreRead(t *testing.T) {
	for raw, want := range map[string]string{
		`{"items":[1,2],"next":"b"}`:          "b",
		`{"next":null,"items":[1,2]}`:         "",
		`{"items":[1],"items":[2]}`:           "!",
		`{"items":{},"next":"b"}`:             "!",
		`{"items":[1,2],"next":7}`:            "!",
		`{"items":[1,2],"next":"a","next":1}`: "",
		`[]`:                                  "!",
	} {
		items, next, err := Page([]byte(raw), "items", "next")
		var other *client.NotRelay
		if bad := want == "!"; bad != errors.As(err, &other) || !bad && (next != want || len(items) != 2 || string(items[1]) != "2") {
			t.Errorf("%s: %s, %q, %v", raw, items, next, err)
		}
	}
}
