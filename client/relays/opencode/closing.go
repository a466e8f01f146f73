package opencode

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/text"
)

// decided is a closing with the decision that it was.
func decided(c client.Closing, d client.Decision) client.Closing {
	c.Decision, c.Answer = d, []text.Text{text.New(d.Done())}
	return c
}

// ran is the closing of what was allowed, once or always.
func ran(c client.Closing) client.Closing {
	c.Ran = true
	return decided(c, client.Allow)
}

// over returns a copy of an ask that is closed.
func over(ask *client.Ask, how client.Status, c client.Closing) *client.Ask {
	out := relays.Over(ask, how, c)
	out.StatusName, out.Waits, out.Session.Trouble = text.New(how.String()), false, ""
	return out
}

// toldClosed returns an ask whose end an event told of. The server does not say whose
// answer it was, nor the message of a denial.
func toldClosed(ask *client.Ask, e event, at time.Time) *client.Ask {
	c := client.Closing{At: at}
	switch reply := e.text("reply"); {
	case strings.HasSuffix(e.kind, ".rejected"):
		return over(ask, client.Dismissed, c)
	case strings.HasPrefix(e.kind, "question."):
		return answered(ask, e.about.Get("answers"), c)
	case reply == "once":
		c = decided(c, client.Allow)
	case reply == "always":
		c = decided(c, client.Always)
	case reply == "reject":
		c = decided(c, client.Deny)
	default:
		c.Answer = []text.Text{text.New("decided: " + reply)}
	}
	return over(ask, client.Answered, c)
}

// answered returns a question that was closed with these answers.
func answered(ask *client.Ask, raw jsontext.Value, c client.Closing) *client.Ask {
	var answers [][]string
	if json.Unmarshal(raw, &answers) == nil && raw != nil {
		c.Answer, c.Given = lines(ask, answers), given(ask, answers)
	}
	return over(ask, client.Answered, c)
}

// lines writes the answers to questions down, a line each.
func lines(ask *client.Ask, answers [][]string) []text.Text {
	var all []text.Text
	for i := range ask.Questions {
		said := []string{"left out"}
		if i < len(answers) && len(answers[i]) > 0 {
			said = answers[i]
		}
		all = append(all, ask.Said(i, said))
	}
	return all
}

// given is the same as it would be given here: what is not one of the labels
// that were offered was typed. Where more than one thing was typed to a
// question, it was not given here.
func given(ask *client.Ask, answers [][]string) *client.Answer {
	a := &client.Answer{}
	for i, q := range ask.Questions {
		one := client.QuestionAnswer{ID: q.ID}
		if i < len(answers) {
			for _, said := range answers[i] {
				switch {
				case slices.ContainsFunc(q.Options, func(o client.Option) bool { return o.ID == said }):
					one.Choices = append(one.Choices, said)
				case one.HasText:
					return nil
				default:
					one.Text, one.HasText = said, true
				}
			}
		}
		a.Questions = append(a.Questions, one)
	}
	return a
}

// confirmed is the ask as it is after the server took an answer.
func confirmed(ask *client.Ask, p private, answer client.Answer, at time.Time) *client.Ask {
	c := client.Closing{By: client.Actor{Type: client.ActorUser, Me: true}, At: at, Decision: answer.Decision, Given: &answer}
	switch {
	case p.ghost != alive:
		c.Note = "it was cleared: " + p.ghost.why()
	case answer.Decision == client.Deny && p.others == 1:
		c.Note = "the other permission that its session asked for is denied with it"
	case answer.Decision == client.Deny && p.others > 1:
		c.Note = fmt.Sprintf("%d other permissions that its session asked for are denied with it", p.others)
	}
	if answer.Dismiss {
		return over(ask, client.Dismissed, c)
	}
	if ask.Kind == client.Question {
		c.Answer = lines(ask, answersOf(answer))
	}
	return over(ask, client.Answered, c)
}

// What the server writes into the tool call of an ask that was refused.
const (
	rejected     = "rejected permission"
	withFeedback = "with the following feedback: "
	dismissed    = "dismissed this question"
)

// refused reports whether a person did not let the call happen.
func (c *toolCall) refused() bool {
	return c.dismissed || strings.Contains(c.failure, rejected) || strings.Contains(c.failure, dismissed)
}

// outcome says what became of an ask that is not listed any more, by what its
// tool call shows: the server itself keeps nothing of it.
func (r *Relay) outcome(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	p, _ := ask.Private.(private)
	r.mu.Lock()
	r.drop(ask.ID)
	r.mu.Unlock()
	call, err := r.readCall(ctx, p.place)
	switch {
	case err != nil && missing(err):
		return over(ask, client.Gone, client.Closing{Note: "it is not open any more, and its tool call cannot be found"}), nil
	case err != nil:
		return nil, err
	case call.status == "running" && p.engine == first:
		busy, err := r.busy(ctx, p.folder)
		if err != nil && !missing(err) {
			return nil, err
		}
		return running(ask, busy[ask.Ref.Session]), nil
	}
	return shown(ask, p, call), nil
}

// running is the outcome where the tool call has not ended.
func running(ask *client.Ask, busy bool) *client.Ask {
	c := client.Closing{Note: "its tool call never ended: the server was restarted, or its folder was closed"}
	if !busy {
		return over(ask, client.Interrupted, c)
	}
	c.Note = "the tool call shows that its turn went on"
	if ask.Kind == client.Approval {
		return over(ask, client.Answered, ran(c))
	}
	return over(ask, client.Gone, c)
}

// shown is the outcome that an ended tool call shows.
func shown(ask *client.Ask, p private, call *toolCall) *client.Ask {
	switch {
	case call.dismissed, strings.Contains(call.failure, dismissed):
		return over(ask, client.Dismissed, client.Closing{Note: "the tool call shows that it was dismissed"})
	case call.status == "completed" && ask.Kind == client.Question:
		return answered(ask, call.answers, client.Closing{Note: "the tool call shows the answer"})
	case call.status == "completed":
		return over(ask, client.Answered, ran(client.Closing{Note: "the tool call shows that it ran"}))
	case strings.Contains(call.failure, rejected):
		c := decided(client.Closing{Note: "the tool call shows that it was denied"}, client.Deny)
		if _, reason, ok := strings.Cut(call.failure, withFeedback); ok {
			c.Answer = append(c.Answer, text.New(reason))
		}
		return over(ask, client.Answered, c)
	case call.aborted && p.engine == second:
		return over(ask, client.Interrupted, client.Closing{Untold: true, Note: "the tool call shows that its turn ended: it was denied, or interrupted"})
	case call.aborted:
		return over(ask, client.Interrupted, client.Closing{Note: "the tool call shows that its turn was aborted"})
	case call.status == "error":
		return over(ask, client.Gone, client.Closing{Note: "its tool call ended with an error: " + text.New(call.failure).Quoted(200)})
	}
	return over(ask, client.Gone, client.Closing{Note: "it is not open any more; its tool call does not show why"})
}
