package oar

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// askAgain is after what time a path that the relay did not know is tried anew:
// it may have been updated.
const askAgain = time.Minute

// listed is one listing, read.
type listed struct {
	items []jsontext.Value
	whole httpx.Object // the object that holds them
	now   time.Time
	err   error
	// absent says that the relay has no such listing.
	absent bool
}

// list reads a listing, and nothing where the relay is known not to have it.
func (r *Relay) list(ctx context.Context, path string, query url.Values, key string) listed {
	known := path + "?" + query.Get("status")
	if r.isMissing(known) {
		return listed{absent: true}
	}
	out := r.read(ctx, path, query, key)
	if out.absent {
		r.setMissing(known)
	}
	return out
}

// read reads a listing, whatever is known of it.
func (r *Relay) read(ctx context.Context, path string, query url.Values, key string) listed {
	reply, err := r.http.Do(ctx, httpx.Request{Path: path, Query: query})
	out := listed{err: err, absent: noSuchPath(reply, err)}
	if reply != nil {
		out.now = reply.Now
	}
	if err != nil {
		return out
	}
	out.take(reply.Body, key)
	return out
}

// take takes the items out of a listing.
func (l *listed) take(body []byte, key string) {
	var isList bool
	l.whole, l.items, isList, l.err = httpx.SplitList(body, key)
	if l.err == nil && !isList {
		l.err = &client.NotRelay{What: "JSON without a list of " + key}
	}
}

// get reads one object.
func (r *Relay) get(ctx context.Context, path string, query url.Values) (*httpx.Reply, httpx.Object, error) {
	reply, err := r.http.Do(ctx, httpx.Request{Path: path, Query: query})
	if err != nil {
		return reply, httpx.Object{}, err
	}
	o, err := httpx.Split(reply.Body)
	return reply, o, err
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

// isMissing reports whether the relay was seen not to know a path, or a path with
// one status: a relay may list what is open and not what is closed.
func (r *Relay) isMissing(path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, is := r.missing[path]
	return is && time.Since(at) < askAgain
}

func (r *Relay) setMissing(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.missing[path] = time.Now()
}

// own copies an item out of the page that it stands in, so that keeping an ask
// does not keep the page.
func own(raw jsontext.Value) jsontext.Value { return bytes.Clone(raw) }
