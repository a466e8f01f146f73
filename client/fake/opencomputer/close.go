package opencomputer

import (
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// closing is how an ask ends.
type closing struct {
	status string
	by     Actor
	answer jsontext.Value
}

// end closes an ask, unless something else was first: the first close wins. It
// returns the ask as it then is, and whether this was the close that counted.
func (s *Server) end(ref Ref, how closing) (a Ask, seq int64, first bool) {
	now := s.Now()
	s.mu.Lock()
	n, held := s.lookup(ref)
	if held == nil {
		s.mu.Unlock()
		return Ask{}, 0, false
	}
	if first = held.open(); first {
		held.Status, held.Answer, held.ClosedAt = how.status, how.answer, now
		if how.by != (Actor{}) {
			held.ClosedBy = &how.by
		}
		n.touch(now)
		held.seq = s.tell("ask.closed", held)
	}
	a, seq = held.Ask, held.seq
	s.mu.Unlock()
	if first {
		s.hooks.Tell(a)
	}
	return a, seq, first
}

// AnswerAs answers an ask for somebody, outside the wire and its checks, as the
// relay's own page would. It reports whether that was the close that counted.
func (s *Server) AnswerAs(by Actor, ref Ref, answer string) bool {
	_, _, first := s.end(ref, closing{"answered", by, jsontext.Value(answer)})
	return first
}

// DismissAs dismisses an ask for somebody; the message may be empty.
func (s *Server) DismissAs(by Actor, ref Ref, message string) bool {
	_, _, first := s.end(ref, closing{"dismissed", by, dismissal(message)})
	return first
}

func dismissal(message string) jsontext.Value {
	if message == "" {
		return nil
	}
	return fake.Marshal(struct {
		Message string `json:"message"`
	}{message})
}

// Decline closes an ask by a message that somebody steered into the turn.
func (s *Server) Decline(by Actor, ref Ref, message string) bool {
	answer := fake.Marshal(struct {
		Message    string `json:"message"`
		MessageSeq int64  `json:"messageSeq"`
	}{message, 7})
	_, _, first := s.end(ref, closing{"declined", by, answer})
	return first
}

// Interrupt closes an ask by an interrupt of its turn. The zero actor is nobody,
// as when the runner ends.
func (s *Server) Interrupt(by Actor, ref Ref) bool {
	_, _, first := s.end(ref, closing{"interrupted", by, nil})
	return first
}

// GiveSecret answers a secret, which only the relay's own page can.
func (s *Server) GiveSecret(by Actor, ref Ref) bool {
	_, _, first := s.end(ref, closing{"answered", by, nil})
	return first
}
