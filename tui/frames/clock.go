package frames

import (
	"context"
	"time"
)

// Due returns when Tick has something to do; zero: never.
func (s *Screen[R]) Due() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.first.IsZero():
		return time.Time{}
	case s.silent:
		for _, f := range s.waiting {
			if !f.written.IsZero() {
				return f.written.Add(drawTime)
			}
		}
		return time.Time{}
	case s.reply.IsZero():
		return s.first.Add(startTime)
	case s.undrawn() && s.retried != s.last && !s.away:
		return s.idleSince().Add(lostTime)
	}
	return time.Time{}
}

// Wait waits until Tick has something to do, or the context ends. It is for one
// command at a time.
func (s *Screen[R]) Wait(ctx context.Context) {
	for {
		var due <-chan time.Time
		if at := s.Due(); !at.IsZero() {
			due = time.After(time.Until(at))
		}
		select {
		case <-due:
			return
		case <-s.change:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Screen[R]) changed() {
	select {
	case s.change <- struct{}{}:
	default:
	}
}

// undrawn reports whether the frame that was written last is not known to be drawn.
func (s *Screen[R]) undrawn() bool {
	for _, f := range s.waiting {
		if f.number == s.last {
			return true
		}
	}
	return false
}

func (s *Screen[R]) idleSince() time.Time {
	if s.reply.After(s.request) {
		return s.reply
	}
	return s.request
}

// Tick does what is due, and returns the records of the frames that count as drawn
// by now because the terminal never replies. again tells to ask once more for the
// frame on the screen, see [Output.Again].
func (s *Screen[R]) Tick() (drawn []R, again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.first.IsZero() {
		return nil, false
	}
	if s.reply.IsZero() && now.Sub(s.first) >= startTime {
		s.silent = true
	}
	if s.silent {
		return s.drawn(func(f frame[R]) bool { return !f.written.IsZero() && now.Sub(f.written) >= drawTime }), false
	}
	if s.reply.IsZero() || now.Sub(s.idleSince()) < lostTime {
		return nil, false
	}
	s.doubt = len(s.asked)
	if s.undrawn() && s.retried != s.last && !s.away {
		s.retried = s.last
		return nil, true
	}
	return nil, false
}

// Overdue reports whether the frame on the screen waits for its reply longer than
// replies take, so that it is worth asking again.
func (s *Screen[R]) Overdue() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.silent && !s.away && s.undrawn() && time.Since(s.request) >= againTime
}

// ask notes the requests that are about to be written behind a frame, and returns
// how many. The reply may come before the write returns.
func (s *Screen[R]) ask(number uint64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.waiting[:0]
	for _, f := range s.waiting {
		// The renderer holds only its newest frame: an older one is never written now.
		if f.number >= number || !f.written.IsZero() {
			left = append(left, f)
		}
	}
	s.waiting = left
	if s.away {
		return 0
	}
	now := time.Now()
	if len(s.asked) >= mostAsked && !s.silent && now.Sub(s.idleSince()) >= forgetTime {
		s.asked, s.doubt = nil, 0
	}
	n := min(1+s.doubt, mostAsked-len(s.asked))
	for range n {
		s.asked = append(s.asked, request{number, now})
	}
	if n > 0 {
		s.request = now
	}
	return n
}

// wrote tells that a frame and its requests were written, or that they were not.
func (s *Screen[R]) wrote(number uint64, requests int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.asked = s.asked[:max(len(s.asked)-requests, 0)]
		return
	}
	if s.away {
		return
	}
	now := time.Now()
	if s.first.IsZero() {
		s.first = now
		close(s.began)
	}
	defer s.changed()
	s.last = number
	if number == s.number {
		s.held = s.record
	}
	for i := range s.waiting {
		if s.waiting[i].number == number {
			s.waiting[i].written, s.held = now, s.waiting[i].record
		}
	}
}
