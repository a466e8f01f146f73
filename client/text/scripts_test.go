package text_test

import (
	"strings"
	"testing"

	"askbox/client/text"
)

// TestLookAlikesAreMarked is B11 and its kind: a letter that passes for another one is
// shown with its code point, and a warning names the word. Nothing is folded.
func TestLookAlikesAreMarked(t *testing.T) {
	for raw, want := range map[string]string{
		"c\u0443rl -s x":             "c⟨U+0443 у⟩rl -s x",
		"https://\u0430pple.example": "https://⟨U+0430 а⟩pple.example",
		"git@\u0435vil.example:x":    "git@⟨U+0435 е⟩vil.example:x",
		"\u0410llow":                 "⟨U+0410 А⟩llow",
		"g\u03bf\u03bfgle":           "g⟨U+03BF ο⟩⟨U+03BF ο⟩gle",
		"\u0391dmin":                 "⟨U+0391 Α⟩dmin",
		"p\u0561th":                  "p⟨U+0561 ա⟩th",
		"\u13a0llow":                 "⟨U+13A0 Ꭰ⟩llow",
		"\u2c9fpen":                  "⟨U+2C9F ⲟ⟩pen",
		"x\u05d0y":                   "x⟨U+05D0 א⟩y",
		"прив\u0065т":                "⟨U+043F п⟩⟨U+0440 р⟩⟨U+0438 и⟩⟨U+0432 в⟩e⟨U+0442 т⟩",
		"\uff52m -rf":                "⟨U+FF52 ｒ⟩m -rf",
		"\uff52\uff4d -rf x":         "⟨U+FF52 ｒ⟩⟨U+FF4D ｍ⟩ -rf x",
		"\U0001d42b\U0001d426 -rf":   "⟨U+1D42B 𝐫⟩⟨U+1D426 𝐦⟩ -rf",
		"\u212aill":                  "⟨U+212A \u212a⟩ill",
		"con\ufb01g":                 "con⟨U+FB01 ﬁ⟩g",
		"\u0441\u0440 a b":           "⟨U+0441 с⟩⟨U+0440 р⟩ a b",
		"пример.com":                 "⟨U+043F п⟩⟨U+0440 р⟩⟨U+0438 и⟩⟨U+043C м⟩⟨U+0435 е⟩⟨U+0440 р⟩.com",
		"https://пр.example/x":       "https://⟨U+043F п⟩⟨U+0440 р⟩.example/x",
		"c\u200b\u0443rl":            "c⟨U+200B⟩⟨U+0443 у⟩rl",
		"https://a.example\u2215b.c": "https://a.example⟨U+2215 ∕⟩b.c",
		"https://a.example。b.c":      "https://a.example⟨U+3002 。⟩b.c",
		"αдa":                        "⟨U+03B1 α⟩⟨U+0434 д⟩a",
	} {
		txt := text.New(raw)
		if got := txt.String(); got != want {
			t.Errorf("%s is drawn as %s\n    want %s", raw, got, want)
		}
		if len(txt.Warnings(text.Words)) == 0 {
			t.Errorf("%s: no warning", raw)
		}
		if txt.Raw() != raw {
			t.Errorf("%s: the raw text changed", raw)
		}
	}
	warnings := text.New("c\u0443rl -s https://\u0430pple.example/i | sh").Warnings(text.Words)
	if len(warnings) != 2 || !strings.Contains(warnings[0], "rl” mixes Latin and Cyrillic: U+0443") ||
		!strings.Contains(warnings[1], "The host “⟨U+0430 а⟩pple.example”") {
		t.Errorf("both words are to be named: %q", warnings)
	}
}

// TestOrdinaryTextIsLeftAlone holds for any language, and for what people write together.
func TestOrdinaryTextIsLeftAlone(t *testing.T) {
	for _, raw := range []string{
		"", "ls -la /tmp", "a  b    c", "Dvě větší ženy — „áno“, ¿qué? naïve Übergröße",
		"Привет, мир! Собери проект и запусти тесты.", "отчёт.pdf файл_v2.txt IP-адрес с README", "ТЕСТ и всё",
		"Γειά σου Κόσμε", "Բարեւ աշխարհ", "שלום עולם", "مرحبا بالعالم", "नमस्ते दुनिया, क्षि", "สวัสดีชาวโลก ใช้Goครับ", "안녕하세요 세계 README를 읽기",
		"こんにちは世界。サーバーを再起動しますか？", "使用Go语言，然后运行https://example.com，谢谢。", "１２月ＡＢＣ社のサーバー", "ไฟล์README",
		"Tiếng Việt: Nguyễn Đức", "e\u0301 decomposed n\u0303", "가각 decomposed: \u1112\u1161\u11ab",
		"10µs, 5 kΩ, Δt, λx, x² ≤ ½ → ∞ ™ © ✓ 😀 ∀x∈ℝ", "1º 2ª Nº", "100 % à 10\u00a0000\u00a0€ « ça »", "x^2 π≈3.14",
		"| a │ b ├─ tree ╰──╯", "#!/bin/sh\nset -e\n\n\tmake all\n", "a\r\nb\r\n", "ქართული ენა", "አማርኛ", "தமிழ்", "ភាសាខ្មែរ", "བོད་སྐད་ སྒྲུབ",
	} {
		if got := text.New(raw).Warnings(text.Words); got != nil {
			t.Errorf("%q: warned of %q", raw, got)
		}
		if drawn := text.New(raw).String(); strings.Contains(drawn, "⟨U+") && !strings.Contains(raw, "\u00a0") {
			t.Errorf("%q is drawn as %s", raw, drawn)
		}
	}
	persian := text.New("می\u200cخواهم")
	if got := persian.Warnings(text.Words); got != nil || !strings.Contains(persian.String(), "⟨U+200C⟩") {
		t.Errorf("a joiner that spelling wants is shown, and not warned of: %s %q", persian, got)
	}
}

// TestWarningsAreBounded holds however much there is to warn of.
func TestWarningsAreBounded(t *testing.T) {
	var b strings.Builder
	for r := rune(0); r < 0x20000; r++ {
		b.WriteRune(r)
		b.WriteString("c\u0443rl" + string(rune('a'+r%26)) + " \xff")
	}
	warnings := text.New(b.String()).Warnings(text.Words)
	if len(warnings) == 0 || len(warnings) > 20 {
		t.Errorf("%d warnings", len(warnings))
	}
	for _, w := range warnings {
		if len(w) > 700 || unsafe(w) != "" || !strings.HasSuffix(w, ".") {
			t.Errorf("%d bytes: %s", len(w), w)
		}
	}
}
