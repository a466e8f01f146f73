package input

import (
	"time"
	"unicode/utf8"
)

// scanEscape takes what begins with an ESC, and returns 0 where the rest of it
// has not arrived.
func (s *scanner) scanEscape(now time.Time) int {
	read := readEscape
	if s.torn() && s.typed {
		read = readTyped
	}
	n, what := read(s.pending, s.mouse)
	if n == 0 {
		return 0
	}
	was := s.start
	s.start = start{}
	if was.torn() {
		s.lastTorn = now
	}
	switch what {
	case seqKey:
		if key := legacy(string(s.pending[:n])); was.late() || was.torn() && writes(key) {
			s.dropTyped(n, was)
		} else {
			s.key([]byte(key), now)
		}
	case seqEscape:
		if s.start = was; !was.torn() {
			s.key(s.pending[:1], now)
		}
	case seqFocus:
		// Never dropped: a program that takes itself for not in front stays shut.
		s.give(s.pending[:n], true)
		s.given = given{string(s.pending[:n]), now}
	case seqReplied:
		if !was.late() {
			s.give([]byte(string(Replied)), true)
		}
	case seqString:
		s.mode, s.told = inString, nil
		if s.pending[1] == ']' {
			s.told = []byte{}
		}
	case seqExcess:
		s.mode = inExcess
	case seqPaste:
		s.mode = inPaste
	case seqPasteEnd:
		// The end of a paste that was over already: what stood before it may have
		// been pasted as well.
		s.lastPaste = now
	case seqDrop:
		n += s.alsoTorn(n, was)
	}
	return n
}

// writes reports whether a key writes or sends text, or could be taken for one
// that decides: everything that does not come as a sequence of its own.
func writes(key string) bool {
	return key != "\x1b" && (key[0] != esc || len(key) < 3 || key[1] != '[' && key[1] != 'O')
}

// scanString drops the body of a string and looks for its end.
func (s *scanner) scanString() int {
	b := s.pending
	for i, n := 0, 0; i < len(b); i += n {
		n = 1
		switch c := b[i]; {
		case c == esc:
			if i > 0 {
				return i
			}
			return s.endString(b)
		case c == interrupt:
			s.mode, s.start = ground, start{}
			return i
		case c < 0x20:
			s.mode, s.start = ground, start{}
			return i + 1
		case c >= utf8.RuneSelf:
			if !utf8.FullRune(b[i:]) {
				return i
			}
			// Text in a string may hold the byte of the end in 8 bits.
			var r rune
			if r, n = utf8.DecodeRune(b[i:]); r == 0x9c || c == 0x9c {
				s.mode, s.start = ground, start{}
				return i + n
			}
		}
	}
	return len(b)
}

// endString reads the ESC in a string: as its end, or as the start of something
// else that cut it.
func (s *scanner) endString(b []byte) int {
	if len(b) == 1 {
		return 0
	}
	s.mode = ground
	if b[1] == '\\' {
		s.start = start{}
		return 2
	}
	return 0
}

// scanExcess drops up to the final byte of a sequence, or up to what cannot be a
// part of it.
func (s *scanner) scanExcess() int {
	for i, c := range s.pending {
		if c >= 0x20 && c <= 0x3f {
			continue
		}
		s.mode, s.start = ground, start{}
		if c >= 0x40 && c <= 0x7e {
			return i + 1
		}
		return i
	}
	return len(s.pending)
}
