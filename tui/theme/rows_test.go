package theme

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"askbox/client/text"
)

func TestAges(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "just now", 59 * time.Second: "just now", time.Minute: "1 minute", 119 * time.Second: "1 minute",
		time.Hour: "1 hour", 47 * time.Hour: "47 hours", 48 * time.Hour: "2 days",
	} {
		if got := Age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if Remaining(119*time.Second) != "119 seconds" || Remaining(time.Millisecond) != "1 second" || Remaining(9*time.Minute) != "9 minutes" {
		t.Error("what is left is said in the wrong unit")
	}
}

// Wrapped words lose nothing and no line is too wide.
func TestWordsKeepTheirWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringMatching(`([a-z]{1,20} ){0,12}[a-z]{1,20}`).Draw(t, "words")
		width := rapid.IntRange(1, 40).Draw(t, "width")
		for _, l := range Words(Dark(), Warn, words, width) {
			if text.Width(l) != width {
				t.Fatalf("%q is not %d wide", l, width)
			}
		}
		letters := 0
		for _, l := range Wrap(words, width) {
			for _, r := range l {
				if r != ' ' {
					letters++
				}
			}
		}
		for _, r := range words {
			if r != ' ' {
				letters--
			}
		}
		if letters != 0 {
			t.Fatalf("%d letters differ", letters)
		}
	})
}
