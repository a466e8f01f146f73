package opencode

import (
	"context"
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

// over returns a copy of an ask that is closed.
func over(ask *client.Ask, how client.Status, c client.Closing) *client.Ask {
	out := relays.Over(ask, how, c)
	out.StatusName, out.Waits, out.Session.Trouble = text.New(how.String()), false, ""
	return out
}

// replied returns an ask that was closed with a reply which an event told of.
// The server does not say whose it was, nor the message of a denial.
func replied(ask *client.Ask, reply, note string, at time.Time) *client.Ask {
	c := client.Closing{At: at, Note: note}
	switch reply {
	case "once":
		c = decided(c, client.Allow)
	case "always":
		c = decided(c, client.Always)
	case "reject":
		c = decided(c, client.Deny)
	default:
		c.Answer = []text.Text{text.New("decided: " + reply)}
	}
	return over(ask, client.Answered, c)
}

// answered returns a question that was closed with these answers.
func answered(ask *client.Ask, raw jsontext.Value, at time.Time) *client.Ask {
	c := client.Closing{At: at}
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
		all = append(all, relays.Said(ask, i, said))
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
				case offered(q, said):
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

func offered(q client.QuestionAsk, label string) bool {
	for _, o := range q.Options {
		if o.ID == label {
			return true
		}
	}
	return false
}

// What the server writes into the tool call of an ask that was refused.
const (
	rejected     = "rejected permission"
	withFeedback = "with the following feedback: "
	dismissed    = "dismissed this question"
)

// outcome says what became of an ask that is not listed any more, by what its
// tool call shows: the server itself keeps nothing of it.
func (r *Relay) outcome(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	p, _ := ask.Private.(private)
	call, err := r.readCall(ctx, p.engine, ask.Ref.Session, p.message, p.call)
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
	return shown(ask, call), nil
}

// running is the outcome where the tool call has not ended.
func running(ask *client.Ask, busy bool) *client.Ask {
	c := client.Closing{Note: "its tool call never ended: the server was restarted, or its folder was closed"}
	if !busy {
		return over(ask, client.Interrupted, c)
	}
	c.Note = "the tool call shows that its turn went on"
	if ask.Kind == client.Approval {
		return over(ask, client.Answered, decided(c, client.Allow))
	}
	return over(ask, client.Gone, c)
}

// shown is the outcome that an ended tool call shows.
func shown(ask *client.Ask, call *toolCall) *client.Ask {
	switch {
	case call.status == "completed" && ask.Kind == client.Question:
		now := answered(ask, call.answers, time.Time{})
		now.Closing.Note = "the tool call shows the answer"
		return now
	case call.status == "completed":
		return over(ask, client.Answered, decided(client.Closing{Note: "the tool call shows that it ran"}, client.Allow))
	case strings.Contains(call.failure, dismissed):
		return over(ask, client.Dismissed, client.Closing{Note: "the tool call shows that it was dismissed"})
	case strings.Contains(call.failure, rejected):
		c := decided(client.Closing{Note: "the tool call shows that it was denied"}, client.Deny)
		if _, reason, ok := strings.Cut(call.failure, withFeedback); ok {
			c.Answer = append(c.Answer, text.New(reason))
		}
		return over(ask, client.Answered, c)
	case call.aborted && engineOf(ask) == second:
		return over(ask, client.Interrupted, client.Closing{Note: "the tool call shows that its turn ended: it was denied, or interrupted"})
	case call.aborted:
		return over(ask, client.Interrupted, client.Closing{Note: "the tool call shows that its turn was aborted"})
	case call.status == "error":
		return over(ask, client.Gone, client.Closing{Note: "its tool call ended with an error: " + text.New(call.failure).Quoted(200)})
	}
	return over(ask, client.Gone, client.Closing{Note: "it is not open any more; its tool call does not show why"})
}

func engineOf(ask *client.Ask) engine {
	p, _ := ask.Private.(private)
	return p.engine
}

// Get reads one ask as it is now.
func (r *Relay) Get(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	p, ok := ask.Private.(private)
	if !ok {
		return nil, &client.NotFound{}
	}
	r.mu.Lock()
	began := r.state.next()
	r.mu.Unlock()
	found, reply, err := r.readList(ctx, p.engine, p.question, p.folder, new(relays.Memory[struct{}, []*request]).Begin())
	if err == errBroken {
		return r.unlisted(ctx, ask)
	}
	if err != nil {
		return nil, err
	}
	var rec *record
	r.mu.Lock()
	r.state.hear(reply)
	for _, q := range found {
		if q.id == ask.ID && q.session == ask.Ref.Session {
			if rec != nil && !rec.request.same(q) {
				q.refuse(twoUnderOneID)
			}
			rec = r.state.take(q, p.folder, began)
		}
	}
	if rec == nil {
		r.state.close(ask.ID)
	}
	r.mu.Unlock()
	if rec == nil {
		return r.outcome(ctx, ask)
	}
	return r.asItIs(ctx, rec)
}

// asItIs reads what there is to know of an open ask, its turn and what its tool
// would get included.
func (r *Relay) asItIs(ctx context.Context, rec *record) (*client.Ask, error) {
	r.learn(ctx, rec.request.session)
	if rec.request.unreadable == "" {
		if err := r.readAgain(ctx, rec); err != nil {
			return nil, err
		}
	}
	if rec.request.engine == first && rec.request.unreadable == "" {
		busy, err := r.busy(ctx, rec.folder)
		switch {
		case err == nil && !busy[rec.request.session]:
			r.examine(ctx, rec)
		case err != nil && !missing(err):
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.build(rec, r.state.groups()), nil
}

// unlisted is Get where the server cannot write the list: an ask that an event
// told of is open as long as its tool call waits.
func (r *Relay) unlisted(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	r.mu.Lock()
	rec := r.state.records[ask.ID]
	_, over := r.state.shut[ask.ID]
	r.mu.Unlock()
	if rec == nil || over {
		return r.outcome(ctx, ask)
	}
	call, err := r.readCall(ctx, rec.request.engine, rec.request.session, rec.request.message, rec.request.call)
	if err != nil && !missing(err) {
		return nil, err
	}
	if err == nil && !call.lives() && !call.aborted {
		r.mu.Lock()
		r.state.close(ask.ID)
		r.mu.Unlock()
		return shown(ask, call), nil
	}
	return r.asItIs(ctx, rec)
}
