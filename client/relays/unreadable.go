package relays

import (
	"crypto/sha256"
	"encoding/hex"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// ItemKeys are the names under which an item sends what can be told of it even
// where it cannot be read. An empty one is not sent by that kind of relay.
type ItemKeys struct{ ID, Opened, Kind string }

// Unreadable makes an ask of an item that could not be read, so that it is
// counted and seen. It has the item's id where that is a plain one, and one of
// its own content where it is not, so that it is the same ask at the next poll.
// The ask keeps raw, which has to be the caller's own. why is in the program's
// words, safe to print.
func (k ItemKeys) Unreadable(place client.Ref, raw jsontext.Value, why string) *client.Ask {
	ask := &client.Ask{Ref: place, Raw: raw}
	Refuse(ask, why)
	if o, err := httpx.Split(raw); err == nil {
		if id := o.Get(k.ID); id.Kind() == '0' {
			ask.ID = string(id)
		} else {
			_ = json.Unmarshal(id, &ask.ID)
		}
		var opened httpx.Time
		if at := o.Get(k.Opened); at != nil && opened.UnmarshalJSON(at) == nil {
			ask.Opened = opened.Time
		}
		if k.Kind != "" {
			ask.KindName = text.New(Word(o, k.Kind))
		}
	}
	if ask.ID == "" {
		ask.ID = ContentID(raw)
	}
	return ask
}

// Refuse marks an ask as one that could not be read, and that is never answered.
// why goes on a sentence that says so.
func Refuse(ask *client.Ask, why string) {
	ask.Unreadable = why
	ask.Offers = client.Refused("it could not be read, so it cannot be answered here").Shared()
}

// ContentID makes an id of an item's content, for one that has none of its own.
func ContentID(raw jsontext.Value) string {
	sum := sha256.Sum256(raw)
	return "unreadable-" + hex.EncodeToString(sum[:4])
}

// Decode reads an item strictly into its type, and says why it cannot be an ask; empty
// when it can. id is the field of into that takes its id.
func Decode(raw jsontext.Value, into any, id *string) (why string) {
	err := httpx.Decode(raw, into)
	return Unfit(raw, err, *id)
}

// Unfit says why an item cannot be an ask: what decoding it failed with, or an id
// that could not be sent back. Empty when it is fit to be one.
func Unfit(raw jsontext.Value, decoding error, id string) string {
	switch {
	case raw.Kind() != '{':
		return "it is no object"
	case decoding != nil:
		return httpx.Reason(raw, decoding)
	case !httpx.Segment(id):
		return "it has no usable id"
	}
	return ""
}
