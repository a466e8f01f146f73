package oar

import (
	"bytes"
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
		if on.base != "" && bare.Session.ID != "" {
			session.Link = on.base + "/?conv=" + url.QueryEscape(bare.Session.ID)
		}
		if privateOf(bare).from != fromAsk && bare.Unreadable == "" {
			// Pairings carry the answers to asks and to nothing else.
			offers = client.Refused("answer it on " + on.named().Quoted(40))
		}
	} else {
		paired, session = "", o.relay.session(bare.Session.ID)
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

const (
	twoUnderOneID = "the relay lists two different ones under its id"
	onTwoRelays   = "two relays have an ask with this id, so no answer could tell them apart"
)

// distinct returns asks with one for each reference, of which none is dropped. An ask
// that is listed twice, as in two sessions while it moves from one to the other, is one.
// Of two contents under one id none can be answered, and neither can an ask whose id
// another relay uses too, because the id alone stands in the address of an answer.
func (r *Relay) distinct(all []*client.Ask) []*client.Ask {
	out := make([]*client.Ask, 0, len(all))
	at, taken := map[private]int{}, map[client.Ref]bool{}
	for _, ask := range all {
		p := privateOf(ask)
		i, twice := at[p]
		if twice && out[i].Ref.Session == ask.Ref.Session {
			if !bytes.Equal(out[i].Raw, ask.Raw) && out[i].Digest() != ask.Digest() {
				bad := r.unreadable(ask.Raw, p.from, twoUnderOneID)
				bad.Session, bad.Paired = ask.Session, ask.Paired
				ask = bad
			}
			out[i] = ask
			continue
		}
		if twice {
			first, second := *out[i], *ask
			first.Offers, second.Offers = client.Refused(onTwoRelays), client.Refused(onTwoRelays)
			out[i], ask = &first, &second
		}
		if taken[ask.Ref] { // by one of another kind
			c := *ask
			c.ID += [...]string{" (card)", " (board)", " (ask)"}[p.from]
			ask = &c
		}
		at[p], taken[ask.Ref] = len(out), true
		out = append(out, ask)
	}
	return out
}
