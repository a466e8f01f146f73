package input

import "time"

// wake returns when expire has to be called if no bytes come before; zero for
// never.
func (s *scanner) wake() time.Time {
	switch {
	case s.mode == inPaste:
		return s.last.Add(pasteWait)
	case s.mode == afterPaste:
		quiet, most := s.last.Add(afterQuiet), s.ended.Add(afterMost)
		if most.Before(quiet) {
			return most
		}
		return quiet
	case s.mode == ground && len(s.pending) == 0:
		return time.Time{}
	case s.mode == ground && s.escapes():
		return s.last.Add(escapeWait)
	case s.mode == ground && s.lone():
		return s.last.Add(loneWait)
	}
	return s.last.Add(tornWait)
}

// escapes reports whether pending is the escape key, once or twice, unless more
// comes.
func (s *scanner) escapes() bool {
	return string(s.pending) == "\x1b" || string(s.pending) == "\x1b\x1b"
}

// expire gives up waiting for what has not come in time. It does nothing before
// wake.
func (s *scanner) expire(now time.Time) {
	for due := s.wake(); !due.IsZero() && !now.Before(due); due = s.wake() {
		switch s.mode {
		case ground:
			s.expirePending(now)
		case inPaste:
			// A marker that was cut goes with the paste: it is no text and no key.
			s.pending = nil
			s.finishPaste(now)
		case afterPaste:
			s.finishPaste(now)
			s.scan(now)
		default:
			s.mode, s.pending, s.start, s.lastTorn = ground, nil, start{}, now
		}
	}
}

// expirePending decides about the start of a sequence that was not completed.
func (s *scanner) expirePending(now time.Time) {
	b := s.pending
	switch {
	case s.escapes():
		for range b {
			s.key([]byte{esc}, s.last)
		}
		s.given = given{"\x1b", s.last}
	case s.lone():
		s.key([]byte("X"), s.last)
	case b[0] == esc:
		s.lastTorn = now
	default:
		s.lost += len(b)
	}
	s.pending, s.start = nil, start{}
}
