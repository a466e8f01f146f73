package oar

import (
	"bytes"
	"context"
	"errors"
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
	if err := relays.Usable("the ask has no usable id", p.id); err != nil {
		return nil, err
	}
	switch p.from {
	case fromBoard:
		return r.getBoard(ctx, ask)
	case fromAsk:
		return r.getAsk(ctx, ask)
	}
	reply, o, err := r.get(ctx, "/api/relay-question"+httpx.Path(p.id), nil)
	if err != nil {
		return nil, err
	}
	now, err := r.sameAs(ask, o.Get("question"), r.readCard)
	if err != nil {
		return nil, err
	}
	return beforeItsTime(now, reply.Now), nil
}

// beforeItsTime tells a card that somebody skipped from one whose time ran out:
// the relay has one status for both.
func beforeItsTime(ask *client.Ask, now time.Time) *client.Ask {
	if ask.Status == client.Expired && !now.IsZero() && now.Before(ask.Expires) {
		return dismissed(ask)
	}
	return ask
}

func dismissed(ask *client.Ask) *client.Ask {
	closing := client.Closing{Given: &client.Answer{Dismiss: true}}
	if ask.Closing != nil {
		closing.At, closing.Note = ask.Closing.At, ask.Closing.Note
	}
	return relays.Over(ask, client.Dismissed, closing)
}

// getBoard reads a board from the listings. How a closed one ended is looked for
// among the closed ones, where the relay lists them.
func (r *Relay) getBoard(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	now, err := r.find(ask, r.read(ctx, boardsPath, pending(), "boards"), r.readBoard)
	var gone *client.NotFound
	if !errors.As(err, &gone) {
		return now, err
	}
	for _, status := range []string{"acted", "dismissed"} {
		got := r.read(ctx, boardsPath, url.Values{"status": {status}}, "boards")
		if now, none := r.find(ask, got, r.readBoard); none == nil && now.Status.Closed() {
			return now, nil
		}
	}
	return nil, err
}

// getAsk reads an ask from the listings, because there is no call for one. A
// closed one is looked for among those closed since it was opened. That an ask of
// a paired relay is on neither says nothing while that relay does not answer.
func (r *Relay) getAsk(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	open := r.read(ctx, asksPath, pending(), "asks")
	now, err := r.find(ask, open, r.readAsk)
	var gone *client.NotFound
	if !errors.As(err, &gone) {
		return now, err
	}
	for _, p := range pairs(open.whole.Get("relays"), nil, "") {
		if p.ID == ask.Paired && !p.Reachable {
			return nil, &client.Unreachable{Reason: "the relay that it lives on does not answer"}
		}
	}
	since := time.Now().Add(-24 * time.Hour)
	if !ask.Opened.IsZero() {
		since = ask.Opened
	}
	query := url.Values{"status": {"closed"}, "since": {since.UTC().Format(time.RFC3339)}}
	return r.find(ask, r.read(ctx, asksPath, query, "asks"), r.readAsk)
}

// find takes one item out of a listing.
func (r *Relay) find(ask *client.Ask, got listed, read func(jsontext.Value) *client.Ask) (*client.Ask, error) {
	if got.absent {
		return nil, &client.NotFound{Detail: text.New("it does not list such asks any more")}
	}
	if got.err != nil {
		return nil, got.err
	}
	var found *client.Ask
	for _, raw := range got.items {
		now, err := r.sameAs(ask, raw, read)
		switch {
		case err != nil:
		case found != nil && !bytes.Equal(found.Raw, now.Raw):
			bad := r.unreadable(now.Raw, privateOf(ask).from, twoUnderOneID)
			bad.Ref, bad.Session, bad.Paired = ask.Ref, ask.Session, ask.Paired
			return bad, nil
		default:
			found = now
		}
	}
	if found == nil {
		return nil, &client.NotFound{}
	}
	return found, nil
}

// sameAs reads an item that has to be the one asked for, and gives it the place and the
// session that it had. Its id is the ask: the conversation is another one after OAR
// compacted it.
func (r *Relay) sameAs(ask *client.Ask, raw jsontext.Value, read func(jsontext.Value) *client.Ask) (*client.Ask, error) {
	if raw == nil {
		return nil, &client.NotRelay{What: "a reply without the ask"}
	}
	now := read(own(raw))
	was, is := privateOf(ask), privateOf(now)
	if was.id != is.id || ask.Paired != "" && now.Paired != ask.Paired {
		return nil, &client.NotRelay{What: "another ask than the one asked for"}
	}
	now.Ref, now.Paired, now.Session = ask.Ref, ask.Paired, ask.Session
	if !now.Status.Closed() && (bytes.Equal(now.Raw, ask.Raw) || ask.Paired != "" && is.from != fromAsk) {
		// What may be done with it depends on its place too, which only a listing knows.
		now.Offers = ask.Offers
	}
	return now, nil
}
