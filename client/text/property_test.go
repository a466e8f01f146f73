package text_test

import (
	"strings"
	"testing"

	"askbox/client/text"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// alphabet holds one or more of every kind of character that is treated in its own
// way, and the characters of the marks themselves.
var alphabet = []string{"a", "Z", "0", ".", "\\", "x", " ", "\t", "\n", "\r", "\x1b", "\x00", "\x7f", "\u0085",
	"\u009b", "\u00a0", "\u3000", "\u200b", "\u200d", "\ufe0f", "\u202e", "\u2028", "\u3164", "\u2800", "\ufffd",
	"\xff", "\xe2", "\x82", "\u0301", "\u0903", "\u20dd", "漢", "ａ", "\uff71", "\ufdfd", "у", "π", "é", "क", "\u094d",
	"\u1112", "\u1161", "\u11ab", "가", "\u05d0", "😀", "\U0001f1fa", "\U0001f3fd", "\U000e0041", "\U000e0020", "\ue000",
	"\u0378", "⟨", "⟩", "⇥", "×", "…", "<", "U+", "’", "│", "｜", "…", "\u200c", "م", "\ufe0e", "❤", "1", "\u20e3", "👩", "\u037e", "\U0001d42b", "://", "@"}

// hostile draws texts with runs of every length around the limits.
func hostile() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 25).Draw(t, "runs") {
			n := rapid.SampledFrom([]int{1, 1, 1, 1, 2, 3, 4, 5, 8, 9, 24, 25, 40}).Draw(t, "length")
			b.WriteString(strings.Repeat(rapid.SampledFrom(alphabet).Draw(t, "what"), n))
		}
		return b.String()
	})
}

func widths() *rapid.Generator[int] {
	return rapid.OneOf(rapid.IntRange(1, 12), rapid.IntRange(13, 200))
}

func modes() *rapid.Generator[text.Mode] {
	return rapid.SampledFrom([]text.Mode{text.Exact, text.Words, text.Source})
}

// cells counts as both kinds of terminal do, and returns the larger number.
func cells(s string) int { return max(ansi.StringWidth(s), ansi.StringWidthWc(s)) }

func TestEveryDrawingIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := hostile().Draw(t, "raw")
		for _, drawn := range drawnAll(text.New(raw)) {
			if bad := unsafe(drawn); bad != "" {
				t.Fatalf("%s in %q", bad, drawn)
			}
		}
	})
}

// screen spells rows out, with the joints that a row's gutter shows.
func screen(rows []text.Row) string {
	var b strings.Builder
	for _, r := range rows {
		if r.Continued {
			b.WriteString("↪")
		}
		b.WriteString(r.String() + "\n")
	}
	return b.String()
}

// TestNoTwoTextsLookTheSame tries every short text of a small alphabet: this is what a
// reader relies on who compares what stands there with what he knows.
func TestNoTwoTextsLookTheSame(t *testing.T) {
	letters := []string{"a", " ", "\t", "\n", "\u200b", "\u0301", "у", "⟨", "⇥", "\xff", "\U000e0041", "\ufffd"}
	draws := map[string]func(text.Text) string{
		"String":  text.Text.String,
		"Quote":   func(t text.Text) string { return text.Quote(t).String() },
		"Rows 3":  func(t text.Text) string { return screen(t.Rows(3, text.Exact)) },
		"Rows 40": func(t text.Text) string { return screen(t.Rows(40, text.Exact)) },
		"Words 5": func(t text.Text) string { return screen(t.Rows(5, text.Words)) },
		"Fit 500": func(t text.Text) string { return t.Fit(500) },
	}
	for name, draw := range draws {
		seen := map[string]string{}
		var try func(raw string, left int)
		try = func(raw string, left int) {
			drawn := draw(text.New(raw))
			if other, ok := seen[drawn]; ok {
				t.Errorf("%s: %q and %q are both %q", name, other, raw, drawn)
			}
			seen[drawn] = raw
			if left == 0 || t.Failed() {
				return
			}
			for _, l := range letters {
				try(raw+l, left-1)
			}
		}
		try("", 4)
	}
}

// TestNeighboursLookDifferent changes one thing in a longer hostile text.
func TestNeighboursLookDifferent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := hostile().Draw(t, "before"), hostile().Draw(t, "after")
		x, y := hostile().Draw(t, "x"), hostile().Draw(t, "y")
		if x == y {
			return
		}
		a, b := text.New(before+x+after), text.New(before+y+after)
		if a.Equal(b) {
			return
		}
		width, mode := widths().Draw(t, "width"), modes().Draw(t, "mode")
		if a.String() == b.String() {
			t.Fatalf("%q and %q are both %q", a.Raw(), b.Raw(), a)
		}
		if s := screen(a.Rows(width, mode)); s == screen(b.Rows(width, mode)) {
			t.Fatalf("at %d %q and %q are both\n%s", width, a.Raw(), b.Raw(), s)
		}
	})
}

// TestRowsAreNeverTooWide holds on terminals that count by character as well.
func TestRowsAreNeverTooWide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		txt := text.New(hostile().Draw(t, "raw"))
		width, mode := widths().Draw(t, "width"), modes().Draw(t, "mode")
		for i, row := range txt.Rows(width, mode) {
			if cells(row.String()) > width || row.Width() > width {
				t.Fatalf("row %d takes %d of %d cells: %q", i, cells(row.String()), width, row)
			}
			if i == 0 && row.Continued {
				t.Fatal("the first row goes on nothing")
			}
		}
	})
}

// TestRowsHoldTheWholeText compares a narrow layout with one that never wraps.
func TestRowsHoldTheWholeText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		txt := text.New(hostile().Draw(t, "raw"))
		// Ten cells hold every glyph: four pictures, each with a tone, are less likely than that.
		width, mode := rapid.IntRange(10, 100).Draw(t, "width"), modes().Draw(t, "mode")
		narrow, wide := logical(txt.Rows(width, mode)), logical(txt.Rows(1_000_000, mode))
		if narrow != wide {
			t.Fatalf("at %d:\n%s\nwhole:\n%s", width, narrow, wide)
		}
		if txt.Empty() {
			return
		}
		if lines := strings.Count(txt.Raw(), "\n") + 1; !strings.Contains(wide, "blankline") && strings.Count(wide, "\n") != lines {
			t.Fatalf("%d lines in %q", lines, wide)
		}
	})
}

// logical joins rows to logical lines. The cells that fill up a tab depend on where
// it stands and are left out, and so are wide letters that repeat a mark's code point.
func logical(rows []text.Row) string {
	var b strings.Builder
	for i, r := range rows {
		if i > 0 && !r.Continued {
			b.WriteByte('\n')
		}
		for _, p := range r.Pieces {
			if p.Mark {
				p.S = strings.TrimRight(strings.ReplaceAll(p.S, "⇥   ", "⇥"), " ")
				p.S = strings.ReplaceAll(p.S, " ", "")
			}
			b.WriteString(p.S)
		}
	}
	if len(rows) > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// TestSegmentsChangeNothingButTheClass cuts a text anywhere, inside runs and between a
// letter and what combines with it.
func TestSegmentsChangeNothingButTheClass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := hostile().Draw(t, "raw")
		width, mode := widths().Draw(t, "width"), modes().Draw(t, "mode")
		var segments []text.Segment
		for rest, class := raw, 0; rest != ""; class++ {
			n := rapid.IntRange(0, len(rest)).Draw(t, "cut")
			if class > 6 {
				n = len(rest)
			}
			segments = append(segments, text.Segment{Raw: rest[:n], Class: class})
			rest = rest[n:]
		}
		rows := text.Rows(segments, width, mode)
		if whole := text.New(raw).Rows(width, mode); screen(rows) != screen(whole) {
			t.Fatalf("in segments:\n%s\nwhole:\n%s", screen(rows), screen(whole))
		}
		last := 0
		for _, row := range rows {
			for _, p := range row.Pieces {
				if p.Class < last {
					t.Fatalf("class %d after %d", p.Class, last)
				}
				last = p.Class
				if p.S == "" {
					t.Fatal("an empty piece")
				}
			}
		}
	})
}

func TestFitIsTheBeginningOrTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		txt, width := text.New(hostile().Draw(t, "raw")), rapid.IntRange(-1, 120).Draw(t, "width")
		fit, whole := txt.Fit(width), txt.String()
		switch {
		case width <= 0:
			if fit != "" {
				t.Fatalf("%q in %d cells", fit, width)
			}
		case cells(fit) > width:
			t.Fatalf("%q takes %d of %d cells", fit, cells(fit), width)
		case fit != whole && fit != ">" && !(strings.HasSuffix(fit, "…") && strings.HasPrefix(whole, strings.TrimSuffix(fit, "…"))):
			t.Fatalf("%q is no beginning of %q", fit, whole)
		case fit != whole && cells(whole)+8 < width:
			t.Fatalf("%q was cut although %q fits", fit, whole)
		}
	})
}

func TestCutAndPad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		safe := text.New(hostile().Draw(t, "raw")).String()
		styled := "\x1b[31m" + safe + "\x1b[0m"
		width := rapid.IntRange(-2, 90).Draw(t, "width")
		for _, s := range []string{safe, styled} {
			cut := text.Cut(s, width)
			if text.Width(cut) > max(0, width) {
				t.Fatalf("%q takes %d of %d", cut, text.Width(cut), width)
			}
			if width > 0 && text.Width(s) <= width && cut != s {
				t.Fatalf("%q was cut to %q", s, cut)
			}
			if text.Width(s) > width && width > 0 && !strings.ContainsAny(cut, "…>") {
				t.Fatalf("%q was cut to %q without a sign", s, cut)
			}
			if got := text.Width(text.Pad(s, width)); got != max(0, width) {
				t.Fatalf("padded to %d of %d", got, width)
			}
		}
		if width > 0 && !strings.HasSuffix(text.Cut(styled, width), "\x1b[0m") {
			t.Fatal("a style stays switched on behind the cut")
		}
	})
}

// FuzzSafe looks for any bytes at all that come through.
func FuzzSafe(f *testing.F) {
	for _, s := range alphabet {
		f.Add(s+"b"+s, uint8(9), false)
	}
	f.Add("ls \x1b]0; ; rm -rf ~\u009b2K", uint8(20), true)
	f.Add("c\u0443rl https://\u0430pple.example "+strings.Repeat(" ", 99), uint8(1), false)
	f.Fuzz(func(t *testing.T, raw string, width uint8, words bool) {
		txt, mode := text.New(raw), text.Exact
		if words {
			mode = text.Words
		}
		drawn := append(txt.Warnings(text.Words), txt.String(), txt.Fit(int(width)), text.Quote(txt).String())
		for _, row := range txt.Rows(int(width), mode) {
			if n := cells(row.String()); n > max(1, int(width)) {
				t.Errorf("%d cells at %d: %q", n, width, row)
			}
			drawn = append(drawn, drawnAs(mode, row.String()))
		}
		for _, d := range drawn {
			if bad := unsafe(d); bad != "" {
				t.Errorf("%s in %q from %q", bad, d, raw)
			}
		}
	})
}
