package oar

import (
	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// itemKeys are the names of what cards, boards and asks send.
var itemKeys = relays.ItemKeys{ID: "id", Opened: "createdAt"}

// unreadable makes an ask of an item that could not be read.
func (r *Relay) unreadable(raw jsontext.Value, from origin, why string) *client.Ask {
	var session string
	place := client.Ref{Relay: r.name}
	if o, err := httpx.Split(raw); err == nil {
		_ = json.Unmarshal(o.Get("conversationId"), &session)
		_ = json.Unmarshal(o.Get("relayId"), &place.Session)
	}
	ask := itemKeys.Unreadable(place, raw, why)
	ask.Session.ID, ask.Waits = session, from == fromCard
	ask.Private = private{from: from, id: ask.ID}
	return ask
}
