package fake

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Request is one request that arrived.
type Request struct {
	// Seq counts the requests from 1.
	Seq    int
	Method string
	Path   string // decoded, without the query
	Query  url.Values
	Header http.Header
	Body   []byte // as it arrived, up to 16 MiB
	At     time.Time
	// Fault is the name of the fault that it met; empty for none.
	Fault string
	// Done says that its handler ended, and Status what it sent: 0 where that was
	// nothing at all.
	Done   bool
	Status int
}

// To fits requests with a method and a path that ends in a suffix. An empty
// method or suffix fits all.
func To(method, suffix string) func(Request) bool {
	return func(r Request) bool {
		return (method == "" || r.Method == method) && strings.HasSuffix(r.Path, suffix)
	}
}

// requestLog holds the newest requests.
type requestLog struct {
	mu      sync.Mutex
	keep    int
	last    int // the Seq of the newest
	held    []Request
	changed Signal
}

func (l *requestLog) add(r Request) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	r.Seq = l.last
	if len(l.held) >= 2*l.keep {
		l.held = append(l.held[:0:0], l.held[len(l.held)-l.keep+1:]...)
	}
	l.held = append(l.held, r)
	l.changed.Broadcast()
	return r.Seq
}

func (l *requestLog) replied(seq, status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := len(l.held) - 1 - (l.last - seq); i >= 0 {
		l.held[i].Done, l.held[i].Status = true, status
	}
	l.changed.Broadcast()
}

// Requests returns what arrived, oldest first.
func (s *Server) Requests() []Request {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	held := s.log.held
	if len(held) > s.log.keep {
		held = held[len(held)-s.log.keep:]
	}
	return append([]Request(nil), held...)
}

// Count returns how many of the logged requests fit; nil counts all.
func (s *Server) Count(fits func(Request) bool) int {
	n := 0
	for _, r := range s.Requests() {
		if fits == nil || fits(r) {
			n++
		}
	}
	return n
}

// WaitFor returns the first logged request that fits, and waits for it where
// there is none yet. A request is there once it was read, and again when it is
// Done. The error is the context's.
func (s *Server) WaitFor(ctx context.Context, fits func(Request) bool) (Request, error) {
	return Until(ctx, &s.log.changed, func() (Request, bool) {
		all := s.Requests()
		i := slices.IndexFunc(all, fits)
		if i < 0 {
			return Request{}, false
		}
		return all[i], true
	})
}

// WaitCount waits until at least n of the logged requests fit. The error is the
// context's.
func (s *Server) WaitCount(ctx context.Context, n int, fits func(Request) bool) error {
	_, err := Until(ctx, &s.log.changed, func() (int, bool) {
		got := s.Count(fits)
		return got, got >= n
	})
	return err
}
