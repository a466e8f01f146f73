package opencode

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

type wireReply struct {
	Reply   string `json:"reply"`
	Message string `json:"message,omitempty"`
}

type wireAnswers struct {
	Answers [][]string `json:"answers"`
}

// Answer sends an answer or a dismissal, once. What allows something, or is read
// by an agent, is sent only after the tool call was seen to wait for it.
func (r *Relay) Answer(ctx context.Context, ask *client.Ask, answer client.Answer) (*client.Ask, error) {
	if err := client.Validate(ask, answer); err != nil {
		return nil, err
	}
	p, ok := ask.Private.(private)
	if !ok || !httpx.Segment(ask.ID) || !httpx.Segment(ask.Ref.Session) {
		return nil, &client.InvalidAnswer{Reason: "the ask does not say where on the server it is"}
	}
	if answer.Decision != client.Deny && !answer.Dismiss {
		if err := r.waits(ctx, ask, p); err != nil {
			return nil, err
		}
	}
	path, query, body := replyTo(ask, p, answer)
	reply, err := r.post(ctx, path, query, body)
	if err != nil {
		return nil, r.refused(ctx, ask, p, reply, err)
	}
	if p.engine == first && strings.TrimSpace(string(reply.Body)) != "true" {
		return nil, relays.Unsure("its reply does not say that it took the answer")
	}
	r.mu.Lock()
	r.drop(ask.ID)
	r.folder(p.folder).dirty = true
	r.mu.Unlock()
	at := reply.Now
	if at.IsZero() {
		at = r.now()
	}
	return confirmed(ask, p, answer, at), nil
}

// replyTo writes an answer as the ask's engine takes it.
func replyTo(ask *client.Ask, p private, answer client.Answer) (string, url.Values, any) {
	name, verb := "permission", "reply"
	if p.question {
		name = "question"
	}
	var body any
	switch {
	case answer.Dismiss:
		verb = "reject"
	case p.question:
		body = wireAnswers{Answers: answersOf(answer)}
	default:
		body = wireReply{Reply: wireDecision[answer.Decision], Message: answer.Message}
	}
	if p.engine == second {
		return httpx.Path("api", "session", ask.Ref.Session, name, ask.ID, verb), nil, body
	}
	return httpx.Path(name, ask.ID, verb), inFolder(p.folder), body
}

var wireDecision = map[client.Decision]string{client.Allow: "once", client.Always: "always", client.Deny: "reject"}

// answersOf lists what was chosen and typed, in the order of the questions. An
// empty list is a question that was left out.
func answersOf(answer client.Answer) [][]string {
	all := [][]string{}
	for _, q := range answer.Questions {
		one := append([]string{}, q.Choices...)
		if q.HasText {
			one = append(one, q.Text)
		}
		all = append(all, one)
	}
	return all
}

// waits makes sure, right before an answer is sent, that somebody still waits for it
// and that its tool gets what was shown. The first engine takes answers to aborted asks
// as well, whatever their tool is, and then does what was allowed.
func (r *Relay) waits(ctx context.Context, ask *client.Ask, p private) error {
	call, how, err := r.examine(ctx, &request{place: p.place}, p.folder)
	switch {
	case err != nil:
		return err
	case call.ended() && (p.engine == second || !call.aborted):
		return r.closedBefore(ctx, ask)
	case how != alive:
		return outlived(how)
	case p.engine == first && call != nil && call.status == "":
		return outlived(idle)
	case p.gets != "" && call.gets() != p.gets:
		return &client.Elsewhere{Where: "nothing was sent: what the tool would get is not what was shown any more"}
	}
	return nil
}

// outlived says why an answer to a ghost is not sent.
func outlived(how ghost) error {
	return &client.Elsewhere{Where: "nothing was sent: " + how.why()}
}

// refused turns the server's refusal of an answer into the error that it means.
func (r *Relay) refused(ctx context.Context, ask *client.Ask, p private, reply *httpx.Reply, err error) error {
	var failed *client.Failed
	switch {
	case gone(reply, err):
		return r.closedBefore(ctx, ask)
	case errors.As(err, &failed) && failed.Status == 400:
		return &client.InvalidAnswer{Reason: p.brand.String() + " does not take it", Said: failed.Message}
	}
	return err
}

// closedBefore says what is known where the server does not know an ask any more.
func (r *Relay) closedBefore(ctx context.Context, ask *client.Ask) error {
	closed := &client.Closed{Why: "someone else answered it, or it was never there"}
	now, err := r.outcome(ctx, ask)
	if err != nil {
		return closed
	}
	closed.Why += "; " + strings.TrimSuffix(now.Closing.Note, ".")
	c := *now.Closing
	c.Note = closed.Why
	now.Closing, closed.Ask = &c, now
	return closed
}
