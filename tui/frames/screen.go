package frames

import (
	"context"
	"strconv"
	"sync"
	"time"
)

// The stamp is an APC string, which terminals leave out and which widths do not
// count. It never reaches a terminal.
const (
	stampStart = "\x1b_askbox:"
	stampEnd   = "\x1b\\"
)

// frame is one frame that is not known to be drawn. record is what the caller
// wants to be told of it then.
type frame[R comparable] struct {
	number  uint64
	record  R
	size    Size
	written time.Time // zero: not written
}

// request is one question to the terminal: the frame in front of it, and when it was
// written.
type request struct {
	number uint64
	at     time.Time
}

// Screen knows which frames were laid out, written and drawn. R is what a frame
// shows, as far as the caller has to know it. Its methods can be called from any
// goroutine, and none waits for the terminal.
type Screen[R comparable] struct {
	change chan struct{} // something became due at another time
	began  chan struct{} // closed once the first frame is written
	mu     sync.Mutex
	text   string // of the newest frame
	record R      // of the newest frame
	size   Size   // of the newest frame
	number uint64 // of the newest frame
	anew   bool   // the next frame gets a number of its own, whatever it holds
	last   uint64 // the frame that was written last
	held   R      // its record
	away   bool   // the terminal belongs to another program

	// waiting holds the frames that may still be drawn, oldest first: those that
	// were written, and the newest two that were not.
	waiting []frame[R]
	// asked holds the requests without a reply, oldest first.
	asked []request
	// quiet is closed once every request has its reply; nil: nobody waits for that.
	quiet chan struct{}
	// doubt is how many of the replies may never come. Each frame is followed by as
	// many more requests, so that its own reply comes as often as is counted: a frame
	// is taken for drawn only when the replies reach one of its own requests, however
	// many of the older ones are lost or late.
	doubt   int
	first   time.Time     // when the first request was written
	request time.Time     // when the newest was written
	reply   time.Time     // when the newest reply came
	trip    time.Duration // how long that took
	retried uint64        // the frame that was asked for again by itself
	silent  bool          // the terminal never replied
}

// New returns a screen on which nothing is drawn.
func New[R comparable]() *Screen[R] {
	return &Screen[R]{change: make(chan struct{}, 1), began: make(chan struct{})}
}

// Began returns a channel that is closed once the first frame is written.
func (s *Screen[R]) Began() <-chan struct{} { return s.began }

// Size is the size of a window in cells.
type Size struct{ Width, Height int }

// Stamp returns a frame, laid out for a window of a size, with its number. The same
// text with the same record as the frame before keeps its number, so that nothing is
// written while nothing changes.
func (s *Screen[R]) Stamp(text string, size Size, record R) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.number == 0 || s.anew || text != s.text || size != s.size || record != s.record {
		s.number++
		s.text, s.size, s.record, s.anew = text, size, record, false
		s.lay(frame[R]{number: s.number, record: record, size: size})
	}
	if text == "" {
		// Bubble Tea writes a blank for it, of which nothing has to be known.
		return ""
	}
	return text + stampStart + strconv.FormatUint(s.number, 10) + stampEnd
}

// lay keeps a new frame. Bubble Tea holds one frame and may write it while the
// next one is laid out, so of those that were not written only two can be.
func (s *Screen[R]) lay(f frame[R]) {
	unwritten := 0
	for _, w := range s.waiting {
		if w.written.IsZero() {
			unwritten++
		}
	}
	if unwritten > 1 {
		for i, w := range s.waiting {
			if w.written.IsZero() {
				s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
				break
			}
		}
	}
	s.waiting = append(s.waiting, f)
}

// Replied takes a reply of the terminal to the oldest request, and returns the
// records of the frames that are known to have been drawn by it, oldest first. late
// says that the terminal had been taken for a silent one: what counted as drawn
// because of the time may not be, and the next frame is asked for in any case.
func (s *Screen[R]) Replied() (drawn []R, late bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) == 0 {
		// Somebody else asked for it.
		return nil, false
	}
	n := s.asked[0].number
	s.trip = time.Since(s.asked[0].at)
	s.asked = s.asked[1:]
	if s.silent {
		s.silent, s.anew, late = false, true, true
	}
	s.reply = time.Now()
	s.changed()
	if len(s.asked) == 0 {
		s.doubt = 0
		if s.quiet != nil {
			close(s.quiet)
			s.quiet = nil
		}
	}
	return s.drawn(func(f frame[R]) bool { return f.number <= n }), late
}

// drawn takes the frames out that are drawn.
func (s *Screen[R]) drawn(is func(frame[R]) bool) (records []R) {
	left := s.waiting[:0]
	for _, f := range s.waiting {
		if is(f) {
			records = append(records, f.record)
		} else {
			left = append(left, f)
		}
	}
	s.waiting = left
	return records
}

// Only reports whether every frame that may still be drawn shows what fits.
func (s *Screen[R]) Only(fits func(R) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.waiting {
		if !fits(f.record) {
			return false
		}
	}
	return true
}

// Away tells that another program gets the terminal: it would read the replies.
func (s *Screen[R]) Away() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = true
}

// Quiet waits until no reply is on its way any more, a second at most, or as long as a
// far terminal takes: whoever reads it next would take the reply for something that was
// typed. Nothing is asked from here on until Back.
func (s *Screen[R]) Quiet(ctx context.Context) {
	s.mu.Lock()
	s.away = true
	if len(s.asked) == 0 || s.silent || time.Since(s.request) >= lostTime {
		s.mu.Unlock()
		return
	}
	if s.quiet == nil {
		s.quiet = make(chan struct{})
	}
	quiet, limit := s.quiet, max(quietTime, min(2*s.trip, longestQuiet))
	if s.reply.IsZero() {
		limit = startTime
	}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-quiet:
	case <-ctx.Done():
	}
}

// Back tells that the terminal belongs to the program again.
func (s *Screen[R]) Back() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away, s.anew = false, true
	s.changed()
}

// Silent reports whether the terminal is taken for one that never replies.
func (s *Screen[R]) Silent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.silent
}

// Written returns the record of the frame that was written last.
func (s *Screen[R]) Written() (record R, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held, s.last > 0
}
