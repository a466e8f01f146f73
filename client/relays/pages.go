package relays

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// Pages reads a listing page by page. Its bounds stop a relay that lies or floods;
// no inbox that a person could work on comes near them.
type Pages struct {
	// Most is how many pages are read. Bytes and Within bound what is read, and for how
	// long; 0 is no bound.
	Most, Bytes int
	Within      time.Duration
	// Begin is called at the start, and again where the listing has to be begun
	// anew: what was read until then does not count. It may be nil.
	Begin func()
	// Page reads the page behind a cursor, "" for the first one. It returns the next
	// cursor, "" where this page is the last one, and how many bytes the page has. A
	// cursor that the relay refuses is told by [Stale].
	Page func(cursor string) (next string, bytes int, err error)
}

// End is how the reading of a listing ended.
type End int

// The ends. After all but the first one the list may be incomplete.
const (
	Whole    End = iota
	Broken       // a page could not be read
	Repeated     // the relay sends the same pages again and again
	TooLarge     // it lists more than can be read
	TooSlow      // it did not come to the end in time
	TooMany      // it has more pages than are read
)

// Partial says in the program's words why the list may be incomplete; empty where
// it is whole.
func (e End) Partial() string {
	if e == Whole {
		return ""
	}
	return [...]string{"", "not every page could be read", "the relay sends the same pages again and again",
		"the relay lists more than can be read", "the relay did not come to the end of its list in time",
		"the relay lists more pages than are read"}[e] + "; the list may be incomplete"
}

// Read reads the listing. A cursor that the relay does not know any more begins it
// anew, once. What was read counts also where an error is returned.
func (p Pages) Read() (End, error) {
	end, err := p.pass()
	var stale *staleCursor
	if errors.As(err, &stale) {
		if end, err = p.pass(); errors.As(err, &stale) {
			err = stale.err
		}
	}
	return end, err
}

func (p Pages) pass() (End, error) {
	if p.Begin != nil {
		p.Begin()
	}
	cursor, size, start := "", 0, time.Now()
	seen := map[string]bool{}
	for range p.Most {
		next, bytes, err := p.Page(cursor)
		if err != nil {
			return Broken, err
		}
		size += bytes
		switch {
		case next == "":
			return Whole, nil
		case seen[next]:
			return Repeated, nil
		case p.Bytes > 0 && size > p.Bytes:
			return TooLarge, nil
		case p.Within > 0 && time.Since(start) >= p.Within:
			return TooSlow, nil
		}
		seen[next] = true
		cursor = next
	}
	return TooMany, nil
}

// staleCursor means that a cursor does not count any more; err is the relay's own error.
type staleCursor struct{ err error }

func (s *staleCursor) Error() string { return s.err.Error() }
func (s *staleCursor) Unwrap() error { return s.err }

// Stale marks the error of a page as one of its cursor.
func Stale(err error) error { return &staleCursor{err} }

// Page takes a page apart: its items, under the key list, and the cursor of the next
// page under the key cursor. An empty key is that of a listing of one page.
func Page(raw []byte, list, cursor string) (items []jsontext.Value, next string, err error) {
	o, items, isList, err := httpx.SplitList(raw, list)
	var at jsontext.Value
	if cursor != "" {
		at = o.Get(cursor)
	}
	switch {
	case err != nil:
		return nil, "", err
	case !isList:
		return nil, "", &client.NotRelay{What: "JSON without a list of " + list}
	case at != nil && at.Kind() != '"':
		return nil, "", &client.NotRelay{What: "a cursor that is none"}
	default:
		next, _ = httpx.String(at)
		return items, next, nil
	}
}

// OfTheRelay reports whether the error of one of several listings is one of the whole
// relay: its token, its rate, or whoever asks giving up.
func OfTheRelay(err error) bool {
	var refused *client.TokenRefused
	var limited *client.RateLimited
	return errors.As(err, &refused) || errors.As(err, &limited) || errors.Is(err, context.Canceled)
}

// NewestFirst orders closed asks by the time of the closing, then by reference, so that the
// order does not depend on which was read first.
func NewestFirst(a, b *client.Ask) int {
	return cmp.Or(b.Closing.At.Compare(a.Closing.At), cmp.Compare(a.Ref.Full(), b.Ref.Full()))
}
