package oar

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// The listings.
const (
	cardsPath  = "/api/relay-questions"
	boardsPath = "/api/relay-boards"
	asksPath   = "/api/asks"
)

func pending() url.Values { return url.Values{"status": {"pending"}} }

// remembered is what an item was read as: before its session was looked up, and
// after. An item that did not change stays the same pointer.
type remembered struct{ bare, full *client.Ask }

// reading is one reading of everything that is open.
type reading struct {
	relay               *Relay
	cards, boards, asks listed
	self                string
	checked             []pairedRelay
	selfErr, pairedErr  error
	// newest is the newest page of conversations, on the first reading only.
	newest *listed

	pairs  []pairedRelay
	before map[[32]byte]*remembered
	memo   map[[32]byte]*remembered
	at     map[client.Ref]int
	all    []*client.Ask
}

// Open reads the cards, the boards and the asks, and what is missing of the
// sessions they belong to.
func (r *Relay) Open(ctx context.Context) (client.Batch, error) {
	o := &reading{relay: r}
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
		if err != nil && ends(err) {
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
	return batch, err
}

// fetch reads the listings on two lanes, which is as many connections as are
// kept open. Only the first reading asks for everything at once, because somebody
// waits for the first asks to show.
func (o *reading) fetch(ctx context.Context) {
	r := o.relay
	r.mu.Lock()
	first := !r.begun
	r.begun = true
	r.mu.Unlock()
	cards := func() { o.cards = r.list(ctx, cardsPath, pending(), "questions") }
	boards := func() { o.boards = r.list(ctx, boardsPath, pending(), "boards") }
	asks := func() { o.asks = r.list(ctx, asksPath, pending(), "asks") }
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
	r := o.relay
	r.mu.Lock()
	o.before = r.memo
	r.mu.Unlock()
	o.memo, o.at = map[[32]byte]*remembered{}, map[client.Ref]int{}
	o.pairs = pairs(o.asks, o.checked, o.self)
	var bare []*remembered
	ids := map[string]bool{}
	take := func(l listed, from origin, read func(jsontext.Value) *client.Ask) {
		for _, raw := range l.items {
			m := o.recall(raw, from, read)
			bare = append(bare, m)
			if _, away := o.home(m.bare); !away {
				ids[m.bare.Ref.Session] = true
			}
		}
	}
	take(o.cards, fromCard, r.readCard)
	take(o.boards, fromBoard, r.readBoard)
	take(o.asks, fromAsk, r.readAsk)
	trouble, err = r.learn(ctx, ids, o.newest)
	for _, m := range bare {
		m.full = o.complete(m)
		if m.full.Status.Closed() {
			continue
		}
		o.add(m.full)
	}
	r.mu.Lock()
	r.memo = o.memo
	r.mu.Unlock()
	return trouble, err
}

// recall reads an item, or remembers how it was read.
func (o *reading) recall(raw jsontext.Value, from origin, read func(jsontext.Value) *client.Ask) *remembered {
	h := sha256.New()
	h.Write([]byte{byte(from)})
	h.Write(raw)
	var key [32]byte
	h.Sum(key[:0])
	m := o.before[key]
	if m == nil {
		m = &remembered{bare: read(own(raw))}
	} else {
		m = &remembered{bare: m.bare, full: m.full}
	}
	o.memo[key] = m
	return m
}

// home returns the paired relay that an ask lives on; away is false for the
// relay's own.
func (o *reading) home(ask *client.Ask) (p pairedRelay, away bool) {
	if ask.Paired == "" || ask.Paired == o.self {
		return p, false
	}
	for _, p := range o.pairs {
		if p.ID == ask.Paired {
			return p, true
		}
	}
	// A relay that does not tell its own id can only mean itself.
	return pairedRelay{Paired: client.Paired{ID: ask.Paired}}, o.self != ""
}

// complete gives an ask its session and its place.
func (o *reading) complete(m *remembered) *client.Ask {
	ask := *m.bare
	p, away := o.home(m.bare)
	if away {
		if p.base != "" && ask.Ref.Session != "" {
			ask.Session.Link = p.base + "/?conv=" + url.QueryEscape(ask.Ref.Session)
		}
		o.elsewhere(&ask, p)
	} else {
		ask.Paired = ""
		title := ask.Session.Title
		ask.Session = o.relay.session(ask.Ref.Session)
		if ask.Session.Starter == client.StarterUnknown && !title.Empty() {
			ask.Session.Title = title
		}
	}
	if old := m.full; old != nil && old.Session == ask.Session && old.Paired == ask.Paired && old.Offers == ask.Offers && old.Ref == ask.Ref {
		return old
	}
	return &ask
}

// elsewhere takes the offers from a card of a paired relay: pairings carry the
// answers to asks and to nothing else.
func (o *reading) elsewhere(ask *client.Ask, p pairedRelay) {
	if privateOf(ask).from == fromAsk || ask.Unreadable != "" {
		return
	}
	name := p.Name
	if name.Empty() {
		name = text.New(p.ID)
	}
	ask.Offers = client.Refused("answer it on " + name.Quoted(40))
}

const twoUnderOneID = "the relay lists two different ones under its id"

// add puts an ask into the batch. One that has the reference of another is never
// dropped: a question, a board and an ask are told apart, and of two different
// contents under one id none can be answered.
func (o *reading) add(ask *client.Ask) {
	i, twice := o.at[ask.Ref]
	if !twice {
		o.at[ask.Ref] = len(o.all)
		o.all = append(o.all, ask)
		return
	}
	old := o.all[i]
	switch from := privateOf(ask).from; {
	case from == privateOf(old).from && bytes.Equal(old.Raw, ask.Raw):
	case from != privateOf(old).from:
		o.renamed(ask, [...]string{" (card)", " (board)", " (ask)"}[from])
	case old.Paired != ask.Paired:
		const why = "two relays have an ask with this id, so no answer could tell them apart"
		c := *old
		c.Offers = client.Refused(why)
		o.all[i] = &c
		c2 := *ask
		c2.Offers = client.Refused(why)
		o.renamed(&c2, " on "+ask.Paired)
	default:
		bad := o.relay.unreadable(ask.Raw, from, twoUnderOneID)
		bad.Session, bad.Paired = ask.Session, ask.Paired
		o.all[i] = bad
	}
}

func (o *reading) renamed(ask *client.Ask, mark string) {
	c := *ask
	for n := 0; ; n++ {
		c.ID = ask.ID + mark
		if n > 0 {
			c.ID += fmt.Sprintf(" %d", n+1)
		}
		if _, taken := o.at[c.Ref]; !taken {
			break
		}
	}
	o.at[c.Ref] = len(o.all)
	o.all = append(o.all, &c)
}
