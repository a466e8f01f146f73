package werft

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// The bounds of a listing.
const (
	pageSize = "100"
	maxPages = 200
	aside    = 4 // sessions whose requests are read at the same time
	// seenHolds is for how long it is kept when a request was last listed.
	seenHolds = 2 * span
)

// basis is what the requests of a session are read with: while it is the same, the
// same page gives the same asks.
type basis struct {
	session session
	expires bool // the relay tells its time, so that it is known when a request ends
}

// Open reads the sessions that need input, and then the requests of each. A
// session that fails costs its own requests only.
func (r *Relay) Open(ctx context.Context) (client.Batch, error) {
	me := r.who.Begin(ctx)
	defer me()
	sessions, end, err := r.sessions(ctx)
	batch := client.Batch{Partial: end.Partial()}
	if err != nil && len(sessions) == 0 {
		batch.Partial = ""
		return batch, r.stranger.Name(ctx, err)
	}
	o := &reading{relay: r, me: me().Me(), found: make([][]*client.Ask, len(sessions)), pages: r.pages.Begin(), unread: map[string]bool{}}
	if failed := o.run(ctx, sessions); err == nil {
		err = failed
	}
	batch.Asks = o.asks()
	if now, known := r.now(); known {
		batch.Now = now
	}
	if o.failed > 0 && batch.Partial == "" {
		batch.Partial = o.partial(len(sessions))
	}
	batch.Complete = err == nil && batch.Partial == ""
	if err == nil && end == relays.Whole {
		// A session that does not need input has nothing open.
		batch.Covers = func(ask *client.Ask) bool { return !o.unread[ask.Ref.Session] }
	}
	if batch.Complete {
		batch.Covers = nil
		batch.Asks = o.pages.Keep(batch.Asks)
		r.saw(batch.Asks)
	}
	return batch, err
}

// sessions reads every page of the sessions that need input.
func (r *Relay) sessions(ctx context.Context) (sessions []jsontext.Value, end relays.End, err error) {
	end, err = relays.Pages{Most: maxPages, Begin: func() { sessions = nil }, Page: func(cursor string) (string, int, error) {
		items, next, err := r.page(ctx, cursor, pageSize)
		sessions = append(sessions, items...)
		return next, 0, err
	}}.Read()
	return sessions, end, err
}

// page reads one page of sessions.
func (r *Relay) page(ctx context.Context, cursor, limit string) (items []jsontext.Value, next string, err error) {
	query := url.Values{"status": {"needs_input"}, "limit": {limit}}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	reply, _, err := r.do(ctx, httpx.Request{Path: "/v1/sessions", Query: query})
	switch {
	case err != nil && cursor != "" && reply != nil && (reply.Status == http.StatusBadRequest || reply.Status == http.StatusGone):
		return nil, "", relays.Stale(err)
	case err != nil:
		return nil, "", err
	}
	return relays.Page(reply.Body, "sessions", "next_cursor")
}

// reading is one reading of the requests of several sessions.
type reading struct {
	relay *Relay
	me    string
	found [][]*client.Ask // in the order of the sessions
	pages *relays.Reading[basis, []*client.Ask]

	mu     sync.Mutex
	failed int
	first  text.Text // the title of the first session that failed
	why    string
	unread map[string]bool // the sessions that failed
}

// run reads the requests of the sessions, a few at a time. Its error is one of
// the whole relay; that of one session is counted.
func (o *reading) run(ctx context.Context, sessions []jsontext.Value) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(aside)
	for i, raw := range sessions {
		s := readSession(raw, o.me)
		if s.ID == "" {
			o.found[i] = []*client.Ask{o.relay.unreadable(bytes.Clone(raw), s, s.trouble)}
			continue
		}
		group.Go(func() error {
			return httpx.Contain(func() error {
				asks, err := o.session(inner, s)
				o.found[i] = asks
				return o.note(s, err)
			})
		})
	}
	return group.Wait()
}

// partial says which requests are missing, of so many sessions.
func (o *reading) partial(sessions int) string {
	which := fmt.Sprintf("%d of %d sessions", o.failed, sessions)
	if o.failed == 1 {
		which = "the session " + o.first.Quoted(60)
	}
	return "the requests of " + which + " could not be read: " + o.why
}

// note counts the failure of one session, and returns it where it is one of the
// whole relay.
func (o *reading) note(s session, err error) error {
	if err == nil || relays.OfTheRelay(err) {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed++; o.failed == 1 {
		o.first = s.Title
	}
	o.unread[s.ID] = true
	o.why = err.Error()
	if _, missing := errors.AsType[*client.NotFound](err); missing {
		o.why = "the relay does not know them"
	}
	return nil
}

// session reads the requests of one session. A session that waits and whose requests
// are not there is one that could not be read: the next poll tells whether it is gone.
func (o *reading) session(ctx context.Context, s session) ([]*client.Ask, error) {
	r := o.relay
	_, known := r.now()
	b := basis{s, known}
	reply, err := r.requests(ctx, s.ID, o.pages.Before(s.ID, func() basis { return b }))
	if err != nil {
		return nil, err
	}
	return o.pages.Take(s.ID, b, reply.Sum, reply.Same, func() (asks []*client.Ask, err error) {
		items, err := requestsIn(reply.Body)
		for _, raw := range items {
			asks = append(asks, r.readRequest(raw, s))
		}
		return asks, err
	})
}

// requests lists the open requests of a session, the oldest first. before is the sum
// of an earlier reply.
func (r *Relay) requests(ctx context.Context, id string, before httpx.Sum) (*httpx.Reply, error) {
	reply, _, err := r.do(ctx, httpx.Request{Path: "/v1/sessions" + httpx.Path(id, "requests"), Before: before})
	return reply, err
}

// requestsIn takes the requests out of a list of them.
func requestsIn(body []byte) ([]jsontext.Value, error) {
	items, _, err := relays.Page(body, "requests", "")
	return items, err
}

const twoUnderOneID = "the relay lists two different requests under its id"

// asks returns what was read. A request whose time is over is closed, whatever the
// list says: it ended as a denial.
func (o *reading) asks() []*client.Ask {
	all := relays.Distinct(slices.Concat(o.found...), func(ask *client.Ask) *client.Ask {
		return o.relay.unreadable(ask.Raw, session{Session: ask.Session}, twoUnderOneID)
	})
	for i, ask := range all {
		if ask.Unreadable == "" && o.relay.overdue(ask) {
			all[i] = expired(ask)
		}
	}
	return all
}

// saw keeps when requests were last listed as open.
func (r *Relay) saw(asks []*client.Ask) {
	now, _ := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, ask := range asks {
		if !ask.Status.Closed() {
			r.seen[ask.Ref] = now
		}
	}
	maps.DeleteFunc(r.seen, func(_ client.Ref, at time.Time) bool { return now.Sub(at) > seenHolds })
}

// Closed is empty: the relay has no list of what was answered.
func (r *Relay) Closed(context.Context, time.Time) (client.Batch, error) {
	return client.Batch{Complete: true, Partial: "the relay has no list of what was answered"}, nil
}
