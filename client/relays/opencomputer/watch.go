package opencomputer

import (
	"context"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// Watch follows the relay's stream of events until it or the context ends.
func (r *Relay) Watch(ctx context.Context, on func(client.Event)) error {
	err := r.http.Stream(ctx, httpx.Request{Path: "/events"},
		httpx.StreamOptions{Open: func() { on(client.Event{}) }},
		func(e httpx.Event) {
			if event, ok := r.event(e); ok {
				on(event)
			}
		})
	if errors.Is(err, httpx.ErrNoStream) {
		return nil
	}
	return err
}

// event reads one event. One about an ask that cannot be told whole asks for a
// listing; one about something else is passed over.
func (r *Relay) event(e httpx.Event) (client.Event, bool) {
	list := client.Event{List: true}
	o, err := httpx.Split(e.Data)
	if err != nil {
		return list, strings.HasPrefix(e.Type, "ask.")
	}
	kind, ok := httpx.String(o.Get("type"))
	if !ok {
		kind = e.Type
	}
	if !strings.HasPrefix(kind, "ask.") {
		return list, false
	}
	ask := r.told(o.Get("ask"))
	switch {
	case ask == nil || ask.Unreadable != "":
	case ask.Status.Closed():
		return client.Event{Closed: ask}, true
	case kind == "ask.opened":
		return client.Event{Opened: ask}, true
	}
	return list, true
}

// told reads an ask that an event holds; nil where that is no ask of a session. Of the
// session it tells the id alone: the inbox has the rest where it knows it.
func (r *Relay) told(raw jsontext.Value) *client.Ask {
	o, err := httpx.Split(raw)
	if err != nil {
		return nil
	}
	id, _ := httpx.String(o.Get("sessionId"))
	if !httpx.Segment(id) {
		return nil
	}
	return r.readAsk(raw, client.Session{ID: id}, r.who.Who(), "")
}
