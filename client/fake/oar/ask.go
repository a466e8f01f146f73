package oar

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// ask is an ask as the relay holds it.
type ask struct {
	Ask
	raw []byte // sent as it is while the ask is pending
}

func (a *ask) wire() jsontext.Value {
	if a.raw != nil && a.Status == pending {
		return a.raw
	}
	return a.Ask.wire()
}

func (a *ask) end() End {
	e := End{Kind: "ask", ID: a.ID, Conversation: a.ConversationID, Status: a.Status}
	switch {
	case a.Option != nil:
		e.Answer = *a.Option
	case a.Answer != nil:
		e.Answer = *a.Answer
	}
	return e
}

// OpenAsk opens an ask in a session and returns its id. What is not set is
// filled in. The limits that the wire page has are not looked at.
func (s *Server) OpenAsk(conversation string, a Ask) string { return s.openAsk(conversation, a, nil) }

func (s *Server) openAsk(conversation string, a Ask, raw []byte) string {
	now := s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.ID == "" {
		a.ID = s.newID()
	}
	if a.RelayID == "" {
		a.RelayID = s.RelayID()
	}
	if a.Status == "" {
		a.Status = pending
	}
	if a.Urgency == "" {
		a.Urgency = "normal"
	}
	if a.CreatedAt.IsZero() {
		a.CreatedAt = now
	}
	if c := s.conversation(conversation); c != nil && a.ConversationTitle == "" {
		a.ConversationTitle = c.Title
	}
	a.ConversationID = conversation
	s.asks = append(s.asks, &ask{a, raw})
	s.touch(conversation, a.CreatedAt)
	s.changed.Broadcast()
	return a.ID
}

// RawAsk opens an ask that is sent exactly as given while it is pending.
func (s *Server) RawAsk(conversation, id, raw string) {
	s.openAsk(conversation, Ask{ID: id}, fake.MustBeJSON(raw))
}

// ask returns an ask; s.mu is held.
func (s *Server) ask(id string) *ask {
	for _, a := range s.asks {
		if a.ID == id {
			return a
		}
	}
	return nil
}

// Ask returns an ask as it now is.
func (s *Server) Ask(id string) (Ask, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.ask(id); a != nil {
		return a.Ask, true
	}
	return Ask{}, false
}

// AnswerAsk answers an ask outside the wire, in words of one's own, on a relay
// of the given name.
func (s *Server) AnswerAsk(id, answer, on string) bool {
	_, first := s.endAsk(id, answered, func(a *Ask) { a.Answer, a.AnsweredOn = &answer, &on })
	return first
}

// DismissAsk dismisses an ask outside the wire.
func (s *Server) DismissAsk(id string) bool {
	_, first := s.endAsk(id, dismissed, nil)
	return first
}

// Withdraw has the agent take its ask back.
func (s *Server) Withdraw(id string) bool {
	_, first := s.endAsk(id, withdrawn, nil)
	return first
}

// endAsksOf ends the asks of a session that is over.
func (s *Server) endAsksOf(conversation string) {
	s.mu.Lock()
	var ids []string
	for _, a := range s.asks {
		if a.ConversationID == conversation {
			ids = append(ids, a.ID)
		}
	}
	s.mu.Unlock()
	for _, id := range ids {
		s.endAsk(id, ended, nil)
	}
}

// endAsk closes an ask, unless something else was first, and returns it as it
// then is.
func (s *Server) endAsk(id, status string, with func(*Ask)) (Ask, bool) {
	now := s.Now()
	s.mu.Lock()
	a := s.ask(id)
	if a == nil {
		s.mu.Unlock()
		return Ask{}, false
	}
	first := a.Status == pending
	if first {
		a.Status, a.ClosedAt = status, now
		if with != nil {
			with(&a.Ask)
		}
		s.touch(a.ConversationID, now)
	}
	is, e := a.Ask, a.end()
	s.mu.Unlock()
	if first {
		s.tell(e)
	}
	return is, first
}

// getAsks lists the asks of this relay and of every paired one that can be reached.
func (s *Server) getAsks(r *http.Request) (any, *problem) {
	query := r.URL.Query()
	since := time.Time{}
	switch query.Get("status") {
	case pending:
		if query.Has("since") {
			return nil, refuse(http.StatusBadRequest, "since goes with closed")
		}
	case "closed":
		var err error
		if since, err = time.Parse(time.RFC3339, query.Get("since")); err != nil {
			return nil, refuse(http.StatusBadRequest, "since is a time as in RFC 3339")
		}
	default:
		return nil, refuse(http.StatusBadRequest, "status is pending or closed")
	}
	closed := query.Get("status") == "closed"
	out := list{name: "asks", items: s.listAsks(closed, since)}
	relays := []jsontext.Value{}
	for _, p := range s.pairings() {
		now := p.state()
		if now.reachable {
			out.items = append(out.items, p.server.listAsks(closed, since)...)
		}
		relays = append(relays, now.inAsks())
	}
	out.rest = append([]byte(`,"relays":`), fake.Marshal(relays)...)
	return out, nil
}

// listAsks returns the asks of this relay alone, oldest first, as they now are.
func (s *Server) listAsks(closed bool, since time.Time) []func() jsontext.Value {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []func() jsontext.Value
	for _, a := range s.asks {
		if closed != (a.Status == pending) && !a.ClosedAt.Before(since) {
			listed := *a
			out = append(out, listed.wire)
		}
	}
	return out
}

// askReply is the ask after an answer or a dismissal.
type askReply struct {
	OK  bool           `json:"ok"`
	Ask jsontext.Value `json:"ask"`
}

// answerAsk takes one of the options, or words of one's own.
func (s *Server) answerAsk(id string, given request) (any, *problem) {
	home, a, wrong := s.home(id)
	if wrong != nil {
		return nil, wrong
	}
	switch {
	case a.Status != pending:
		return nil, askOver(a)
	case (given.Answer == nil) == (given.Option == nil):
		return nil, refuse(http.StatusBadRequest, "Either an answer or an option is required")
	case given.Answer != nil && strings.TrimSpace(*given.Answer) == "":
		return nil, refuse(http.StatusBadRequest, "Empty answer")
	case given.Option != nil && !slices.Contains(a.Options, *given.Option):
		return nil, refuse(http.StatusBadRequest, "Unknown option")
	}
	on := s.options.Name
	return over(home.endAsk(id, answered, func(a *Ask) { a.Answer, a.Option, a.AnsweredOn = given.Answer, given.Option, &on }))
}

func (s *Server) dismissAsk(id string, _ request) (any, *problem) {
	home, a, wrong := s.home(id)
	if wrong != nil {
		return nil, wrong
	}
	if a.Status != pending {
		return nil, askOver(a)
	}
	return over(home.endAsk(id, dismissed, nil))
}

// over is the reply after a close that may have come too late.
func over(a Ask, first bool) (any, *problem) {
	if !first {
		return nil, askOver(a)
	}
	return askReply{true, a.wire()}, nil
}

func askOver(a Ask) *problem {
	wrong := alreadyOver("Ask", a.Status)
	wrong.body.Ask = a.wire()
	return wrong
}

// home finds the relay on which an ask lives.
func (s *Server) home(id string) (*Server, Ask, *problem) {
	if a, ok := s.Ask(id); ok {
		return s, a, nil
	}
	for _, p := range s.pairings() {
		a, ok := p.server.Ask(id)
		switch now := p.state(); {
		case !ok:
		case !now.reachable:
			return nil, Ask{}, refuse(http.StatusBadGateway, now.fault)
		default:
			return p.server, a, nil
		}
	}
	return nil, Ask{}, notFound()
}
