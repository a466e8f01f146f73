package input

import (
	"strings"
	"testing"
	"time"
)

// TestKeysBehindEscape is about a person who presses escape and then something
// else, or a key together with alt: nothing of it is taken for the rest of a
// sequence that has a meaning as a key.
func TestKeysBehindEscape(t *testing.T) {
	const ms = time.Millisecond
	for _, key := range []string{"a", "d", "q", "j", "A", "D", "m", "x", "1", "\r", " ", "t", "é", "\x03"} {
		for _, gap := range []time.Duration{52 * ms, 100 * ms, 200 * ms, 400 * ms, 2000 * ms, 3000 * ms} {
			var s scanner
			if got, want := run(&s, give{0, "\x1b"}, give{gap, key}), "\x1b|"+key; got != want {
				t.Errorf("escape, %v, %q: got %q, want %q", gap, key, got, want)
			}
			if torn := !s.lastTorn.IsZero(); torn != (gap < altPause) {
				t.Errorf("escape, %v, %q: torn is %v", gap, key, torn)
			}
			if !s.lastBurst.IsZero() {
				t.Errorf("escape, %v, %q: is a burst", gap, key)
			}
		}
		want := "\x1b" + key
		if key == "\x03" {
			want = "\x1b|\x03"
		}
		if got := run(&scanner{}, give{0, "\x1b" + key}); got != want {
			t.Errorf("alt and %q: got %q, want %q", key, got, want)
		}
	}
	for _, c := range []struct {
		name  string
		reads []give
		want  string
	}{
		{"X dismisses with a message", []give{{0, "\x1b"}, {600 * ms, "X"}, {600 * ms, "n"}}, "\x1b|X|n"},
		{"X that begins a string", []give{{0, "\x1b"}, {600 * ms, "Xad\x1b\\"}, {600 * ms, "n"}}, "\x1b|n"},
		{"X, typed on", []give{{0, "\x1b"}, {600 * ms, "X"}, {100 * ms, "d"}, {100 * ms, "a"}, {100 * ms, "j"}}, "\x1b|j"},
		{"X by itself", []give{{0, "X"}}, "X"},
		{"X long after it", []give{{0, "\x1b"}, {2600 * ms, "X"}, {10 * ms, "X"}}, "\x1b|X|X"},
		{"a bracket long after it", []give{{0, "\x1b"}, {2600 * ms, "["}, {60 * ms, "A"}}, "\x1b|[|A"},
		{"escape again", []give{{0, "\x1b"}, {60 * ms, "\x1b"}, {60 * ms, "\x1b[A"}}, "\x1b|\x1b|\x1b[A"},
		{"escape out of a string", []give{{0, "\x1b]11;rgb"}, {60 * ms, "\x1b"}, {60 * ms, "\x1b"}, {60 * ms, "j"}}, "\x1b|\x1b|j"},
		{"escape out of a string, and a key", []give{{0, "\x1b]11;rgb"}, {60 * ms, "\x1b"}, {60 * ms, "a"}, {60 * ms, "j"}}, "j"},
		{"enter behind a torn start", []give{{0, "\x1b["}, {60 * ms, "\r"}, {60 * ms, "j"}}, "j"},
		{"ctrl+c behind a torn start", []give{{0, "\x1b["}, {60 * ms, "\x03"}}, "\x03"},
		{"ctrl+c in a string", []give{{0, "\x1b]"}, {60 * ms, "\x03"}}, "\x03"},
		{"a lost focus and a letter", []give{{0, "\x1b[O"}, {60 * ms, "A"}, {60 * ms, "A"}}, "\x1b[O|\x1b[I|A"},
		{"a lost focus and a letter two seconds later", []give{{0, "\x1b[O"}, {2000 * ms, "a"}, {1000 * ms, "a"}}, "\x1b[O|a|a"},
		{"a lost focus and a letter a little later", []give{{0, "\x1b[O"}, {200 * ms, "a"}}, "\x1b[O|a"},
		{"a focus that comes back", []give{{0, "\x1b[O"}, {60 * ms, "\x1b[I"}, {60 * ms, "A"}}, "\x1b[O|\x1b[I|A"},
		{"a sentence behind alt and a bracket", []give{{0, "\x1b]"}, {90 * ms, "m"}, {90 * ms, "a"}, {90 * ms, "k"}, {90 * ms, "e"}}, "k|e"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := run(&scanner{}, c.reads...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestEveryStart is about each start of a sequence, alone or behind its ESC, and
// each key that has a meaning: it is not taken for that key, at any pause.
func TestEveryStart(t *testing.T) {
	keys := []string{"a", "A", "d", "D", "m", "x", "X", "q", "u", "p", "R", "1", "9", "\r", " ", "y", "h", "?", "/", "*", "t"}
	for _, start := range []string{"\x1b[", "\x1bO", "\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x1b[1;2", "\x1b[<35", "\x1b[M",
		"\x1b[?6", "\x1b]1", "\x1b]11;rgb:", "\x1bP1", "\x1bP1$r", "\x1b[[", "\x1b\x1b[", "\x1b\x1bO", "\x9b", "\u009d"} {
		for _, key := range keys {
			for _, gap := range gaps[3:] {
				var s scanner
				got := run(&s, give{0, start}, give{gap, key})
				if meant := run(&scanner{}, give{0, start + key}); writes(got+"?") && got != "" || got != "" && got != meant {
					t.Errorf("%q, %v, %q came out as %q", start, gap, key, got)
				}
				if s.lastTorn.Before(epoch.Add(gap)) {
					t.Errorf("%q, %v, %q: torn at %v", start, gap, key, s.lastTorn)
				}
				s = scanner{}
				if got := run(&s, give{0, start}, give{gap, key}, give{gap, "\x03"}); !strings.HasSuffix("|"+got, "|\x03") {
					t.Errorf("%q, %v, %q: ctrl+c came out as %q", start, gap, key, got)
				}
				s = scanner{}
				got = run(&s, give{0, start[:1]}, give{gap, start[1:]}, give{100 * time.Millisecond, key})
				if start[0] == esc && got != "\x1b" && got != "\x1b|\x1b" && got != "\x1b|"+run(&scanner{}, give{0, start[1:] + key}) {
					t.Errorf("ESC, %v, %q, %q came out as %q", gap, start[1:], key, got)
				}
			}
		}
	}
}

// TestLegacy has the forms in which terminals send keys, and what each is.
func TestLegacy(t *testing.T) {
	for in, want := range map[string]string{
		// The keypad (G29).
		"\x1bOM": "\r", "\x1bOp": "0", "\x1bOr": "2", "\x1bOy": "9", "\x1bOj": "*", "\x1bOk": "+", "\x1bOl": ",", "\x1bOm": "-",
		"\x1bOn": ".", "\x1bOo": "/", "\x1bOX": "=", "\x1bOI": "\t", "\x1bO ": " ", "\x1b\x1bOr": "\x1b2",
		"\x1b[57399u": "0", "\x1b[57408u": "9", "\x1b[57409u": ".", "\x1b[57413u": "+", "\x1b[57414u": "\r", "\x1b[57415u": "=", "\x1b[57416u": ",",
		"\x1b[57417u": "\x1b[D", "\x1b[57418u": "\x1b[C", "\x1b[57419u": "\x1b[A", "\x1b[57420u": "\x1b[B", "\x1b[57421u": "\x1b[5~",
		"\x1b[57422u": "\x1b[6~", "\x1b[57423u": "\x1b[H", "\x1b[57424u": "\x1b[F", "\x1b[57425u": "\x1b[2~", "\x1b[57426u": "\x1b[3~",
		"\x1b[57427u": "", "\x1b[57401;129u": "2", "\x1b[57401;2u": "",
		// Enter with anything held (G11).
		"\x1b[13u": "\r", "\x1b[13;1u": "\r", "\x1b[13;2u": altEnter, "\x1b[13;2~": altEnter, "\x1b[27;2;13~": altEnter, "\x1b[27;5;13~": altEnter,
		"\x1b[13;3u": altEnter, "\x1b[57414;2u": altEnter, "\x1bO2M": altEnter, "\x1b\r": altEnter, "\x1b[13;130u": altEnter, "\x1b[13;2:3u": "",
		"\x1b[13~": "\x1b[13~",
		// Ordinary keys as code points.
		"\x1b[97u": "a", "\x1b[97;2u": "A", "\x1b[97;65u": "A", "\x1b[97;66u": "a", "\x1b[97:65;2u": "A", "\x1b[65;2u": "A", "\x1b[27;2;65~": "A",
		"\x1b[97;1:1u": "a", "\x1b[97;1:2u": "a", "\x1b[97;1:3u": "", "\x1b[97;9u": "", "\x1b[97;33u": "", "\x1b[97;3u": "\x1ba",
		"\x1b[97;5u": "\x01", "\x1b[1089:1057:99;5u": "\x03", "\x1b[1089;5u": "\x03", "\x1b[968;5u": "\x03", "\x1b[27;5;1089~": "\x03", "\x1b[1092:1060:97;5u": "\x01", "\x1b[1092;5u": "", "\x1b[99;5u": "\x03", "\x1b[99;6u": "", "\x1b[99;7u": "\x1b\x03", "\x1b[32u": " ", "\x1b[32;2u": " ", "\x1b[32;5u": "\x00",
		"\x1b[49;2u": "", "\x1b[49:33;2u": "!", "\x1b[33;2u": "!", "\x1b[228;2u": "Ä", "\x1b[1092u": "ф", "\x1b[0;;228u": "ä", "\x1b[49;2;33u": "!",
		"\x1b[27u": "\x1b", "\x1b[27;129u": "\x1b", "\x1b[91;5u": "\x1b", "\x1b[109;5u": "\r", "\x1b[9u": "\t", "\x1b[9;2u": "\x1b[Z", "\x1b[9;5u": "",
		"\x1b[127u": "\x7f", "\x1b[127;3u": "\x1b\x7f", "\x1b[91;3u": "", "\x1b[88;3u": "", "\x1b[64976u": "", "\x1b[57358u": "", "\x1b[155u": "",
		"\x1b[1114112u": "", "\x1b[55296u": "", "\x1b[u": "", "\x1b[97;u": "a", "\x1b[97;0u": "", "\x1b[97;1;27u": "a",
		// Cursor and function keys.
		"\x1b[1;129A": "\x1b[A", "\x1b[1;130A": "\x1b[1;2A", "\x1b[1;1:3A": "", "\x1b[1;9A": "", "\x1b[1;5:1A": "\x1b[1;5A", "\x1b[P": "\x1bOP",
		"\x1bOa": "\x1b[1;5A", "\x1b[OA": "\x1b[1;2A", "\x1b[c": "\x1b[1;2C", "\x1b\x1b[1;5C": "\x1b[1;7C", "\x1b\x1b[5~": "\x1b[5;3~",
		"\x1b[1~": "\x1b[H", "\x1b[4~": "\x1b[F", "\x1b[7^": "\x1b[1;5H", "\x1b[1;2R": "", "\x1b\x1bOR": "\x1bOR", "\x1bOR": "\x1bOR", "\x1b\x1b[[A": "\x1b[1;3P",
		"\x1b[99~": "\x1b[99~", "\x1b[200;2~": "", "\x1b[27;2~": "\x1b[27;2~", "\x1b[2;2;65~": "",
	} {
		if got := legacy(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		} else if got != "" && got[0] == esc && len(got) > 1 && legacy(got) != got {
			t.Errorf("%q is %q, which is %q", in, got, legacy(got))
		}
		if in[1] == '[' && want == altEnter || in == "\x1bOM" {
			for cut := 1; cut < len(in); cut++ {
				if got := run(&scanner{}, give{0, in[:cut]}, give{60 * time.Millisecond, in[cut:]}); got != "" && got != "\x1b" {
					t.Errorf("%q, cut at %d, came out as %q", in, cut, got)
				}
			}
		}
	}
}
