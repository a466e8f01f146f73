package oar

import (
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// The bounds of reading what was closed. The relay lists every card and board that
// ever was, the oldest first, so they are read as they arrive, and what is too old is
// dropped at once.
const (
	closedEvery   = time.Minute
	closedLater   = 10 * time.Minute // after a reading that hit a bound
	closedLimit   = 16 << 20         // bytes of one listing
	closedTimeout = 20 * time.Second
	closedKept    = 2000 // the newest
)

const closedCut = "the relay lists more cards and boards than are read; some of the last day may be missing"

// closed is the last reading of what was closed.
type closed struct {
	batch client.Batch
	err   error
	next  time.Time // not read again before
}

// closedListings are what ended, with the key of its time. A card that ran out of time
// has none, and is not listed.
var closedListings = []struct {
	from       origin
	status, at string
}{{fromCard, "answered", "answeredAt"}, {fromCard, "cancelled", "answeredAt"}, {fromBoard, "acted", "actedAt"}, {fromBoard, "dismissed", "actedAt"}}

// Closed reads what was closed since a moment, at most once a minute. A listing that
// is too long is said to be partial.
func (r *Relay) Closed(ctx context.Context, since time.Time) (client.Batch, error) {
	var last closed
	if r.locked(func() { last = r.closed }); time.Now().Before(last.next) {
		return last.batch, last.err
	}
	read := &closedReader{relay: r, since: since}
	batch, err := read.run(ctx)
	if ctx.Err() != nil {
		return batch, err
	}
	next := closed{batch: batch, err: err, next: time.Now().Add(closedEvery)}
	if batch.Partial != "" {
		next.next = time.Now().Add(closedLater)
	}
	r.locked(func() { r.closed = next })
	return batch, err
}

type closedReader struct {
	relay *Relay
	since time.Time
	self  string
	asks  []*client.Ask
	now   time.Time
}

func (c *closedReader) run(ctx context.Context) (client.Batch, error) {
	r := c.relay
	c.self, _ = r.who(ctx)
	batch := client.Batch{Complete: true}
	for i, l := range closedListings {
		whole, err := c.listing(ctx, l.from, l.status, l.at)
		batch.Now = c.now
		switch {
		case err != nil && (i == 0 || relays.OfTheRelay(err)):
			return client.Batch{Now: c.now}, err
		case err != nil:
			batch.Complete, batch.Partial = false, "what became of the "+kinds[l.from].what+" could not be read"
		case !whole:
			batch.Complete, batch.Partial = false, closedCut
		}
	}
	got := r.list(ctx, kinds[fromAsk].listing, url.Values{"status": {"closed"}, "since": {c.since.UTC().Format(time.RFC3339)}}, "asks")
	if got.err != nil && !errors.Is(got.err, errAbsent) {
		batch.Complete, batch.Partial = false, "what became of the asks could not be read"
	}
	for _, raw := range got.items {
		c.add(r.readAsk(slices.Clone(raw)))
	}
	c.newest()
	ids := map[string]bool{}
	for _, ask := range c.asks {
		if ask.Paired == "" {
			ids[ask.Session.ID] = true
		}
	}
	if _, err := r.learn(ctx, ids, nil); err != nil {
		return client.Batch{Now: c.now}, err
	}
	for _, ask := range c.asks {
		if ask.Paired == "" {
			ask.Session = r.session(ask.Session.ID, ask.Session.Title)
		}
	}
	batch.Asks = c.asks
	return batch, nil
}

// listing reads one listing as it arrives, and reports whether that was all of it.
func (c *closedReader) listing(ctx context.Context, from origin, status, at string) (whole bool, err error) {
	k, query := kinds[from], url.Values{"status": {status}}
	begun := false
	reply, err := c.relay.fetch(ctx, httpx.Request{Path: k.listing, Query: query, Timeout: closedTimeout, Limit: closedLimit,
		Read: func(body io.Reader) error {
			return httpx.EachItem(body, k.list, func(raw jsontext.Value) {
				begun = true
				o, err := httpx.Split(raw)
				if when := httpx.ParseTime(relays.Word(o, at)); err == nil && !when.IsZero() && !when.Before(c.since) {
					c.add(c.relay.read(from, slices.Clone(raw)))
				}
			})
		}})
	if reply != nil && !reply.Now.IsZero() {
		c.now = reply.Now
	}
	_, large := errors.AsType[*client.TooLarge](err)
	_, lost := errors.AsType[*client.Unreachable](err)
	switch {
	case large, lost && begun:
		return false, nil
	case errors.Is(err, errAbsent) && status != "answered":
		return true, nil
	}
	return err == nil, err
}

func (c *closedReader) add(ask *client.Ask) {
	if ask.Unreadable != "" || !ask.Status.Closed() || ask.Closing == nil || ask.Closing.At.Before(c.since) {
		return
	}
	if !away(ask, c.self) {
		ask.Paired = ""
	}
	if c.asks = append(c.asks, ask); len(c.asks) >= 2*closedKept {
		c.newest()
	}
}

// newest keeps the newest, in their order.
func (c *closedReader) newest() {
	slices.SortStableFunc(c.asks, relays.NewestFirst)
	if len(c.asks) > closedKept {
		c.asks = slices.Clone(c.asks[:closedKept])
	}
}
