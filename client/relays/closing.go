package relays

import (
	"cmp"
	"strings"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// Over returns a copy of an ask that came to its end.
func Over(ask *client.Ask, how client.Status, c client.Closing) *client.Ask {
	over := *ask
	over.Status, over.Closing = how, &c
	over.Offers = client.Refused("it is " + how.String()).Shared()
	return &over
}

// Settled reports whether nothing can be done with an ask for its status alone, and
// says so in its offers then.
func Settled(ask *client.Ask) bool {
	switch {
	case ask.Status.Closed():
		ask.Offers = client.Refused("it is " + ask.Status.String()).Shared()
	case ask.Status != client.Open:
		ask.Offers = client.Refused("this version of askbox does not know its status")
	default:
		return false
	}
	return true
}

// Unsure returns the error for an answer that was sent where the relay's reply does not
// tell whether it counted. why is in the program's words.
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

// Said is what was chosen and typed as the answer to a question, as a line of
// [client.Closing.Answer]. The question is named where it is one of several.
func Said(ask *client.Ask, question int, said []string) text.Text {
	line := strings.Join(said, ", ")
	if question >= 0 && question < len(ask.Questions) && len(ask.Questions) > 1 {
		q := &ask.Questions[question]
		name := cmp.Or(q.Header.Raw(), q.Text.Raw())
		line = name + ": " + line
	}
	return text.New(line)
}
