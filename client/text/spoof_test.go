package text_test

import (
	"fmt"
	"strings"
	"testing"

	"askbox/client/text"
)

func times(s string, n int) string { return strings.Repeat(s, n) }

// TestHiddenCharactersAreMarks is group B: what draws nothing, a blank, or in another
// place, is a mark with its name in the text and in a warning.
func TestHiddenCharactersAreMarks(t *testing.T) {
	for _, c := range []struct {
		name, raw, want string
		warns           string // a part of a warning; "" for none at all
	}{
		{"overrides", "cat notes\u202etxt.hs\u202c; rm", "cat notes⟨U+202E⟩txt.hs⟨U+202C⟩; rm", "U+202E RIGHT-TO-LEFT OVERRIDE"},
		{"embeddings", "\u202aa\u202bb\u202dc", "⟨U+202A⟩a⟨U+202B⟩b⟨U+202D⟩c", "3 hidden characters"},
		{"isolates", "src/\u2067main\u2069\u200e\u200f\u061c.go", "src/⟨U+2067⟩main⟨U+2069⟩⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩.go", "5 hidden characters"},
		{"zero width", "/tmp/\u200bimportant\u2060\ufeff\u00ad", "/tmp/⟨U+200B⟩important⟨U+2060⟩⟨U+FEFF⟩⟨U+00AD⟩", "4 invisible characters"},
		{"invisible operators", "a\u2061b\u2064c", "a⟨U+2061⟩b⟨U+2064⟩c", "U+2061 FUNCTION APPLICATION"},
		{"grapheme joiner", "a\u034fb", "a⟨U+034F⟩b", "U+034F"},
		{"annotation", "a\ufff9b\ufffbc", "a⟨U+FFF9⟩b⟨U+FFFB⟩c", "2 invisible"},
		{"tags", "ls\U000e003b\U000e0072\U000e006d", "ls⟨3 tags: ;rm⟩", "3 tag characters"},
		{"tags with a blank and an end", "\U000e0001\U000e0020\U000e007f", `⟨3 tags: \x01␠\x7f⟩`, "3 tag"},
		{"variation selectors", "a\ufe01\U000e0101", "a⟨U+FE01⟩⟨U+E0101⟩", "2 invisible"},
		{"Hangul fillers", "ls" + times("\u3164", 200) + "; rm\uffa0\u115f\u1160", "ls⟨U+3164 ×200⟩; rm⟨U+FFA0⟩⟨U+115F⟩⟨U+1160⟩", "U+3164 HANGUL FILLER ×200"},
		{"Braille blank", "a\u2800b", "a⟨U+2800⟩b", "U+2800 BRAILLE PATTERN BLANK"},
		{"null notehead", "a\U0001d159b", "a⟨U+1D159⟩b", "1 blank"},
		{"spaces", "rm -rf\u00a0/tmp/x\u3000/\u2003--\u202f.", "rm -rf⟨NBSP⟩/tmp/x⟨U+3000⟩/⟨U+2003⟩--⟨U+202F⟩.", "4 blanks"},
		{"Ogham space", "a\u1680b", "a⟨U+1680⟩b", "U+1680 OGHAM SPACE MARK"},
		{"line separators", "ls # ok\u2028rm\u2029\u0085\v\fid", "ls # ok⟨U+2028⟩rm⟨U+2029⟩⟨U+0085⟩⟨VT⟩⟨FF⟩id", "U+2028 LINE SEPARATOR"},
		{"long spaces", "ls" + times(" ", 500) + "; rm" + times("\t", 200) + "; id", "ls⟨500 spaces⟩; rm⟨200 tabs⟩; id", "700 blanks in long runs"},
		{"no-break run", "ls" + times("\u00a0", 300) + "; id", "ls⟨NBSP ×300⟩; id", "300 blanks"},
		{"zero-width run", "ls" + times("\u200d", 300) + "; id", "ls⟨U+200D ×300⟩; id", "300 invisible"},
		{"enclosing", "a\u20ddb", "a⟨U+20DD⟩b", "combining mark"},
		{"private use", "\ue0a0\U000f0001", "⟨U+E0A0⟩⟨U+F0001⟩", "2 private"},
		{"unassigned", "a\u0378\uffffb", "a⟨U+0378⟩⟨U+FFFF⟩b", "2 characters"},
		{"replacement", "ls \ufffd x", "ls ⟨U+FFFD⟩ x", "altered in decoding"},
		{"bytes", "a\xff\xc0\x80b", `a⟨\xff⟩⟨\xc0⟩⟨\x80⟩b`, "3 bytes are not UTF-8"},
		{"encoded surrogate", "a\xed\xa0\x80b", `a⟨\xed⟩⟨\xa0⟩⟨\x80⟩b`, "3 bytes"},
		{"cut rune", "a\xe2\x82", `a⟨\xe2⟩⟨\x82⟩`, "2 bytes"},
		{"combining run", "a" + times("\u0301", 100000) + "b", "a\u0301\u0301\u0301⟨U+0301 ×99997⟩b", "99997 combining marks"},
		{"combining with no base", "\u0301a \u0300b", "⟨U+0301⟩a ⟨U+0300⟩b", "2 combining"},
		{"canonical copies", "a\u037eb\u1fefc", "a⟨U+037E \u037e⟩b⟨U+1FEF \u1fef⟩c", "2 characters that look exactly like"},
		{"ends in a space", "ls ", "ls⟨1 space⟩", ""},
		{"only spaces", "   ", "⟨3 spaces⟩", ""},
		{"blank label", "\u3164", "⟨U+3164⟩", "1 blank"},
		{"tab", "a\tb", "a⟨TAB⟩b", ""},
		{"emoji", "🏳️‍🌈 ⚠️ 1️⃣ 👍🏽 🇺🇸 😀", "🏳⟨U+FE0F⟩⟨U+200D⟩🌈 ⚠⟨U+FE0F⟩ 1⟨U+FE0F⟩⟨U+20E3⟩ 👍⟨U+1F3FD⟩ ⟨U+1F1FA⟩⟨U+1F1F8⟩ 😀", ""},
		{"bytes in selectors", "😀\U000e0161\U000e0162", "😀⟨U+E0161⟩⟨U+E0162⟩", "2 invisible"},
	} {
		t.Run(c.name, func(t *testing.T) {
			txt := text.New(c.raw)
			if got := txt.String(); got != c.want {
				t.Errorf("drawn as %s\n    want %s", got, c.want)
			}
			warnings := strings.Join(txt.Warnings(text.Words), "\n")
			if !strings.Contains(warnings, c.warns) || (c.warns == "") != (warnings == "") {
				t.Errorf("warned of %q, want %q", warnings, c.warns)
			}
			for _, drawn := range drawnAll(txt) {
				if bad := unsafe(drawn); bad != "" {
					t.Errorf("%s in %q", bad, drawn)
				}
			}
		})
	}
}

// TestNothingPushesTheTailAway holds for every kind of run that draws as blank, alone
// or mixed: what comes after it stands on the first screen.
func TestNothingPushesTheTailAway(t *testing.T) {
	for name, fill := range map[string]string{
		"spaces":          times(" ", 5000),
		"tabs":            times("\t", 2000),
		"fillers":         times("\u3164", 2000),
		"braille":         times("\u2800", 2000),
		"line feeds":      times("\n", 2000),
		"CRLF":            times("\r\n", 2000),
		"spaced lines":    times("  \n", 2000),
		"odd lines":       times("\n \n\t\n\u00a0\n", 500),
		"space, NBSP":     times(" \u00a0", 2000),
		"space, tab":      times(" \t", 2000),
		"space, ZWSP":     times("    \u200b", 2000),
		"tab, LF":         times("\t\n", 2000),
		"combining":       times("\u0301", 2000),
		"ideographic":     times("\u3000\u2003", 2000),
		"separators":      times("\u2028\u2029", 2000),
		"vertical tabs":   times("\v\f", 2000),
		"escapes":         times("\x1b\x00", 2000),
		"bytes":           times("\xff", 2000),
		"tag of one kind": times("\U000e0041", 2000),
		"many kinds":      times(" \t\u00a0\u2003\u3164\u200b", 400),
	} {
		raw := "ls -la" + fill + "; rm -rf ~"
		for _, mode := range []text.Mode{text.Exact, text.Words} {
			rows := text.New(raw).Rows(80, mode)
			if len(rows) > 12 {
				t.Errorf("%s: %d rows, the first %v", name, len(rows), rows[:3])
				continue
			}
			var all []string
			for _, r := range rows {
				all = append(all, r.String())
			}
			if screen := strings.Join(all, ""); !strings.Contains(screen, "; rm -rf ~") {
				t.Errorf("%s: the tail is not in %v", name, all)
			}
		}
		if line := text.New(raw).String(); len(line) > 400 || !strings.Contains(line, "; rm -rf ~") {
			t.Errorf("%s: on one line %d bytes: %.200s", name, len(line), line)
		}
		if len(text.New(raw).Warnings(text.Words)) == 0 {
			t.Errorf("%s: no warning", name)
		}
	}
}

// TestBlankLinesAreCounted tells folded lines of different content apart.
func TestBlankLinesAreCounted(t *testing.T) {
	seen := map[string]string{}
	for _, raw := range []string{"a\n\n\n\n\n\n\nb", "a\n\n\n\n\n\n\n\nb", "a\n \n\n\n\n\n\nb", "a\n\n \n\n\n\n\nb", "a\n\t\n\n\n\n\n\nb"} {
		rows := text.New(raw).Rows(60, text.Exact)
		if len(rows) != 3 || !rows[1].Pieces[0].Mark || !strings.Contains(rows[1].String(), "blank lines") {
			t.Errorf("%q is drawn as %v", raw, rows)
			continue
		}
		if other, ok := seen[rows[1].String()]; ok {
			t.Errorf("%q and %q are both %s", raw, other, rows[1])
		}
		seen[rows[1].String()] = raw
	}
	if got := fmt.Sprint(text.New("a\n\n\n\nb").Rows(20, text.Exact)); strings.Contains(got, "blank") {
		t.Errorf("three blank lines are folded: %s", got)
	}
}
