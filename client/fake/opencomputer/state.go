package opencomputer

import (
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// session and ask are what the relay holds; their order is by time, then number.
type session struct {
	Session
	raw    []byte // sent as it is, always
	number int
	asks   []*ask
}

type ask struct {
	Ask
	raw    []byte // sent as it is while the ask is open
	number int
	seq    int64 // of its ask.closed
	sent   []Sent
}

func (a *ask) open() bool { return a.ClosedAt.IsZero() }

// wire returns the ask as it is sent.
func (a *ask) wire() jsontext.Value {
	if a.raw != nil && a.open() {
		return a.raw
	}
	return fake.Marshal(a.Ask)
}

// AddSession adds a session and returns its id. What is not set is filled in.
func (s *Server) AddSession(n Session) string {
	now := s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number++
	if n.ID == "" {
		n.ID = fmt.Sprintf("cs_%016x", s.mixed())
	}
	if n.CreatedBy == (Actor{}) {
		n.CreatedBy = s.options.Users[0].Actor
	}
	if n.Status == "" {
		n.Status = "running"
	}
	if n.CreatedAt.IsZero() {
		n.CreatedAt = now
	}
	if n.UpdatedAt.IsZero() {
		n.UpdatedAt = n.CreatedAt
	}
	if n.URL == "" {
		n.URL = s.links() + "/s/" + n.ID
	}
	s.sessions = append(s.sessions, &session{Session: n, number: s.number})
	s.changed.Broadcast()
	return n.ID
}

func (s *Server) links() string {
	if s.options.Links != "" {
		return s.options.Links
	}
	return s.Server.URL()
}

// mixed spreads the running number over 64 bits, so that ids look like ids and
// are the same in every run. Relays with the same first token give out the same
// ids, which is how it is found out whether a client tells relays apart.
func (s *Server) mixed() uint64 {
	salt := fnv.New64a()
	_, _ = salt.Write([]byte(s.Token()))
	x := (uint64(s.number) + salt.Sum64()) * 0x9e3779b97f4a7c15
	return x ^ x>>29
}

// RemoveSession makes the relay forget a session with its asks.
func (s *Server) RemoveSession(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions = slices.DeleteFunc(s.sessions, func(n *session) bool { return n.ID == id })
}

// SetTitle renames a session.
func (s *Server) SetTitle(id, title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.find(id); n != nil {
		n.Title = title
	}
}

// Open opens an ask in a session. What is not set is filled in: id, status and
// the time, which may also be set to one in the past.
func (s *Server) Open(sessionID string, a Ask) Ref { return s.openAsk(sessionID, a, nil) }

func (s *Server) openAsk(sessionID string, a Ask, raw []byte) Ref {
	now := s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.find(sessionID)
	if n == nil {
		panic("the fake relay has no session " + sessionID)
	}
	s.number++
	if a.ID == "" {
		a.ID = fmt.Sprintf("ak_%012x", s.mixed()>>16)
	}
	if a.Status == "" {
		a.Status = "open"
	}
	if a.OpenedAt.IsZero() {
		a.OpenedAt = now
	}
	a.SessionID, a.OpenedAt = sessionID, a.OpenedAt.UTC()
	opened := &ask{Ask: a, raw: raw, number: s.number}
	n.asks = append(n.asks, opened)
	n.touch(a.OpenedAt)
	s.tell("ask.opened", opened)
	return Ref{sessionID, a.ID}
}

func (n *session) touch(at time.Time) {
	if at.After(n.UpdatedAt) {
		n.UpdatedAt = at
	}
}

// Replace changes an open ask in place, under the same id, as an agent never
// should. It reports whether there is such an open ask.
func (s *Server) Replace(ref Ref, change func(*Ask)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, a := s.lookup(ref)
	if a == nil || !a.open() {
		return false
	}
	change(&a.Ask)
	a.raw = nil
	s.changed.Broadcast()
	return true
}

// Remove makes the relay forget an ask, as if it had never been.
func (s *Server) Remove(ref Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.find(ref.Session); n != nil {
		n.asks = slices.DeleteFunc(n.asks, func(a *ask) bool { return a.ID == ref.Ask })
	}
	s.changed.Broadcast()
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

// lookup returns an ask and its session; s.mu is held.
func (s *Server) lookup(ref Ref) (*session, *ask) {
	n := s.find(ref.Session)
	if n == nil {
		return nil, nil
	}
	for _, a := range n.asks {
		if a.ID == ref.Ask {
			return n, a
		}
	}
	return n, nil
}

// Ask returns an ask as it now is.
func (s *Server) Ask(ref Ref) (Ask, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, a := s.lookup(ref); a != nil {
		return a.Ask, true
	}
	return Ask{}, false
}

// Answers returns every answer and dismissal that arrived for an ask over the
// wire, in order, refused ones too.
func (s *Server) Answers(ref Ref) []Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, a := s.lookup(ref); a != nil {
		return slices.Clone(a.sent)
	}
	return nil
}

// Everything returns every ask, open and closed, in the order of the sessions
// and in them of opening.
func (s *Server) Everything() []Ask {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Ask
	for _, n := range s.sessions {
		for _, a := range n.asks {
			out = append(out, a.Ask)
		}
	}
	return out
}

// OpenAsks returns how many asks are open.
func (s *Server) OpenAsks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, n := range s.sessions {
		count += len(n.listed([]string{"open"}))
	}
	return count
}

// listed returns the asks with one of the statuses, newest first. An ask with a
// status of no known kind counts as open, because it is not closed.
func (n *session) listed(statuses []string) []*ask {
	var out []*ask
	for _, a := range n.asks {
		status := a.Status
		if a.open() {
			status = "open"
		}
		if slices.Contains(statuses, "all") || slices.Contains(statuses, status) {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(x, y *ask) int {
		if c := y.OpenedAt.Compare(x.OpenedAt); c != 0 {
			return c
		}
		return y.number - x.number
	})
	return out
}

// wire returns the session as it is sent.
func (n *session) wire() jsontext.Value {
	if n.raw != nil {
		return n.raw
	}
	sent := n.Session
	sent.Asks = []jsontext.Value{}
	for _, a := range n.listed([]string{"open"}) {
		sent.Asks = append(sent.Asks, a.wire())
	}
	sent.Status = n.status()
	return fake.Marshal(sent)
}

// status is waiting while an ask is open.
func (n *session) status() string {
	if n.raw != nil {
		return "waiting"
	}
	for _, a := range n.asks {
		if a.open() {
			return "waiting"
		}
	}
	return n.Status
}
