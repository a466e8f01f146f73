package werft

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// The bounds of a listing.
const (
	pageSize = "100"
	maxPages = 200
	aside    = 4 // sessions whose requests are read at the same time
	// seenHolds is for how long it is kept when a request was last listed.
	seenHolds = 2 * span
)

// Open reads the sessions that need input, and then the requests of each. A
// session that fails costs its own requests only.
func (r *Relay) Open(ctx context.Context) (client.Batch, error) {
	me := r.who.Begin(ctx)
	defer me()
	sessions, partial, err := r.walk(ctx)
	batch := client.Batch{Partial: partial}
	if err != nil && len(sessions) == 0 {
		return batch, r.stranger.Name(ctx, err)
	}
	o := &reading{relay: r, me: me(), found: make([]found, len(sessions))}
	r.mu.Lock()
	o.before = r.memo
	r.mu.Unlock()
	if failed := o.run(ctx, sessions); err == nil {
		err = failed
	}
	batch.Asks = o.asks()
	if now, known := r.now(); known {
		batch.Now = now
	}
	if o.failed > 0 && batch.Partial == "" {
		batch.Partial = fmt.Sprintf("the requests of %d of %d sessions could not be read: %s", o.failed, len(sessions), o.why)
	}
	batch.Complete = err == nil && batch.Partial == ""
	if batch.Complete {
		o.remember()
	}
	return batch, err
}

// walk reads every page of the sessions that need input. A cursor that does not
// count any more begins the listing anew, once.
func (r *Relay) walk(ctx context.Context) (sessions []jsontext.Value, partial string, err error) {
	for again := true; ; again = false {
		sessions, partial, err = r.pass(ctx)
		if !again || !errors.Is(err, errStale) {
			break
		}
	}
	if err != nil && len(sessions) > 0 {
		partial = "not every page of sessions could be read; the list may be incomplete"
	}
	return sessions, partial, err
}

var errStale = errors.New("the cursor does not count any more")

func (r *Relay) pass(ctx context.Context) (sessions []jsontext.Value, partial string, err error) {
	cursor, seen := "", map[string]bool{}
	for range maxPages {
		items, next, err := r.page(ctx, cursor, pageSize)
		if err != nil {
			return sessions, "", err
		}
		sessions = append(sessions, items...)
		switch {
		case next == "":
			return sessions, "", nil
		case seen[next]:
			return sessions, "the relay sends the same pages again and again; the list may be incomplete", nil
		}
		seen[next] = true
		cursor = next
	}
	return sessions, "the relay lists more pages than are read; the list may be incomplete", nil
}

// page reads one page of sessions. errStale says that the cursor was refused.
func (r *Relay) page(ctx context.Context, cursor, limit string) (items []jsontext.Value, next string, err error) {
	query := url.Values{"status": {"needs_input"}, "limit": {limit}}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	reply, _, err := r.do(ctx, httpx.Request{Path: "/v1/sessions", Query: query})
	if err != nil {
		if cursor != "" && reply != nil && (reply.Status == http.StatusBadRequest || reply.Status == http.StatusGone) {
			return nil, "", &stale{err}
		}
		return nil, "", err
	}
	o, err := httpx.Split(reply.Body)
	if err != nil {
		return nil, "", err
	}
	if items, err = httpx.List(o.Get("sessions")); err != nil {
		return nil, "", &client.NotRelay{What: "JSON without a list of sessions"}
	}
	if raw := o.Get("next_cursor"); raw != nil {
		var ok bool
		if next, ok = httpx.String(raw); !ok {
			return nil, "", &client.NotRelay{What: "a cursor that is none"}
		}
	}
	return items, next, nil
}

// stale is a refused cursor, and the relay's own error.
type stale struct{ err error }

func (s *stale) Error() string        { return s.err.Error() }
func (s *stale) Unwrap() error        { return s.err }
func (s *stale) Is(target error) bool { return target == errStale }

// found is what one session gave.
type found struct {
	id   string
	asks []*client.Ask
}

// reading is one reading of the requests of several sessions.
type reading struct {
	relay  *Relay
	me     string
	before map[client.Ref]*client.Ask
	found  []found // in the order of the sessions

	mu     sync.Mutex
	failed int
	why    string
}

// run reads the requests of the sessions, a few at a time. Its error is one of
// the whole relay; that of one session is counted.
func (o *reading) run(ctx context.Context, sessions []jsontext.Value) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(aside)
	for i, raw := range sessions {
		s := readSession(raw, o.me)
		o.found[i].id = s.ID
		if s.ID == "" {
			o.found[i].asks = []*client.Ask{o.relay.unreadable(bytes.Clone(raw), s, s.trouble)}
			continue
		}
		group.Go(func() error {
			return httpx.Contain(func() error {
				asks, err := o.session(inner, s)
				o.found[i].asks = asks
				return o.note(err)
			})
		})
	}
	return group.Wait()
}

// note counts the failure of one session, and returns it where it is one of the
// whole relay.
func (o *reading) note(err error) error {
	var refused *client.TokenRefused
	var limited *client.RateLimited
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused), errors.As(err, &limited), errors.Is(err, context.Canceled):
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed++
	o.why = err.Error()
	return nil
}

// session reads the requests of one session. One that is gone has none.
func (o *reading) session(ctx context.Context, s session) ([]*client.Ask, error) {
	items, err := o.relay.requests(ctx, s.ID)
	var missing *client.NotFound
	if errors.As(err, &missing) {
		return nil, nil
	}
	var asks []*client.Ask
	for _, raw := range items {
		asks = append(asks, o.recall(raw, s))
	}
	return asks, err
}

// requests lists the open requests of a session, the oldest first.
func (r *Relay) requests(ctx context.Context, id string) ([]jsontext.Value, error) {
	reply, _, err := r.do(ctx, httpx.Request{Path: "/v1/sessions" + httpx.Path(id, "requests")})
	if err != nil {
		return nil, err
	}
	o, err := httpx.Split(reply.Body)
	if err != nil {
		return nil, err
	}
	items, err := httpx.List(o.Get("requests"))
	if err != nil {
		return nil, &client.NotRelay{What: "JSON without a list of requests"}
	}
	return items, nil
}

// recall reads a request, or takes the ask that it was read as before. One whose
// time is over is closed, whatever the list says: it ended as a denial.
func (o *reading) recall(raw jsontext.Value, s session) *client.Ask {
	ask := o.relay.readRequest(raw, s)
	if old := o.before[ask.Ref]; old != nil && bytes.Equal(old.Raw, ask.Raw) && old.Session == ask.Session &&
		old.Offers == ask.Offers && old.ExpiredWords == ask.ExpiredWords {
		ask = old
	}
	if ask.Unreadable == "" && o.relay.overdue(ask) {
		return expired(ask)
	}
	return ask
}

const twoUnderOneID = "the relay lists two different requests under its id"

// asks returns what was read. Of two different requests under one id nobody can
// say which one an answer is for.
func (o *reading) asks() []*client.Ask {
	at := map[client.Ref]int{}
	var all []*client.Ask
	for _, f := range o.found {
		for _, ask := range f.asks {
			i, twice := at[ask.Ref]
			switch {
			case !twice:
				at[ask.Ref] = len(all)
				all = append(all, ask)
			case bytes.Equal(all[i].Raw, ask.Raw):
				all[i] = ask
			default:
				all[i] = o.relay.unreadable(ask.Raw, session{Session: ask.Session}, twoUnderOneID)
			}
		}
	}
	return all
}

// remember keeps what was read, so that a request that did not change stays the
// same ask.
func (o *reading) remember() {
	memo := map[client.Ref]*client.Ask{}
	for _, f := range o.found {
		for _, ask := range f.asks {
			if !ask.Status.Closed() {
				memo[ask.Ref] = ask
			}
		}
	}
	r := o.relay
	now, _ := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memo = memo
	for ref := range memo {
		r.seen[ref] = now
	}
	maps.DeleteFunc(r.seen, func(_ client.Ref, at time.Time) bool { return now.Sub(at) > seenHolds })
}

// Closed is empty: the relay has no list of what was answered.
func (r *Relay) Closed(context.Context, time.Time) (client.Batch, error) {
	return client.Batch{Complete: true, Partial: "the relay has no list of what was answered"}, nil
}
