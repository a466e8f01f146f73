package theme

import (
	"testing"

	"pgregory.net/rapid"

	"askbox/client/text"
)

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
