package fake

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Wire is what a face tells the store about itself. Its functions are called with
// the store's lock held, except Guard and the Free handlers; all but NewID may be nil.
type Wire struct {
	// Prefix goes before every path, as "/api"; empty for none.
	Prefix string
	// Keys are the tokens that the relay knows; the first is [Store.Token].
	Keys []Key
	// OneID says that an ask is known by its id alone, in whatever session it is.
	OneID bool
	// Lag is how long an ask stays open behind its time.
	Lag time.Duration

	// NewID makes the id of an ask, or of a session where that is nil, from its number
	// and its time.
	NewID func(a *Ask, number int, at time.Time) string
	// Session and Ask fill in what a new one lacks.
	Session func(*State, *Session)
	Ask     func(*State, *Session, *Ask)
	// Word is what the relay calls what became of an ask: one of the ways to end,
	// or "open". Where it is nil, it uses these words.
	Word func(a *Ask, how string) string
	// Opened and Closed tell of an ask, in events.
	Opened, Closed func(*State, *Ask)
	// Body is an answer as the wire has it, for one that did not come over it.
	Body func(*Ask, End) jsontext.Value
	// Due does what is due by the relay's clock.
	Due func(*State)

	// Guard refuses whoever must not come in. Where it is nil, a key is needed, and
	// Unknown is what others get.
	Guard   func(*Call) *Refusal
	Unknown *Refusal
	// Routes answer calls by their pattern, with the lock held. Free ones are called
	// without it. The pattern "/" is for everything else.
	Routes, Free map[string]Handler

	// Network and Keep are as in [Options].
	Network Network
	Keep    int
}

// Store holds what a relay has, whatever its kind, behind the HTTP half of a
// relay. Its methods can be called from any goroutine, but not inside of Do.
type Store struct {
	*Server
	wire    Wire
	mu      sync.Mutex
	state   State
	hooks   []func(Ask)
	changed Signal
}

// NewStore starts a relay on its own address. The error is the listener's.
func NewStore(w Wire) (*Store, error) {
	s := &Store{wire: w}
	s.state = State{wire: &s.wire, byID: map[string]*Session{}, byRef: map[Ref]*Ask{}, sent: map[Ref][]Sent{}}
	server, err := Start(Options{Handler: s.routes(), Network: w.Network, Keep: w.Keep})
	if err != nil {
		return nil, err
	}
	s.Server = server
	return s, nil
}

// URL returns the base URL, prefix included, as it stands in a configuration.
func (s *Store) URL() string { return s.Server.URL() + s.wire.Prefix }

// Token returns the first key's token, empty where the relay has no keys.
func (s *Store) Token() string {
	if len(s.wire.Keys) == 0 {
		return ""
	}
	return s.wire.Keys[0].Token
}

// Do calls f with what the relay holds, and then the hooks with what f closed.
func (s *Store) Do(f func(*State)) {
	closed, hooks, changed := s.alone(f)
	if changed {
		s.changed.Broadcast()
	}
	for _, a := range closed {
		for _, hook := range hooks {
			hook(a)
		}
	}
}

func (s *Store) alone(f func(*State)) (closed []Ask, hooks []func(Ask), changed bool) {
	now := s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Now = now
	s.state.settle()
	f(&s.state)
	closed, changed = s.state.closed, s.state.changed
	s.state.closed, s.state.changed = nil, false
	return closed, slices.Clone(s.hooks), changed
}

// OnClose calls f with every ask that closes from now on, in the goroutine that
// closed it and without any lock held.
func (s *Store) OnClose(f func(Ask)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hooks = append(s.hooks, f)
}

// AddSession adds a session and returns its id.
func (s *Store) AddSession(n Session) (id string) {
	s.Do(func(st *State) { id = st.addSession(n).ID })
	return id
}

// Change changes a session.
func (s *Store) Change(id string, change func(*Session)) {
	s.Do(func(st *State) {
		if n := st.Session(id); n != nil {
			change(n)
			st.Touch(n, st.Now)
		}
	})
}

// Session returns a session as it now is.
func (s *Store) Session(id string) (n Session, ok bool) {
	s.Do(func(st *State) {
		if held := st.Session(id); held != nil {
			n, ok = *held, true
		}
	})
	return n, ok
}

// WaitSession waits until a session is as f wants it and returns it. The error
// is the context's.
func (s *Store) WaitSession(ctx context.Context, id string, f func(Session) bool) (Session, error) {
	return Until(ctx, &s.changed, func() (Session, bool) {
		n, ok := s.Session(id)
		return n, ok && f(n)
	})
}

// SetPaging puts at most so many items on a page, whatever limit asks for; 0 is
// that limit.
func (s *Store) SetPaging(most int) { s.Do(func(st *State) { st.Most = most }) }

// Ask returns an ask as it now is.
func (s *Store) Ask(ref Ref) (a Ask, ok bool) {
	s.Do(func(st *State) {
		if held := st.Ask(ref); held != nil {
			a, ok = *held, true
		}
	})
	return a, ok
}

// Everything returns every ask, open and closed, the oldest first.
func (s *Store) Everything() (out []Ask) {
	s.Do(func(st *State) {
		for _, a := range st.Asks {
			out = append(out, *a)
		}
	})
	return out
}

// OpenAsks returns how many asks are open.
func (s *Store) OpenAsks() (count int) {
	for _, a := range s.Everything() {
		if a.Open() {
			count++
		}
	}
	return count
}

// Replace changes an open ask in place, under the same id, as an agent never
// should. It reports whether there is such an open ask.
func (s *Store) Replace(ref Ref, change func(*Ask)) (ok bool) {
	s.Do(func(st *State) {
		if a := st.Ask(ref); a != nil && a.Open() {
			change(a)
			a.raw, ok = nil, true
			st.Changed()
		}
	})
	return ok
}

// Remove makes the relay forget an ask, as if it had never been.
func (s *Store) Remove(ref Ref) {
	s.Do(func(st *State) {
		if gone := st.Ask(ref); gone != nil {
			st.remove(gone)
		}
	})
}

// End ends an ask outside of the wire and its checks, and reports whether that
// is the end that counts.
func (s *Store) End(ref Ref, e End) (first bool) {
	s.Do(func(st *State) {
		a := st.Ask(ref)
		if a != nil && e.Body == nil && s.wire.Body != nil {
			e.Body = s.wire.Body(a, e)
		}
		first = st.End(a, e)
	})
	return first
}

// AnswerAs answers an ask for somebody, as the relay's own page would.
func (s *Store) AnswerAs(by Actor, ref Ref, given Answer) bool {
	return s.End(ref, End{How: Answered, By: by, Surface: "web", Answer: given})
}

// DismissAs dismisses an ask for somebody; the message may be empty.
func (s *Store) DismissAs(by Actor, ref Ref, message string) bool {
	return s.End(ref, End{How: Dismissed, By: by, Answer: Answer{Words: message}})
}

// Interrupt ends an ask by the end of its turn, or has its agent take it back.
func (s *Store) Interrupt(ref Ref) bool { return s.End(ref, End{How: Interrupted}) }

// WaitClosed waits until an ask is closed and returns it. The error is the context's.
func (s *Store) WaitClosed(ctx context.Context, ref Ref) (Ask, error) {
	return Until(ctx, &s.changed, func() (Ask, bool) {
		a, ok := s.Ask(ref)
		return a, ok && !a.Open()
	})
}

// Answers returns everything that arrived for an ask over the wire, in order,
// refused calls too.
func (s *Store) Answers(ref Ref) (sent []Sent) {
	s.Do(func(st *State) { sent = slices.Clone(st.sent[st.key(ref)]) })
	return sent
}

// WaitAnswer waits until something arrived for an ask, and was dealt with, and
// returns all that did. The error is the context's.
func (s *Store) WaitAnswer(ctx context.Context, ref Ref) ([]Sent, error) {
	return Until(ctx, &s.changed, func() ([]Sent, bool) {
		sent := s.Answers(ref)
		return sent, len(sent) > 0
	})
}
