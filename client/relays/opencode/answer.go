package opencode

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

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
		return nil, r.refused(ctx, ask, reply, err)
	}
	if p.engine == first && strings.TrimSpace(string(reply.Body)) != "true" {
		return nil, relays.Unsure("its reply does not say that it took the answer")
	}
	return r.confirmed(ask, answer, reply), nil
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

// waits makes sure that somebody still waits for the answer to an ask of the
// first engine, which takes answers to aborted ones as well. The second engine
// refuses those itself.
func (r *Relay) waits(ctx context.Context, ask *client.Ask, p private) error {
	if p.engine == second {
		return nil
	}
	call, err := r.readCall(ctx, p.engine, ask.Ref.Session, p.message, p.call)
	switch {
	case err == nil && call.lives():
		if s := r.fetchSession(ctx, ask.Ref.Session); s != nil && s.deleted {
			return r.outlived(ask, deleted)
		}
		if ask.Kind == client.Approval && p.gets != "" && call.gets() != p.gets {
			return &client.Elsewhere{Where: "nothing was sent: what the tool would get is not what was shown any more"}
		}
		return nil
	case err == nil && call.aborted:
		return r.outlived(ask, aborted)
	case err == nil && call.status != "":
		return r.closedBefore(ctx, ask)
	case err != nil && !missing(err):
		return err
	}
	if s := r.fetchSession(ctx, ask.Ref.Session); s != nil && s.deleted {
		return r.outlived(ask, deleted)
	}
	// Without a tool call to look at, only a turn under way speaks for the ask.
	busy, err := r.busy(ctx, p.folder)
	if err != nil {
		return err
	}
	if p.message == "" && busy[ask.Ref.Session] {
		return nil
	}
	return r.outlived(ask, idle)
}

// outlived keeps that an ask is a ghost, and says so.
func (r *Relay) outlived(ask *client.Ask, how ghost) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if rec := r.state.records[ask.ID]; rec != nil {
		rec.ghost = how
	}
	return &client.Elsewhere{Where: "nothing was sent: " + how.trouble()}
}

// refused turns the server's refusal of an answer into the error that it means.
func (r *Relay) refused(ctx context.Context, ask *client.Ask, reply *httpx.Reply, err error) error {
	var failed *client.Failed
	switch {
	case gone(reply, err):
		return r.closedBefore(ctx, ask)
	case errors.As(err, &failed) && failed.Status == 400:
		return &client.InvalidAnswer{Reason: "opencode does not take it", Said: failed.Message}
	}
	return err
}

// closedBefore says what is known where the server does not know an ask any more.
func (r *Relay) closedBefore(ctx context.Context, ask *client.Ask) error {
	r.mu.Lock()
	r.state.close(ask.ID)
	r.mu.Unlock()
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

// confirmed is the ask as it is after the server took an answer.
func (r *Relay) confirmed(ask *client.Ask, answer client.Answer, reply *httpx.Reply) *client.Ask {
	r.mu.Lock()
	defer r.mu.Unlock()
	var was ghost
	others := 0
	if rec := r.state.records[ask.ID]; rec != nil {
		was, others = rec.ghost, r.state.others(rec, r.state.groups())
	}
	r.state.close(ask.ID)
	at := reply.Now
	if at.IsZero() {
		at = r.now()
	}
	c := client.Closing{By: client.Actor{Type: client.ActorUser, Me: true}, At: at, Decision: answer.Decision, Given: &answer}
	switch {
	case was != alive:
		c.Note = "it was cleared: " + was.trouble()
	case answer.Decision == client.Deny && others == 1:
		c.Note = "the other permission that its session asked for is denied with it"
	case answer.Decision == client.Deny && others > 1:
		c.Note = fmt.Sprintf("%d other permissions that its session asked for are denied with it", others)
	}
	if answer.Dismiss {
		return over(ask, client.Dismissed, c)
	}
	if ask.Kind == client.Question {
		c.Answer = lines(ask, answersOf(answer))
	}
	return over(ask, client.Answered, c)
}

// causedFor is how long after an answer what closes in its session with the same
// reply is put down to it. The server tells of them within a few milliseconds,
// and no person answers a new ask as fast.
const causedFor = 500 * time.Millisecond

// why says why an ask closed with a reply that was given to another one; empty
// where it was its own. The server tells of each as if it had been answered by
// itself, and of the one that was answered first.
func (s *state) why(session, id, reply string, now time.Time) string {
	c, ok := s.causes[session]
	if !ok || now.Sub(c.at) > causedFor || c.reply != reply || c.id == id {
		if len(s.causes) > mostShut {
			clear(s.causes)
		}
		s.causes[session] = cause{id: id, reply: reply, at: now}
		return ""
	}
	switch reply {
	case "reject":
		return "it closed with the denial of another permission of its session"
	case "always":
		return "it closed with what another answer always allows"
	}
	return ""
}
