package input

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// epoch is when the tests begin.
var epoch = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// give is one read of a terminal, after a pause.
type give struct {
	after time.Duration
	bytes string
}

// run feeds reads to a scanner, lets its waits end in between, and returns the
// units, joined by a bar.
func run(s *scanner, reads ...give) string {
	now := epoch
	for _, g := range reads {
		now = idle(s, now, g.after)
		s.feed([]byte(g.bytes), now)
	}
	idle(s, now, 10*time.Second)
	return units(s)
}

// idle lets time pass, with expire called whenever it is due.
func idle(s *scanner, now time.Time, d time.Duration) time.Time {
	end := now.Add(d)
	for {
		wake := s.wake()
		if wake.IsZero() || wake.After(end) {
			return end
		}
		s.expire(wake)
	}
}

// units are the keys that came out, without what the terminal told of its colour.
func units(s *scanner) string {
	var out []string
	for _, u := range s.ready {
		if string(u.bytes) != string(Coloured) {
			out = append(out, string(u.bytes))
		}
	}
	return strings.Join(out, "|")
}

// whole are inputs that arrive in one piece, and what comes of them. Cut at any
// place by a slow line, they must come to the same.
var whole = []struct{ name, in, want string }{
	{"keys", "ab\r\t\x03\x00\x7f ", "a|b|\r|\t|\x03|\x00|\x7f| "},
	{"characters", "aé漢👨‍👩‍👧", "a|é|漢|👨|\u200d|👩|\u200d|👧"},
	{"arrows", "\x1b[A\x1b[1;5C\x1bOD\x1b\x1b[B", "\x1b[A|\x1b[1;5C|\x1b[D|\x1b[1;3B"},
	{"home and end of the application mode", "\x1bOH\x1bOF", "\x1b[H|\x1b[F"},
	{"pages", "\x1b[5~\x1b[6;5~\x1b[3~", "\x1b[5~|\x1b[6;5~|\x1b[3~"},
	{"urxvt", "\x1b[7$\x1b[5^\x1b[8@\x1b[a", "\x1b[1;2H|\x1b[5;5~|\x1b[1;6F|\x1b[1;2A"},
	{"linux console", "\x1b[[A\x1b[[E", "\x1bOP|\x1b[15~"},
	{"function keys", "\x1bOP\x1b[15~\x1b[1;2S", "\x1bOP|\x1b[15~|\x1b[1;2S"},
	{"alt", "\x1bx\x1bé\x1b\r", "\x1bx|\x1bé|\x1b\r"},
	{"escape and ctrl+c", "\x1b\x03", "\x1b|\x03"},
	{"focus", "\x1b[I\x1b[O", "\x1b[I|\x1b[O"},
	{"mouse (D12)", "\x1b[<35;20;5M\x1b[<0;1;1mq", "q"},
	{"mouse of the old form", "\x1b[M !!q\x1b[M\x20\xff\xffq", "q|q"},
	{"mouse behind escape", "\x1b\x1b[<35;20;5Mq", "\x1b|q"},
	{"background colour (D13)", "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\q", "q"},
	{"background colour, BEL", "\x1b]11;rgb:1e1e/1e1e/2e2e\aq", "q"},
	{"device attributes (D13)", "\x1b[?61;4;6cq\x1b[>0;276;0c\x1b[=1c", "q"},
	{"cursor position", "\x1b[12;40R\x1b[1;2Rq", "q"},
	{"mode report", "\x1b[?2026;2$y\x1b[4;1$yq", "q"},
	{"status, window size, keyboard flags", "\x1b[0n\x1b[4;600;800t\x1b[?1uq", "\ufdd0|q"},
	{"status among keys", "a\x1b[0nb\x1b\x1b[3n\x1b\x1b[0n", "a|\ufdd0|b|\x1b|\ufdd0|\x1b|\ufdd0"},
	{"status in 8 bits", "a\u009b0nb\x9b3nc", "a|\ufdd0|b|\ufdd0|c"},
	{"not a status", "a\x1b[n\x1b[?0n\x1b[00n\x1b[0;0n\x1b[1n\x1b[5n\x1b[0 nb", "a|b"},
	{"status behind what is cut", "\x1b[\x1b[0n\x1b]11;r\x1b[0n\xe6\xbc\x1b[0n\x1b[M \x1b[0n", "\ufdd0|\ufdd0|\ufdd0|\ufdd0"},
	{"status in a paste", "\x1b[200~a\x1b[0nb\x1b[201~\x1b[0n", "\x1b[200~a\x1b[0nb\x1b[201~|\ufdd0"},
	{"what stands for a status, typed and pasted", "a\ufdd0b\x1b\ufdd0\x1b[200~\ufdd0x\ufdd0y\x1b[201~\x1b[200~\ufdd0\x1b[201~",
		"a|b|\x1b|\x1b[200~xy\x1b[201~"},
	{"version and settings", "\x1bP>|term 1.2\x1b\\\x1bP1$r0m\x1b\\q", "q"},
	{"graphics, privacy and string", "\x1b_Gi=1;OK\x1b\\\x1b^x\x1b\\\x1bXy\x1b\\q", "q"},
	{"clipboard", "\x1b]52;c;cm0gLXJmIH4K\aq", "q"},
	{"string cut by ctrl+c", "\x1b]11;rgb:1e\x03q", "\x03|q"},
	{"string cut by a sequence", "\x1b]11;rgb:1e\x1b[Aq", "\x1b[A|q"},
	{"unknown sequences", "\x1b[57358u\x1b[5;9~\x1bOi\x1b[99;99;99Zq", "q"},
	{"sequence cut by a control", "\x1b[<35;2\x03\x1b[\rq", "\x03|\r|q"},
	{"sequence without an end", "\x1b[" + strings.Repeat("1;", 100) + "Mq", "q"},
	{"paste", "\x1b[200~a\r\x1b[A\x03é\x1b[201~", "\x1b[200~a\r\x1b[A\x03é\x1b[201~"},
	{"two pastes", "\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~", "\x1b[200~a\x1b[201~|\x1b[200~b\x1b[201~"},
	{"empty paste", "\x1b[200~\x1b[201~", ""},
	{"end of a paste alone", "a\x1b[201~", "a"},
	{"end in a paste (D17)", "\x1b[200~safe\x1b[201~y\r\x1b[201~",
		"\x1b[200~safe\x1b[20\x1b[201~|\x1b[200~1~y\r\x1b[201~"},
	{"two ends in a paste", "\x1b[200~\x1b[201~a\x1b[201~b\x1b[201~",
		"\x1b[200~\x1b[20\x1b[201~|\x1b[200~1~a\x1b[20\x1b[201~|\x1b[200~1~b\x1b[201~"},
	{"bytes that are no text", "a\xff\xc3(\x9bb", "a|(|\x1b[1;2B"},
	{"C1 controls", "a\u009b2b\u0085\u009d2;x\u009c", "a"},
}

// TestWhole plays every input in one read, byte by byte, and cut at each place.
func TestWhole(t *testing.T) {
	for _, c := range whole {
		t.Run(c.name, func(t *testing.T) {
			check := func(how string, reads ...give) {
				if got := run(&scanner{}, reads...); got != c.want {
					t.Errorf("%s: got %q, want %q", how, got, c.want)
				}
			}
			check("in one read", give{bytes: c.in})
			for i := 1; i < len(c.in); i++ {
				check(fmt.Sprintf("cut at %d", i), give{bytes: c.in[:i]}, give{time.Millisecond, c.in[i:]})
			}
			var single []give
			for i := range len(c.in) {
				single = append(single, give{time.Millisecond, c.in[i : i+1]})
			}
			check("byte by byte", single...)
		})
	}
}

// TestMouseOn lets mouse reports through whole, where the user asked for them.
func TestMouseOn(t *testing.T) {
	if got := run(&scanner{mouse: true}, give{0, "\x1b[<35;2"}, give{time.Millisecond, "0;5M"}, give{0, "\x1b[<1;1;2;3M"}); got != "\x1b[<35;20;5M" {
		t.Errorf("got %q", got)
	}
}

// TestWaiting is about bytes that come late, and about those that never come.
func TestWaiting(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		reads []give
		want  string
	}{
		{"the escape key", []give{{0, "\x1b"}}, "\x1b"},
		{"escape twice", []give{{0, "\x1b\x1b"}}, "\x1b|\x1b"},
		{"escape, then a letter", []give{{0, "\x1b"}, {60 * ms, "a"}}, "\x1b|a"},
		{"escape, then a bracket typed", []give{{0, "\x1b"}, {100 * ms, "["}, {100 * ms, "x"}}, "\x1b"},
		{"mouse long after its ESC (D12)", []give{{0, "\x1b"}, {300 * ms, "[<35;20;5M"}, {ms, "q"}}, "\x1b|q"},
		{"mouse after its ESC, torn", []give{{0, "\x1b"}, {300 * ms, "[<35"}, {300 * ms, ";20;5Mq"}}, "\x1b|q"},
		{"mouse torn in the middle", []give{{0, "\x1b[<35;20"}, {400 * ms, ";5M"}, {ms, "q"}}, "q"},
		{"mouse torn byte by byte", []give{{0, "\x1b[<"}, {400 * ms, "1"}, {400 * ms, ";2;3"}, {400 * ms, "M"}}, ""},
		{"colour long after its ESC", []give{{0, "\x1b"}, {300 * ms, "]11;rgb:1e1e/1e1e/2e2e\x1b\\"}, {ms, "q"}}, "\x1b|q"},
		{"colour torn in its end", []give{{0, "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b"}, {300 * ms, "\\q"}}, "q"},
		{"bracket with alt", []give{{0, "\x1b["}}, ""},
		{"bracket with alt, then a letter", []give{{0, "\x1b["}, {200 * ms, "q"}, {10 * ms, "w"}}, "w"},
		{"sequence never ended", []give{{0, "\x1b[<35;2"}, {2600 * ms, "q"}}, "q"},
		{"string never ended", []give{{0, "\x1b]11;rgb:"}, {2600 * ms, "q"}}, "q"},
		{"character torn", []give{{0, "\xe6\xbc"}, {300 * ms, "\xa2"}}, "漢"},
		{"character never ended", []give{{0, "\xe6\xbc"}, {2600 * ms, "q"}}, "q"},
		{"paste without an end (D18)", []give{{0, "\x1b[200~abc"}, {3000 * ms, "\x03"}}, "\x1b[200~abc\x1b[201~|\x03"},
		{"paste without an end, and half a marker", []give{{0, "\x1b[200~abc\x1b[20"}, {3000 * ms, "q"}}, "\x1b[200~abc\x1b[201~|q"},
		{"impatient ctrl+c in such a paste", []give{{0, "\x1b[200~abc"}, {500 * ms, "\x03"}}, "\x1b[200~abc\x1b[201~|\x03"},
		{"ctrl+c that is pasted", []give{{0, "\x1b[200~abc"}, {ms, "\x03"}, {ms, "\x1b[201~"}}, "\x1b[200~abc\x03\x1b[201~"},
		{"slow paste", []give{{0, "\x1b[200~abc"}, {1900 * ms, "de"}, {1900 * ms, "f\x1b[201~"}}, "\x1b[200~abcdef\x1b[201~"},
		{"keys behind a paste", []give{{0, "\x1b[200~abc\x1b[201~y\r"}}, "\x1b[200~abc\x1b[201~|y|\r"},
		{"keys held down behind a paste", []give{{0, "\x1b[200~a\x1b[201~"}, {30 * ms, "j"}, {30 * ms, "j"}, {30 * ms, "j"}, {30 * ms, "j"}, {30 * ms, "j"}, {30 * ms, "j"}},
			"\x1b[200~a\x1b[201~|j|j|j|j|j|j"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := run(&scanner{}, c.reads...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestStats sees pastes, bursts and damage.
func TestStats(t *testing.T) {
	var s scanner
	run(&s, give{0, "a"}, give{100 * time.Millisecond, "b"}, give{100 * time.Millisecond, "\x1b[A"})
	if !s.lastBurst.IsZero() || !s.lastPaste.IsZero() || s.lost != 0 {
		t.Fatalf("slow keys: %+v", s)
	}
	for _, burst := range []string{"ab", "a\r", "a\x1b[A"} {
		var s scanner
		if run(&s, give{0, burst}); !s.lastBurst.Equal(epoch) {
			t.Errorf("%q is no burst", burst)
		}
	}
	for _, still := range []string{"\x1b[I", "a\x1b[I", "\x1b[?6c\x1b[0n", "a\x1b[0n\x1b[3n", "\x1b[A"} {
		var s scanner
		if run(&s, give{0, still}); !s.lastBurst.IsZero() {
			t.Errorf("%q is a burst", still)
		}
	}
	for _, paste := range []string{"\x1b[200~x\x1b[201~", "\x1b[201~", "\x1b[200~x"} {
		var s scanner
		if run(&s, give{0, paste}); s.lastPaste.IsZero() {
			t.Errorf("%q is no paste", paste)
		}
	}
	for in, lost := range map[string]int{"\xff": 1, "\xe6\xbc": 2, "\x1b[200~a\xffb\x1b[201~": 1, "\ufffd": 3, "漢": 0,
		"\ufdd0": 3, "\x1b[200~a\ufdd0\x1b[201~": 3, "\x1b[0n": 0, "\x1b[200~\ufdd0\x1b[201~": 3} {
		var s scanner
		if run(&s, give{0, in}); s.lost != lost {
			t.Errorf("%q: lost %d bytes, want %d", in, s.lost, lost)
		}
	}
}

// TestLongPaste is handed on whole, or not at all.
func TestLongPaste(t *testing.T) {
	for text, whole := range map[string]bool{
		strings.Repeat("a", MostPasted):        true,
		strings.Repeat("ab👩漢", MostPasted/12):  true,
		strings.Repeat("a", MostPasted+1):      false,
		strings.Repeat("rm -rf ~\r", 600_000):  false,
		strings.Repeat("x\x1b[201~\r", 80_000): false,
	} {
		var s scanner
		sent := pasteStart + text + pasteEnd
		var reads []give
		for len(sent) > 0 { // as a terminal gives it
			n := min(len(sent), 4000)
			reads = append(reads, give{0, sent[:n]})
			sent = sent[n:]
		}
		run(&s, append(reads, give{time.Second, "j"})...)
		var got strings.Builder
		for _, u := range s.ready[:len(s.ready)-1] {
			if !u.alone || !strings.HasPrefix(string(u.bytes), pasteStart) {
				t.Fatalf("%.20q came out of a paste as keys", u.bytes)
			}
			got.WriteString(strings.TrimSuffix(strings.TrimPrefix(string(u.bytes), pasteStart), pasteEnd))
		}
		if whole && (got.String() != text || s.lost != 0) {
			t.Error("the paste is damaged")
		}
		if last := s.ready[len(s.ready)-2]; !whole && string(last.bytes) != pasteStart+pasteEnd {
			t.Errorf("%.30q of %d bytes: nothing says that it is not there whole", last.bytes, len(text))
		}
		if last := s.ready[len(s.ready)-1]; string(last.bytes) != "j" {
			t.Errorf("the key behind it is %q", last.bytes)
		}
	}
}

// TestAnyOrder joins keys and replies in any order and cuts them anywhere: the
// keys come out, in order, and nothing else.
func TestAnyOrder(t *testing.T) {
	keys := []string{"a", "A", "d", "\r", "\x03", " ", "é", "漢", "\x1b[A", "\x1bOB", "\x1b[5~", "\x1b[1;3D",
		"\x1b[200~a\ra\r\x1b[201~", "\x1b[I", "\x1bb", "\x1b[Z"}
	replies := []string{"\x1b[<35;20;5M", "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", "\x1b[?61;4;6c", "\x1b[3;4R",
		"\x1b]52;c;YQ==\a", "\x1b[?2026;2$y", "\x1bP>|x\x1b\\", "\x1b_Gi=1;OK\x1b\\", "\x1b[M !!"}
	rapid.Check(t, func(t *rapid.T) {
		var in strings.Builder
		var want []string
		for _, token := range rapid.SliceOf(rapid.SampledFrom(append(replies, keys...))).Draw(t, "tokens") {
			in.WriteString(token)
			if bytes.Contains([]byte(strings.Join(keys, "\n")), []byte(token)) {
				want = append(want, strings.Replace(token, "\x1bO", "\x1b[", 1)) // as the program gets it
			}
		}
		var reads []give
		for rest := in.String(); rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			reads = append(reads, give{time.Duration(rapid.IntRange(0, 30).Draw(t, "ms")) * time.Millisecond, rest[:n]})
			rest = rest[n:]
		}
		if got := run(&scanner{}, reads...); got != strings.Join(want, "|") {
			t.Errorf("%q came out as %q", in.String(), got)
		}
	})
}

// FuzzScanner holds for any bytes at all: what comes out is whole, nothing is
// waited for without an end, and ctrl+c works wherever the bytes stopped.
func FuzzScanner(f *testing.F) {
	for _, c := range whole {
		f.Add([]byte(c.in), uint16(3), false)
	}
	f.Fuzz(func(t *testing.T, in []byte, size uint16, mouse bool) {
		s := &scanner{mouse: mouse}
		now := epoch
		for rest := in; len(rest) > 0; {
			n := min(int(size%97)+1, len(rest))
			s.feed(rest[:n], now)
			now = idle(s, now, time.Duration(size%211)*time.Millisecond)
			rest = rest[n:]
		}
		now = idle(s, now, 300*time.Millisecond)
		s.feed([]byte{interrupt}, now)
		idle(s, now, 10*time.Second)
		if s.mode != ground || len(s.pending) > 0 || !s.wake().IsZero() {
			t.Fatalf("waits for ever: %+v", s)
		}
		if n := len(s.ready); n == 0 || string(s.ready[n-1].bytes) != "\x03" {
			t.Fatalf("ctrl+c did not come out: %+v", s)
		}
		for _, u := range s.ready {
			if !isWhole(u.bytes, mouse) {
				t.Errorf("%q is not whole", u.bytes)
			}
		}
	})
}

// isWhole says independently of the scanner's states that a unit is one thing.
func isWhole(b []byte, mouse bool) bool {
	switch {
	case bytes.HasPrefix(b, []byte(pasteStart)):
		return bytes.Index(b, []byte(pasteEnd)) == len(b)-len(pasteEnd)
	case bytes.Equal(b, []byte(string(Replied))), bytes.Equal(b, []byte(string(Coloured))):
		return true
	case b[0] != esc:
		r, n := utf8.DecodeRune(b)
		return n == len(b) && r != utf8.RuneError && (r < 0x7f+1 || r >= 0xa0)
	case len(b) == 1:
		return true
	}
	n, what := readEscape(b, mouse)
	return n == len(b) && (what == seqFocus || what == seqKey && legacy(string(b)) == string(b))
}

// TestColour hands on a background that the terminal tells late, whole or torn, and no
// other string.
func TestColour(t *testing.T) {
	for _, c := range []struct {
		reads  []string
		colour string
	}{
		{[]string{"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"}, "11;rgb:ffff/ffff/ffff"}, {[]string{"\x1b]11;rgb:ff", "ff/ffff/ffff\a"}, "11;rgb:ffff/ffff/ffff"},
		{[]string{"\x1b]11;rgb:0/0/0\u009c"}, "11;rgb:0/0/0"}, {[]string{"\x1b]10;rgb:ffff/ffff/ffff\a"}, ""},
		{[]string{"\x1b]11;rgb:" + strings.Repeat("f", 100) + "\a"}, ""}, {[]string{"\x1bP11;rgb:0/0/0\x1b\\"}, ""}, {[]string{"11;rgb:0/0/0"}, ""},
		{[]string{"\x1b]11;rgb:ffff/ffff/ffff"}, ""}, {[]string{string(Coloured)}, ""}, {[]string{"\x1b[200~" + string(Coloured) + "\x1b[201~"}, ""},
	} {
		var s scanner
		for _, r := range c.reads {
			s.feed([]byte(r), epoch)
		}
		idle(&s, epoch, 10*time.Second)
		told := slices.ContainsFunc(s.ready, func(u unit) bool { return string(u.bytes) == string(Coloured) })
		if s.colour != c.colour || told != (c.colour != "") {
			t.Errorf("%q: the colour is %q, told %v", c.reads, s.colour, told)
		}
	}
}
