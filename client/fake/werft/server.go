// Package werft is the server half of Werft's wire: strict, in memory, over HTTP.
//
// Where the wire page is open, this relay takes the side that asks more of a
// client: members that have no place in an answer are refused, an option and
// typed text do not go together, and an answer that is repeated is too late, also
// from the same key.
package werft

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"askbox/client/fake"
)

// Options set a relay up. The zero value is a relay for [Ada], [Grace] and [Bot].
type Options struct {
	// Prefix goes before /v1, as "/werft"; empty for none.
	Prefix string
	Keys   []Key
	// NoMe leaves out who a key belongs to.
	NoMe bool
	// Network and Keep are as in [fake.Options].
	Network fake.Network
	Keep    int
}

// Pausing is what becomes of a pause.
type Pausing int

// The ways in which a pause can go. By default the session drains at once, with
// its open requests parked.
const (
	Drains Pausing = iota
	// Blocks never drains while a request is open; after 60 s by the relay's clock
	// it says so, and drains when the last request is over.
	Blocks
	// Fails ends the receipt as failed.
	Fails
)

// Server is a running relay. Its methods can be called from any goroutine.
type Server struct {
	*fake.Server
	options Options

	mu       sync.Mutex
	number   int // counts everything that gets an id
	sessions []*session
	receipts []*receipt
	pausing  Pausing
	most     int // items on a page
	expire   int // cursors to refuse
	hooks    fake.Hooks[End]
	changed  fake.Signal
}

// Start starts a relay on its own address. The error is the listener's.
func Start(o Options) (*Server, error) {
	if len(o.Keys) == 0 {
		o.Keys = []Key{Ada, Grace, Bot}
	}
	s := &Server{options: o}
	shared, err := fake.Start(fake.Options{Handler: s.routes(), Network: o.Network, Keep: o.Keep})
	if err != nil {
		return nil, err
	}
	s.Server = shared
	return s, nil
}

// URL returns the base URL as it stands in a configuration, without /v1.
func (s *Server) URL() string { return s.Server.URL() + s.options.Prefix }

// Token returns the first key's token.
func (s *Server) Token() string { return s.options.Keys[0].Token }

// SetPausing says what becomes of pauses from now on.
func (s *Server) SetPausing(p Pausing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pausing = p
}

// SetPaging puts at most so many sessions on a page, 0 for the limit asked for,
// and refuses the next so many cursors.
func (s *Server) SetPaging(most, expire int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.most, s.expire = most, expire
}

// OnClose calls f with every request that ends from now on, in the goroutine
// that ended it and without any lock held.
func (s *Server) OnClose(f func(End)) { s.hooks.Add(f) }

// tell calls the hooks and wakes who waits; s.mu is not held.
func (s *Server) tell(ends ...End) {
	s.changed.Broadcast()
	s.hooks.Tell(ends...)
}

// Ended returns how a request ended, where it has.
func (s *Server) Ended(ref Ref) (End, bool) {
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, r := s.lookup(ref); r != nil && r.end != nil {
		return *r.end, true
	}
	return End{}, false
}

// WaitClosed waits until a request is over and returns how it ended. The error
// is the context's.
func (s *Server) WaitClosed(ctx context.Context, ref Ref) (End, error) {
	return fake.Until(ctx, &s.changed, func() (End, bool) { return s.Ended(ref) })
}

// WaitAnswer waits until an answer arrived for a request, and was dealt with, and
// returns all that did. The error is the context's.
func (s *Server) WaitAnswer(ctx context.Context, ref Ref) ([]Sent, error) {
	return fake.Until(ctx, &s.changed, func() ([]Sent, bool) {
		sent := s.Answers(ref)
		return sent, len(sent) > 0
	})
}

// WaitSession waits until a session is as f wants it and returns it. The error
// is the context's.
func (s *Server) WaitSession(ctx context.Context, id string, f func(Session) bool) (Session, error) {
	return fake.Until(ctx, &s.changed, func() (Session, bool) {
		n, ok := s.Session(id)
		return n, ok && f(n)
	})
}

// key returns whose key a request carries.
func (s *Server) key(r *http.Request) (Key, bool) {
	for _, k := range s.options.Keys {
		if r.Header.Get("Authorization") == "Bearer "+k.Token {
			return k, true
		}
	}
	return Key{}, false
}

// may reports whether a key has a scope.
func (k Key) may(scope string) bool { return k.Scopes == nil || slices.Contains(k.Scopes, scope) }

// without is the refusal of a key that lacks a scope; nil where it has it.
func (k Key) without(scope string) *problem {
	if k.may(scope) {
		return nil
	}
	wrong := refuse(403, "MISSING_SCOPE", "the key lacks the scope "+scope)
	wrong.Scope = scope
	return wrong
}

// newID returns the next id; s.mu is held.
func (s *Server) newID(prefix string) string {
	s.number++
	return fmt.Sprintf("%s_%02d", prefix, s.number)
}

// blockedAfter is how long a pause waits before the relay says that it is blocked.
const blockedAfter = 60 * time.Second
