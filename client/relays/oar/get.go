package oar

import (
	"bytes"
	"context"
	"net/url"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// Get reads one ask as it is now.
func (r *Relay) Get(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	p := privateOf(ask)
	switch err := relays.Usable("the ask has no usable id", p.id); {
	case err != nil:
		return nil, err
	case p.from == fromAsk:
		return r.getAsk(ctx, ask)
	}
	return r.getOne(ctx, ask)
}

// Find reads the card or board with an id, which may have ended without being listed.
func (r *Relay) Find(ctx context.Context, id string) (*client.Ask, error) {
	if err := relays.Usable("no ask has such an id", id); err != nil {
		return nil, err
	}
	for from := range fromAsk {
		ask := &client.Ask{Ref: client.Ref{Relay: r.name, ID: id}, Private: private{from, id}}
		if found, err := r.getOne(ctx, ask); !missing(err) {
			return found, err
		}
	}
	return nil, &client.NotFound{}
}

// getOne reads a card or a board.
func (r *Relay) getOne(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	p := privateOf(ask)
	k := kinds[p.from]
	reply, err := r.http.Do(ctx, httpx.Request{Path: k.path + httpx.Path(p.id)})
	if err != nil {
		return nil, err
	}
	o, err := httpx.Split(reply.Body)
	if err != nil {
		return nil, err
	}
	now, err := r.sameAs(ask, o.Get(k.item))
	if err == nil && now.Status == client.Expired && !reply.Now.IsZero() && reply.Now.Before(now.Expires) {
		// The relay has one status for what ran out of time and for what somebody skipped.
		now = dismissed(now)
	}
	return now, err
}

// dismissed tells of a card whose time was ended by somebody.
func dismissed(card *client.Ask) *client.Ask {
	return relays.Over(card, client.Dismissed, client.Closing{At: card.Closing.At, Note: card.Closing.Note, Given: &client.Answer{Dismiss: true}})
}

// getAsk reads an ask from the listings, because there is no call for one. A
// closed one is looked for among those closed since it was opened. That an ask of
// a paired relay is on neither says nothing while that relay does not answer.
func (r *Relay) getAsk(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	now, whole, err := r.find(ctx, ask, pending)
	if !missing(err) {
		return now, err
	}
	for _, p := range pairs(whole.Get("relays"), nil, "") {
		if p.ID == ask.Paired && !p.Reachable {
			return nil, &client.Unreachable{Reason: "the relay that it lives on does not answer"}
		}
	}
	since := time.Now().Add(-24 * time.Hour)
	if !ask.Opened.IsZero() {
		since = ask.Opened
	}
	now, _, err = r.find(ctx, ask, url.Values{"status": {"closed"}, "since": {since.UTC().Format(time.RFC3339)}})
	return now, err
}

// find takes one ask out of a listing. That the listing was found missing before says
// nothing of the ask.
func (r *Relay) find(ctx context.Context, ask *client.Ask, query url.Values) (found *client.Ask, whole httpx.Object, err error) {
	reply, err := r.http.Do(ctx, httpx.Request{Path: kinds[fromAsk].listing, Query: query})
	if noSuchPath(reply, err) {
		return nil, whole, &client.NotFound{Detail: text.New("it does not list such asks any more")}
	}
	if err != nil {
		return nil, whole, err
	}
	l := itemsOf(reply.Body, kinds[fromAsk].list)
	var all []*client.Ask
	for _, raw := range l.items {
		if now, err := r.sameAs(ask, raw); err == nil {
			all = append(all, now)
		}
	}
	switch all = r.distinct(all); {
	case l.err != nil:
		return nil, l.whole, l.err
	case len(all) == 0:
		return nil, l.whole, &client.NotFound{}
	}
	all[0].Ref = ask.Ref
	return all[0], l.whole, nil
}

// sameAs reads an item that has to be the ask asked for: its id is the ask, whatever
// session it is in by now.
func (r *Relay) sameAs(ask *client.Ask, raw jsontext.Value) (*client.Ask, error) {
	if raw == nil {
		return nil, &client.NotRelay{What: "a reply without the ask"}
	}
	from := privateOf(ask).from
	now := r.read(from, bytes.Clone(raw))
	if privateOf(now).id != privateOf(ask).id || ask.Paired != "" && now.Paired != ask.Paired {
		return nil, &client.NotRelay{What: "another ask than the one asked for"}
	}
	switch {
	case now.Session.ID == ask.Session.ID:
		now.Session = ask.Session
	case ask.Paired == "":
		now.Session = r.session(now.Session.ID, now.Session.Title)
	}
	now.Ref, now.Paired = ask.Ref, ask.Paired
	if !now.Status.Closed() && (bytes.Equal(now.Raw, ask.Raw) || ask.Paired != "" && privateOf(now).from != fromAsk) {
		// What may be done with it depends on its place too, which only a listing knows.
		now.Offers = ask.Offers
	}
	return now, nil
}
