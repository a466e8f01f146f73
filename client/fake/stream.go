package fake

import (
	"net/http"
	"sync"
	"time"
)

// Stream is the events that a relay tells to whoever follows. The zero value is
// ready.
type Stream struct {
	mu        sync.Mutex
	followers map[*follower]bool
}

// follower is one client that follows the events.
type follower struct {
	queue []byte
	more  chan struct{} // holds one; the queue has grown
}

// Tell sends an event, laid out for text/event-stream, to everyone who follows.
func (s *Stream) Tell(frame []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for f := range s.followers {
		f.push(frame)
	}
}

func (f *follower) push(frame []byte) {
	f.queue = append(f.queue, frame...)
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// Serve sends hello, then events until the client goes or the server ends, and
// beat whenever it was silent for a while.
func (s *Stream) Serve(w http.ResponseWriter, r *http.Request, ended <-chan struct{}, every time.Duration, hello string, beat func() string) {
	f := &follower{more: make(chan struct{}, 1)}
	f.push([]byte(hello))
	s.mu.Lock()
	if s.followers == nil {
		s.followers = map[*follower]bool{}
	}
	s.followers[f] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.followers, f)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	silence := time.NewTicker(every)
	defer silence.Stop()
	for {
		var next []byte
		select {
		case <-r.Context().Done():
			return
		case <-ended:
			return
		case <-f.more:
			s.mu.Lock()
			next, f.queue = f.queue, nil
			s.mu.Unlock()
		case <-silence.C:
			next = []byte(beat())
		}
		if _, err := w.Write(next); err != nil {
			return
		}
		if http.NewResponseController(w).Flush() != nil {
			return
		}
	}
}
