package input

import (
	"strings"
	"time"
	"unicode/utf8"
)

// The time limits of a scanner. A terminal sends a sequence in one piece, and
// only a network tears it apart; a person needs far longer between two keys.
const (
	// escapeWait is how long an ESC may be the start of a sequence before it is
	// the escape key. A sequence with a longer pause in it was torn.
	escapeWait = 50 * time.Millisecond
	// lateWait is the longest pause in a torn sequence that is still the key that
	// was meant. After a longer one nobody waits for that key any more.
	lateWait = time.Second
	// tornWait is how long the rest of a sequence or of a character is waited for.
	// What comes later is a key; what comes before it belongs to the start.
	tornWait = 2500 * time.Millisecond
	// burstGap is the time between two keys below which no person pressed both.
	burstGap = 25 * time.Millisecond
)

const (
	esc       = 0x1b
	interrupt = 0x03
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
	start          // what is known of the sequence that pending begins with
	given   given  // what was given out although more may belong to it
	ready   []unit
	pasted

	last time.Time // when bytes came last

	keyAt     time.Time // when a key came last
	lastPaste time.Time
	lastBurst time.Time
	lastTorn  time.Time
	lost      int // bytes that are no text in UTF-8

	told   []byte // the start of the string that arrives, where it may say a colour
	colour string // the background, as the terminal says it
}

// feed takes the bytes of one read.
func (s *scanner) feed(chunk []byte, now time.Time) {
	if len(chunk) == 0 {
		return
	}
	s.expire(now)
	pause := now.Sub(s.last)
	s.last = now
	switch {
	case s.mode == inPaste && len(chunk) == 1 && chunk[0] == interrupt && pause >= interruptGap:
		s.pending = nil
		s.finishPaste(now)
	case s.mode == inPaste, s.mode == afterPaste:
		s.start = start{}
	case s.mode == ground && len(s.pending) == 0:
		chunk = s.continues(chunk, now)
	default:
		s.pause(pause, now)
	}
	s.typed = oneCharacter(chunk)
	s.given = given{}
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
			s.answer(s.pending[:n])
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

// colourAnswer is how the answer to OSC 11 begins, and colourLength is longer than any.
const (
	colourAnswer = "11;rgb:"
	colourLength = 64
)

// answer keeps the body of a string for as long as it may be the terminal's background,
// and hands that on at its end.
func (s *scanner) answer(body []byte) {
	if s.told == nil || len(s.told)+len(body) > colourLength {
		s.told = nil
		return
	}
	s.told = append(s.told, body...)
	if text := string(s.told); s.mode != inString && strings.HasPrefix(text, colourAnswer) {
		s.colour = strings.TrimRight(text, "\a\x1b\\\u009c")
		s.give([]byte(string(Coloured)), true)
		s.told = nil
	}
}

// scanGround takes one key, character or sequence and returns the bytes used, 0
// where the rest of it has not arrived.
func (s *scanner) scanGround(now time.Time) int {
	b := s.pending
	if b[0] == esc {
		return s.scanEscape(now)
	}
	if !utf8.FullRune(b) {
		return 0
	}
	r, n := utf8.DecodeRune(b)
	if second := introduces(b[:n]); second != 0 {
		s.pending = append([]byte{esc, second}, b[n:]...)
		return s.scanEscape(now)
	}
	s.start = start{}
	switch {
	case r < utf8.RuneSelf || character(r):
		return s.key(b[:n], now)
	case r == utf8.RuneError || said(r):
		s.lost += n
	}
	return n // Or a C1 control: terminals send them, keyboards do not.
}

// character reports whether a keyboard gives a rune beyond ASCII.
func character(r rune) bool {
	return r >= 0xa0 && r != utf8.RuneError && !said(r) && utf8.ValidRune(r)
}

// oneCharacter reports whether b is a single character, as a person types it.
func oneCharacter(b []byte) bool {
	_, n := utf8.DecodeRune(b)
	return n == len(b)
}

// key gives out one key and returns its length.
func (s *scanner) key(b []byte, now time.Time) int {
	s.give(b, len(b) == 1 && b[0] == esc)
	s.countKey(now)
	s.given = given{}
	return len(b)
}

// countKey notes when keys come faster than a person presses them.
func (s *scanner) countKey(at time.Time) {
	if !s.keyAt.IsZero() && at.Sub(s.keyAt) < burstGap {
		s.lastBurst = at
	}
	s.keyAt = at
}

func (s *scanner) give(b []byte, alone bool) {
	s.ready = append(s.ready, unit{append([]byte(nil), b...), alone})
}
