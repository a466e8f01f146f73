// Package opencomputer is the face of OpenComputer's wire on the store: strict,
// over HTTP, JSON-RPC and server-sent events.
//
// Where the wire is open, this relay takes the side that asks more of a client:
// unknown members of an answer are refused, a dismissal that is repeated is 409,
// cursors are bound to their listing and status.
package opencomputer

import (
	"fmt"
	"hash/fnv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// Ada and Grace are the people whom every relay knows that was not told others.
// Ada's token is the one that [Server.Token] returns.
var (
	Ada   = fake.Key{Actor: fake.Actor{Type: "user", ID: "usr_1", Name: "Ada"}, Token: "tok_ada_0123456789abcdef"}
	Grace = fake.Key{Actor: fake.Actor{Type: "user", ID: "usr_2", Name: "Grace"}, Token: "tok_grace_0123456789abcdef"}
)

// Options set a relay up. The zero value is a relay with everything that the
// wire has, for [Ada] and [Grace].
type Options struct {
	// Prefix goes before every path; "/api" where it is empty, "/" for none.
	Prefix string
	Keys   []fake.Key
	// NoMe and NoEvents leave the parts out that a relay need not have.
	NoMe, NoEvents bool
	// Network and Keep are as in [fake.Options].
	Network fake.Network
	Keep    int
}

// Server is a running relay. Its methods can be called from any goroutine.
type Server struct {
	*fake.Store
	noMe   bool
	events fake.Stream
	seq    int64 // of the newest event; with the store's lock
}

// Start starts a relay on its own address.
func Start(o Options) (*Server, error) {
	if len(o.Keys) == 0 {
		o.Keys = []fake.Key{Ada, Grace}
	}
	switch o.Prefix {
	case "":
		o.Prefix = "/api"
	case "/":
		o.Prefix = ""
	}
	s := &Server{noMe: o.NoMe}
	store, err := fake.NewStore(fake.Wire{
		Prefix: o.Prefix, Keys: o.Keys, Network: o.Network, Keep: o.Keep,
		NewID:   func(a *fake.Ask, number int, _ time.Time) string { return newID(o.Keys[0].Token, a, number) },
		Session: s.complete,
		Ask:     func(_ *fake.State, _ *fake.Session, a *fake.Ask) { name(a) },
		Opened:  func(_ *fake.State, a *fake.Ask) { s.tell("ask.opened", a) },
		Closed:  func(_ *fake.State, a *fake.Ask) { a.Wire = s.tell("ask.closed", a) },
		Body:    body,
		Unknown: refuse(401, "unauthorized", "", "the token is not known here"),
		Routes:  s.routes(o), Free: s.free(o),
	})
	if err != nil {
		return nil, err
	}
	s.Store = store
	return s, nil
}

// newID spreads the running number over 64 bits, so that ids look like ids and
// are the same in every run. Relays with the same first token give out the same
// ids, which is how it is found out whether a client tells relays apart.
func newID(salt string, a *fake.Ask, number int) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(salt))
	x := (uint64(number) + h.Sum64()) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	if a == nil {
		return fmt.Sprintf("cs_%016x", x)
	}
	return fmt.Sprintf("ak_%012x", x>>16)
}

func (s *Server) complete(_ *fake.State, n *fake.Session) {
	if n.URL == "" {
		n.URL = s.Server.URL() + "/s/" + n.ID
	}
}

// name gives the questions of an ask their ids.
func name(a *fake.Ask) {
	for i := range a.Questions {
		if a.Questions[i].ID == "" {
			a.Questions[i].ID = fmt.Sprintf("q%d", i+1)
		}
	}
}

// Decline closes an ask by a message that somebody steered into the turn.
func (s *Server) Decline(by fake.Actor, ref fake.Ref, message string) bool {
	return s.End(ref, fake.End{How: fake.Declined, By: by, Answer: fake.Answer{Words: message}})
}

// Raw opens an ask that is sent exactly as given while it is open. What can be
// read of it, member by member, is used to check answers to it. Where it holds no
// id of its own, the ref that is returned has a made-up one.
func (s *Server) Raw(session, raw string) fake.Ref {
	options := json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	read := func(from jsontext.Value) (members map[string]jsontext.Value) {
		_ = json.Unmarshal(from, &members, options)
		return members
	}
	var a fake.Ask
	var kind string
	all := read(fake.MustBeJSON(raw))
	_ = json.Unmarshal(all["id"], &a.ID, options)
	_ = json.Unmarshal(all["openedAt"], &a.OpenedAt, options)
	_ = json.Unmarshal(all["kind"], &kind, options)
	if approval := read(all["approval"]); kind == "approval" && approval != nil {
		a.Tool, a.Input = "?", approval["input"]
		_ = json.Unmarshal(approval["toolName"], &a.Tool, options)
		_ = json.Unmarshal(approval["alwaysAllows"], &a.Rule, options)
	}
	return s.Store.Raw(session, a, raw)
}
