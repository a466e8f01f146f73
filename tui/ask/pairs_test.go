package ask

import (
	"testing"

	"pgregory.net/rapid"
)

// What stands beside an action begins in one column and never makes a line too
// wide, whatever the words and the width.
func TestPairsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,30}`)
		width := rapid.IntRange(10, 120).Draw(t, "width")
		var rows []pair
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			p := pair{plain: action{key: "a", words: word.Draw(t, "plain")}}
			if rapid.Bool().Draw(t, "both") {
				p.with = action{key: "m", words: word.Draw(t, "with")}
			}
			p.wide = p.plain.width()
			rows = append(rows, p)
		}
		first := align(rows, width)
		for _, p := range rows {
			switch {
			case p.together && p.with.key == "":
				t.Fatalf("%v stands beside nothing", p.plain)
			case p.together && (p.wide > first || first+3+p.with.width() > width):
				t.Fatalf("%q and %q do not fit into %d with a column at %d", p.plain.words, p.with.words, width, first)
			}
		}
	})
}
