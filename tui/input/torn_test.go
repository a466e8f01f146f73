package input

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// corpus are sequences as terminals send them, by who does.
func corpus() map[string][]string {
	c := map[string][]string{
		"cursor":        each("\x1b[%c", "ABCDHF"),
		"application":   each("\x1bO%c", "ABCDHF"),
		"back tab":      {"\x1b[Z", "\x1b[1;2Z"},
		"xterm f1 to 4": each("\x1bO%c", "PQRS"),
		"urxvt arrows":  append(each("\x1b[%c", "abcd"), each("\x1bO%c", "abcd")...),
		// Of ESC [ O A only what comes at once is an arrow: later it is a lost focus and
		// a letter, see TestKeysBehindEscape.
		"old arrows":    each("\x1bO2%c", "ABCD"),
		"linux":         each("\x1b[[%c", "ABCDE"),
		"keypad":        append(each("\x1bO%c", "Mpqrstuvwxyjklmno XI"), "\x1bO2M", "\x1bO5p"),
		"enter":         {"\x1b[13;2u", "\x1b[13;2~", "\x1b[27;2;13~", "\x1b[13u", "\x1b[57414;5u", "\x1b[13;5:3u"},
		"kitty letters": {"\x1b[97u", "\x1b[97;2u", "\x1b[97:65;2u", "\x1b[97;;97u", "\x1b[97;5:1u", "\x1b[100u", "\x1b[113;1:3u", "\x1b[27u", "\x1b[9;2u", "\x1b[127u"},
		"xterm letters": {"\x1b[27;2;65~", "\x1b[27;5;97~", "\x1b[27;6;68~", "\x1b[65;2u"},
		"kitty others":  {"\x1b[1;1:3A", "\x1b[5;129~", "\x1b[P", "\x1b[1;5P", "\x1b[57358u", "\x1b[57441;2u", "\x1b[E"},
		"focus":         {"\x1b[I", "\x1b[O"},
		"mouse":         {"\x1b[<35;20;5M", "\x1b[<0;120;40m", "\x1b[M !!", "\x1b[MaAq", "\x1b[M\x20\xff\xff", "\x1b[32;20;5M"},
		"attributes":    {"\x1b[?61;4;6c", "\x1b[>0;276;0c", "\x1b[?1;2c", "\x1bP!|7E565445\x1b\\"},
		"status":        {"\x1b[0n", "\x1b[3n", "\x1b[12;40R", "\x1b[?12;40;1R", "\x1b[?2026;2$y", "\x1b[4;600;800t", "\x1b[?1u"},
		"colours": {"\x1b]4;1;rgb:aaaa/dddd/0000\a", "\x1b]10;rgb:dada/dada/dada\x1b\\", "\x1b]11;rgb:1e1e/1e1e/2e2e\a",
			"\x1b]11;rgb:adad/adad/adad\x1b\\"},
		"clipboard": {"\x1b]52;c;YWRxeGFk\a", "\x1b]52;c;cm0gLXJmIH4K\x1b\\"},
		"title":     {"\x1b]lqÜad\x1b\\", "\x1b]Lwork\x1b\\"},
		"settings":  {"\x1bP1$r0m\x1b\\", "\x1bP0$r\x1b\\", "\x1bP>|xterm(390)\x1b\\", "\x1bP1+r544e=78\x1b\\"},
		"others":    {"\x1b_Gi=1;OK\x1b\\", "\x1b^ad\x1b\\"},
		"8 bits":    {"\u009bA", "\x9b1;5D", "\u009b0n", "\u008fM", "\u009d11;rgb:ad/ad/ad\u009c", "\x90>|a\x9c"},
		"pastes":    {"\x1b[200~a\x1b[201~", "\x1b[200~y\rd é\x1b[201~"},
	}
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 29, 34} {
		c["numbers"] = append(c["numbers"], fmt.Sprintf("\x1b[%d~", n))
		for m := 2; m <= 8; m++ {
			c["numbers, modified"] = append(c["numbers, modified"], fmt.Sprintf("\x1b[%d;%d~", n, m))
		}
		c["urxvt"] = append(c["urxvt"], fmt.Sprintf("\x1b[%d^", n), fmt.Sprintf("\x1b[%d@", n))
		if n > 1 && n < 9 {
			c["urxvt"] = append(c["urxvt"], fmt.Sprintf("\x1b[%d$", n))
		}
	}
	for m := 2; m <= 8; m++ {
		for _, final := range "ABCDHFPQRS" {
			c["letters, modified"] = append(c["letters, modified"], fmt.Sprintf("\x1b[1;%d%c", m, final))
		}
	}
	for code := 57399; code <= 57427; code++ {
		c["kitty keypad"] = append(c["kitty keypad"], fmt.Sprintf("\x1b[%du", code), fmt.Sprintf("\x1b[%d;129u", code))
	}
	for _, seq := range slices.Concat(c["cursor"], c["application"], c["numbers"], c["urxvt"]) {
		c["with alt"] = append(c["with alt"], "\x1b"+seq)
	}
	return c
}

func each(format, letters string) (all []string) {
	for _, r := range letters {
		all = append(all, fmt.Sprintf(format, r))
	}
	return all
}

// gaps are the pauses that a network makes, the longest of them in a dead spot.
var gaps = []time.Duration{0, 20 * time.Millisecond, 40 * time.Millisecond, 52 * time.Millisecond, 60 * time.Millisecond,
	100 * time.Millisecond, 150 * time.Millisecond, 250 * time.Millisecond, 400 * time.Millisecond, 700 * time.Millisecond,
	time.Second, 1200 * time.Millisecond, 2 * time.Second}

// fewGaps are those around the limits, for sequences in three pieces.
var fewGaps = []time.Duration{0, 40 * time.Millisecond, 60 * time.Millisecond, 250 * time.Millisecond, time.Second, 2 * time.Second}

// TestTorn cuts every sequence at one and at two places. What comes out is the key
// that was meant or nothing; the escape key where an ESC arrived alone; and a key
// afterwards is a key again.
func TestTorn(t *testing.T) {
	cuts := 0
	for name, seqs := range corpus() {
		t.Run(name, func(t *testing.T) {
			for _, seq := range seqs {
				meant := run(&scanner{}, give{0, seq})
				for i := 1; i < len(seq); i++ {
					for _, gap := range gaps {
						cuts++
						checkTorn(t, seq, meant, give{0, seq[:i]}, give{gap, seq[i:]})
					}
					for j := i + 1; j < len(seq); j++ {
						for _, first := range fewGaps {
							for _, second := range fewGaps {
								cuts++
								checkTorn(t, seq, meant, give{0, seq[:i]}, give{first, seq[i:j]}, give{second, seq[j:]})
							}
						}
					}
				}
			}
		})
	}
	t.Logf("%d cuts", cuts)
}

// checkTorn plays reads that are one sequence together, and then a key.
func checkTorn(t *testing.T, seq, meant string, reads ...give) {
	t.Helper()
	paste := strings.HasPrefix(seq, pasteStart)
	torn, slow, before := false, false, 0
	for i, r := range reads {
		inText := paste && before >= len(pasteStart)
		twoKeys := i == 1 && before == 1 && strings.HasPrefix(seq, "\x1b\x1b")
		before += len(r.bytes)
		slow = slow || r.after > escapeWait
		torn = torn || r.after > escapeWait && !inText && !twoKeys
	}
	var s scanner
	got, ok := strings.CutSuffix("|"+run(&s, append(reads, give{3 * time.Second, "q"})...), "|q")
	got = strings.TrimPrefix(got, "|")
	if paste { // An end that may be forged makes two of one.
		got = strings.ReplaceAll(got, pasteEnd+"|"+pasteStart, "")
	}
	switch {
	case !ok:
		t.Fatalf("%q: the key behind it came out as %q", fmt.Sprint(reads), got)
	case torn && s.lastTorn.IsZero():
		t.Fatalf("%q: nothing says that it was torn", fmt.Sprint(reads))
	case !slices.Contains(allowed(seq, meant, reads[0].bytes), got):
		t.Fatalf("%q came out as %q, want %q or nothing", fmt.Sprint(reads), got, meant)
	case !slow && got != meant:
		t.Fatalf("%q came out as %q, want %q", fmt.Sprint(reads), got, meant)
	}
}

// allowed returns what may come of a sequence of which first arrived first.
func allowed(seq, meant, first string) []string {
	switch {
	case strings.Trim(first, "\x1b") != "":
		return []string{"", meant}
	}
	all := []string{"", meant, "\x1b"}
	switch rest := seq[1:]; {
	case rest[0] == esc:
		all = append(all, "\x1b|\x1b", "\x1b|"+run(&scanner{}, give{0, rest}))
	case strings.HasPrefix(seq, pasteStart), seq == "\x1b[I", seq == focusLost:
		all = append(all, "\x1b|"+meant) // No key, and it has to be known.
	}
	return all
}

// TestTornIsLost counts as lost what a person may have typed behind alt and the
// start of a sequence, and nothing of what terminals send.
func TestTornIsLost(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		lost  int
		reads []give
	}{
		{1, []give{{0, "\x1b["}, {200 * ms, "q"}}},
		{0, []give{{0, "\x1b["}, {200 * ms, "é"}}},
		{1, []give{{0, "\x1b["}, {1200 * ms, "A"}}},
		{2, []give{{0, "\x1b]"}, {90 * ms, "m"}, {90 * ms, "a"}, {90 * ms, "k"}}},
		{1, []give{{0, "\x1bO"}, {90 * ms, "p"}}},
		{0, []give{{0, "\x1b["}, {200 * ms, "A"}}},
		{0, []give{{0, "\x1b"}, {200 * ms, "["}, {200 * ms, "A"}}},
		{0, []give{{0, "\x1b]"}, {200 * ms, "11;rgb:1e/1e/1e\a"}}},
		{0, []give{{0, "\x1b]11;rgb"}, {200 * ms, ":"}, {200 * ms, "1e/1e/1e\a"}}},
		{0, []give{{0, "\x1b[<35;20"}, {1200 * ms, ";5M"}}},
		{0, []give{{0, "\x1b[?61;4"}, {200 * ms, ";6c"}}},
	} {
		var s scanner
		if run(&s, c.reads...); s.lost != c.lost {
			t.Errorf("%q: lost %d bytes, want %d", fmt.Sprint(c.reads), s.lost, c.lost)
		}
	}
}
