package opencomputer

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// Answer sends an answer or a dismissal, once.
func (r *Relay) Answer(ctx context.Context, ask *client.Ask, answer client.Answer) (*client.Ask, error) {
	if err := client.Validate(ask, answer); err != nil {
		return nil, err
	}
	c, err := answerCall(ask, answer)
	if err != nil {
		return nil, err
	}
	out, err := r.do(ctx, c)
	if err != nil {
		var unsure *client.Uncertain
		if (out.problem.Code == "ask_closed" || out.status == 409) && !errors.As(err, &unsure) {
			return nil, r.closedBefore(ask, out.problem, err)
		}
		return nil, err
	}
	return r.confirmed(ask, answer, out.raw)
}

// answerCall writes the call of an answer, with the body exactly as the relay
// documents it.
func answerCall(ask *client.Ask, answer client.Answer) (call, error) {
	if answer.Dismiss {
		c, err := askCall(ask, "asks.dismiss", "dismiss")
		c.counts = true
		c.body = wireAnswer{Message: answer.Message}
		if answer.Message != "" {
			c.spread = map[string]any{"message": answer.Message}
		}
		return c, err
	}
	c, err := askCall(ask, "asks.answer", "answer")
	c.counts, c.inside = true, "answer"
	if ask.Kind == client.Approval {
		c.body = wireAnswer{Decision: answer.Decision.String(), Message: answer.Message, Mode: answer.Mode}
		return c, err
	}
	body := wireAnswer{}
	for _, q := range answer.Questions {
		one := wireAnswered{QuestionID: q.ID, Choices: append([]string{}, q.Choices...)}
		if q.HasText {
			one.Text = &q.Text
		}
		body.Answers = append(body.Answers, one)
	}
	c.body = body
	return c, err
}

// closedBefore returns the error for an ask that somebody or something else closed. A
// conflict of another kind, without a closed ask, stays the error that it is.
func (r *Relay) closedBefore(ask *client.Ask, p httpx.Problem, err error) error {
	if o, bad := httpx.Split(p.Raw); bad == nil {
		if now, bad := r.same(ask, o.Get("ask")); bad == nil && now.Status.Closed() {
			return &client.Closed{Ask: now}
		}
	}
	if p.Code == "ask_closed" {
		return &client.Closed{}
	}
	return err
}

// confirmed reads what the relay says to an answer. Only a closed ask that holds
// this answer confirms it; anything else is told as what it is.
func (r *Relay) confirmed(ask *client.Ask, answer client.Answer, raw jsontext.Value) (*client.Ask, error) {
	o, err := httpx.Split(raw)
	if err != nil {
		return nil, relays.Unsure("its reply could not be read")
	}
	inner := o.Get("ask")
	if inner == nil {
		return nil, relays.Unsure("its reply does not hold the ask")
	}
	now, err := r.same(ask, inner)
	switch {
	case err != nil:
		return nil, relays.Unsure("its reply holds another ask")
	case now.Unreadable != "":
		return nil, relays.Unsure("the ask in its reply could not be read")
	case !now.Status.Closed():
		return nil, relays.Unsure("its reply does not say that the ask is closed")
	case !fits(now, answer):
		return nil, &client.Closed{Ask: now}
	}
	return now, nil
}

// fits reports whether a closed ask was closed with an answer like this one.
func fits(now *client.Ask, answer client.Answer) bool {
	if answer.Dismiss {
		return now.Status == client.Dismissed
	}
	if now.Status != client.Answered {
		return false
	}
	given := now.Closing.Given
	return given == nil || given.Decision == client.NoDecision || given.Decision == answer.Decision
}

// Repeats says that the same answer from the same person gives the closed ask, and any
// other one a conflict.
func (r *Relay) Repeats() bool { return true }
