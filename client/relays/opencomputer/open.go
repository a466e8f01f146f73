package opencomputer

import (
	"bytes"
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// ignore is the page function of a listing that is only tried.
func ignore(jsontext.Value, []jsontext.Value) {}

// Open reads the waiting sessions with their open asks, one request a page.
func (r *Relay) Open(ctx context.Context) (client.Batch, error) {
	me := r.who.Begin(ctx)
	defer me()
	r.mu.Lock()
	c := &collection{relay: r, me: me, before: r.seen}
	r.mu.Unlock()
	end, err := r.walk(ctx, listing{
		call:  call{path: []string{"sessions"}, method: "sessions.list", query: map[string]string{"status": "waiting"}},
		items: "sessions", begin: c.begin, page: c.add, recall: c.recall, again: c.again, keep: c.keep,
	})
	now := c.end()
	batch := client.Batch{Asks: now.list, Now: end.now, Partial: end.partial, Complete: err == nil && end.partial == ""}
	if err != nil {
		return batch, noSessions(err)
	}
	if now.silent > 0 {
		batch.Complete = false
		batch.Partial = fmt.Sprintf("the relay does not say what is asked in %d of the waiting sessions", now.silent)
	}
	r.mu.Lock()
	r.seen = now
	r.mu.Unlock()
	return batch, nil
}

// sessionAsks makes asks of what a session holds. A session whose asks cannot be
// told apart becomes one unreadable ask; silent says that it has no list at all.
func (r *Relay) sessionAsks(raw jsontext.Value, session client.Session, list jsontext.Value, me, trouble string) (asks []*client.Ask, silent bool) {
	items, err := httpx.List(list)
	switch {
	case list == nil && trouble == "":
		return nil, true
	case err != nil && trouble == "":
		trouble = "its session does not list its asks"
		fallthrough
	case err != nil:
		return []*client.Ask{r.unreadable(bytes.Clone(raw), session, trouble)}, false
	}
	for _, item := range items {
		asks = append(asks, r.readAsk(item, session, me, trouble))
	}
	return asks, false
}

// Get reads one ask as it is now.
func (r *Relay) Get(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	c, err := askCall(ask, "asks.get")
	if err != nil {
		return nil, err
	}
	out, err := r.do(ctx, c)
	if err != nil {
		return nil, err
	}
	now, err := r.same(ask, out.raw)
	if err != nil {
		return nil, err
	}
	return now, nil
}

// askCall is a call about one ask.
func askCall(ask *client.Ask, method string, more ...string) (call, error) {
	if !httpx.Segment(ask.Ref.Session) || !httpx.Segment(ask.ID) {
		return call{}, &client.InvalidAnswer{Reason: "the ask or its session has no usable id"}
	}
	return call{
		path:   append([]string{"sessions", ask.Ref.Session, "asks", ask.ID}, more...),
		method: method,
		ids:    map[string]string{"sessionId": ask.Ref.Session, "askId": ask.ID},
	}, nil
}

// same reads an ask that was asked for by its id. Another one is no answer.
func (r *Relay) same(ask *client.Ask, raw jsontext.Value) (*client.Ask, error) {
	if o, err := httpx.Split(raw); err != nil {
		return nil, err
	} else if inner := o.Get("ask"); inner != nil && o.Get("id") == nil {
		raw = inner
	}
	now := r.readAsk(raw, ask.Session, r.who.Me(), "")
	if now.ID != ask.ID || now.Ref.Session != ask.Ref.Session {
		return nil, &client.NotRelay{What: "another ask than the one asked for"}
	}
	return now, nil
}
