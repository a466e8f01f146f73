package fake

import (
	"context"
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
