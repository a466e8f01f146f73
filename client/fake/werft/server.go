// Package werft is the face of Werft's wire on the store: strict, over HTTP.
//
// Where the wire page is open, this relay takes the side that asks more of a
// client: members that have no place in an answer are refused, an option and
// typed text do not go together, and an answer that is repeated is too late, also
// from the same key.
package werft

import (
	"fmt"
	"time"

	"askbox/client/fake"
)

// Ada, Grace and Bot are the keys that every relay knows that was not told
// others. Ada, whose token is the one that [Server.Token] returns, is an admin; Bot
// starts sessions.
var (
	Ada   = fake.Key{Token: "wk_ada_0123456789abcdef", Actor: fake.Actor{Type: "user", ID: "u_1", Name: "Ada"}, Admin: true}
	Grace = fake.Key{Token: "wk_grace_0123456789abcdef", Actor: fake.Actor{Type: "user", ID: "u_2", Name: "Grace"}}
	Bot   = fake.Key{Token: "wk_bot_0123456789abcdef", Actor: fake.Actor{Type: "agent", ID: "a_1", Name: "planner"}}
)

// The admission states of a session.
const (
	Active           = "active"
	Paused           = "paused"
	Stopped          = "stopped"
	RecoveryRequired = "recovery_required"
	Closed           = "closed"
)

// life is how long a request waits.
const life = 30 * time.Minute

// Options set a relay up. The zero value is a relay for [Ada], [Grace] and [Bot].
type Options struct {
	// Prefix goes before /v1, as "/werft"; empty for none.
	Prefix string
	Keys   []fake.Key
	// NoMe leaves out who a key belongs to.
	NoMe bool
	// Network and Keep are as in [fake.Options].
	Network fake.Network
	Keep    int
}

// Server is a running relay. Its methods can be called from any goroutine.
type Server struct {
	*fake.Store
	receipts []*receipt // with the store's lock
}

// Start starts a relay on its own address. The error is the listener's.
func Start(o Options) (*Server, error) {
	if len(o.Keys) == 0 {
		o.Keys = []fake.Key{Ada, Grace, Bot}
	}
	s := &Server{}
	store, err := fake.NewStore(fake.Wire{
		Prefix: o.Prefix, Keys: o.Keys, Network: o.Network, Keep: o.Keep,
		NewID: newID, Session: s.complete, Ask: name, Body: body, Due: s.advance,
		Unknown: refuse(401, "UNAUTHORIZED", "the key is not known here"),
		Routes:  s.routes(o.NoMe),
	})
	if err != nil {
		return nil, err
	}
	s.Store = store
	return s, nil
}

func newID(a *fake.Ask, number int, _ time.Time) string {
	if a == nil {
		return fmt.Sprintf("ses_%02d", number)
	}
	return fmt.Sprintf("req_%02d", number)
}

func (s *Server) complete(_ *fake.State, n *fake.Session) {
	if n.State == "" {
		n.State = Active
	}
	if n.URL == "" {
		n.URL = s.Server.URL() + "/s/" + n.ID
	}
	n.Revision, n.Checkpoint = 1, 1
}

func name(_ *fake.State, _ *fake.Session, a *fake.Ask) {
	if a.ExpiresAt.IsZero() {
		a.ExpiresAt = a.OpenedAt.Add(life)
	}
	for i := range a.Questions {
		if a.Questions[i].ID == "" {
			a.Questions[i].ID = fmt.Sprintf("q_%d", i+1)
		}
	}
}

// SetAdmission puts a session into another state.
func (s *Server) SetAdmission(id, state string) {
	s.Change(id, func(n *fake.Session) { n.State = state })
}
