package opencomputer

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"time"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// The bounds of one listing.
const (
	pageSize     = 100      // items asked for; the most that the relay takes
	maxPages     = 1000     // pages read
	maxListBytes = 12 << 20 // bytes read
	// maxReading is how long pages are read; it lies below what the inbox gives a
	// reading, which would end with an error instead of what there is.
	maxReading = 20 * time.Second
)

// nextCursor is the key under which a page has the cursor of the next one.
const nextCursor = "nextCursor"

// listing is a listing to be read page by page.
type listing struct {
	call call
	// most is how many pages are read, within how long; 0 is maxPages and maxReading.
	most   int
	within time.Duration
	begin  func() // what was read until then does not count
	// before returns the sum of the page that came for a cursor before; it may be nil.
	before func(cursor string) httpx.Sum
	// page takes the page behind a cursor, and returns the next cursor.
	page func(cursor string, out result) (next string, err error)
}

// walked is how the reading of a listing ended.
type walked struct {
	partial string    // why it may not be whole, in the program's words
	now     time.Time // the relay's clock at the last page
}

// walk reads a listing. What was read counts also where an error is returned.
func (r *Relay) walk(ctx context.Context, l listing) (walked, error) {
	var now time.Time
	end, err := relays.Pages{Most: cmp.Or(l.most, maxPages), Bytes: maxListBytes, Within: cmp.Or(l.within, maxReading), Begin: l.begin,
		Page: func(cursor string) (string, int, error) {
			c := l.call
			c.limit = pageSize
			if cursor != "" {
				c.query = maps.Clone(c.query)
				c.query["cursor"] = cursor
			}
			if l.before != nil {
				c.before = l.before(cursor)
			}
			out, err := r.do(ctx, c)
			if err != nil {
				if cursor != "" && stale(out, err) {
					err = relays.Stale(err)
				}
				return "", 0, err
			}
			now = out.now
			next, err := l.page(cursor, out)
			return next, out.size, err
		}}.Read()
	return walked{end.Partial(), now}, err
}

// stale reports whether a relay refused a page for its cursor.
func stale(out result, err error) bool {
	var failed *client.Failed
	return out.problem.Code == "invalid_cursor" || out.status == 410 ||
		errors.As(err, &failed) && failed.Status == 400
}
