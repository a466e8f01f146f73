package opencomputer

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// The bounds of one listing. They stop a relay that lies or floods, and no
// inbox that a person could work on comes near them.
const (
	pageSize     = 100      // items asked for; the most that the relay takes
	maxPages     = 1000     // pages read
	maxListBytes = 64 << 20 // bytes read
	// maxReading is how long pages are read; it lies below what the inbox gives a
	// reading, which would end with an error instead of what there is.
	maxReading = 20 * time.Second
)

// listing is a listing to be read page by page.
type listing struct {
	call  call
	items string // the key under which a page holds them
	// most is how many pages are read; 0 is maxPages.
	most int
	// within is how long pages are read; 0 is maxReading.
	within time.Duration
	// begin is called at the start, and again where the listing has to be begun
	// anew: what was read until then does not count.
	begin func()
	// page is called with each page: its bytes, and its items as sent.
	page func(raw jsontext.Value, items []jsontext.Value)
	// These are set together, for a listing that is read again and again. keep is
	// called after page, with the reply's whole body. recall returns the body that
	// came for a cursor at the listing before, or nil; where the same one comes
	// again, again is called instead of page and returns the next cursor.
	keep   func(cursor string, body []byte, next string)
	recall func(cursor string) []byte
	again  func(cursor string) (next string)
}

// walked is how the reading of a listing ended.
type walked struct {
	// partial says why it may not be whole; empty where its last page was read.
	partial string
	now     time.Time // the relay's clock at the last page
}

// errStale is that a cursor does not count any more.
var errStale = errors.New("the cursor does not count any more")

// walk reads a listing. A cursor that the relay does not know any more begins it
// anew, once. What was read counts also where an error is returned.
func (r *Relay) walk(ctx context.Context, l listing) (walked, error) {
	l.begin()
	end, err := r.pass(ctx, l, false)
	if errors.Is(err, errStale) {
		l.begin()
		end, err = r.pass(ctx, l, true)
	}
	return end, err
}

// pass reads the pages from the first one on. Unless it is the last try, it
// returns errStale for a cursor that was refused.
func (r *Relay) pass(ctx context.Context, l listing, last bool) (walked, error) {
	var end walked
	most, within := cmp.Or(l.most, maxPages), cmp.Or(l.within, maxReading)
	cursor, size, start := "", 0, time.Now()
	seen := map[string]bool{}
	for range most {
		c := l.call
		c.limit = pageSize
		c.query = maps.Clone(c.query)
		if cursor != "" {
			c.query["cursor"] = cursor
		}
		if l.recall != nil {
			c.like = l.recall(cursor)
		}
		out, err := r.do(ctx, c)
		if err != nil {
			if cursor != "" && !last && stale(out, err) {
				return end, errStale
			}
			end.partial = "not every page could be read; the list may be incomplete"
			return end, err
		}
		end.now = out.now
		next, err := l.read(cursor, out)
		if err != nil {
			end.partial = "not every page could be read; the list may be incomplete"
			return end, err
		}
		size += len(out.body)
		switch {
		case next == "":
			return end, nil
		case seen[next]:
			end.partial = "the relay sends the same pages again and again; the list may be incomplete"
			return end, nil
		case size > maxListBytes:
			end.partial = "the relay lists more than can be read; the list may be incomplete"
			return end, nil
		case time.Since(start) >= within:
			end.partial = "the relay did not come to the end of its list in time; the list may be incomplete"
			return end, nil
		}
		seen[next] = true
		cursor = next
	}
	end.partial = "the relay lists more pages than are read; the list may be incomplete"
	return end, nil
}

// read hands a page on, or what it was read as before where it is the same, and
// returns the cursor of the next one.
func (l listing) read(cursor string, out result) (next string, err error) {
	if out.same {
		return l.again(cursor), nil
	}
	next, err = onePage(l, out.raw)
	if err == nil && l.keep != nil {
		l.keep(cursor, out.body, next)
	}
	return next, err
}

// onePage hands a page on and returns the cursor of the next one.
func onePage(l listing, raw jsontext.Value) (next string, err error) {
	o, err := httpx.Split(raw)
	if err != nil {
		return "", err
	}
	items, err := httpx.List(o.Get(l.items))
	if err != nil {
		return "", &client.NotRelay{What: "JSON without a list of " + l.items}
	}
	cursor := o.Get("nextCursor")
	if cursor != nil && cursor.Kind() != '"' {
		return "", &client.NotRelay{What: "a cursor that is none"}
	}
	next, _ = httpx.String(cursor)
	l.page(raw, items)
	return next, nil
}

// stale reports whether a relay refused a page for its cursor.
func stale(out result, err error) bool {
	var failed *client.Failed
	return out.problem.Code == "invalid_cursor" || out.status == 410 ||
		errors.As(err, &failed) && failed.Status == 400
}
