package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// content is what an ask holds, as a list of lines that occur nowhere else. A line
// that changes gets another stamp, so that each version of it can be told.
type content struct {
	id       string
	question bool
	command  []string
	rules    []string
	extra    string
	modes    []string
	says     string
	born     time.Time // when the ask got it
}

// stamped makes a line of words that are all its own: the ask, the line, the change
// that brought it, and a letter.
func stamped(id, what string, change, words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s%sv%03d%c", id, what, change, 'a'+i%26)
	}
	return b.String()
}

// lines are all that a person has to have read before an allow.
func (c *content) lines() []string {
	all := slices.Clone(c.command)
	for _, s := range []string{c.extra, c.says} {
		if s != "" {
			all = append(all, s)
		}
	}
	return all
}

// all are the lines of a content, read or not.
func (c *content) all() []string { return append(append(c.lines(), c.rules...), c.modes...) }

func (c *content) key() string {
	same := *c
	same.born = time.Time{}
	return fmt.Sprintf("%+v", same)
}

// ask is the content as an adapter would tell it.
func (c *content) ask(relay string, opened time.Time) *client.Ask {
	a := &client.Ask{
		Ref: client.Ref{Relay: relay, Session: "s" + c.id, ID: "ask-" + strings.ToLower(c.id)}, Kind: client.Approval, Status: client.Open, Waits: true,
		Session: client.Session{ID: "s" + c.id, Title: text.New("Work " + c.id), Starter: client.StarterMe},
		Opened:  opened, Raw: fmt.Appendf(nil, `{"id":"ask-%s"}`, strings.ToLower(c.id)), Private: c,
	}
	if c.extra != "" {
		a.Extra = []client.Part{{Kind: client.PartField, Key: text.New("approval.env"), Text: text.New(c.extra)}}
	}
	if c.question {
		a.Kind = client.Question
		a.Offers = client.Offered(client.ActAnswer, client.ActDismiss, client.ActDismissMessage)
		q := client.QuestionAsk{ID: "q", Text: text.New(c.command[0]), OwnText: true}
		for i, l := range c.command[1:] {
			q.Options = append(q.Options, client.Option{ID: fmt.Sprint(i), Label: text.New(l)})
		}
		a.Questions = []client.QuestionAsk{q}
		return a
	}
	a.Offers = client.Offered(client.ActAllow, client.ActAllowMessage, client.ActDeny, client.ActDenyReason, client.ActDismiss, client.ActDismissMessage)
	a.Approval = &client.ApprovalAsk{Tool: text.New("Bash"), Parts: []client.Part{
		{Kind: client.PartCommand, Text: text.New(strings.Join(c.command, "\n"))}, {Kind: client.PartSays, Text: text.New(c.says)}}}
	for _, r := range c.rules {
		a.Offers[client.ActAlways].OK = true
		a.Approval.Always = append(a.Approval.Always, text.New(r))
	}
	for i, m := range c.modes {
		a.Approval.Modes = append(a.Approval.Modes, client.Mode{ID: fmt.Sprint(i), Label: m})
	}
	return a
}

// held is one ask that a relay double holds.
type heldAsk struct {
	content *content
	ask     *client.Ask // as it is told now
	closed  bool
	id      client.Ref // of it, for good
}

// told is what a relay told of an ask.
type told struct {
	ref          client.Ref
	key          string // of the content; empty: closed
	single       bool
	began, ended time.Time
}

// given is an answer that reached a relay.
type given struct {
	at     time.Time
	ref    client.Ref
	on     *content // what it is an answer to
	answer client.Answer
	lost   bool // the reply did not come back
	taken  bool
}

// outcomes of an answer at the double.
const (
	answerTaken     = iota
	answerLost      // taken, and the reply is lost
	answerNeverCame // not taken, and nobody knows
	answerRefused
	answerBeaten  // somebody else had closed it
	answerAnother // taken, for another content than was shown
	outcomes
)

// meantRelay is a relay in memory that keeps what happened to it.
type meantRelay struct {
	name string
	mu   sync.Mutex
	asks []*heldAsk

	slowList, slowGet, slowAnswer time.Duration
	lateCopy                      bool // what is told is looked up when the call ends
	down                          bool
	outcome                       int

	told  []told
	given []given
}

func (r *meantRelay) find(ref client.Ref) *heldAsk {
	for _, h := range r.asks {
		if h.ask.Ref == ref {
			return h
		}
	}
	return nil
}

// list returns the asks that there are; what they hold is guarded by the lock.
func (r *meantRelay) list() []*heldAsk {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.asks)
}

func (r *meantRelay) set(change func(*meantRelay)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(r)
}

// put gives an ask a content.
func (r *meantRelay) put(h *heldAsk, c *content) {
	opened := time.Now()
	if h.ask != nil {
		opened = h.ask.Opened
	}
	h.content, h.closed = c, false
	h.ask = c.ask(r.name, opened)
}

// end closes an ask.
func (r *meantRelay) end(h *heldAsk, how client.Status, by string, me bool, says ...text.Text) *client.Ask {
	over := *h.ask
	over.Status = how
	over.Closing = &client.Closing{By: client.Actor{Type: client.ActorUser, ID: by, Name: text.New(by), Me: me}, At: time.Now(), Answer: says}
	h.ask, h.closed = &over, true
	return &over
}

// call waits as long as a call takes and looks at the relay at its begin or its end.
func (r *meantRelay) call(ctx context.Context, slow time.Duration, look func()) error {
	r.mu.Lock()
	late, down := r.lateCopy, r.down
	if !late {
		look()
	}
	r.mu.Unlock()
	select {
	case <-time.After(slow + time.Millisecond):
	case <-ctx.Done():
		return ctx.Err()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if late {
		look()
	}
	if down || r.down {
		return &client.Unreachable{Reason: "ECONNREFUSED"}
	}
	return nil
}

func (r *meantRelay) note(single bool, began time.Time, asks ...*client.Ask) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range asks {
		t := told{ref: a.Ref, single: single, began: began, ended: time.Now()}
		if !a.Status.Closed() {
			t.key = a.Private.(*content).key()
		}
		r.told = append(r.told, t)
	}
}

func (r *meantRelay) Open(ctx context.Context) (client.Batch, error) {
	began, b := time.Now(), client.Batch{Complete: true}
	r.mu.Lock()
	slow := r.slowList
	r.mu.Unlock()
	err := r.call(ctx, slow, func() {
		b.Asks = nil
		for _, h := range r.asks {
			if !h.closed {
				b.Asks = append(b.Asks, h.ask)
			}
		}
	})
	if err != nil {
		return client.Batch{}, err
	}
	r.note(false, began, b.Asks...)
	return b, nil
}

func (r *meantRelay) Closed(ctx context.Context, _ time.Time) (client.Batch, error) {
	var b client.Batch
	err := r.call(ctx, 0, func() {
		for _, h := range r.asks {
			if h.closed {
				b.Asks = append(b.Asks, h.ask)
			}
		}
	})
	return b, err
}

func (r *meantRelay) Get(ctx context.Context, a *client.Ask) (*client.Ask, error) {
	began := time.Now()
	var got *client.Ask
	r.mu.Lock()
	slow := r.slowGet
	r.mu.Unlock()
	if err := r.call(ctx, slow, func() { got = r.find(a.Ref).ask }); err != nil {
		return nil, err
	}
	r.note(true, began, got)
	return got, nil
}

func (r *meantRelay) Answer(ctx context.Context, a *client.Ask, answer client.Answer) (*client.Ask, error) {
	r.mu.Lock()
	g := given{at: time.Now(), ref: a.Ref, on: a.Private.(*content), answer: answer}
	outcome, slow, down := r.outcome, r.slowAnswer, r.down
	h := r.find(a.Ref)
	var got *client.Ask
	var err error
	switch {
	case down:
		err = &client.Unreachable{Reason: "ECONNREFUSED"}
	case h.closed:
		err = &client.Closed{Ask: h.ask}
	case outcome == answerNeverCame:
		err, g.lost = &client.Uncertain{Err: &client.Failed{Why: "the line broke"}}, true
	case outcome == answerRefused:
		err = &client.Failed{Status: 400, Why: "it does not like it"}
	case outcome == answerBeaten:
		err = &client.Closed{Ask: r.end(h, client.Answered, "Grace", false, text.New("deny"))}
	default:
		g.taken = true
		if outcome == answerAnother {
			other := *h.content
			other.command = slices.Clone(other.command)
			other.command[0] += " another"
			r.put(h, &other)
		}
		got = r.end(h, howClosed(answer), "Ada", true, text.New(answer.Decision.String()))
		if answer.Decision == client.NoDecision {
			got.Closing.Answer = nil
		}
		if outcome == answerLost {
			err, g.lost = &client.Uncertain{Err: &client.Failed{Why: "the line broke"}}, true
		}
	}
	r.given = append(r.given, g)
	r.mu.Unlock()
	select {
	case <-time.After(slow):
	case <-ctx.Done():
		return nil, &client.Uncertain{Err: ctx.Err()}
	}
	if err != nil {
		return nil, err
	}
	return got, nil
}

func howClosed(a client.Answer) client.Status {
	if a.Dismiss {
		return client.Dismissed
	}
	return client.Answered
}

func (r *meantRelay) About(context.Context) (client.About, error) { return client.About{}, nil }
