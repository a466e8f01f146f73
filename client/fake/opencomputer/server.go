// Package opencomputer is the server half of the OpenComputer relay's wire:
// strict, in memory, over HTTP, JSON-RPC and server-sent events.
//
// Where the wire is open, this relay takes the side that asks more of a client:
// unknown members of an answer are refused, a dismissal that is repeated is 409,
// listings and cursors are bound to their path and status.
package opencomputer

import (
	"context"
	"net/http"
	"sync"
	"time"

	"askbox/client/fake"
)

// Options set a relay up. The zero value is a relay with everything that the
// wire has, for [Ada] and [Grace].
type Options struct {
	// Prefix goes before every path; "/api" where it is empty, "/" for none.
	Prefix string
	Users  []User
	// NoMe, NoEvents and NoRPC leave the parts out that a relay need not have.
	NoMe, NoEvents, NoRPC bool
	// Links begins the sessions' urls; the relay's own origin where it is empty.
	Links string
	// Heartbeat is how often an event stream that has nothing to say sends a
	// comment; 0 is every 15 s.
	Heartbeat time.Duration
	// Network and Keep are as in [fake.Options].
	Network fake.Network
	Keep    int
}

// Server is a running relay. Its methods can be called from any goroutine.
type Server struct {
	*fake.Server
	options Options
	prefix  string

	mu       sync.Mutex
	sessions []*session // in the order in which they were added
	number   int        // counts sessions and asks, for ids and a stable order
	seq      int64      // of the newest event
	paging   Paging
	streams  map[*stream]bool
	hooks    fake.Hooks[Ask]
	changed  fake.Signal
}

// Start starts a relay on its own address.
func Start(o Options) (*Server, error) {
	if len(o.Users) == 0 {
		o.Users = []User{Ada, Grace}
	}
	if o.Heartbeat <= 0 {
		o.Heartbeat = 15 * time.Second
	}
	s := &Server{options: o, prefix: o.Prefix, streams: map[*stream]bool{}}
	switch o.Prefix {
	case "":
		s.prefix = "/api"
	case "/":
		s.prefix = ""
	}
	shared, err := fake.Start(fake.Options{Handler: s.routes(), Network: o.Network, Keep: o.Keep})
	if err != nil {
		return nil, err
	}
	s.Server = shared
	return s, nil
}

// URL returns the base URL, prefix included, as it stands in a configuration.
func (s *Server) URL() string { return s.Server.URL() + s.prefix }

// Token returns the first user's token.
func (s *Server) Token() string { return s.options.Users[0].Token }

// Paging makes listings awkward. The zero value is a well-behaved relay.
type Paging struct {
	// Most is the most items on a page, whatever limit asks for; 0 is limit.
	Most int
	// Overlap is how many items of a page stand on the next one again.
	Overlap int
	// EmptyPages puts an empty page with a next cursor before every page but the first.
	EmptyPages bool
	// Cycle gives out a cursor that leads back to the first page at the end.
	Cycle bool
	// Expire refuses the next so many cursors with invalid_cursor.
	Expire int
}

// SetPaging changes how listings are cut into pages, from the next request on.
func (s *Server) SetPaging(p Paging) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paging = p
}

// OnClose calls f with every ask that closes from now on, in the goroutine that
// closed it and without any lock held.
func (s *Server) OnClose(f func(Ask)) { s.hooks.Add(f) }

// WaitClosed waits until an ask is closed and returns it. The error is the context's.
func (s *Server) WaitClosed(ctx context.Context, ref Ref) (Ask, error) {
	return fake.Until(ctx, &s.changed, func() (Ask, bool) {
		a, ok := s.Ask(ref)
		return a, ok && !a.ClosedAt.IsZero()
	})
}

// user returns whose token a request carries.
func (s *Server) user(r *http.Request) (User, bool) {
	for _, u := range s.options.Users {
		if r.Header.Get("Authorization") == "Bearer "+u.Token {
			return u, true
		}
	}
	return User{}, false
}
