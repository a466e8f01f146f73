package relays

import (
	"fmt"

	"askbox/client"
	"askbox/client/relays/httpx"
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

// Unanswerable says why no answer to the questions could name what it answers;
// empty when it can.
func Unanswerable(all []client.QuestionAsk) string {
	if len(all) == 0 {
		return "it holds no question"
	}
	seen := map[string]bool{}
	for i, q := range all {
		if q.ID == "" || seen[q.ID] {
			return fmt.Sprintf("question %d has no id of its own, so no answer could name it", i+1)
		}
		seen[q.ID] = true
		options := map[string]bool{}
		for _, o := range q.Options {
			if o.ID != "" && options[o.ID] {
				return fmt.Sprintf("two options of question %d have the same id, so no answer could tell them apart", i+1)
			}
			options[o.ID] = true
		}
	}
	return ""
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
