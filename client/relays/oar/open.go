package oar

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// pending asks for what is open.
var pending = url.Values{"status": {"pending"}}

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

// reading is one reading of everything that is open.
type reading struct {
	relay    *Relay
	pages    *relays.Reading[struct{}, *page]
	listings [len(kinds)]struct {
		page *page
		err  error
		read bool // or the relay has none
		now  time.Time
	}
	first   bool // nothing was read before
	brief   bool // events tell of all but the asks
	self    string
	checked []pairedRelay
	failed  []error // of those two
	newest  *listed // the newest conversations, where this is the first one
	pairs   []pairedRelay
}

// wholeEvery is how often everything is listed while events tell of cards and boards.
const wholeEvery = 6 * time.Second

// Open reads the cards, the boards and the asks, and what is missing of the sessions
// they belong to. While events come, of which none tells of asks, it mostly reads those.
func (r *Relay) Open(ctx context.Context) (client.Batch, error) {
	o := &reading{relay: r, pages: r.pages.Begin()}
	o.begin()
	o.fetch(ctx)
	batch, err := o.judge(ctx)
	if err == nil {
		err = o.gather(ctx, &batch)
	}
	switch {
	case err != nil || !batch.Complete:
		r.relist()
	case !o.brief:
		batch.Asks = o.pages.Keep(batch.Asks)
	}
	return batch, err
}

// judge says of what was read whether it is everything, and what it covers.
func (o *reading) judge(ctx context.Context) (batch client.Batch, err error) {
	for _, l := range o.listings {
		if batch.Now.IsZero() {
			batch.Now = l.now
		}
		o.failed = append(o.failed, l.err)
	}
	asks := &o.listings[fromAsk]
	if err := o.listings[fromCard].err; err != nil {
		o.relay.forget()
		return batch, o.relay.stranger.Name(ctx, err)
	}
	if i := slices.IndexFunc(o.failed, relays.OfTheRelay); i >= 0 {
		return batch, o.failed[i]
	}
	if o.brief {
		if batch.Covers = o.covers; asks.err != nil {
			return batch, asks.err
		}
	}
	batch.Complete, batch.Untold = true, asks.page != nil
	o.relay.locked(func() { o.relay.asks = batch.Untold })
	for from, l := range o.listings {
		if l.err != nil {
			batch.Complete, batch.Covers = false, o.covers
			batch.Partial = "the " + kinds[from].what + " could not be read: " + l.err.Error()
		}
	}
	return batch, nil
}

// begin settles what is read.
func (o *reading) begin() {
	r := o.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	o.first = !r.begun
	if o.brief = r.live && r.asks && time.Since(r.whole) < wholeEvery; !o.brief {
		r.whole = time.Now()
	}
	r.begun = true
}

// covers reports whether the listing of such asks was read.
func (o *reading) covers(ask *client.Ask) bool { return o.listings[privateOf(ask).from].read }

// fetch reads the listings on two lanes, which is as many connections as are
// kept open. Only the first reading asks for everything at once, because somebody
// waits for the first asks to show.
func (o *reading) fetch(ctx context.Context) {
	r := o.relay
	cards := func() { o.list(ctx, fromCard) }
	boards := func() { o.list(ctx, fromBoard) }
	asks := func() { o.list(ctx, fromAsk) }
	var selfErr, pairedErr error
	others := func() {
		o.self, selfErr = r.who(ctx)
		o.checked, pairedErr = r.readPairings(ctx)
	}
	newest := func() {
		l := r.list(ctx, conversationsPath, newestPage(), "conversations")
		o.newest = &l
	}
	switch {
	case o.first:
		httpx.Together(cards, asks, boards, others, newest)
	case o.brief:
		httpx.Together(asks, others)
	default:
		httpx.Together(func() { cards(); asks() }, func() { boards(); others() })
	}
	o.failed = []error{selfErr, pairedErr}
}

// list reads one listing of what is open. An item that came as before is not read again.
func (o *reading) list(ctx context.Context, from origin) {
	r, k, l := o.relay, &kinds[from], &o.listings[from]
	basis := func() struct{} { return struct{}{} }
	reply, err := r.fetch(ctx, httpx.Request{Path: k.listing, Query: pending, Before: o.pages.Before(k.listing, basis)})
	if reply != nil {
		l.now = reply.Now
	}
	if l.read = from != fromCard && errors.Is(err, errAbsent); l.read {
		return
	}
	if l.err = err; err != nil {
		return
	}
	l.page, l.err = o.pages.Take(k.listing, basis(), reply.Sum, reply.Same, func() (*page, error) {
		return r.readPage(from, reply.Body, o.pages.ReadBefore(k.listing))
	})
	l.read = l.err == nil
}

// readPage reads a page of a listing; before is what it was at the reading before, or nil.
func (r *Relay) readPage(from origin, body []byte, before *page) (*page, error) {
	l := itemsOf(body, kinds[from].list)
	known := map[string]*placed{}
	if before != nil {
		for _, p := range before.asks {
			known[string(p.bare.Raw)] = p
		}
	}
	p := &page{relays: slices.Clone(l.whole.Get("relays"))}
	for _, raw := range l.items {
		one := known[string(raw)]
		if one == nil {
			one = &placed{bare: r.read(from, slices.Clone(raw))}
		}
		p.asks = append(p.asks, one)
	}
	return p, l.err
}

// gather makes asks of what was read.
func (o *reading) gather(ctx context.Context, batch *client.Batch) error {
	var told jsontext.Value
	if p := o.listings[fromAsk].page; p != nil {
		told = p.relays
	}
	o.pairs = pairs(told, o.checked, o.self)
	var all []*placed
	ids := map[string]bool{}
	for _, l := range o.listings {
		if l.page == nil {
			continue
		}
		for _, p := range l.page.asks {
			if p.bare.Status.Closed() {
				continue
			}
			if all = append(all, p); !away(p.bare, o.self) {
				ids[p.bare.Session.ID] = true
			}
		}
	}
	trouble, err := o.relay.learn(ctx, ids, o.newest)
	for _, p := range all {
		batch.Asks = append(batch.Asks, o.place(p))
	}
	batch.Asks = o.relay.distinct(batch.Asks)
	for _, p := range o.pairs {
		batch.Paired = append(batch.Paired, p.Paired)
	}
	if batch.Partial = cmp.Or(batch.Partial, trouble); err != nil {
		batch.Complete, batch.Covers = false, nil
	}
	return err
}
