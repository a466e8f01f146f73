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
	case s.mode == inString || s.mode == inExcess:
		return s.last.Add(fragmentWait)
	case len(s.pending) == 0:
		return time.Time{}
	case s.pending[0] == esc && s.undecided():
		return s.last.Add(escapeWait)
	}
	return s.last.Add(fragmentWait)
}

// undecided says that pending may be keys that a person pressed.
func (s *scanner) undecided() bool {
	switch len(s.pending) {
	case 1:
		return true
	case 2:
		return s.pending[1] == esc || !s.stale
	}
	return false
}

// expire gives up waiting for what pending lacks. It does nothing before wake.
func (s *scanner) expire(now time.Time) {
	due := s.wake()
	if due.IsZero() || now.Before(due) {
		return
	}
	switch s.mode {
	case inPaste:
		// A marker that was cut goes with the paste: it is no text and no key.
		s.pending = nil
		s.finishPaste(now)
	case afterPaste:
		s.finishPaste(now)
		s.scan(now)
	case inString, inExcess:
		s.mode, s.pending = ground, nil
	default:
		s.expirePending(now)
	}
}

// expirePending decides about the start of a sequence that was not completed.
func (s *scanner) expirePending(now time.Time) {
	switch {
	case len(s.pending) == 0:
	case s.pending[0] != esc:
		s.lost += len(s.pending)
		s.pending = nil
	case len(s.pending) == 1, len(s.pending) == 2 && s.pending[1] == esc:
		for range s.pending {
			s.give([]byte{esc}, true)
			s.countKey(now)
		}
		s.pending, s.escaped = nil, now
	case len(s.pending) == 2 && !s.stale:
		s.stale = true
	default:
		s.pending, s.stale = nil, false
	}
}
