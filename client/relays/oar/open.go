package oar

import (
	"context"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// The listings.
const (
	cardsPath  = "/api/relay-questions"
	boardsPath = "/api/relay-boards"
	asksPath   = "/api/asks"
)

func pending() url.Values { return url.Values{"status": {"pending"}} }

// page is one listing of what is open, read.
type page struct {
	asks   []*placed
	relays jsontext.Value // what it tells of the relays that it asked, too
}

// placed is an item: as it was read, and as it was told last, in its place and with
// its session.
type placed struct {
	bare *client.Ask
	told atomic.Pointer[client.Ask]
}

// answer is how the reading of one listing went.
type answer struct {
	page   *page
	now    time.Time
	err    error
	absent bool // the relay has no such listing
}

// reading is one reading of everything that is open.
type reading struct {
	relay               *Relay
	pages               *relays.Reading[struct{}, *page]
	cards, boards, asks answer
	self                string
	checked             []pairedRelay
	selfErr, pairedErr  error
	// newest is the newest page of conversations, on the first reading only.
	newest *listed

	pairs []pairedRelay
	all   []*client.Ask
}

// Open reads the cards, the boards and the asks, and what is missing of the
// sessions they belong to.
func (r *Relay) Open(ctx context.Context) (client.Batch, error) {
	o := &reading{relay: r, pages: r.pages.Begin()}
	o.fetch(ctx)
	batch := client.Batch{Now: o.cards.now}
	if o.cards.absent && o.cards.err == nil {
		o.cards.err = &client.NotFound{}
	}
	if o.cards.err != nil {
		r.forget()
		return batch, r.stranger.Name(ctx, o.cards.err)
	}
	for _, err := range []error{o.boards.err, o.asks.err, o.selfErr, o.pairedErr} {
		if err != nil && relays.OfTheRelay(err) {
			return batch, err
		}
	}
	batch.Complete = true
	if o.boards.err != nil && !o.boards.absent {
		batch.Complete, batch.Partial = false, "the plan boards could not be read: "+o.boards.err.Error()
	}
	if o.asks.err != nil && !o.asks.absent {
		batch.Complete, batch.Partial = false, "the asks could not be read: "+o.asks.err.Error()
	}
	trouble, err := o.gather(ctx)
	if batch.Partial == "" {
		batch.Partial = trouble
	}
	batch.Asks = o.all
	for _, p := range o.pairs {
		batch.Paired = append(batch.Paired, p.Paired)
	}
	if err != nil {
		batch.Complete = false
	}
	if batch.Complete {
		batch.Asks = o.pages.Keep(o.all)
	} else if err == nil {
		batch.Covers = o.covers
	}
	return batch, err
}

// covers reports whether the listing of such asks was read.
func (o *reading) covers(ask *client.Ask) bool {
	got := [...]answer{fromCard: o.cards, fromBoard: o.boards, fromAsk: o.asks}[privateOf(ask).from]
	return got.err == nil || got.absent
}

// list reads one listing of what is open, and nothing where the relay is known not
// to have it.
func (o *reading) list(ctx context.Context, path, key string, read func(jsontext.Value) *client.Ask) (a answer) {
	known := path + "?" + pending().Get("status")
	if o.relay.isMissing(known) {
		return answer{absent: true}
	}
	reply, err := o.relay.http.Do(ctx, httpx.Request{Path: path, Query: pending(), Before: o.pages.Before(path, o.basis)})
	if reply != nil {
		a.now = reply.Now
	}
	if a.err = err; err != nil {
		if a.absent = noSuchPath(reply, err); a.absent {
			o.relay.setMissing(known)
		}
		return a
	}
	a.page, a.err = o.pages.Take(path, o.basis(), reply.Sum, reply.Same, func() (*page, error) {
		var l listed
		l.take(reply.Body, key)
		p := &page{relays: l.whole.Get("relays")}
		for _, raw := range l.items {
			p.asks = append(p.asks, &placed{bare: read(own(raw))})
		}
		return p, l.err
	})
	return a
}

// basis says that an item is read by itself alone.
func (o *reading) basis() struct{} { return struct{}{} }

// fetch reads the listings on two lanes, which is as many connections as are
// kept open. Only the first reading asks for everything at once, because somebody
// waits for the first asks to show.
func (o *reading) fetch(ctx context.Context) {
	r := o.relay
	r.mu.Lock()
	first := !r.begun
	r.begun = true
	r.mu.Unlock()
	cards := func() { o.cards = o.list(ctx, cardsPath, "questions", r.readCard) }
	boards := func() { o.boards = o.list(ctx, boardsPath, "boards", r.readBoard) }
	asks := func() { o.asks = o.list(ctx, asksPath, "asks", r.readAsk) }
	others := func() {
		o.self, o.selfErr = r.who(ctx)
		o.checked, o.pairedErr = r.readPairings(ctx)
	}
	newest := func() {
		page := r.list(ctx, conversationsPath, newestPage(), "conversations")
		o.newest = &page
	}
	lanes := [][]func(){{cards, asks}, {boards, others}}
	if first {
		lanes = [][]func(){{cards}, {asks}, {boards}, {others}, {newest}}
	}
	parts := make([]func(), len(lanes))
	for i, lane := range lanes {
		parts[i] = func() {
			for _, read := range lane {
				read()
			}
		}
	}
	httpx.Together(parts...)
}

// forget lets every path be tried again at once. What was found missing while
// something else stood at the address says nothing about the relay.
func (r *Relay) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.missing)
}

// gather makes asks of what was read.
func (o *reading) gather(ctx context.Context) (trouble string, err error) {
	var told jsontext.Value
	if o.asks.page != nil {
		told = o.asks.page.relays
	}
	o.pairs = pairs(told, o.checked, o.self)
	var all []*placed
	ids := map[string]bool{}
	for _, a := range []answer{o.cards, o.boards, o.asks} {
		if a.page == nil {
			continue
		}
		for _, p := range a.page.asks {
			all = append(all, p)
			if _, away := o.home(p.bare); !away {
				ids[p.bare.Session.ID] = true
			}
		}
	}
	trouble, err = o.relay.learn(ctx, ids, o.newest)
	for _, p := range all {
		if !p.bare.Status.Closed() {
			o.all = append(o.all, o.place(p))
		}
	}
	o.all = o.relay.distinct(o.all)
	return trouble, err
}
