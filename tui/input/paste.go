package input

import (
	"bytes"
	"time"
	"unicode/utf8"
)

const (
	// pasteWait ends a paste in which nothing arrives any more.
	pasteWait = tornWait
	// interruptGap is how long a paste must have been silent for a lone ctrl+c to
	// be a key and not a part of what is pasted.
	interruptGap = 250 * time.Millisecond
	// afterQuiet and afterMost bound how long a paste is held back after its end
	// marker, to see whether another one shows that the first was a forgery
	// inside the pasted text.
	afterQuiet = 40 * time.Millisecond
	afterMost  = 160 * time.Millisecond
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	// MostPasted is the most bytes of a paste that is handed on. It goes whole or
	// not at all, because half a text may say the opposite of the whole.
	MostPasted = 256 << 10
	// heldMost is the most bytes that are held back behind a paste.
	heldMost = 256 << 10
)

// pasted is the paste that arrives.
type pasted struct {
	body    []byte    // without markers
	handed  int       // its bytes that were handed on already
	tooLong bool      // longer than is handed on; the body is gone
	ended   time.Time // when its first end marker came
}

// scanPaste collects pasted text up to the end marker.
func (s *scanner) scanPaste(now time.Time) int {
	i := bytes.Index(s.pending, []byte(pasteEnd))
	if i < 0 {
		n := len(s.pending) - partial(s.pending, pasteEnd)
		s.collect(s.pending[:n])
		return n
	}
	s.collect(s.pending[:i])
	s.mode, s.ended = afterPaste, now
	return i + len(pasteEnd)
}

// scanAfter looks at what directly follows the end of a paste. Another end marker
// without a start means that the first one was pasted text; the marker then
// stays a part of that text, cut over two pieces.
func (s *scanner) scanAfter(now time.Time) int {
	end := bytes.Index(s.pending, []byte(pasteEnd))
	start := bytes.Index(s.pending, []byte(pasteStart))
	switch {
	case start >= 0 && (end < 0 || start < end):
		s.finishPaste(now)
		return 0
	case end >= 0:
		const cut = len(pasteEnd) - 2
		if !s.tooLong {
			s.handed += len(s.body) + cut
			s.givePaste(append(s.body, pasteEnd[:cut]...))
		}
		s.body = nil
		s.collect([]byte(pasteEnd[cut:]))
		s.collect(s.pending[:end])
		s.ended = now
		return end + len(pasteEnd)
	case len(s.pending) > heldMost:
		s.finishPaste(now)
	}
	return 0
}

// collect adds pasted text.
func (s *scanner) collect(b []byte) {
	if s.tooLong = s.tooLong || s.handed+len(s.body)+len(b) > MostPasted; s.tooLong {
		s.body = nil
		return
	}
	s.body = append(s.body, b...)
}

// finishPaste gives out the rest of a paste. One that is too long is given out
// empty, which no other paste is, so that somebody can say so.
func (s *scanner) finishPaste(now time.Time) {
	if s.tooLong {
		s.give([]byte(pasteStart+pasteEnd), true)
	} else {
		s.givePaste(s.body)
	}
	s.body, s.handed, s.tooLong = nil, 0, false
	s.mode, s.lastPaste = ground, now
}

func (s *scanner) givePaste(body []byte) {
	if len(body) == 0 {
		return
	}
	for _, r := range []rune{Replied, Coloured} {
		if mark := []byte(string(r)); bytes.Contains(body, mark) {
			s.lost += bytes.Count(body, mark) * len(mark)
			body = bytes.ReplaceAll(body, mark, nil)
		}
	}
	if len(body) == 0 {
		return
	}
	for rest := body; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError {
			s.lost += n
		}
		rest = rest[n:]
	}
	s.give([]byte(pasteStart+string(body)+pasteEnd), true)
}

// partial returns how many bytes at the end of b may be the start of a marker.
func partial(b []byte, marker string) int {
	for n := min(len(marker)-1, len(b)); n > 0; n-- {
		if string(b[len(b)-n:]) == marker[:n] {
			return n
		}
	}
	return 0
}
