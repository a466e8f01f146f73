package theme

import (
	"strings"
	"testing"

	"askbox/client/text"
)

func TestColoursCanBeSet(t *testing.T) {
	inks, faults := Custom([]Setting{{"accent", "bold #5fd7d7"}, {"dim", "246"}, {"bar", "faint"}, {"key", "default"}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for role, want := range map[Role]string{Accent: "\x1b[1;38;5;80mx\x1b[0m", Dim: "\x1b[38;5;246mx\x1b[0m", Bar: "\x1b[2mx\x1b[0m", Key: "x"} {
		if got := Light().With(inks).Paint(role, "x"); got != want {
			t.Errorf("role %d is drawn %q, want %q", role, got, want)
		}
	}
	if got := PlainTheme().With(inks).Paint(Accent, "x"); got != "\x1b[1mx\x1b[0m" {
		t.Errorf("without colour: %q", got)
	}
	if got := Light().Paint(Bar, "x"); got == Light().With(inks).Paint(Bar, "x") {
		t.Error("the usual theme has changed")
	}
}

func TestColoursThatCannotBeSet(t *testing.T) {
	for _, c := range []Setting{{"mark", "80"}, {"nothing", "80"}, {"dim", "256"}, {"dim", "-1"}, {"dim", "#12345"}, {"dim", "#gggggg"}, {"dim", "red"}, {"dim", "1 2"}, {"dim", "007"}} {
		if _, faults := Custom([]Setting{c}); len(faults) != 1 || faults[0].Role != c.Role {
			t.Errorf("%v: %v", c, faults)
		}
	}
}

// Where only ASCII is drawn every sign takes the cells that it took.
func TestOnlyASCII(t *testing.T) {
	frame := "▌ work ─ 3 │ \x1b[1mread to the end ✓\x1b[0m · ⟨U+00E9⟩… ┆ 漢"
	got := Choose("ascii", nil, nil).Frame(frame)
	if strings.ContainsFunc(got, func(r rune) bool { return r >= 0x80 }) || text.Width(got) != text.Width(frame) {
		t.Errorf("%q is drawn %q", frame, got)
	}
	if Dark().Frame(frame) != frame {
		t.Error("it is drawn in another way where that is not asked for")
	}
	for env, want := range map[string]bool{"LC_ALL=C": true, "LC_ALL=POSIX": true, "LANG=de_DE.ISO-8859-1": true, "LANG=C.UTF-8": false, "LC_CTYPE=en_US.utf8": false, "LC_ALL=": false, "X=1": false} {
		if Choose("dark", []string{env}, nil).ASCII() != want {
			t.Errorf("with %s: %v", env, !want)
		}
	}
}
