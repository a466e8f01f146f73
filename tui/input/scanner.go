package input

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// The time limits of a scanner. A terminal sends a sequence in one piece, and
// only a network tears it apart; a person needs far longer between two keys.
const (
	// escapeWait is how long an ESC may be the start of a sequence before it is
	// the escape key.
	escapeWait = 50 * time.Millisecond
	// fragmentWait is how long the rest of a sequence or of a character is waited
	// for before the fragment is dropped.
	fragmentWait = time.Second
	// pasteWait ends a paste in which nothing arrives any more.
	pasteWait = 2 * time.Second
	// interruptGap is how long a paste must have been silent for a lone ctrl+c to
	// be a key and not a part of what is pasted.
	interruptGap = 250 * time.Millisecond
	// afterQuiet and afterMost bound how long a paste is held back after its end
	// marker, to see whether another one shows that the first was a forgery
	// inside the pasted text.
	afterQuiet = 40 * time.Millisecond
	afterMost  = 160 * time.Millisecond
	// burstGap is the time between two keys below which no person pressed both.
	burstGap = 25 * time.Millisecond
)

const (
	esc        = 0x1b
	interrupt  = 0x03
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	// MostPasted is the most bytes of a paste that is handed on. It goes whole or
	// not at all, because half a text may say the opposite of the whole.
	MostPasted = 256 << 10
	// heldMost is the most bytes that are held back behind a paste.
	heldMost = 256 << 10
)

// mode is what the bytes at the front of the buffer belong to.
type mode int

const (
	ground     mode = iota
	inString        // the body of an OSC, DCS, APC, PM or SOS, all of it dropped
	inExcess        // the rest of a sequence that is too long to be one
	inPaste         // between the markers of a paste
	afterPaste      // directly behind an end marker
)

// unit is what must reach Bubble Tea undivided.
type unit struct {
	bytes []byte
	// alone says that Bubble Tea only understands it as the whole of a read.
	alone bool
}

// scanner cuts the bytes of a terminal into units. It is pure: the time is given
// to it, and it never waits. Feed it bytes, take units from ready, and call
// expire when the moment that wake names has come.
type scanner struct {
	mouse bool // let SGR mouse reports through

	mode    mode
	pending []byte // not understood yet
	body    []byte // of the paste, without markers
	handed  int    // the bytes of the paste that were handed on already
	tooLong bool   // the paste is longer than is handed on; its body is gone
	ready   []unit

	last  time.Time // when bytes came last
	ended time.Time // afterPaste: when the first end marker came
	// stale says that pending is a sequence's first two bytes, which a person can
	// type as well (alt+[), and that its time for the third is over.
	stale bool
	// escaped is when an ESC was given out as the escape key, because nothing
	// followed it in time; zero once something else came.
	escaped time.Time

	keyAt     time.Time // when a key came last
	lastPaste time.Time
	lastBurst time.Time
	lost      int // bytes that are no text in UTF-8
}

// feed takes the bytes of one read.
func (s *scanner) feed(chunk []byte, now time.Time) {
	if len(chunk) == 0 {
		return
	}
	gap := now.Sub(s.last)
	s.last = now
	switch {
	case s.mode == inPaste && len(chunk) == 1 && chunk[0] == interrupt && gap >= interruptGap:
		s.pending = nil
		s.finishPaste(now)
	case s.stale && len(chunk) == 1:
		s.pending = nil
	case !s.escaped.IsZero() && now.Sub(s.escaped) < fragmentWait && tailOfSequence(chunk):
		// The escape key was given out too early: this is the rest of a sequence.
		s.pending = append(s.pending, esc)
	}
	s.stale, s.escaped = false, time.Time{}
	s.pending = append(s.pending, chunk...)
	s.scan(now)
}

// scan moves whatever is whole from pending to ready.
func (s *scanner) scan(now time.Time) {
	for len(s.pending) > 0 {
		before := s.mode
		var n int
		switch s.mode {
		case ground:
			n = s.scanGround(now)
		case inString:
			n = s.scanString()
		case inExcess:
			n = s.scanExcess()
		case inPaste:
			n = s.scanPaste(now)
		case afterPaste:
			n = s.scanAfter(now)
		}
		s.pending = s.pending[n:]
		if n == 0 && s.mode == before {
			return
		}
	}
	s.pending = nil
}

// scanGround takes one key, character or sequence and returns the bytes used, 0
// where the rest of it has not arrived.
func (s *scanner) scanGround(now time.Time) int {
	b := s.pending
	switch {
	case b[0] == esc:
		return s.scanEscape(now)
	case b[0] < utf8.RuneSelf:
		return s.key(b[:1], now)
	case !utf8.FullRune(b):
		return 0
	}
	r, n := utf8.DecodeRune(b)
	if second := introduces(b[:n]); second != 0 {
		s.pending = append([]byte{esc, second}, b[n:]...)
		return s.scanEscape(now)
	}
	if r == utf8.RuneError || r == Replied {
		s.lost += n
		return n
	}
	if r < 0xa0 {
		return n // Any other C1 control: terminals send them, keyboards do not.
	}
	return s.key(b[:n], now)
}

// scanEscape takes what begins with an ESC.
func (s *scanner) scanEscape(now time.Time) int {
	n, what := readEscape(s.pending, s.mouse)
	switch what {
	case seqKey:
		return s.key(s.pending[:n], now)
	case seqEscape:
		s.give([]byte{esc}, true)
		s.countKey(now)
	case seqHome, seqEnd:
		return s.rename(n, what, now)
	case seqAlone:
		s.give(s.pending[:n], true)
	case seqReplied:
		s.give(reply, true)
	case seqString:
		s.mode = inString
	case seqExcess:
		s.mode = inExcess
	case seqPaste:
		s.mode = inPaste
	case seqPasteEnd:
		// The end of a paste that was over already: what stood before it may have
		// been pasted as well.
		s.lastPaste = now
	}
	return n
}

// rename gives out home and end in the form that Bubble Tea knows.
func (s *scanner) rename(n int, what sequence, now time.Time) int {
	if what == seqHome {
		s.key([]byte("\x1b[H"), now)
	} else {
		s.key([]byte("\x1b[F"), now)
	}
	return n
}

// scanString drops the body of a string and looks for its end.
func (s *scanner) scanString() int {
	for i, c := range s.pending {
		switch {
		case c == esc:
			if i > 0 {
				return i
			}
			if len(s.pending) == 1 {
				return 0
			}
			s.mode = ground
			if s.pending[1] == '\\' {
				return 2
			}
			return 0 // Something else begins here.
		case c == 0x07, c == 0x9c:
			s.mode = ground
			return i + 1
		case c == interrupt:
			s.mode = ground
			return i
		case c < 0x20:
			s.mode = ground
			return i + 1
		}
	}
	return len(s.pending)
}

// scanExcess drops up to the final byte of a sequence, or up to what cannot be a
// part of it.
func (s *scanner) scanExcess() int {
	for i, c := range s.pending {
		if c >= 0x20 && c <= 0x3f {
			continue
		}
		s.mode = ground
		if c >= 0x40 && c <= 0x7e {
			return i + 1
		}
		return i
	}
	return len(s.pending)
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
	if n := bytes.Count(body, reply); n > 0 {
		s.lost += n * len(reply)
		if body = bytes.ReplaceAll(body, reply, nil); len(body) == 0 {
			return
		}
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

// key gives out one key and returns its length.
func (s *scanner) key(b []byte, now time.Time) int {
	s.give(b, false)
	s.countKey(now)
	return len(b)
}

// countKey notes when keys come faster than a person presses them.
func (s *scanner) countKey(now time.Time) {
	if !s.keyAt.IsZero() && now.Sub(s.keyAt) < burstGap {
		s.lastBurst = now
	}
	s.keyAt = now
}

func (s *scanner) give(b []byte, alone bool) {
	s.ready = append(s.ready, unit{append([]byte(nil), b...), alone})
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
