package fake

import (
	"context"
	"slices"
	"sync"
)

// Signal tells any number of goroutines that something changed. Its zero value
// is ready.
type Signal struct {
	mu sync.Mutex
	ch chan struct{}
}

// Wait returns a channel that the next Broadcast closes. Take it before looking
// at what may change.
func (s *Signal) Wait() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch == nil {
		s.ch = make(chan struct{})
	}
	return s.ch
}

// Broadcast wakes everyone who waits.
func (s *Signal) Broadcast() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch != nil {
		close(s.ch)
		s.ch = nil
	}
}

// Until looks again whenever something changed, until there is what is looked for,
// and returns that. The error is the context's.
func Until[T any](ctx context.Context, changed *Signal, look func() (T, bool)) (T, error) {
	for {
		wake := changed.Wait()
		if found, ok := look(); ok {
			return found, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			var none T
			return none, context.Cause(ctx)
		}
	}
}

// Hooks are called with what ended. The zero value has none. It is safe for
// concurrent use.
type Hooks[E any] struct {
	mu  sync.Mutex
	all []func(E)
}

// Add calls f with everything that ends from now on.
func (h *Hooks[E]) Add(f func(E)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, f)
}

// Tell calls the hooks, in this goroutine. They may use the relay, so no lock of
// it may be held.
func (h *Hooks[E]) Tell(ends ...E) {
	h.mu.Lock()
	all := slices.Clone(h.all)
	h.mu.Unlock()
	for _, e := range ends {
		for _, f := range all {
			f(e)
		}
	}
}
