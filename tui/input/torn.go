package input

import (
	"bytes"
	"strings"
	"time"
)

// A network may tear a sequence apart. What is left of it must never be taken for
// keys, because the rest of cursor up is the A that allows always.

const (
	// altPause is the pause behind the escape key below which a key may have been
	// pressed together with alt. It is handed on, and counts as torn.
	altPause = 150 * time.Millisecond
	// loneWait is how long an X behind the escape key may be the start of a string
	// before it is a key. No other start of a sequence has a meaning as a key.
	loneWait = 250 * time.Millisecond
)

// start is what is known of the sequence that arrives, or of the string in which
// the bytes stand.
type start struct {
	longest time.Duration // the longest pause in it
	spent   bool          // its ESC was given out as the escape key
	typed   bool          // what came last of it was one character, as a person types
}

// torn reports whether it came in pieces that no terminal sends.
func (s start) torn() bool { return s.spent || s.longest > escapeWait }

// late reports whether it is too late for what it means.
func (s start) late() bool { return s.spent || s.longest > lateWait }

// given is what was given out although more may belong to it, and when its last
// byte came: an escape key is the start of every sequence, and a lost focus that
// of shift and an arrow.
type given struct {
	bytes string
	at    time.Time
}

// pause notes a pause inside what arrives.
func (s *scanner) pause(d time.Duration, now time.Time) {
	s.longest = max(s.longest, d)
	if d > escapeWait {
		s.lastTorn = now
	}
}

// continues looks whether a chunk goes on with what was given out already, and
// returns what is left to scan.
func (s *scanner) continues(chunk []byte, now time.Time) []byte {
	s.start = start{}
	pause := now.Sub(s.given.at)
	if s.given.bytes == "" || pause > tornWait {
		return chunk
	}
	switch {
	case s.given.bytes == focusLost && pause < altPause && strings.IndexByte("ABCDabcd", chunk[0]) >= 0:
		// The end of a key whose start only looked like a lost focus. A person takes
		// longer, and is told why the key does nothing.
		s.lastTorn = now
		s.lost++
		s.give([]byte(focusGained), true)
		return chunk[1:]
	case s.given.bytes != "\x1b":
	case strings.IndexByte(`[O]P_^X\`, chunk[0]) >= 0:
		s.pending, s.spent = []byte{esc}, true
	case pause < altPause:
		s.lastTorn = now
	}
	return chunk
}

// lone reports whether all that came behind an escape key is an X.
func (s *scanner) lone() bool { return s.spent && string(s.pending) == "\x1bX" }

// alsoTorn drops a torn sequence of n bytes that is no key, and returns how many
// bytes behind it go with it: the key that cut it is none that was meant.
func (s *scanner) alsoTorn(n int, from start) (more int) {
	if !from.torn() {
		return 0
	}
	if n < len(s.pending) && s.pending[n] < 0x20 && s.pending[n] != esc && s.pending[n] != interrupt {
		more = 1
	}
	s.dropTyped(n+more, from)
	return more
}

// dropTyped counts as lost what a person may have typed behind alt and the first
// character of a torn sequence.
func (s *scanner) dropTyped(n int, from start) {
	if from.typed && !from.spent {
		s.lost += n - 2
	}
}

// readTyped is readEscape for bytes that came one at a time, as a person types
// them behind alt and the start of a string. It takes no text for the body of one
// where no terminal writes such a string.
func readTyped(b []byte, mouse bool) (int, sequence) {
	n, what := readEscape(b, mouse)
	if what != seqString {
		return n, what
	}
	i := 2
	switch b[1] {
	case ']':
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		if i < len(b) && i > 2 && b[i] == ';' {
			return n, what
		}
	case 'P':
		for i < len(b) && b[i] >= 0x20 && b[i] <= 0x3f {
			i++
		}
		if i < len(b) && i > 2 && b[i] >= 0x40 && b[i] <= 0x7e {
			return n, what
		}
	case '_':
		if b[2] == 'G' {
			return n, what
		}
	}
	switch {
	case i == len(b) && i <= longestSequence, i == 2 && oneCharacter(b[i:]) && b[i] >= 0x20:
		return 0, seqMore // One may be of a string that another pause has torn.
	}
	if cut := bytes.IndexAny(b[i:], "\x1b\x03"); cut >= 0 {
		return i + cut, seqDrop
	}
	return len(b), seqDrop
}
