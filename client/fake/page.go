package fake

import (
	"encoding/base64"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Entry is one item of a listing.
type Entry struct {
	At     time.Time
	Number int
	Wire   func() jsontext.Value
}

// Entry returns a session as an item of a listing.
func (n *Session) Entry(wire func() jsontext.Value) Entry { return Entry{n.CreatedAt, n.number, wire} }

// Entry returns an ask as an item of a listing.
func (a *Ask) Entry(wire func() jsontext.Value) Entry { return Entry{a.OpenedAt, a.number, wire} }

// place is where a cursor points: behind the item with this time and number, in
// one listing.
type place struct {
	Listing string `json:"l"`
	Time    int64  `json:"t"`
	Number  int    `json:"n"`
}

// Page returns one page of a listing, the newest first, and the cursor of the
// next page, nil for none. A cursor points behind an item and not at a position,
// so nothing is doubled or skipped when items come and go between two pages. It
// reports false for a cursor that is not one of this listing.
func (st *State) Page(listing string, entries []Entry, cursor string, limit int) (items []jsontext.Value, next *string, ok bool) {
	slices.SortStableFunc(entries, newestFirst)
	if cursor != "" {
		var p place
		raw, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil || json.Unmarshal(raw, &p) != nil || p.Listing != listing {
			return nil, nil, false
		}
		from := Entry{At: time.Unix(0, p.Time), Number: p.Number}
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return newestFirst(from, e) >= 0 })
	}
	if st.Most > 0 {
		limit = min(limit, st.Most)
	}
	items = []jsontext.Value{}
	for i, e := range entries {
		if i == limit {
			last := entries[i-1]
			c := base64.RawURLEncoding.EncodeToString(Marshal(place{listing, last.At.UnixNano(), last.Number}))
			return items, &c, true
		}
		items = append(items, e.Wire())
	}
	return items, nil, true
}

func newestFirst(x, y Entry) int {
	if c := y.At.Compare(x.At); c != 0 {
		return c
	}
	return y.Number - x.Number
}
