package opencomputer

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
)

// memo is what the last listing gave. A poll of an inbox in which nothing
// happened then reads no JSON at all, and an ask that did not change stays the
// same pointer, which makes it cheap to see that it did not.
type memo struct {
	pages    map[string]*page // by the cursor that was asked with; "" is the first
	asks     map[client.Ref]*client.Ask
	sessions map[string]client.Session
	list     []*client.Ask // all of asks, in the relay's order
	silent   int           // sessions that wait and do not say for what
}

// page is one page of waiting sessions, read.
type page struct {
	body     []byte // as it came
	next     string // the cursor of the page after it
	me       string // for whom it was read
	asks     []*client.Ask
	sessions []client.Session
	// silent counts the sessions that wait and do not say for what.
	silent int
}

// collection is one reading of the waiting sessions.
type collection struct {
	relay  *Relay
	me     func() string
	before memo
	got    []arrived
	fresh  bool // a page is not one of before
}

// arrived is a page with the cursor that it came for.
type arrived struct {
	cursor string
	page   *page
}

func (c *collection) begin() { c.got, c.fresh = nil, false }

// add takes a page that is new, or has changed.
func (c *collection) add(_ jsontext.Value, items []jsontext.Value) {
	c.fresh = true
	c.got = append(c.got, arrived{page: c.read(items, c.me())})
}

// keep notes what the page that was added last came as.
func (c *collection) keep(cursor string, body []byte, next string) {
	last := &c.got[len(c.got)-1]
	last.cursor, last.page.body, last.page.next = cursor, body, next
}

// recall returns a page as it came at the listing before; nil is none.
func (c *collection) recall(cursor string) (body []byte) {
	if p := c.before.pages[cursor]; p != nil && p.me == c.me() {
		return p.body
	}
	return nil
}

// again takes a page that came just as it did before, and returns the cursor of
// the next one.
func (c *collection) again(cursor string) (next string) {
	p := c.before.pages[cursor]
	c.got = append(c.got, arrived{cursor, p})
	return p.next
}

// end returns what the listing gave. One that gave what the listing before did
// is that one.
func (c *collection) end() memo {
	if !c.fresh && len(c.got) == len(c.before.pages) {
		return c.before
	}
	now := memo{pages: map[string]*page{}, asks: map[client.Ref]*client.Ask{}, sessions: map[string]client.Session{}}
	var order []client.Ref
	for _, g := range c.got {
		now.pages[g.cursor] = g.page
		now.silent += g.page.silent
		for _, ask := range g.page.asks {
			// One that stands on two pages, because the list moved meanwhile, counts
			// once, as it was read last.
			if now.asks[ask.Ref] == nil {
				order = append(order, ask.Ref)
			}
			now.asks[ask.Ref] = ask
		}
		for _, s := range g.page.sessions {
			now.sessions[s.ID] = s
		}
	}
	now.list = make([]*client.Ask, 0, len(order))
	for _, ref := range order {
		now.list = append(now.list, now.asks[ref])
	}
	return now
}

// read makes asks of the sessions of a page.
func (c *collection) read(items []jsontext.Value, me string) *page {
	p := &page{me: me}
	at := map[client.Ref]int{}
	for _, item := range items {
		session, list, trouble := readSession(item, me)
		asks, silent := c.relay.sessionAsks(item, session, list, me, trouble)
		if silent {
			p.silent++
		}
		if session.ID != "" {
			p.sessions = append(p.sessions, session)
		}
		for _, ask := range asks {
			if ask.Status.Closed() {
				continue
			}
			if old := c.before.asks[ask.Ref]; old != nil && old.Session == ask.Session && old.Unreadable == ask.Unreadable && bytes.Equal(old.Raw, ask.Raw) {
				ask = old
			}
			i, doubled := at[ask.Ref]
			switch {
			case !doubled:
				at[ask.Ref] = len(p.asks)
				p.asks = append(p.asks, ask)
			case !bytes.Equal(p.asks[i].Raw, ask.Raw):
				// Of two contents under one id nobody can say which one an answer is for.
				p.asks[i] = c.relay.unreadable(ask.Raw, ask.Session, "the relay lists two different asks under its id")
			}
		}
	}
	return p
}
