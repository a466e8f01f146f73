package theme

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Only what somebody else wrote is marked, whatever styles stand in it, and nothing is lost.
func TestFind(t *testing.T) {
	for _, paint := range []*Theme{Dark(), PlainTheme()} {
		line := paint.Paint(Key, "make run") + " " + paint.Paint(Gutter, "│") + " MA" + paint.Paint(Mark, "K") + paint.Paint(Add, "e it, remake") + "  "
		got := paint.Find(line, "make")
		if ansi.Strip(got) != ansi.Strip(line) || strings.Count(got, "\x1b[24m") != 2 {
			t.Errorf("%q", got)
		}
		if i := strings.Index(got, "\x1b[4m"); i < strings.Index(got, "│") {
			t.Errorf("the program's words are marked: %q", got)
		}
		for _, words := range []string{"", "nothing", "make it, remake and more"} {
			if got := paint.Find(line, words); got != line {
				t.Errorf("%q: %q", words, got)
			}
		}
	}
	if line := "make run"; Dark().Find(line, "make") != line {
		t.Error("a line of the program's is marked")
	}
}
