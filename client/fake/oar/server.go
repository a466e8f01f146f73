// Package oar is the face of OAR's wire on the store: strict, over HTTP.
//
// It checks what the wire page says that a relay checks, and nothing more: a card
// takes any text, offered or not, because OAR leaves that to its client. It is
// stricter than OAR in what a client must never send. A request with a header
// that marks its caller as an agent, an `origin` in its body, the token in its
// query, a cookie, or a member that the wire does not know is refused and noted
// ([Server.Violations]).
//
// What an agent wants is one of three items here: a [Card], on which its session
// waits, a [Board] for a plan, or an [Ask], with which the session goes on. Asks in
// the words of the store become the one that fits.
package oar

import (
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
	// Name is what the relay says it is; "oar" where it is empty. Its id is made
	// from name and token.
	Name string
	// NoIdentity is an old relay, which does not say who it is.
	NoIdentity bool
	// NoAsks is a relay of which only cards, boards and conversations are known.
	NoAsks bool
	// NoEvents is a relay that nobody can follow.
	NoEvents bool
	// Ping is how often followers of the events are pinged; 0 is 5 s.
	Ping time.Duration
	// Lag is how long a card stays pending behind its expiresAt; 0 is 5 s.
	Lag time.Duration
	// Network and Keep are as in [fake.Options].
	Network fake.Network
	Keep    int
}

// Server is a running relay. Its methods can be called from any goroutine.
type Server struct {
	*fake.Store
	options Options

	mu         sync.Mutex // not held together with the store's lock of another relay
	noAsks     bool
	paired     []*pairing
	violations []string

	connections map[string]*connection // that follow the events
	opened      int
	told        fake.Signal
}

// Start starts a relay on its own address. The error is the listener's.
func Start(o Options) (*Server, error) {
	if o.Token == "" {
		o.Token = "oar_0123456789abcdef"
	}
	if o.Name == "" {
		o.Name = "oar"
	}
	if o.Lag <= 0 {
		o.Lag = 5 * time.Second
	}
	if o.Ping <= 0 {
		o.Ping = 5 * time.Second
	}
	s := &Server{options: o, noAsks: o.NoAsks, connections: map[string]*connection{}}
	store, err := fake.NewStore(fake.Wire{
		Prefix: o.Prefix, Keys: []fake.Key{{Token: o.Token}}, OneID: true, Lag: o.Lag,
		NewID: func(a *fake.Ask, number int, _ time.Time) string {
			if a == nil {
				return "c" + uuid(o.Name, number)
			}
			return uuid(o.Name, number)
		},
		Ask: shape, Opened: s.tell, Closed: s.tell, Word: word, Body: body, Guard: s.guard, Routes: s.routes(), Free: s.free(),
		Network: o.Network, Keep: o.Keep,
	})
	if err != nil {
		return nil, err
	}
	s.Store = store
	return s, nil
}

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

// Violations returns what arrived that a client must never send, in order.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// blame notes what arrived that no client should send, and refuses it.
func (s *Server) blame(c *fake.Call, what string) *fake.Refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.violations = append(s.violations, c.Method+" "+c.URL.Path+": "+what)
	return refuse(400, "This request holds "+what)
}

// uuid makes something that looks like one. Ids are the same in every run, and
// different on relays of different names.
func uuid(salt string, number int) string {
	h := fnv.New128a()
	_, _ = fmt.Fprintf(h, "%d %s", number, salt)
	x := fmt.Sprintf("%032x", h.Sum(nil))
	return x[:8] + "-" + x[8:12] + "-4" + x[13:16] + "-9" + x[17:20] + "-" + x[20:]
}

// RemoveSession makes the relay forget a session, which ends its asks and leaves
// its cards and boards.
func (s *Server) RemoveSession(id string) {
	s.Do(func(st *fake.State) {
		if n := st.Session(id); n != nil {
			st.RemoveSession(n)
		}
		for _, a := range st.Asks {
			if _, ok := a.Wire.(*Ask); ok && a.Session == id {
				st.End(a, fake.End{How: "ended"})
			}
		}
	})
	s.Tell("conversation_deleted", object{"conversationId": id})
}

// Compact compacts a session into a new one, whose id it returns. The asks that
// are open move there, under the same ids.
func (s *Server) Compact(session string) (id string) {
	old, _ := s.Session(session)
	id = s.AddSession(fake.Session{Title: old.Title, CreatedBy: old.CreatedBy})
	s.Do(func(st *fake.State) {
		for _, a := range slices.Clone(st.Asks) {
			if _, ok := a.Wire.(*Ask); ok && a.Session == session && a.Open() {
				st.Move(a, st.Session(id))
			}
		}
	})
	s.Tell("conversation_compacted", object{"sourceConversationId": session, "targetConversationId": id})
	return id
}
