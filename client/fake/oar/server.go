// Package oar is the server half of OAR's wire: strict, in memory, over HTTP.
//
// It checks what the wire page says that a relay checks, and nothing more: a card
// takes any text, offered or not, because OAR leaves that to its client. It is
// stricter than OAR in what a client must never send. A request with a header
// that marks its caller as an agent, an `origin` in its body, the token in its
// query, a cookie, or a member that the wire does not know is refused and noted
// ([Server.Violations]).
package oar

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"askbox/client/fake"
)

// Options set a relay up. The zero value is a relay with everything that the
// wire has.
type Options struct {
	// Prefix goes before every path, as "/oar"; empty for none.
	Prefix string
	// Token is the one token of the relay; "oar_0123456789abcdef" where it is empty.
	Token string
	// Name and Version are what the relay says it is; "oar" and "0.9.6" where they
	// are empty. Its id is made from name and token.
	Name, Version string
	// NoIdentity is an old relay, which does not say who it is.
	NoIdentity bool
	// NoAsks is a relay of which only cards, boards and conversations are known.
	NoAsks bool
	// Lag is how long a card stays pending behind its expiresAt; 0 is 5 s.
	Lag time.Duration
	// Network and Keep are as in [fake.Options].
	Network fake.Network
	Keep    int
}

// Server is a running relay. Its methods can be called from any goroutine.
type Server struct {
	*fake.Server
	options Options

	mu            sync.Mutex
	number        int // counts everything that gets an id
	noAsks        bool
	mostOnPage    int
	lostCursor    bool
	conversations []*Conversation
	cards         []*card
	boards        []*board
	asks          []*ask
	paired        []*pairing
	sent          map[string][]Sent
	violations    []string
	hooks         fake.Hooks[End]
	changed       fake.Signal
}

// Start starts a relay on its own address. The error is the listener's.
func Start(o Options) (*Server, error) {
	if o.Token == "" {
		o.Token = "oar_0123456789abcdef"
	}
	if o.Name == "" {
		o.Name = "oar"
	}
	if o.Version == "" {
		o.Version = "0.9.6"
	}
	if o.Lag <= 0 {
		o.Lag = 5 * time.Second
	}
	s := &Server{options: o, noAsks: o.NoAsks, sent: map[string][]Sent{}}
	shared, err := fake.Start(fake.Options{Handler: s.routes(), Network: o.Network, Keep: o.Keep})
	if err != nil {
		return nil, err
	}
	s.Server = shared
	return s, nil
}

// URL returns the base URL, prefix included, as it stands in a configuration.
func (s *Server) URL() string { return s.Server.URL() + s.options.Prefix }

// Token returns the relay's token.
func (s *Server) Token() string { return s.options.Token }

// Name returns what the relay calls itself.
func (s *Server) Name() string { return s.options.Name }

// RelayID returns the relay's own id.
func (s *Server) RelayID() string {
	return "relay_" + uuid(s.options.Name+" "+s.options.Token, 0)[:13]
}

// SetAsks switches the endpoints for asks on or off. While they are off they are
// paths that the relay does not know.
func (s *Server) SetAsks(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noAsks = !on
}

// SetPaging changes how conversations are cut into pages: most is the most on a
// page whatever limit asks for, 0 for limit; lostCursor sends pages that have
// more behind them without saying where.
func (s *Server) SetPaging(most int, lostCursor bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mostOnPage, s.lostCursor = most, lostCursor
}

// End is how a card, a board or an ask ended.
type End struct {
	// Kind is card, board or ask.
	Kind, ID, Conversation string
	// Status is as on the wire: answered, timed_out, acted, withdrawn, …
	Status string
	// Answer is the text, or the id of a board's action.
	Answer string
	// Approved says that the agent takes it as the approval of an approval card.
	Approved bool
}

// OnClose calls f with everything that ends from now on, in the goroutine that
// ended it and without any lock held.
func (s *Server) OnClose(f func(End)) { s.hooks.Add(f) }

// tell calls the hooks and wakes who waits; s.mu is not held.
func (s *Server) tell(ends ...End) {
	s.changed.Broadcast()
	s.hooks.Tell(ends...)
}

// WaitClosed waits until a card, a board or an ask is over and returns how it
// ended. The error is the context's.
func (s *Server) WaitClosed(ctx context.Context, id string) (End, error) {
	return fake.Until(ctx, &s.changed, func() (End, bool) { return s.ended(id) })
}

// ended returns how something ended, where it has.
func (s *Server) ended(id string) (End, bool) {
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.card(id); c != nil {
		return c.end(), c.Status != pending
	}
	if b := s.board(id); b != nil {
		return b.end(), b.Status != pending
	}
	if a := s.ask(id); a != nil {
		return a.end(), a.Status != pending
	}
	return End{}, false
}

// Sent is an answer, a dismissal or an action that arrived, whatever came of it.
type Sent struct {
	// Call is the last part of the path: answer, timeout, action or dismiss.
	Call string
	// Body is what arrived, byte for byte.
	Body string
	// Error is the error that it got; empty where it was taken.
	Error string
}

// Sent returns what arrived here for a card, a board or an ask, in order,
// refused ones too. What arrived for a paired relay's ask is kept here as well.
func (s *Server) Sent(id string) []Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent[id])
}

// WaitSent waits until something arrived here for a card, a board or an ask, and
// was dealt with, and returns all that did. The error is the context's.
func (s *Server) WaitSent(ctx context.Context, id string) ([]Sent, error) {
	return fake.Until(ctx, &s.changed, func() ([]Sent, bool) {
		sent := s.Sent(id)
		return sent, len(sent) > 0
	})
}

// note keeps what arrived.
func (s *Server) note(id string, sent Sent) {
	s.mu.Lock()
	s.sent[id] = append(s.sent[id], sent)
	s.mu.Unlock()
	s.changed.Broadcast()
}

// Violations returns what arrived that a client must never send, in order.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// newID returns the next id; s.mu is held. Ids are the same in every run, and
// different on relays of different names.
func (s *Server) newID() string {
	s.number++
	return uuid(s.options.Name, s.number)
}

// uuid makes something that looks like one.
func uuid(salt string, number int) string {
	h := fnv.New128a()
	_, _ = fmt.Fprintf(h, "%d %s", number, salt)
	x := fmt.Sprintf("%032x", h.Sum(nil))
	return x[:8] + "-" + x[8:12] + "-4" + x[13:16] + "-9" + x[17:20] + "-" + x[20:]
}

// Pending returns how many cards, boards and asks of this relay itself are open.
func (s *Server) Pending() int {
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, c := range s.cards {
		if c.Status == pending {
			count++
		}
	}
	for _, b := range s.boards {
		if b.Status == pending {
			count++
		}
	}
	for _, a := range s.asks {
		if a.Status == pending {
			count++
		}
	}
	return count
}
