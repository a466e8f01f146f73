// Package opencode is the face of opencode's wire on the store, as version 1.18.33
// has it: an instance for each folder, two engines, events without replay, ghosts,
// and error replies of three shapes.
//
// It has what an inbox asks of such a server, and is as hard on a client as the
// real one: unknown routes are HTML with status 200, a page of sessions skips
// those that changed in the same millisecond as the last one of the page before,
// a listing can break, and an ask whose turn was aborted is still listed and still
// takes answers. What else the real server does is played by the real server.
package opencode

import (
	"encoding/base64"
	"fmt"
	"path"
	"strings"
	"time"

	"askbox/client/fake"
)

// version is the version of the server that this one is like.
const version = "1.18.33"

// Options set a server up. The zero value is one with a password.
type Options struct {
	// User is opencode where it is empty.
	User string
	// Password is a made-up one where it is empty.
	Password string
	// Root is the folder that it was started in; /srv/app where it is empty.
	Root string
	// Network and Keep are as in [fake.Options].
	Network fake.Network
	Keep    int
}

// Server is a running server. Its methods can be called from any goroutine.
type Server struct {
	*fake.Store
	options Options
	events  fake.Stream
}

// Start starts a server on its own address.
func Start(o Options) (*Server, error) {
	if o.User == "" {
		o.User = "opencode"
	}
	if o.Password == "" {
		o.Password = "pw_0123456789abcdef"
	}
	if o.Root == "" {
		o.Root = "/srv/app"
	}
	s := &Server{options: o}
	store, err := fake.NewStore(fake.Wire{
		Keys: []fake.Key{{Token: o.Password}}, OneID: true, NewID: newID, Session: s.begin, Ask: s.shape,
		Opened: s.opened, Closed: s.closed, Guard: s.guard, Routes: s.routes(),
		Free:    map[string]fake.Handler{"GET /global/event": s.follow},
		Network: o.Network, Keep: o.Keep,
	})
	if err != nil {
		return nil, err
	}
	s.Store = store
	return s, nil
}

// User returns the user that goes with the password.
func (s *Server) User() string { return s.options.User }

// guard lets only those in who know the password.
func (s *Server) guard(c *fake.Call) *fake.Refusal {
	user, password, _ := c.BasicAuth()
	given := user + ":" + password
	if token, err := base64.StdEncoding.DecodeString(c.URL.Query().Get("auth_token")); err == nil && len(token) > 0 {
		given = string(token)
	}
	if given == s.options.User+":"+s.options.Password {
		return nil
	}
	c.Reply.Header().Set("WWW-Authenticate", `Basic realm="Secure Area"`)
	if strings.HasPrefix(c.URL.Path, "/api/") {
		return tagged{Tag: "UnauthorizedError", Message: "Authentication required"}.with(401)
	}
	return &fake.Refusal{Status: 401}
}

// newID makes ids in the way of the server: a prefix, 12 hex digits of a time with
// a counter, and 14 characters. Those of sessions fall, so that the newest is the
// first by name; all others rise.
func newID(a *fake.Ask, number int, at time.Time) string {
	switch {
	case a == nil:
		return id("ses", number, at)
	case len(a.Questions) > 0:
		return id("que", number, at)
	}
	return id("per", number, at)
}

func id(prefix string, number int, at time.Time) string {
	value := uint64(at.UnixMilli()*4096 + int64(number%4096))
	if prefix == "ses" {
		value = ^value
	}
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	tail := make([]byte, 14)
	// Multiplying by an odd number spreads the running number, and gives the same
	// ids in every run.
	x := uint64(number) * 0x9e3779b97f4a7c15
	for i := range tail {
		x ^= x >> 29
		x *= 0xbf58476d1ce4e5b9
		tail[i] = letters[x%uint64(len(letters))]
	}
	return fmt.Sprintf("%s_%012x%s", prefix, value&(1<<48-1), tail)
}

// work is what the server knows of a session beside what the store holds.
type work struct {
	busy    bool // a turn runs
	deleted bool
}

func workOf(n *fake.Session) *work { return n.Wire.(*work) }

func (s *Server) begin(st *fake.State, n *fake.Session) {
	n.Wire = &work{}
	if n.Folder == "" {
		n.Folder = s.options.Root
	}
	n.Folder = path.Clean(n.Folder)
	if n.Engine == 0 {
		n.Engine = 1
	}
	s.tellSession(st, "session.created", n)
}

// Abort aborts the turn of a session and of those below it. In the first engine
// its asks become ghosts; in the second they are gone. No event says so.
func (s *Server) Abort(session string) {
	s.Do(func(st *fake.State) {
		if n := st.Session(session); n != nil {
			s.abort(st, n)
		}
	})
}

func (s *Server) abort(st *fake.State, n *fake.Session) {
	busy := workOf(n).busy
	for _, a := range n.Open() {
		st.End(a, fake.End{How: fake.Interrupted})
	}
	if busy {
		s.endTurn(st, n, "MessageAbortedError")
	}
	for _, child := range st.Sessions {
		if child.Parent == n.ID {
			s.abort(st, child)
		}
	}
}

// Delete deletes a session. Its asks stay listed, and its turn runs on.
func (s *Server) Delete(session string) {
	s.Do(func(st *fake.State) {
		if n := st.Session(session); n != nil {
			workOf(n).deleted = true
			s.tellSession(st, "session.deleted", n)
		}
	})
}

// Restart ends the server and starts it again on the same address. Every open
// ask is lost; the sessions stay.
func (s *Server) Restart() error {
	if err := s.Down(); err != nil {
		return err
	}
	s.Do(func(st *fake.State) {
		for _, n := range st.Sessions {
			workOf(n).busy = false
		}
		for _, a := range st.Asks {
			callOf(a).ghost = false
			st.End(a, fake.End{How: lost})
		}
	})
	return s.Up()
}

// lost is how an ask ends whose server ended.
const lost = "lost"
