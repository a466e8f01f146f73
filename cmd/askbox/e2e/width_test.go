package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestNothingIsCutWhereSomeCharactersAreWide is G02: a terminal for which lines and dots
// take two cells shows every number of a command, and every word of the program.
func TestNothingIsCutWhereSomeCharactersAreWide(t *testing.T) {
	t.Parallel()
	var command strings.Builder
	for i := range 60 {
		fmt.Fprintf(&command, "%03d,", i)
	}
	for _, env := range []string{"RUNEWIDTH_EASTASIAN=1", "RUNEWIDTH_EASTASIAN=true", "LC_ALL=ja_JP.UTF-8", "LC_ALL=C"} {
		t.Run(env, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "work")
			w.env = append(w.env, env)
			w.relays["work"].Bash(w.session("work", "Count"), "echo "+command.String(), "")
			s := w.open("120x30").see("read to the end ✓", "session waits")
			var shown strings.Builder
			for _, row := range s.Rows() {
				if i := strings.LastIndexAny(row, "│┆|:"); i >= 0 {
					shown.WriteString(strings.TrimSpace(strings.TrimLeft(row[i:], "│┆|: ")))
				}
			}
			if !strings.Contains(shown.String(), command.String()) {
				t.Errorf("a number is missing:\n%s", s.Screen())
			}
			s.press("q").quits(0)
		})
	}
}
