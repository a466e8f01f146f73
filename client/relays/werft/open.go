package werft

import (
	"context"
	"errors"
	"fmt"
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
	aside    = 4 // sessions that are read at the same time
	// The requests of a session that did not change are read again all the same, less and
	// less often: nothing promises that a new request changes its session.
	firstRest = 4 * time.Second
	mostRest  = 15 * time.Second
)

// sessionPage is one page of sessions, read for a person.
type sessionPage struct {
	sessions []session
	next     string
}

// basis is what the requests of a session are read with: while it is the same, the
// same page gives the same asks.
type basis struct {
	session
	expires bool // the relay tells its time, so that it is known when a request ends
}

// sessionRequests are the requests of one session, as they were read at a moment.
type sessionRequests struct {
	asks []*client.Ask
	at   time.Time
	rest time.Duration // how long they are not read again while the session stays as it is
}

// Open reads the sessions that need input, and then the requests of each that changed,
// and the sessions that are paused. A session that fails costs its own requests only.
func (r *Relay) Open(ctx context.Context) (client.Batch, error) {
	who := r.who.Begin(ctx)
	defer who()
	o := &reading{relay: r, notes: r.notes.List(), unread: map[string]bool{}, touched: r.untouch(), anew: client.IsAnew(ctx),
		lists: r.lists.Begin(), pages: r.pages.Begin()}
	sessions, end, err := o.sessions(ctx, who)
	batch := client.Batch{Partial: end.Partial()}
	if err != nil && len(sessions) == 0 {
		batch.Partial = ""
		return batch, r.stranger.Name(ctx, err)
	}
	if failed := o.run(ctx, sessions, who()); err == nil {
		err = failed
	}
	batch.Asks = o.asks()
	if now, known := r.http.Clock(); known {
		batch.Now = now
	}
	if o.failed > 0 && batch.Partial == "" {
		batch.Partial = o.partial(len(sessions))
	}
	batch.Complete = err == nil && batch.Partial == ""
	if batch.Complete {
		o.lists.Keep(nil)
		batch.Asks = o.pages.Keep(batch.Asks)
	} else if err == nil && end == relays.Whole {
		// A session that does not need input has nothing open.
		batch.Covers = func(ask *client.Ask) bool { return !o.unread[ask.Ref.Session] }
	}
	return batch, err
}

// reading is one reading of a relay.
type reading struct {
	relay   *Relay
	notes   []relays.Note
	touched map[string]bool // sessions of which something was done since the reading before
	anew    bool            // everything is to be asked for
	lists   *relays.Reading[relays.Who, *sessionPage]
	pages   *relays.Reading[basis, *sessionRequests]
	found   [][]*client.Ask // in the order of the sessions, those of the paused ones last

	mu      sync.Mutex
	failed  int
	first   text.Text // the title of the first session that failed
	why     string
	unread  map[string]bool // the sessions that failed
	waiting map[string]bool // the sessions that need input
}

// sessions reads every page of the sessions that need input.
func (o *reading) sessions(ctx context.Context, who func() relays.Who) (sessions []session, end relays.End, err error) {
	end, err = relays.Pages{Most: maxPages, Begin: func() { sessions = nil }, Page: func(cursor string) (string, int, error) {
		reply, err := o.relay.list(ctx, "status", "needs_input", cursor, pageSize, o.lists.Before(cursor, who))
		if err != nil {
			return "", 0, err
		}
		page, err := o.lists.Take(cursor, who(), reply.Sum, reply.Same, func() (*sessionPage, error) { return readPage(reply.Body, who()) })
		if err != nil {
			return "", 0, err
		}
		sessions = append(sessions, page.sessions...)
		return page.next, 0, nil
	}}.Read()
	for i := range sessions {
		sessions[i].refused = refusedIn(sessions[i].ID, o.notes)
	}
	return sessions, end, err
}

// list asks for one page of the sessions for which something holds.
func (r *Relay) list(ctx context.Context, what, is, cursor, limit string, before httpx.Sum) (*httpx.Reply, error) {
	query := url.Values{what: {is}, "limit": {limit}}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	reply, _, err := r.do(ctx, httpx.Request{Path: "/v1/sessions", Query: query, Before: before})
	if err != nil && cursor != "" && reply != nil && (reply.Status == http.StatusBadRequest || reply.Status == http.StatusGone) {
		err = relays.Stale(err)
	}
	return reply, err
}

func readPage(body []byte, who relays.Who) (*sessionPage, error) {
	items, next, err := relays.Page(body, "sessions", "next_cursor")
	page := &sessionPage{next: next}
	for _, raw := range items {
		page.sessions = append(page.sessions, readSession(raw, who.Me()))
	}
	return page, err
}

// run reads the requests of the sessions and the sessions that are paused, a few at a
// time. Its error is one of the whole relay; that of one session is counted.
func (o *reading) run(ctx context.Context, sessions []session, who relays.Who) error {
	rest := o.paused(sessions)
	o.found = make([][]*client.Ask, len(sessions)+len(rest)+1)
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(aside)
	read := func(i int, s session, f func(context.Context, session) ([]*client.Ask, error)) {
		group.Go(func() error {
			return httpx.Contain(func() error {
				asks, err := f(inner, s)
				o.found[i] = asks
				return o.note(s, err)
			})
		})
	}
	for i, s := range sessions {
		if s.ID == "" {
			o.found[i] = []*client.Ask{o.relay.unreadable(jsontext.Value(s.raw), s, s.trouble)}
			continue
		}
		read(i, s, o.requests)
	}
	for i, s := range rest {
		read(len(sessions)+i, s, o.pausedHere)
	}
	read(len(o.found)-1, session{}, func(ctx context.Context, _ session) ([]*client.Ask, error) { return o.pausedElsewhere(ctx, who) })
	return group.Wait()
}

// partial says which requests are missing, of so many sessions.
func (o *reading) partial(sessions int) string {
	which := fmt.Sprintf("%d of %d sessions", o.failed, max(sessions, o.failed))
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

// requests reads the open requests of one session, the oldest first, or takes them as
// they were read a moment ago where the session is as it was then.
func (o *reading) requests(ctx context.Context, s session) ([]*client.Ask, error) {
	r := o.relay
	_, known := r.http.Clock()
	b := basis{s, known}
	before, there := o.pages.Known(s.ID, b)
	if there && !o.anew && !o.touched[s.ID] && time.Since(before.at) < before.rest {
		same, err := o.pages.Take(s.ID, b, 0, true, nil)
		return same.asks, err
	}
	reply, err := r.requests(ctx, s.ID, o.pages.Before(s.ID, func() basis { return b }))
	if err != nil {
		return nil, err
	}
	now, err := o.pages.Take(s.ID, b, reply.Sum, false, func() (*sessionRequests, error) {
		if reply.Same {
			return &sessionRequests{asks: before.asks, at: time.Now(), rest: min(max(2*before.rest, firstRest), mostRest)}, nil
		}
		items, err := requestsIn(reply.Body)
		now := &sessionRequests{at: time.Now()}
		for _, raw := range items {
			now.asks = append(now.asks, r.readRequest(raw, s))
		}
		return now, err
	})
	if err != nil {
		return nil, err
	}
	return now.asks, nil
}

// requests lists the open requests of a session. before is the sum of an earlier reply.
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

// asks returns what was read.
func (o *reading) asks() []*client.Ask {
	all := relays.Distinct(slices.Concat(o.found...), func(ask *client.Ask) *client.Ask {
		return o.relay.unreadable(ask.Raw, session{Session: ask.Session}, twoUnderOneID)
	})
	for i, ask := range all {
		all[i] = o.relay.listed(ask)
	}
	return all
}

// Closed is empty: the relay has no list of what was answered.
func (r *Relay) Closed(context.Context, time.Time) (client.Batch, error) {
	return client.Batch{Complete: true, Partial: "the relay has no list of what was answered"}, nil
}
