package fake

import (
	"bytes"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// maxBody is how much of a request's body is read and logged, in bytes.
const maxBody = 16 << 20

// Options set a server up.
type Options struct {
	// Handler is the relay itself.
	Handler http.Handler
	// Network is where it listens; nil is a new port of 127.0.0.1.
	Network Network
	// Keep is how many requests the log holds, the newest ones; 0 is 10,000.
	Keep int
}

// Server is a relay's HTTP half: it listens, logs, and breaks on request. All of
// its methods can be called at any time from any goroutine.
type Server struct {
	handler http.Handler
	network Network
	log     requestLog

	mu     sync.Mutex
	offset time.Duration
	faults []*active
	http   *http.Server // nil while the relay is down
	closed bool

	ended    chan struct{} // closed by Close
	handlers sync.WaitGroup
	serving  sync.WaitGroup
}

// Start starts a server. The error is the listener's.
func Start(o Options) (*Server, error) {
	s := &Server{handler: o.Handler, network: o.Network, ended: make(chan struct{})}
	if s.network == nil {
		s.network = &loopback{}
	}
	s.log.keep = o.Keep
	if s.log.keep <= 0 {
		s.log.keep = 10_000
	}
	if err := s.Up(); err != nil {
		return nil, err
	}
	return s, nil
}

// URL returns the origin, without a slash at its end.
func (s *Server) URL() string { return "http://" + s.network.Addr() }

// Now returns the time by the relay's clock, in UTC.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.offset).UTC()
}

// SetClock sets the relay's clock: offset is what it is ahead of this machine's.
// It shows in the Date header and in what the relay stamps from now on.
func (s *Server) SetClock(offset time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offset = offset
}

// Down cuts every connection and refuses new ones until Up.
func (s *Server) Down() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.http == nil {
		return nil
	}
	err := s.network.Refuse()
	s.stop()
	return err
}

// Up listens again, at the same address as before.
func (s *Server) Up() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("the relay is closed for good")
	}
	if s.http != nil {
		return nil
	}
	listener, err := s.network.Listen()
	if err != nil {
		return err
	}
	s.serve(listener)
	return nil
}

// Listening reports whether the relay is up.
func (s *Server) Listening() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.http != nil
}

// serve starts an HTTP server; s.mu is held.
func (s *Server) serve(listener net.Listener) {
	// Faults abort handlers on purpose, which is nothing to report.
	server := &http.Server{Handler: http.HandlerFunc(s.handle), ErrorLog: log.New(io.Discard, "", 0)}
	s.http = server
	s.serving.Go(func() { _ = server.Serve(listener) })
}

// stop ends the HTTP server and its connections; s.mu is held.
func (s *Server) stop() {
	if s.http != nil {
		_ = s.http.Close()
		s.http = nil
	}
}

// Close ends the server and waits until every request in work has ended. It may
// be called more than once.
func (s *Server) Close() {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	s.stop()
	s.mu.Unlock()
	if first {
		close(s.ended)
		_ = s.network.Close()
	}
	s.serving.Wait()
	s.handlers.Wait()
}

// Ended is closed once the server was closed, for streams to end with it.
func (s *Server) Ended() <-chan struct{} { return s.ended }

// enter counts a request in, unless the server was closed.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.handlers.Add(1)
	return true
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		panic(http.ErrAbortHandler)
	}
	defer s.handlers.Done()
	// The whole body is read first: without that, net/http does not notice while
	// a handler hangs that the client has gone.
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	request := Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(),
		Header: r.Header.Clone(), Body: body, At: time.Now()}
	broken := s.pick(request)
	if broken != nil {
		request.Fault = broken.Name
	}
	number := s.log.add(request)
	w.Header().Set("Date", s.Now().Format(http.TimeFormat))
	watched := &watchedWriter{ResponseWriter: w}
	defer func() { s.log.replied(number, watched.status) }()
	if broken == nil {
		s.handler.ServeHTTP(watched, r)
		return
	}
	broken.serve(&call{w: watched, r: r, next: s.handler, lifted: broken.lifted, ended: s.ended})
}

// pick returns the fault that a request meets, and counts it; nil for none.
func (s *Server) pick(r Request) *active {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.faults {
		if f.when != nil && !f.when(r) {
			continue
		}
		if f.left > 0 {
			if f.left--; f.left == 0 {
				s.faults = slices.Delete(s.faults, i, i+1)
			}
		}
		return f
	}
	return nil
}

// Break switches a fault on and returns what lifts it again. Where several fit a
// request, the one that was switched on first counts. Requests that hang in a
// fault go on when it is lifted.
func (s *Server) Break(f Fault) (lift func()) {
	a := &active{Fault: f, left: f.next, lifted: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, a)
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = slices.DeleteFunc(s.faults, func(o *active) bool { return o == a })
		close(a.lifted)
	})
}

// watchedWriter remembers the status that was sent.
type watchedWriter struct {
	http.ResponseWriter
	status int
}

func (w *watchedWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *watchedWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController flush.
func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
