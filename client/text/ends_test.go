package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEnds(t *testing.T) {
	for _, tc := range []struct {
		raw               string
		width, head, from int
		want              string
	}{
		{"0123456789", 10, 4, 0, "0123456789"},
		{"0123456789", 9, 4, 0, "0123…6789"},
		{"internal/orders/refund.go", 12, 0, 0, "…s/refund.go"},
		{"echo one; echo two; echo three", 14, 4, 9, "echo… echo tw…"},
		{"echo one; echo two", 14, 4, 12, "echo… echo two"},
		{"abc", 1, 1, 0, "…"},
		{"ab" + strings.Repeat("x", 40) + "\n漢", 12, 3, 0, "abx…xx⟨LF⟩漢"},
	} {
		got := New(tc.raw).From(Exact, tc.width, tc.head, tc.from)
		if tc.from == 0 {
			got = New(tc.raw).Ends(Exact, tc.width, tc.head)
		}
		if got != tc.want {
			t.Errorf("%q at %d, %d, %d: %q, want %q", tc.raw, tc.width, tc.head, tc.from, got, tc.want)
		}
	}
}

// Whatever the text, it takes no more cells than there are, and Chop loses nothing.
func TestEndsFit(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "bc ", " ", "漢", "é", "e\u0301", "\n", "\x1b", "⟨", "‘", "אב", "👍🏽", strings.Repeat(" ", 60), "\xff", "word word word "})
	rapid.Check(t, func(t *rapid.T) {
		raw := New(strings.Join(rapid.SliceOf(part).Draw(t, "raw"), ""))
		width, head, from := rapid.IntRange(1, 60).Draw(t, "width"), rapid.IntRange(0, 60).Draw(t, "head"), rapid.IntRange(0, 80).Draw(t, "from")
		for _, s := range []string{raw.Ends(Exact, width, head), raw.From(Words, width, min(head, width/4), from)} {
			if Width(s) > width {
				t.Fatalf("%q takes %d cells of %d", s, Width(s), width)
			}
		}
		s := raw.FitAs(Exact, 200)
		lines := Chop(s, width, false)
		if strings.Join(lines, "") != s {
			t.Fatalf("%q in lines is %q", s, lines)
		}
		for _, l := range lines {
			if Width(l) > width && len([]rune(l)) > 1 {
				t.Fatalf("%q takes %d cells of %d", l, Width(l), width)
			}
		}
	})
}
