package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client/text"
)

// J and K scroll the ask by a line from wherever the cursor is, and move no cursor.
func TestLinesOfTheAsk(t *testing.T) {
	long := question("work", "1", "Which one?", time.Minute)
	long.Ask.Questions[0].Text = text.New("begin\n" + strings.Repeat("line\n", 60) + "end")
	long.Ask.Raw = []byte("{\"text\":[\n" + strings.Repeat("1,\n", 60) + "1]}")
	for _, c := range []struct {
		name  string
		width int
		to    []string // the keys that lead there
		shows bool     // whether the ask can be seen
	}{
		{"beside the list", 120, nil, true},
		{"in the answer", 120, []string{"enter"}, true},
		{"in one column", 80, []string{"enter"}, true},
		{"under v", 120, []string{"v"}, true},
		{"on the list alone", 80, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				w := newWorld(t, c.width, 24, group("work", 1, long, approval("work", "2", "ls", time.Hour)))
				w.key(c.to...)
				first := func() int { return w.m.ask.OnScreen().First }
				from := first()
				w.key("J", "J")
				if c.shows && first() != from+2 || !c.shows && first() != from {
					t.Fatalf("two J go from row %d to %d:\n%s", from, first(), w.frame())
				}
				w.key("K")
				w.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("KJ")})
				w.pass(time.Second)
				if c.shows && first() != from+1 {
					t.Fatalf("K, K and J go to row %d, want %d", first(), from+1)
				}
				if w.under() != "1" {
					t.Fatal("the cursor moved")
				}
				w.sentNothing()
			})
		})
	}
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 24, group("work", 1, long))
		w.key("t", "J", "K")
		w.shows("JK")
	})
}
