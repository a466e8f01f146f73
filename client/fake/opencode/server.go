// Package opencode is the server half of opencode's wire, as version 1.18.33 has
// it: an instance for each folder, two engines, asks in memory, events without
// replay, ghosts, and error replies of three shapes.
//
// It is as hard on a client as the real server: unknown routes are HTML with
// status 200, a page of sessions skips those that changed in the same
// millisecond as the last one of the page before, a listing can break, and an
// ask whose turn was aborted is still listed and still takes answers. Agents are
// played by the test: an answer closes the ask and says what the model would be
// told, and the session stays busy until [Server.Finish] unless the answer ended
// its turn.
package opencode

import (
	"context"
	"encoding/base64"
	"net/http"
	"sync"
	"time"

	"askbox/client/fake"
)

// Options set a server up. The zero value is one with a password.
type Options struct {
	// User is opencode where it is empty.
	User string
	// Password is a made-up one where it is empty; NoPassword lets everybody in.
	Password   string
	NoPassword bool
	// Root is the folder that it was started in; /srv/app where it is empty.
	Root string
	// Files are paths that are files and not folders, which the server stumbles over.
	Files []string
	// Heartbeat is how often an event stream says that it lives; 0 is every 10 s.
	Heartbeat time.Duration
	// Network and Keep are as in [fake.Options].
	Network fake.Network
	Keep    int
}

// Server is a running server. Its methods can be called from any goroutine.
type Server struct {
	*fake.Server
	options Options

	mu       sync.Mutex
	ids      ids
	sessions []*session // in the order in which they were added
	byID     map[string]*session
	asks     []*ask // every one, oldest first
	byAsk    map[string]*ask
	folders  map[string]*instance
	projects map[string]int64 // a project's folder, and when it was first used
	saved    []savedRule
	streams  map[*stream]bool
	hooks    fake.Hooks[Ask]
	news     []Ask // closed, and not told to the hooks yet
	changed  fake.Signal
}

// instance is what the server holds for a folder while it lives.
type instance struct {
	rules []rule // what "always" allowed
}

// rule is one thing that "always" allowed in the first engine.
type rule struct{ permission, pattern string }

// savedRule is one thing that "always" allowed in the second engine.
type savedRule struct {
	ID        string `json:"id"`
	ProjectID string `json:"projectID"`
	Action    string `json:"action"`
	Resource  string `json:"resource"`
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
	if o.Heartbeat <= 0 {
		o.Heartbeat = 10 * time.Second
	}
	s := &Server{options: o, byID: map[string]*session{}, byAsk: map[string]*ask{}, folders: map[string]*instance{},
		projects: map[string]int64{}, streams: map[*stream]bool{}}
	shared, err := fake.Start(fake.Options{Handler: s.routes(), Network: o.Network, Keep: o.Keep})
	if err != nil {
		return nil, err
	}
	s.Server = shared
	return s, nil
}

// Token returns the password, empty where there is none.
func (s *Server) Token() string {
	if s.options.NoPassword {
		return ""
	}
	return s.options.Password
}

// User returns the user that goes with the password.
func (s *Server) User() string { return s.options.User }

// Restart ends the server and starts it again on the same address. Every open
// ask is lost, with the rules of "always" in the first engine; what the second
// engine saved stays, and so do the sessions.
func (s *Server) Restart() error {
	if err := s.Down(); err != nil {
		return err
	}
	s.forget()
	return s.Up()
}

func (s *Server) forget() {
	s.mu.Lock()
	defer s.unlock()
	for _, a := range s.asks {
		if a.pending() {
			a.State = Lost
			s.closed(a)
		}
	}
	for _, n := range s.sessions {
		n.busy = false
	}
	clear(s.folders)
}

// OnClose calls f with every ask that closes from now on, in the goroutine that
// closed it and without any lock held. An ask that becomes a ghost closes then,
// and may close once more.
func (s *Server) OnClose(f func(Ask)) { s.hooks.Add(f) }

// closed notes that an ask is over; s.mu is held.
func (s *Server) closed(a *ask) {
	s.news = append(s.news, a.public())
	s.changed.Broadcast()
}

// unlock gives the lock back and then tells the hooks what closed.
func (s *Server) unlock() {
	news := s.news
	s.news = nil
	s.mu.Unlock()
	s.hooks.Tell(news...)
}

// WaitClosed waits until an ask is neither open nor a ghost, and returns it. The
// error is the context's.
func (s *Server) WaitClosed(ctx context.Context, id string) (Ask, error) {
	return fake.Until(ctx, &s.changed, func() (Ask, bool) {
		a, ok := s.Ask(id)
		return a, ok && a.State > Ghost
	})
}

// WaitStreams waits until at least n clients follow the events. The error is the
// context's.
func (s *Server) WaitStreams(ctx context.Context, n int) error {
	_, err := fake.Until(ctx, &s.changed, func() (int, bool) {
		got := s.Streams()
		return got, got >= n
	})
	return err
}

// authorised reports whether a request carries the password.
func (s *Server) authorised(r *http.Request) bool {
	if s.options.NoPassword {
		return true
	}
	if given, err := base64.StdEncoding.DecodeString(r.URL.Query().Get("auth_token")); err == nil && len(given) > 0 {
		return string(given) == s.options.User+":"+s.options.Password
	}
	user, password, ok := r.BasicAuth()
	return ok && user == s.options.User && password == s.options.Password
}
