package oar

import (
	"crypto/sha256"
	"encoding/hex"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/httpx"
)

// unreadable makes an ask of an item that could not be read. Where it has no
// plain id it gets one of its own content, so that it is the same ask at the
// next poll.
func (r *Relay) unreadable(raw jsontext.Value, from origin, why string) *client.Ask {
	ask := &client.Ask{Ref: client.Ref{Relay: r.name}, Waits: from == fromCard,
		Unreadable: "it could not be read: " + why, Raw: raw}
	ask.Offers = client.Refused("it could not be read, so it cannot be answered here")
	if o, err := httpx.Split(raw); err == nil {
		if id := o.Get("id"); id.Kind() == '0' {
			ask.ID = string(id)
		} else {
			_ = json.Unmarshal(id, &ask.ID)
		}
		_ = json.Unmarshal(o.Get("conversationId"), &ask.Ref.Session)
		var opened httpx.Time
		if at := o.Get("createdAt"); at != nil && opened.UnmarshalJSON(at) == nil {
			ask.Opened = opened.Time
		}
	}
	if ask.ID == "" {
		sum := sha256.Sum256(raw)
		ask.ID = "unreadable-" + hex.EncodeToString(sum[:4])
	}
	ask.Session.ID = ask.Ref.Session
	ask.Private = private{from: from, id: ask.ID}
	return ask
}
