package opencomputer

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// The bounds of a reading of what was closed: it is a convenience, and must not
// cost the relay more than the inbox itself does.
const (
	closedSessionPages = 3
	closedAskPages     = 5
	closedAtOnce       = 4
)

const closedStatuses = "answered,dismissed,declined,interrupted"

// Closed reads what was closed since a moment: the sessions that changed since
// then, and the closed asks of each.
func (r *Relay) Closed(ctx context.Context, since time.Time) (client.Batch, error) {
	who := r.who.Begin(ctx)
	defer who()
	var sessions []client.Session
	end, err := r.walk(ctx, listing{
		call: call{path: []string{"sessions"}, method: "sessions.list",
			query: map[string]string{"updatedSince": since.UTC().Format(time.RFC3339)}},
		most:  closedSessionPages,
		begin: func() { sessions = nil },
		page: func(_ string, out result) (string, error) {
			items, next, err := relays.Page(out.raw, "sessions", nextCursor)
			for _, item := range items {
				if s, _, _, trouble := sessionKeys.ReadWith(item, who().Me()); trouble == "" {
					sessions = append(sessions, s)
				}
			}
			return next, err
		},
	})
	batch := client.Batch{Now: end.now, Partial: end.partial}
	if err != nil {
		return batch, r.stranger.Name(ctx, err)
	}
	h := &closedAsks{relay: r, since: since, who: who(), asks: map[client.Ref]*client.Ask{}, partial: end.partial}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(closedAtOnce)
	for _, s := range sessions {
		group.Go(func() error { return httpx.Contain(func() error { return h.read(inner, s) }) })
	}
	err = group.Wait()
	for _, ask := range h.asks {
		batch.Asks = append(batch.Asks, ask)
	}
	slices.SortFunc(batch.Asks, relays.NewestFirst)
	batch.Partial = h.partial
	batch.Complete = err == nil && h.partial == ""
	return batch, err
}

// closedAsks gathers the closed asks of several sessions.
type closedAsks struct {
	relay *Relay
	since time.Time
	who   relays.Who

	mu      sync.Mutex
	asks    map[client.Ref]*client.Ask
	partial string
}

// read reads the closed asks of one session. A session that is gone has none.
func (h *closedAsks) read(ctx context.Context, s client.Session) error {
	var asks []*client.Ask
	end, err := h.relay.walk(ctx, listing{
		call: call{path: []string{"sessions", s.ID, "asks"}, method: "asks.list",
			ids: map[string]string{"sessionId": s.ID}, query: map[string]string{"status": closedStatuses}},
		most:  closedAskPages,
		begin: func() { asks = nil },
		page: func(_ string, out result) (string, error) {
			items, next, err := relays.Page(out.raw, "asks", nextCursor)
			for _, item := range items {
				ask := h.relay.readAsk(item, s, h.who, "")
				// One without a time was closed at some time, which is not known to be
				// within the span.
				if ask.Status.Closed() && !ask.Closing.At.Before(h.since) {
					asks = append(asks, ask)
				}
			}
			return next, err
		},
	})
	var missing *client.NotFound
	if errors.As(err, &missing) {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, ask := range asks {
		h.asks[ask.Ref] = ask
	}
	if end.partial != "" {
		h.partial = end.partial
	}
	return err
}
