package oar

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// identity is who the relay says that it is.
type identity struct {
	id      string
	version text.Text
	known   bool
}

// identify asks the relay who it is. One that does not know the question is an
// old one, and no error.
func (r *Relay) identify(ctx context.Context) (identity, error) {
	reply, err := r.fetch(ctx, httpx.Request{Path: "/api/relay/identity"})
	switch {
	case errors.Is(err, errAbsent):
		return identity{}, nil
	case err != nil:
		return identity{}, err
	}
	o, err := httpx.Split(reply.Body)
	if err != nil {
		return identity{}, err
	}
	me := identity{id: relays.Word(o, "relayId"), version: text.New(relays.Word(o, "version")), known: true}
	r.locked(func() { r.self = me })
	return me, nil
}

// who returns the relay's own id, which is empty where it does not tell.
func (r *Relay) who(ctx context.Context) (string, error) {
	var me identity
	if r.locked(func() { me = r.self }); me.known {
		return me.id, nil
	}
	me, err := r.identify(ctx)
	return me.id, err
}

// pairedEvery is how often the relay itself looks after the relays it is paired
// with; asking it more often tells nothing new.
const pairedEvery = time.Minute

// pairings is what the relay says of the relays that it is paired with.
type pairings struct {
	relays []pairedRelay
	at     time.Time
}

type pairedRelay struct {
	client.Paired
	base string // where its sessions are shown; empty where that is not known
}

// readPairings reads them, at most once a minute. A relay that has none to tell
// of, or that fails to, costs nothing else.
func (r *Relay) readPairings(ctx context.Context) ([]pairedRelay, error) {
	var p pairings
	if r.locked(func() { p = r.paired }); !p.at.IsZero() && time.Since(p.at) < pairedEvery {
		return p.relays, nil
	}
	got := r.list(ctx, "/api/remote-relays", nil, "relays")
	if relays.OfTheRelay(got.err) {
		return p.relays, got.err
	}
	if got.err == nil || errors.Is(got.err, errAbsent) {
		p.relays = nil
		for _, raw := range got.items {
			if one, ok := readPaired(raw); ok {
				p.relays = append(p.relays, one)
			}
		}
	}
	p.at = time.Now()
	r.locked(func() { r.paired = p })
	return p.relays, nil
}

// states says in words why a paired relay cannot be asked.
var states = map[string]string{
	"offline": "offline", "unauthorized": "it refuses the token of the relay it is reached through",
	"error": "it answers with an error", "unknown": "it has not been asked yet",
}

// reason takes the relay's words for why it cannot be asked, without those that
// stand beside it on the screen anyway.
func reason(words string) text.Text {
	inner, found := strings.CutPrefix(words, "Not reachable (")
	if inner, ends := strings.CutSuffix(inner, ")"); found && ends && inner != "" {
		return text.New(inner)
	}
	return text.New(words)
}

func readPaired(raw jsontext.Value) (pairedRelay, bool) {
	o, err := httpx.Split(raw)
	id := relays.Word(o, "relayId")
	if err != nil || id == "" {
		return pairedRelay{}, false
	}
	p := pairedRelay{Paired: client.Paired{ID: id, Identity: id, Name: text.New(relays.Word(o, "name")),
		Seen: httpx.ParseTime(relays.Word(o, "lastSeenAt"))}}
	status := relays.Word(o, "lastStatus")
	if p.Reachable = status == "online"; !p.Reachable {
		p.Reason = reason(relays.Word(o, "lastError"))
		if p.Reason.Empty() {
			p.Reason = text.New(states[status])
		}
	}
	p.base = relays.Link(clean(relays.Word(o, "url")))
	return p, true
}

// pairs puts together what the listing of asks and the relay's own checks say. A
// relay that answers and whose asks are not listed is left out: a group without
// asks would claim that nothing waits there.
func pairs(told jsontext.Value, checked []pairedRelay, self string) []pairedRelay {
	var all []pairedRelay
	byID, listed := map[string]pairedRelay{}, map[string]bool{"": true, self: true}
	for _, c := range checked {
		byID[c.ID] = c
	}
	items, _ := httpx.List(told)
	for _, raw := range items {
		o, err := httpx.Split(raw)
		id := relays.Word(o, "relayId")
		if err != nil || listed[id] {
			continue
		}
		listed[id] = true
		p := byID[id]
		p.ID, p.Identity = id, id
		if name := relays.Word(o, "name"); name != "" {
			p.Name = text.New(name)
		}
		if reach := o.Get("reachable"); reach != nil {
			p.Reachable = reach.Kind() == 't'
		}
		if why := relays.Word(o, "error"); why != "" {
			p.Reason = reason(why)
		}
		if p.Reachable {
			p.Reason = text.Text{}
		}
		all = append(all, p)
	}
	for _, p := range checked {
		if !listed[p.ID] && !p.Reachable {
			listed[p.ID] = true
			all = append(all, p)
		}
	}
	return all
}

// away reports whether an ask lives on a paired relay of the one that has an id. A relay
// that does not tell its own id can only mean itself.
func away(ask *client.Ask, self string) bool {
	return ask.Paired != "" && self != "" && ask.Paired != self
}

// place gives an ask its session and its place.
func (o *reading) place(p *placed) *client.Ask {
	ask := *p.bare
	if away(&ask, o.self) {
		on := pairedRelay{Paired: client.Paired{ID: ask.Paired}}
		for _, p := range o.pairs {
			if p.ID == ask.Paired {
				on = p
			}
		}
		if on.Name.Empty() {
			on.Name = text.New(on.ID)
		}
		ask.Session.Link = link(on.base, ask.Session.ID)
		if privateOf(&ask).from != fromAsk && ask.Unreadable == "" {
			// Pairings carry the answers to asks and to nothing else.
			ask.Offers = client.Refused("answer it on " + on.Name.Quoted(40)).Shared()
		}
	} else {
		ask.Paired, ask.Session = "", o.relay.session(ask.Session.ID, ask.Session.Title)
	}
	if old := p.told.Load(); old != nil && old.Session == ask.Session && old.Paired == ask.Paired && old.AllOffers() == ask.AllOffers() {
		return old
	}
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
	at, taken := make(map[private]int, len(all)), make(map[client.Ref]bool, len(all))
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
