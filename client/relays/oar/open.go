package oar

import (
	"context"
	"errors"
	"net/http"
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
	asks    []*client.Ask
}

// wholeEvery is how often everything is listed while events tell of cards and boards.
const wholeEvery = 6 * time.Second

// Open reads the cards, the boards and the asks, and what is missing of the sessions
// they belong to. While events come, of which none tells of asks, it mostly reads those.
func (r *Relay) Open(ctx context.Context) (batch client.Batch, err error) {
	o := &reading{relay: r, pages: r.pages.Begin()}
	o.begin()
	defer func() {
		if err != nil || !batch.Complete {
			r.relist()
		}
	}()
	o.fetch(ctx)
	for _, l := range o.listings {
		if batch.Now.IsZero() {
			batch.Now = l.now
		}
	}
	switch cards, asks := o.listings[fromCard], o.listings[fromAsk]; {
	case cards.err != nil:
		r.forget()
		return batch, r.stranger.Name(ctx, cards.err)
	case o.brief && asks.err != nil:
		return batch, asks.err
	case o.brief:
		batch.Covers = o.covers
	}
	batch.Complete, batch.Untold = true, o.listings[fromAsk].page != nil
	for from, l := range o.listings {
		if o.failed = append(o.failed, l.err); l.err != nil {
			batch.Complete, batch.Covers = false, o.covers
			batch.Partial = "the " + kinds[from].what + " could not be read: " + l.err.Error()
		}
	}
	if i := slices.IndexFunc(o.failed, relays.OfTheRelay); i >= 0 {
		return client.Batch{Now: batch.Now}, o.failed[i]
	}
	trouble, err := o.gather(ctx)
	if batch.Asks = o.asks; batch.Partial == "" {
		batch.Partial = trouble
	}
	for _, p := range o.pairs {
		batch.Paired = append(batch.Paired, p.Paired)
	}
	switch {
	case err != nil:
		batch.Complete, batch.Covers = false, nil
	case batch.Complete && !o.brief:
		batch.Asks = o.pages.Keep(o.asks)
	}
	return batch, err
}

// begin settles what is read.
func (o *reading) begin() {
	r := o.relay
	asks := !r.isAbsent(kinds[fromAsk].listing, pending)
	r.mu.Lock()
	defer r.mu.Unlock()
	o.first = !r.begun
	if o.brief = r.live && asks && time.Since(r.whole) < wholeEvery; !o.brief {
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
	if l.read = r.isAbsent(k.listing, pending); l.read {
		return
	}
	basis := func() struct{} { return struct{}{} }
	reply, err := r.http.Do(ctx, httpx.Request{Path: k.listing, Query: pending, Before: o.pages.Before(k.listing, basis)})
	if reply != nil {
		l.now = reply.Now
	}
	if l.err = err; err != nil {
		if from != fromCard && noSuchPath(reply, err) {
			l.read, l.err = true, nil
			r.setAbsent(k.listing, pending)
		}
		return
	}
	l.page, l.err = o.pages.Take(k.listing, basis(), reply.Sum, reply.Same, func() (*page, error) {
		return r.readPage(from, reply.Body, o.pages.ReadBefore(k.listing))
	})
	l.read = l.err == nil
}

// readPage reads a page of a listing; before is what it was at the reading before, or nil.
func (r *Relay) readPage(from origin, body []byte, before *page) (*page, error) {
	whole, items, err := itemsOf(body, kinds[from].list)
	known := map[string]*placed{}
	if before != nil && err == nil {
		for _, p := range before.asks {
			known[string(p.bare.Raw)] = p
		}
	}
	p := &page{relays: whole.Get("relays")}
	for _, raw := range items {
		one := known[string(raw)]
		if one == nil {
			one = &placed{bare: r.read(from, slices.Clone(raw))}
		}
		p.asks = append(p.asks, one)
	}
	return p, err
}

// gather makes asks of what was read.
func (o *reading) gather(ctx context.Context) (trouble string, err error) {
	if p := o.listings[fromAsk].page; p != nil {
		o.pairs = pairs(p.relays, o.checked, o.self)
	} else {
		o.pairs = pairs(nil, o.checked, o.self)
	}
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
			if all = append(all, p); !o.away(p.bare) {
				ids[p.bare.Session.ID] = true
			}
		}
	}
	trouble, err = o.relay.learn(ctx, ids, o.newest)
	for _, p := range all {
		o.asks = append(o.asks, o.place(p))
	}
	o.asks = o.relay.distinct(o.asks)
	return trouble, err
}

// listed is one listing, read.
type listed struct {
	items []jsontext.Value
	whole httpx.Object // the object that holds them
	err   error
	// absent says that the relay has no such listing.
	absent bool
}

// list reads a listing, and nothing where the relay is known not to have it.
func (r *Relay) list(ctx context.Context, path string, query url.Values, key string) listed {
	if r.isAbsent(path, query) {
		return listed{absent: true}
	}
	reply, err := r.http.Do(ctx, httpx.Request{Path: path, Query: query})
	l := listed{err: err, absent: noSuchPath(reply, err)}
	if l.absent {
		r.setAbsent(path, query)
	}
	if err == nil {
		l.whole, l.items, l.err = itemsOf(reply.Body, key)
	}
	return l
}

// itemsOf takes the items out of a listing.
func itemsOf(body []byte, key string) (whole httpx.Object, items []jsontext.Value, err error) {
	whole, items, isList, err := httpx.SplitList(body, key)
	if err == nil && !isList {
		err = &client.NotRelay{What: "JSON without a list of " + key}
	}
	return whole, items, err
}

// noSuchPath reports whether a relay does not know a path: 404, or the page that
// OAR shows for every path that it does not know.
func noSuchPath(reply *httpx.Reply, err error) bool {
	if err == nil || reply == nil {
		return false
	}
	switch reply.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	}
	return reply.Status == http.StatusOK && reply.HTML()
}

// askAgain is after what time a path that the relay did not know is tried anew:
// it may have been updated.
const askAgain = time.Minute

// isAbsent reports whether the relay was seen not to know a path with one status: a
// relay may list what is open and not what is closed.
func (r *Relay) isAbsent(path string, query url.Values) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, is := r.absent[path+"?"+query.Get("status")]
	return is && time.Since(at) < askAgain
}

func (r *Relay) setAbsent(path string, query url.Values) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.absent[path+"?"+query.Get("status")] = time.Now()
}

// forget lets every path be tried again at once. What was found missing while
// something else stood at the address says nothing about the relay.
func (r *Relay) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.absent)
}

// missing reports whether an error says that the relay does not have something.
func missing(err error) bool {
	_, is := errors.AsType[*client.NotFound](err)
	return is
}
