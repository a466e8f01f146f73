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

// The bounds of reading what was answered. The relay lists every card that was
// ever answered, the oldest first, so it is read as it arrives, and what is too
// old is dropped at once.
const (
	closedEvery   = time.Minute
	closedLater   = 10 * time.Minute // after a reading that hit a bound
	closedLimit   = 16 << 20         // bytes
	closedTimeout = 20 * time.Second
	closedKept    = 2000 // the newest
	closedSpan    = 24 * time.Hour
)

const closedCut = "the relay lists more answered cards than are read; some of the last day may be missing"

// closedReading is the last reading of what was closed.
type closedReading struct {
	batch client.Batch
	err   error
	next  time.Time // not read again before
}

// Closed reads what was answered since a moment, at most within the last day and
// at most once a minute. A listing that is too long is said to be partial.
func (r *Relay) Closed(ctx context.Context, since time.Time) (client.Batch, error) {
	r.mu.Lock()
	last := r.closed
	r.mu.Unlock()
	if time.Now().Before(last.next) {
		return last.batch, last.err
	}
	read := &closedReader{relay: r, since: since}
	batch, err := read.run(ctx)
	if ctx.Err() != nil {
		return batch, err
	}
	next := closedReading{batch: batch, err: err, next: time.Now().Add(closedEvery)}
	if batch.Partial != "" {
		next.next = time.Now().Add(closedLater)
	}
	r.mu.Lock()
	r.closed = next
	r.mu.Unlock()
	return batch, err
}

type closedReader struct {
	relay *Relay
	since time.Time
	asks  []*client.Ask
	begun bool // the listing has begun to arrive
}

func (c *closedReader) run(ctx context.Context) (client.Batch, error) {
	r := c.relay
	batch := client.Batch{Complete: true}
	reply, err := r.http.Do(ctx, httpx.Request{Path: cardsPath, Query: url.Values{"status": {"answered"}},
		Timeout: closedTimeout, Limit: closedLimit, Read: c.stream})
	if reply != nil {
		batch.Now = reply.Now
	}
	var large *client.TooLarge
	var unreachable *client.Unreachable
	switch {
	case errors.As(err, &large), errors.As(err, &unreachable) && c.begun:
		batch.Complete, batch.Partial, err = false, closedCut, nil
	case err != nil:
		return client.Batch{Now: batch.Now}, err
	}
	got := r.list(ctx, asksPath, url.Values{"status": {"closed"}, "since": {c.since.UTC().Format(time.RFC3339)}}, "asks")
	if got.err != nil && !got.absent {
		batch.Complete, batch.Partial = false, "what became of the asks could not be read"
	}
	for _, raw := range got.items {
		c.add(r.readAsk(own(raw)))
	}
	c.newest()
	ids := map[string]bool{}
	for _, ask := range c.asks {
		if ask.Paired == "" {
			ids[ask.Session.ID] = true
		}
	}
	if _, err := r.learn(ctx, ids, nil); err != nil {
		return client.Batch{Now: batch.Now}, err
	}
	for _, ask := range c.asks {
		if title := ask.Session.Title; ask.Paired == "" {
			if ask.Session = r.session(ask.Session.ID); ask.Session.Starter == client.StarterUnknown && !title.Empty() {
				ask.Session.Title = title
			}
		}
	}
	batch.Asks = c.asks
	return batch, nil
}

func (c *closedReader) add(ask *client.Ask) {
	if ask.Unreadable != "" || !ask.Status.Closed() || ask.Closing == nil || ask.Closing.At.Before(c.since) {
		return
	}
	r := c.relay
	r.mu.Lock()
	if ask.Paired == r.self.id {
		ask.Paired = ""
	}
	r.mu.Unlock()
	c.asks = append(c.asks, ask)
	if len(c.asks) >= 2*closedKept {
		c.newest()
	}
}

// newest keeps the newest, in their order.
func (c *closedReader) newest() {
	slices.SortStableFunc(c.asks, func(a, b *client.Ask) int { return b.Closing.At.Compare(a.Closing.At) })
	if len(c.asks) > closedKept {
		c.asks = slices.Clone(c.asks[:closedKept])
	}
}

// stream reads {"questions":[…]} as it arrives.
func (c *closedReader) stream(body io.Reader) error {
	other := func(what string) error { return &client.NotRelay{What: what} }
	d := jsontext.NewDecoder(body, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return other("JSON of another form")
	}
	found := false
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return other("broken JSON")
		}
		if name.Kind() == '"' && name.String() == "questions" && d.PeekKind() == '[' {
			found, c.begun = true, true
			if err := c.items(d); err != nil {
				return other("broken JSON")
			}
			continue
		}
		if err := d.SkipValue(); err != nil {
			return other("broken JSON")
		}
	}
	if !found {
		return other("JSON without a list of questions")
	}
	return nil
}

func (c *closedReader) items(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		o, err := httpx.Split(raw)
		if at := httpx.ParseTime(relays.Word(o, "answeredAt")); err == nil && !at.IsZero() && !at.Before(c.since) {
			c.add(c.relay.readCard(own(raw)))
		}
	}
	_, err := d.ReadToken()
	return err
}
