package relays

import (
	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// Over returns a copy of an ask that came to its end.
func Over(ask *client.Ask, how client.Status, c client.Closing) *client.Ask {
	over := *ask
	over.Status, over.Closing = how, &c
	over.Offers = client.Refused("it is " + how.String())
	return &over
}

// Unsure is that an answer was sent, and that the relay's reply does not tell whether
// it counted. why is in the program's words.
func Unsure(why string) error {
	return &client.Uncertain{Err: &client.Failed{Why: why}}
}

// Usable returns an error that says why where one of the ids of an ask cannot stand in the
// address of a request.
func Usable(why string, ids ...string) error {
	for _, id := range ids {
		if !httpx.Segment(id) {
			return &client.InvalidAnswer{Reason: why}
		}
	}
	return nil
}

// Decided is a decision in the program's words, as it stands first in
// [client.Closing.Answer].
func Decided(d client.Decision) text.Text {
	return text.New([...]string{"", "allowed", "allowed, always", "denied"}[d])
}
