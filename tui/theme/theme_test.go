package theme

import (
	"strings"
	"testing"

	"askbox/client/text"
)

func TestChoose(t *testing.T) {
	colour := []string{"TERM=xterm-256color"}
	light := func() bool { return false }
	for _, c := range []struct {
		setting string
		env     []string
		dark    func() bool
		want    string
	}{
		{"auto", colour, nil, "dark"}, {"auto", colour, light, "light"}, {"dark", colour, light, "dark"}, {"light", colour, nil, "light"},
		{"plain", colour, nil, "plain"}, {"dark", append(colour, "NO_COLOR=1"), nil, "plain"}, {"auto", append(colour, "CLICOLOR=0"), nil, "plain"},
		{"dark", append(colour, "NO_COLOR=1", "CLICOLOR_FORCE=1"), nil, "plain"}, {"dark", []string{"TERM=dumb"}, nil, "plain"}, {"dark", append(colour, "NO_COLOR="), nil, "dark"},
	} {
		if got := Choose(c.setting, c.env, c.dark).Name(); got != c.want {
			t.Errorf("%s in %v is %s, want %s", c.setting, c.env, got, c.want)
		}
	}
}

// The terminal is asked for its background only where that matters.
func TestChooseAsksOnlyForAuto(t *testing.T) {
	ask := func() bool { t.Error("the terminal was asked"); return true }
	Choose("dark", []string{"TERM=xterm-256color"}, ask)
	Choose("auto", []string{"TERM=dumb"}, ask)
	Choose("auto", []string{"TERM=xterm", "NO_COLOR=1"}, ask)
}

func TestSixteenColours(t *testing.T) {
	few := Choose("dark", []string{"TERM=xterm"}, nil)
	for r := Plain; r < roles; r++ {
		if s := few.Paint(r, "x"); strings.Contains(s, "38;5") {
			t.Errorf("role %d is painted with %q on a terminal of 16 colours", r, s)
		}
	}
}

func TestLineIsAlwaysExact(t *testing.T) {
	paint := Dark()
	for width := range 40 {
		s := NewLine(paint, width).Space(1).Add(Key, "漢字漢字").Room(Dim, "abc", 7).Repeat(Border, "─", 3).Add(Warn, "a longer sentence").String()
		if got := text.Width(s); got != width {
			t.Errorf("a line of %d cells is %d cells: %q", width, got, s)
		}
	}
}
