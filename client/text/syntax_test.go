package text_test

import (
	"fmt"
	"strings"
	"testing"

	"askbox/client/text"
)

// whole is a text in a mode on one row.
func whole(raw string, mode text.Mode) string {
	var b strings.Builder
	for _, row := range text.New(raw).Rows(1_000_000, mode) {
		b.WriteString(row.String())
	}
	return b.String()
}

// TestPunctuationThatIsNone is H22: in a command each character that passes for ASCII
// punctuation has its code point beside it and is counted; in prose it is what it is.
func TestPunctuationThatIsNone(t *testing.T) {
	for class, list := range map[string]string{
		"quotes":      "‘’‚‛“”„‟′″‵‹›«»ʹʺʻʼʽ´ʿˈˊˋ՚׳״＂＇｀",
		"pipes":       "ǀǁ¦‖∣∥│┃║❘｜￨।॥",
		"slashes":     "⁄∕╱⟋⧸／∖⟍⧵╲﹨＼",
		"hyphens":     "‐‑‒–—―−⁃˗➖﹘─━－﹣_ߺ＿",
		"dots":        "․‥…‧．。܁٠ꓸ｡",
		"separators":  "؛；﹔，‚،：﹕꞉∶ː։",
		"marks":       "！ǃ？ʔ⁇‼",
		"brackets":    "（）❨❩〔〕｛｝❴❵［］﹙﹚﹛﹜",
		"redirection": "＜＞﹤﹥❮❯˂˃ᐸᐳ",
		"the rest":    "＊⁎∗＆﹠＄﹩＃♯＠％٪＋﹢＝﹦～∼˜＾ˆ",
	} {
		for _, r := range list {
			if r < 0x80 {
				continue
			}
			raw := "echo " + string(r) + " x"
			code := fmt.Sprintf("U+%04X", r)
			for _, mode := range []text.Mode{text.Exact, text.Line} {
				if got := whole(raw, mode); !strings.Contains(got, code) {
					t.Errorf("%s: %s is drawn as %s", class, code, got)
				}
				if got := strings.Join(text.New(raw).Warnings(mode), " "); !strings.Contains(got, code) {
					t.Errorf("%s: %s: warned of %q", class, code, got)
				}
			}
			if got := text.New(raw).FitAs(text.Exact, 80); !strings.Contains(got, code) {
				t.Errorf("%s: a row shows %s", class, got)
			}
			if got := whole(raw, text.Words); strings.Contains(got, code) && class == "quotes" && r < 0x2100 && r > 0x2000 {
				t.Errorf("%s: prose has %s", class, got)
			}
		}
	}
}

// TestCommandsOfH22 draws whole commands, with the finding that matters most first.
func TestCommandsOfH22(t *testing.T) {
	for raw, want := range map[string][2]string{
		"echo ’; rm -rf ~ #’":      {"echo ⟨U+2019 ’⟩; rm -rf ~ #⟨U+2019 ’⟩", "2 characters look like quotes or pipes and are none: U+2019 RIGHT SINGLE QUOTATION MARK."},
		"cat x ｜ sh":               {"cat x ⟨U+FF5C ｜⟩ sh", "1 character looks like a quote or a pipe and is none: U+FF5C"},
		"cat x ││ sh":              {"cat x ⟨U+2502 │⟩⟨U+2502 │⟩ sh", "2 characters look like quotes"},
		"rm -rf .∕build":           {"rm -rf .⟨U+2215 ∕⟩build", "1 character looks like ASCII punctuation and is none: U+2215 DIVISION SLASH."},
		"git clean ‐n -fdx":        {"git clean ⟨U+2010 ‐⟩n -fdx", "U+2010 HYPHEN"},
		"kill Ι":                   {"kill ⟨U+0399 Ι⟩", "U+0399 GREEK CAPITAL LETTER IOTA"},
		"Ι":                        {"⟨U+0399 Ι⟩", "U+0399 GREEK CAPITAL LETTER IOTA"},
		"ӏѕ":                       {"⟨U+04CF ӏ⟩⟨U+0455 ѕ⟩", "U+04CF CYRILLIC SMALL LETTER PALOCHKA"},
		"сор -1 /":                 {"⟨U+0441 с⟩⟨U+043E о⟩⟨U+0440 р⟩ -1 /", "U+0441 CYRILLIC SMALL LETTER ES"},
		"\uff4c\uff53":             {"⟨U+FF4C ｌ⟩⟨U+FF53 ｓ⟩", "U+FF4C"},
		"привет":                   {"привет", ""},
		"rm -\uff52 x":             {"rm -⟨U+FF52 ｒ⟩ x", "U+FF52"},
		"a ———————— b":             {"a ⟨U+2014 — ×8⟩ b", "8 characters look like ASCII punctuation"},
		"echo ─── step ───":        {"echo ─── step ───", ""},
		"git commit -m '完成，谢谢。'":   {"git commit -m '完成，谢谢。'", ""},
		"echo “hi”":                {"echo ⟨U+201C “⟩hi⟨U+201D ”⟩", "2 characters look like quotes"},
		"git commit -m 'à l’été'":  {"git commit -m 'à l⟨U+2019 ’⟩été'", "1 character looks like a quote"},
		"echo 'Привет' && naïve é": {"echo 'Привет' && naïve é", ""},
	} {
		if got := whole(raw, text.Exact); got != want[0] {
			t.Errorf("%q is drawn as\n%s, want\n%s", raw, got, want[0])
		}
		got := text.New(raw).Warnings(text.Exact)
		if len(got) > 1 || (len(got) == 0) != (want[1] == "") || !strings.Contains(strings.Join(got, ""), want[1]) {
			t.Errorf("%q: warned of %q", raw, got)
		}
	}
}

// TestPrintedPunctuationStays in prose, in names, and in files that hold prose.
func TestPrintedPunctuationStays(t *testing.T) {
	for _, raw := range []string{"It’s “done” – or isn’t it… “oui” — ‘ja’", "3 − 2 ± 1", "a ″ b", "‹a› «b»"} {
		for _, mode := range []text.Mode{text.Words, text.Source} {
			if got := text.New(raw).Warnings(mode); got != nil {
				t.Errorf("%q in mode %d: %q", raw, mode, got)
			}
		}
		if got := whole(raw, text.Words); got != raw {
			t.Errorf("prose: %s", got)
		}
		if got := whole(raw+" שלום ！", text.Typed); got != raw+" שלום ！" {
			t.Errorf("what is typed: %s", got)
		}
		if got := text.New(raw).Fit(80); got != raw {
			t.Errorf("a name: %s", got)
		}
	}
	if got := whole("if a ∣∣ b ； c", text.Source); got != "if a ⟨U+2223 ∣⟩⟨U+2223 ∣⟩ b ⟨U+FF1B ；⟩ c" {
		t.Errorf("a file: %s", got)
	}
}

// TestRightToLeft is H23: the order of the bytes stands on the screen, and nothing
// outside of a mark can be turned around, because its last strong letter runs from left
// to right.
func TestRightToLeft(t *testing.T) {
	for raw, want := range map[string]string{
		"rm -rf אב / גד":  "rm -rf ⟨אב U+05D0 U+05D1⟩ / ⟨גד U+05D2 U+05D3⟩",
		"rm 1א2":          "rm 1⟨א U+05D0⟩2",
		"echo مرحبا":      "echo ⟨مرحبا U+0645 U+0631 U+062D U+0628 U+0627⟩",
		"echo ١٢":         "echo ⟨١٢ U+0661 U+0662⟩",
		"x שָׁ y":         "x ⟨שָׁ U+05E9 U+05B8 U+05C1⟩ y",
		"אבגדהוזחטי":      "⟨אבגדהוזח U+05D0 U+05D1 U+05D2 U+05D3 U+05D4 U+05D5 U+05D6 U+05D7⟩⟨טי U+05D8 U+05D9⟩",
		"می\u200cخواهم x": "⟨می U+0645 U+06CC⟩⟨U+200C⟩⟨خواهم U+062E U+0648 U+0627 U+0647 U+0645⟩ x",
	} {
		if got := whole(raw, text.Exact); got != want {
			t.Errorf("%q is drawn as\n%s, want\n%s", raw, got, want)
		}
		for _, mode := range []text.Mode{text.Exact, text.Source} {
			if got := strings.Join(text.New(raw).Warnings(mode), " "); !strings.Contains(got, "from right to left") {
				t.Errorf("%q: warned of %q", raw, got)
			}
		}
		if got := whole(raw, text.Words); got != raw || text.New(raw).Warnings(text.Words) != nil {
			t.Errorf("prose: %s %q", got, text.New(raw).Warnings(text.Words))
		}
	}
}

// TestEmojiInProse is G28: a selector, a skin tone, a joiner, the frame of a key is drawn
// where Unicode has it, and is a mark anywhere else, and in commands.
func TestEmojiInProse(t *testing.T) {
	for _, raw := range []string{"⚠️ ✔️ 👍🏽 👩\u200d💻", "👩🏽\u200d💻 🏳️\u200d🌈 ❤️\u200d🔥 👨\u200d👩\u200d👧\u200d👦 1️⃣ 🇺🇸 ☎︎", "می\u200cخواهم", "क्\u200dष", "👋🏿!"} {
		if got := whole(raw, text.Words); got != raw {
			t.Errorf("%s is drawn as %s", raw, got)
		}
		if got := text.New(raw).FitAs(text.Words, 80); got != raw {
			t.Errorf("a row has %s", got)
		}
		for name, got := range map[string]string{"command": whole(raw, text.Exact), "name": text.New(raw).Fit(90), "file": whole(raw, text.Source)} {
			if !strings.Contains(got, "⟨U+") {
				t.Errorf("in a %s %s is drawn as %s", name, raw, got)
			}
		}
	}
	for raw, want := range map[string]string{
		"a\ufe0fb":                         "a⟨U+FE0F⟩b",
		"漢\ufe0f":                          "漢⟨U+FE0F⟩",
		"a\U0001f3fd":                      "a⟨U+1F3FD⟩",
		"⚠\U0001f3fd":                      "⚠⟨U+1F3FD⟩",
		"😀\u200d a":                        "😀⟨U+200D⟩ a",
		"a\u200db":                         "a⟨U+200D⟩b",
		"a\u200cb":                         "a⟨U+200C⟩b",
		"\u200c\u0645":                     "⟨U+200C⟩\u0645",
		"⚠\ufe0f\ufe0f":                    "⚠\ufe0f⟨U+FE0F⟩",
		"1\ufe0fa":                         "1⟨U+FE0F⟩a",
		"🇺 🇺🇸":                             "⟨U+1F1FA⟩ 🇺🇸",
		strings.Repeat("👩\u200d", 6) + "x": strings.Repeat("👩\u200d", 3) + "👩⟨U+200D⟩" + "👩\u200d👩⟨U+200D⟩x",
	} {
		if got := whole(raw, text.Words); got != want {
			t.Errorf("%q is drawn as %q, want %q", raw, got, want)
		}
	}
}

// TestWidestCounts holds for emoji that terminals draw in one piece or in several.
func TestWidestCounts(t *testing.T) {
	for s, want := range map[string]int{"⚠️": 2, "👍🏽": 4, "👩\u200d💻": 4, "1️⃣": 2, "🇺🇸": 4, "👨\u200d👩\u200d👧\u200d👦": 8, "e\u0301": 1, "漢": 2, "\x1b[31ma\x1b[0m": 1} {
		if got := text.Width(s); got != want {
			t.Errorf("%s takes %d cells, want %d", s, got, want)
		}
	}
}
