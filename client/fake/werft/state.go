package werft

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// life is how long a request waits.
const life = 30 * time.Minute

// session and request are what the relay holds.
type session struct {
	Session
	requests []*request // oldest first
	raw      []byte     // sent as it is among those that need input
}

type request struct {
	Request
	raw  []byte // sent as it is while the request is open
	end  *End   // nil while it is open
	key  string // of the one that answered
	same string // the answer, in a form in which equal answers are equal
	sent []Sent
}

// AddSession adds a session and returns its id. What is not set is filled in.
func (s *Server) AddSession(n Session) string {
	now := s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.ID == "" {
		n.ID = s.newID("ses")
	}
	if n.Status == "" {
		n.Status = "running"
	}
	if n.AdmissionState == "" {
		n.AdmissionState = Active
	}
	if n.CreatedBy == (Actor{}) {
		n.CreatedBy = s.options.Keys[0].Actor
	}
	if n.CreatedAt.IsZero() {
		n.CreatedAt = now
	}
	if n.Revision == 0 {
		n.Revision, n.CheckpointRevision = 1, 1
	}
	if n.URL == "" {
		n.URL = s.Server.URL() + "/s/" + n.ID
	}
	s.sessions = append(s.sessions, &session{Session: n})
	return n.ID
}

// RawSession lists a session exactly as given among those that need input. It
// has to be one JSON value, and takes no requests.
func (s *Server) RawSession(raw string) {
	id := s.AddSession(Session{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(id).raw = fake.MustBeJSON(raw)
}

// RemoveSession makes the relay forget a session with its requests.
func (s *Server) RemoveSession(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions = slices.DeleteFunc(s.sessions, func(n *session) bool { return n.ID == id })
}

// Change changes a session, which counts as a new revision of it.
func (s *Server) Change(id string, change func(*Session)) {
	s.mu.Lock()
	if n := s.find(id); n != nil {
		change(&n.Session)
		n.Revision++
	}
	s.mu.Unlock()
	s.changed.Broadcast()
}

// SetAdmission puts a session into another state, which counts as a new revision.
func (s *Server) SetAdmission(id, state string) {
	s.Change(id, func(n *Session) { n.AdmissionState = state })
}

// Session returns a session as it now is.
func (s *Server) Session(id string) (Session, bool) {
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.find(id); n != nil {
		sent := n.Session
		sent.Status = n.status()
		return sent, true
	}
	return Session{}, false
}

// Open opens a request in a session. What is not set is filled in.
func (s *Server) Open(sessionID string, r Request) Ref { return s.open(sessionID, r, nil) }

func (s *Server) open(sessionID string, r Request, raw []byte) Ref {
	now := s.Now()
	s.mu.Lock()
	n := s.find(sessionID)
	if n == nil {
		s.mu.Unlock()
		panic("the fake relay has no session " + sessionID)
	}
	if r.ID == "" {
		r.ID = s.newID("req")
	}
	if r.CreatedAt.IsZero() {
		r.CreatedAt = now
	}
	if r.ExpiresAt.IsZero() {
		r.ExpiresAt = r.CreatedAt.Add(life)
	}
	n.requests = append(n.requests, &request{Request: r, raw: raw})
	slices.SortStableFunc(n.requests, func(x, y *request) int { return x.CreatedAt.Compare(y.CreatedAt) })
	n.Revision++
	s.mu.Unlock()
	s.changed.Broadcast()
	return Ref{sessionID, r.ID}
}

// Raw opens a request that is sent exactly as given while it is open. It has to
// be one JSON value.
func (s *Server) Raw(session, id, raw string) Ref {
	return s.open(session, Request{ID: id}, fake.MustBeJSON(raw))
}

// BashInput is the input of a shell command.
type BashInput struct {
	Command     string `json:"command"`
	Description string `json:"description,omitzero"`
}

// Permit asks for a tool with an input that is encoded as JSON. remember is the
// rule that it proposes; empty for none.
func (s *Server) Permit(session, tool string, input any, remember string) Ref {
	return s.Open(session, Request{Kind: "permission", Tool: tool, Input: fake.Marshal(input), ProposedRemember: remember})
}

// Bash asks to run a command and proposes to remember exactly that command.
func (s *Server) Bash(session, command, description string) Ref {
	return s.Permit(session, "Bash", BashInput{command, description}, "Bash("+command+")")
}

// Choice asks one question, of whose options one may be chosen. The options have
// the ids o_1, o_2 and so on.
func (s *Server) Choice(session, prompt string, labels ...string) Ref {
	return s.Ask(session, Question{ID: "q_1", Header: "Question", Prompt: prompt, Options: Labels(labels...)})
}

// Labels makes options with the ids o_1, o_2 and so on.
func Labels(labels ...string) []Option {
	out := make([]Option, len(labels))
	for i, l := range labels {
		out[i] = Option{ID: fmt.Sprintf("o_%d", i+1), Label: l}
	}
	return out
}

// Ask asks one or several questions at once.
func (s *Server) Ask(session string, questions ...Question) Ref {
	return s.Open(session, Request{Kind: "question", Questions: questions})
}

// AnswerAs answers a request for somebody, outside the wire and its checks, on a
// surface: api, web or slack. It reports whether that was what ended it.
func (s *Server) AnswerAs(by Actor, surface string, ref Ref, answer string) bool {
	return s.close(ref, End{How: "answered", By: by, Surface: surface, Answer: answer}, "", canonical([]byte(answer)))
}

// MoveOn ends a request because its turn moved on without it.
func (s *Server) MoveOn(ref Ref) bool { return s.close(ref, End{How: "moved on"}, "", "") }

// close ends a request, unless something else was first.
func (s *Server) close(ref Ref, e End, key, same string) bool {
	e.Ref = ref
	s.mu.Lock()
	n, r := s.lookup(ref)
	first := r != nil && r.end == nil
	if first {
		r.end, r.key, r.same = &e, key, same
		n.Revision++
	}
	s.mu.Unlock()
	if first {
		s.tell(e)
		s.settle()
	}
	return first
}

// settle does what is due by the relay's clock: requests expire, and pauses end
// or are found to be blocked.
func (s *Server) settle() {
	now := s.Now()
	var over []End
	s.mu.Lock()
	for _, n := range s.sessions {
		for _, r := range n.requests {
			if r.end == nil && !now.Before(r.ExpiresAt) {
				r.end = &End{Ref: Ref{n.ID, r.ID}, How: "expired"}
				n.Revision++
				over = append(over, *r.end)
			}
		}
	}
	moved := false
	for _, r := range s.receipts {
		moved = s.advance(r, now) || moved
	}
	s.mu.Unlock()
	if len(over) > 0 || moved {
		s.tell(over...)
	}
}

// find returns a session; s.mu is held.
func (s *Server) find(id string) *session {
	for _, n := range s.sessions {
		if n.ID == id {
			return n
		}
	}
	return nil
}

// lookup returns a request and its session; s.mu is held.
func (s *Server) lookup(ref Ref) (*session, *request) {
	n := s.find(ref.Session)
	if n == nil {
		return nil, nil
	}
	for _, r := range n.requests {
		if r.ID == ref.Request {
			return n, r
		}
	}
	return n, nil
}

// Answers returns every answer that arrived for a request over the wire, in
// order, refused ones too.
func (s *Server) Answers(ref Ref) []Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, r := s.lookup(ref); r != nil {
		return slices.Clone(r.sent)
	}
	return nil
}

// note remembers what arrived for a request.
func (s *Server) note(ref Ref, sent Sent) {
	s.mu.Lock()
	if _, r := s.lookup(ref); r != nil {
		r.sent = append(r.sent, sent)
	}
	s.mu.Unlock()
	s.changed.Broadcast()
}

// listed returns the open requests, oldest first.
func (n *session) listed() []*request {
	var out []*request
	for _, r := range n.requests {
		if r.end == nil {
			out = append(out, r)
		}
	}
	return out
}

// status is needs_input while a request is open.
func (n *session) status() string {
	if n.raw != nil || len(n.listed()) > 0 {
		return "needs_input"
	}
	return n.Status
}

// wire returns the session as it is sent.
func (n *session) wire() jsontext.Value {
	if n.raw != nil {
		return n.raw
	}
	sent := n.Session
	sent.Status = n.status()
	return sent.wire()
}

// wire returns the request as it is sent.
func (r *request) wire() jsontext.Value {
	if r.raw != nil {
		return r.raw
	}
	return r.Request.wire()
}

// Request returns a request as it was opened.
func (s *Server) Request(ref Ref) (Request, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, r := s.lookup(ref); r != nil {
		return r.Request, true
	}
	return Request{}, false
}

// OpenRequests returns how many requests are open.
func (s *Server) OpenRequests() int {
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, n := range s.sessions {
		count += len(n.listed())
	}
	return count
}
