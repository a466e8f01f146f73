package oar

import (
	"bytes"
	"fmt"
	"net/url"

	"askbox/client"
)

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

// place gives an ask its session and its place.
func (o *reading) place(p *placed) *client.Ask {
	bare := p.bare
	session, paired, offers := bare.Session, bare.Paired, bare.Offers
	if on, away := o.home(bare); away {
		if on.base != "" && bare.Ref.Session != "" {
			session.Link = on.base + "/?conv=" + url.QueryEscape(bare.Ref.Session)
		}
		if privateOf(bare).from != fromAsk && bare.Unreadable == "" {
			// Pairings carry the answers to asks and to nothing else.
			offers = client.Refused("answer it on " + on.named().Quoted(40))
		}
	} else {
		paired, session = "", o.relay.session(bare.Ref.Session)
		if title := bare.Session.Title; session.Starter == client.StarterUnknown && !title.Empty() {
			session.Title = title
		}
	}
	if old := p.told.Load(); old != nil && old.Session == session && old.Paired == paired && old.Offers == offers {
		return old
	}
	ask := *bare
	ask.Session, ask.Paired, ask.Offers = session, paired, offers
	p.told.Store(&ask)
	return &ask
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
