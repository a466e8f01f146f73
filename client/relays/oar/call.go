package oar

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// errAbsent means that the relay does not have what a path stands for: it is an old one,
// or has cards alone. Only cards are required.
var errAbsent = errors.New("the relay has nothing of the kind")

// askAgain is after what time a path that the relay did not know is tried anew:
// it may have been updated.
const askAgain = time.Minute

// fetch reads what a relay may not have, and does not ask again for a while where it has
// not: it may list what is open and not what is closed.
func (r *Relay) fetch(ctx context.Context, q httpx.Request) (*httpx.Reply, error) {
	what := q.Path + "?" + q.Query.Get("status")
	var seen time.Time
	r.locked(func() { seen = r.absent[what] })
	if time.Since(seen) < askAgain {
		return nil, errAbsent
	}
	reply, err := r.http.Do(ctx, q)
	if noSuchPath(reply, err) {
		r.locked(func() { r.absent[what] = time.Now() })
		return reply, errors.Join(errAbsent, err)
	}
	return reply, err
}

// forget lets every path be tried again at once. What was found missing while
// something else stood at the address says nothing about the relay.
func (r *Relay) forget() { r.locked(func() { clear(r.absent) }) }

func (r *Relay) locked(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do()
}

// noSuchPath reports whether a relay does not know a path: 404, or the page that
// OAR shows for every path that it does not know.
func noSuchPath(reply *httpx.Reply, err error) bool {
	if err == nil || reply == nil {
		return false
	}
	switch reply.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	}
	return reply.Status == http.StatusOK && reply.HTML()
}

// missing reports whether an error says that the relay does not have something.
func missing(err error) bool {
	_, is := errors.AsType[*client.NotFound](err)
	return is
}

// listed is one listing, read.
type listed struct {
	items []jsontext.Value
	whole httpx.Object // the object that holds them
	err   error
}

// list reads a listing.
func (r *Relay) list(ctx context.Context, path string, query url.Values, key string) listed {
	reply, err := r.fetch(ctx, httpx.Request{Path: path, Query: query})
	if err != nil {
		return listed{err: err}
	}
	return itemsOf(reply.Body, key)
}

// itemsOf takes the items out of a listing.
func itemsOf(body []byte, key string) (l listed) {
	var isList bool
	l.whole, l.items, isList, l.err = httpx.SplitList(body, key)
	if l.err == nil && !isList {
		l.err = &client.NotRelay{What: "JSON without a list of " + key}
	}
	return l
}
