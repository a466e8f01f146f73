package opencomputer

import (
	"bytes"
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// page is one page of waiting sessions, read for a person.
type page struct {
	next     string // the cursor of the page after it
	asks     []*client.Ask
	sessions []client.Session
	silent   int // sessions that do not say what is asked in them
}

// listed is what the last whole listing of the waiting sessions gave.
type listed struct {
	asks     []*client.Ask // in the relay's order
	sessions map[string]client.Session
	silent   int
}

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
	now := r.gather(pages, reading.Same())
	batch := client.Batch{Asks: now.asks, Now: end.now, Partial: end.partial, Complete: err == nil && end.partial == ""}
	if err != nil {
		return batch, r.stranger.Name(ctx, err)
	}
	if now.silent > 0 {
		batch.Complete = false
		batch.Partial = fmt.Sprintf("the relay does not say what is asked in %d of the waiting sessions", now.silent)
	}
	batch.Asks = reading.Keep(now.asks)
	r.mu.Lock()
	r.listed = now
	r.mu.Unlock()
	return batch, nil
}

// gather puts pages together, or returns what they were put together to before.
func (r *Relay) gather(pages []*page, same bool) listed {
	if same {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.listed
	}
	now := listed{sessions: map[string]client.Session{}}
	at := map[client.Ref]int{}
	for _, p := range pages {
		now.silent += p.silent
		for _, s := range p.sessions {
			now.sessions[s.ID] = s
		}
		for _, ask := range p.asks {
			// One that stands on two pages, because the list moved meanwhile, counts
			// once, as it was read last.
			if i, twice := at[ask.Ref]; twice {
				now.asks[i] = ask
				continue
			}
			at[ask.Ref] = len(now.asks)
			now.asks = append(now.asks, ask)
		}
	}
	return now
}

// readPage makes asks of the sessions of a page.
func (r *Relay) readPage(raw jsontext.Value, who relays.Who) (*page, error) {
	items, next, err := relays.Page(raw, "sessions", nextCursor)
	if err != nil {
		return nil, err
	}
	p := &page{next: next}
	for _, item := range items {
		session, trouble, list := readSession(item, who.Me())
		if session.ID != "" {
			p.sessions = append(p.sessions, session)
		}
		switch {
		case list.missing && trouble == "":
			p.silent++
			continue
		case list.missing, list.odd:
			// The asks cannot be told apart, so the session counts as one.
			if trouble == "" {
				trouble = "its session does not list its asks"
			}
			p.asks = append(p.asks, r.unreadable(bytes.Clone(item), session, trouble))
			continue
		}
		for _, raw := range list.items {
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
