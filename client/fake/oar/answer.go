package oar

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

func already(what string, a *fake.Ask) *fake.Refusal {
	return refuse(409, what+" already "+a.Status)
}

// answerCard takes an answer. Whether it is one of the choices, and whether text
// is allowed at all, is not looked at.
func (s *Server) answerCard(c *fake.Call, given request) (any, *fake.Refusal) {
	a := c.State.Ask(c.Ref())
	if a == nil || !isA[Card](a) {
		return nil, notFound()
	}
	card := a.Wire.(*Card)
	expected, got := card.session(a), given.SDKSessionID
	switch {
	case card.OtherOwner || card.RelayID != "":
		return nil, refuse(403, "owner mismatch")
	case (expected == nil) != (got == nil) || got != nil && *got != *expected:
		return nil, refusal{Error: "session mismatch", ExpectedSessionID: expected}.with(403)
	case !a.Open():
		return nil, already("Question", a)
	}
	if form := readSchema(card.RequestSchema); form != nil {
		if given.Answer != nil || given.StructuredAnswer.Kind() != '{' {
			return nil, refuse(400, "Structured answer required")
		}
		if faults := form.check(given.StructuredAnswer); len(faults) > 0 {
			return nil, refusal{Error: "Invalid structured answer", Fields: faults}.with(400)
		}
		c.State.End(a, fake.End{How: fake.Answered, Body: given.StructuredAnswer})
		return s.done(c.State, "question", a), nil
	}
	if given.Answer == nil || strings.TrimSpace(*given.Answer) == "" || given.StructuredAnswer != nil {
		return nil, refuse(400, "Empty answer")
	}
	c.State.End(a, card.answerText(*given.Answer))
	return s.done(c.State, "question", a), nil
}

// done is the reply to a call that was taken.
func (s *Server) done(st *fake.State, name string, a *fake.Ask) object {
	return object{"ok": true, name: s.wire(st, a)}
}

// timeOutCard ends a card unanswered. One that is over already comes back as it
// is, with the same ok.
func (s *Server) timeOutCard(c *fake.Call, _ request) (any, *fake.Refusal) {
	a := c.State.Ask(c.Ref())
	if a == nil || !isA[Card](a) {
		return nil, notFound()
	}
	if card := a.Wire.(*Card); card.OtherOwner || card.RelayID != "" {
		return nil, refuse(403, "owner mismatch")
	}
	c.State.End(a, fake.End{How: fake.Dismissed})
	return s.done(c.State, "question", a), nil
}

// starts are the actions for which the relay has a message of its own.
var starts = []string{"autopilot", "autopilot_fleet", "interactive"}

// actOnBoard takes an action. Where there is a text for it, the relay queues it
// as a message in the user's name; exit_only dismisses the board, whatever its text.
func (s *Server) actOnBoard(c *fake.Call, given request) (any, *fake.Refusal) {
	a := c.State.Ask(c.Ref())
	if a == nil || !isA[Board](a) {
		return nil, notFound()
	}
	if !a.Open() {
		return nil, already("Board", a)
	}
	actions := a.Wire.(*Board).Actions
	i := slices.IndexFunc(actions, func(o Action) bool { return given.ActionID != nil && o.ID == *given.ActionID })
	if i < 0 {
		return nil, refuse(400, "Unknown board action")
	}
	e := fake.End{How: fake.Answered, Body: fake.Marshal(actions[i].ID), Answer: fake.Choose(actions[i].ID)}
	var queued any
	switch {
	case actions[i].ID == "exit_only":
		e.How = fake.Dismissed
	case actions[i].Prompt != nil || slices.Contains(starts, actions[i].ID):
		e.Decision, queued = "allow", some(uuid(a.ID, 3))
	}
	c.State.End(a, e)
	reply := s.done(c.State, "board", a)
	reply["queuedMessageId"] = queued
	return reply, nil
}

// getAsks lists the asks of this relay and of every paired one that can be reached.
func (s *Server) getAsks(c *fake.Call) (any, *fake.Refusal) {
	query := c.URL.Query()
	closed := query.Get("status") == "closed"
	since, err := time.Parse(time.RFC3339, query.Get("since"))
	switch {
	case !closed && query.Get("status") != "pending":
		return nil, refuse(400, "status is pending or closed")
	case !closed && query.Has("since"):
		return nil, refuse(400, "since goes with closed")
	case closed && err != nil:
		return nil, refuse(400, "since is a time as in RFC 3339")
	}
	asks, relays := s.listAsks(closed, since), []object{}
	for _, p := range s.pairings() {
		if p.fault == "" {
			asks = append(asks, p.server.listAsks(closed, since)...)
		}
		relays = append(relays, p.inAsks())
	}
	return object{"asks": asks, "relays": relays}, nil
}

// listAsks returns the asks of this relay alone, oldest first.
func (s *Server) listAsks(closed bool, since time.Time) []jsontext.Value {
	out := []jsontext.Value{}
	s.Do(func(st *fake.State) {
		for _, a := range st.Asks {
			if isA[Ask](a) && closed != a.Open() && (!closed || !a.End.At.Before(since)) {
				out = append(out, s.wire(st, a))
			}
		}
	})
	return out
}

// answerAsk takes one of the options, or words of one's own.
func (s *Server) answerAsk(c *fake.Call, given request) (any, *fake.Refusal) {
	e := fake.End{How: fake.Answered, Surface: s.options.Name, Body: fake.Marshal(askAnswer{given.Answer, given.Option})}
	if given.Answer != nil {
		e.Words = *given.Answer
	}
	if given.Option != nil {
		e.Answer = fake.Choose(*given.Option)
	}
	return s.endAsk(c.Ref(), e, func(i *Ask) *fake.Refusal {
		switch {
		case (given.Answer == nil) == (given.Option == nil):
			return refuse(400, "Either an answer or an option is required")
		case given.Answer != nil && strings.TrimSpace(*given.Answer) == "":
			return refuse(400, "Empty answer")
		case given.Option != nil && !slices.Contains(i.Options, *given.Option):
			return refuse(400, "Unknown option")
		}
		return nil
	})
}

func (s *Server) dismissAsk(c *fake.Call, _ request) (any, *fake.Refusal) {
	return s.endAsk(c.Ref(), fake.End{How: fake.Dismissed}, func(*Ask) *fake.Refusal { return nil })
}

// endAsk ends an ask on the relay where it lives, this one or a paired one, where
// check has nothing against it.
func (s *Server) endAsk(ref fake.Ref, e fake.End, check func(*Ask) *fake.Refusal) (reply any, wrong *fake.Refusal) {
	home := s
	for _, p := range s.pairings() {
		if _, ok := p.server.Ask(ref); ok && p.fault != "" {
			return nil, refuse(http.StatusBadGateway, p.fault)
		} else if ok {
			home = p.server
		}
	}
	home.Do(func(st *fake.State) {
		a := st.Ask(ref)
		switch {
		case a == nil || !isA[Ask](a):
			wrong = notFound()
		case !a.Open():
			wrong = refusal{Error: "Ask already " + a.Status, Ask: home.wire(st, a)}.with(409)
		default:
			if wrong = check(a.Wire.(*Ask)); wrong == nil {
				st.End(a, e)
				reply = home.done(st, "ask", a)
			}
		}
	})
	return reply, wrong
}
