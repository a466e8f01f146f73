package opencomputer

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"askbox/client/fake"
)

// queued is how many events a stream holds for a client that reads slowly;
// beyond it the stream is cut, since an event must not be left out in silence.
const queued = 1024

// stream is one client that follows the events.
type stream struct {
	events chan []byte
	cut    bool // closed because it was too slow
}

// tell numbers an event and sends it to everyone who follows; s.mu is held.
func (s *Server) tell(kind string, a *ask) int64 {
	s.seq++
	frame := frame(kind, fake.Marshal(event{s.seq, kind, a.wire()}))
	for c := range s.streams {
		select {
		case c.events <- frame:
		default:
			c.cut = true
			close(c.events)
			delete(s.streams, c)
		}
	}
	s.changed.Broadcast()
	return s.seq
}

// frame lays an event out for text/event-stream: a line break inside of the data
// begins another data line.
func frame(kind string, data []byte) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "event: %s\n", kind)
	for line := range bytes.Lines(data) {
		fmt.Fprintf(&out, "data: %s\n", bytes.TrimRight(line, "\r\n"))
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// Streams returns how many clients follow the events.
func (s *Server) Streams() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.streams)
}

func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.user(r); !ok {
		unauthorized(w)
		return
	}
	c := &stream{events: make(chan []byte, queued)}
	s.mu.Lock()
	s.streams[c] = true
	s.changed.Broadcast()
	s.mu.Unlock()
	defer s.leave(c)

	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	if _, err := w.Write([]byte(": following\n\n")); err != nil {
		return
	}
	_ = out.Flush()
	beat := time.NewTicker(s.options.Heartbeat)
	defer beat.Stop()
	for {
		next := []byte(": still here\n\n")
		select {
		case <-r.Context().Done():
			return
		case <-s.Ended():
			return
		case e, ok := <-c.events:
			if !ok {
				return
			}
			next = e
		case <-beat.C:
		}
		if _, err := w.Write(next); err != nil {
			return
		}
		_ = out.Flush()
	}
}

func (s *Server) leave(c *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !c.cut {
		delete(s.streams, c)
	}
	s.changed.Broadcast()
}
