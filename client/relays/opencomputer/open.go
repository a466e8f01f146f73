package opencomputer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// page is one page of waiting sessions, read for a person.
type page struct {
	next   string // the cursor of the page after it
	asks   []*client.Ask
	silent int // sessions that do not say what is asked in them
}

// sessionKeys are the names of what a session sends.
var sessionKeys = relays.SessionKeys{ID: "id", CreatedBy: "createdBy", Parent: "parentId", List: "asks"}

// Open reads the waiting sessions with their open asks, one request a page.
func (r *Relay) Open(ctx context.Context) (client.Batch, error) {
	who := r.who.Begin(ctx)
	defer who()
	reading := r.pages.Begin()
	var pages []*page
	end, err := r.walk(ctx, listing{
		call:   call{path: []string{"sessions"}, method: "sessions.list", query: map[string]string{"status": "waiting"}},
		begin:  func() { reading, pages = r.pages.Begin(), nil },
		before: func(cursor string) httpx.Sum { return reading.Before(cursor, who) },
		page: func(cursor string, out result) (string, error) {
			p, err := reading.Take(cursor, who(), out.sum, out.same, func() (*page, error) { return r.readPage(out.raw, who()) })
			if err != nil {
				return "", err
			}
			pages = append(pages, p)
			return p.next, nil
		},
	})
	asks := reading.AsBefore(func() []*client.Ask { return gather(pages) })
	batch := client.Batch{Asks: asks, Now: end.now, Partial: end.partial, Complete: err == nil && end.partial == ""}
	if err != nil {
		return batch, r.stranger.Name(ctx, err)
	}
	if end.partial != "" {
		batch.Partial += "; " + client.Count(len(asks), "ask") + " of it are here"
	}
	silent := 0
	for _, p := range pages {
		silent += p.silent
	}
	if silent > 0 {
		batch.Complete = false
		batch.Partial = fmt.Sprintf("the relay does not say what is asked in %d of the waiting sessions", silent)
	}
	batch.Asks = reading.Keep(asks)
	return batch, nil
}

// gather puts pages together. An ask that stands on two of them, because the list moved
// meanwhile, counts once, as it was read last.
func gather(pages []*page) (all []*client.Ask) {
	at := map[client.Ref]int{}
	for _, p := range pages {
		for _, ask := range p.asks {
			if i, twice := at[ask.Ref]; twice {
				all[i] = ask
				continue
			}
			at[ask.Ref] = len(all)
			all = append(all, ask)
		}
	}
	return all
}

// readPage makes asks of the sessions of a page.
func (r *Relay) readPage(raw jsontext.Value, who relays.Who) (*page, error) {
	items, next, err := relays.Page(raw, "sessions", nextCursor)
	if err != nil {
		return nil, err
	}
	p := &page{next: next}
	for _, item := range items {
		session, o, asks, trouble := sessionKeys.ReadWith(item, who.Me())
		switch {
		case asks != nil:
		case trouble == "" && o.Get(sessionKeys.List) == nil:
			p.silent++
		default:
			// The asks cannot be told apart, so the session counts as one.
			p.asks = append(p.asks, r.unreadable(bytes.Clone(item), session, cmp.Or(trouble, "its session does not list its asks")))
		}
		for _, raw := range asks {
			if ask := r.readAsk(raw, session, who, trouble); !ask.Status.Closed() {
				p.asks = append(p.asks, ask)
			}
		}
	}
	p.asks = relays.Distinct(p.asks, func(ask *client.Ask) *client.Ask {
		return r.unreadable(ask.Raw, ask.Session, "the relay lists two different asks under its id")
	})
	return p, nil
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
	return r.same(ask, out.raw)
}

// askCall is a call about one ask.
func askCall(ask *client.Ask, method string, more ...string) (call, error) {
	return call{
		path:   append([]string{"sessions", ask.Ref.Session, "asks", ask.ID}, more...),
		method: method,
		ids:    map[string]string{"sessionId": ask.Ref.Session, "askId": ask.ID},
	}, relays.Usable("the ask or its session has no usable id", ask.Ref.Session, ask.ID)
}

// same reads an ask that was asked for by its id. Another one is no answer.
func (r *Relay) same(ask *client.Ask, raw jsontext.Value) (*client.Ask, error) {
	if o, err := httpx.Split(raw); err != nil {
		return nil, err
	} else if inner := o.Get("ask"); inner != nil && o.Get("id") == nil {
		raw = inner
	}
	now := r.readAsk(raw, ask.Session, r.who.Who(), "")
	if now.ID != ask.ID || now.Ref.Session != ask.Ref.Session {
		return nil, &client.NotRelay{What: "another ask than the one asked for"}
	}
	return now, nil
}
