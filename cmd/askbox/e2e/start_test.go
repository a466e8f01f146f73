//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"askbox/cmd/askbox/e2e/terminal"
	"askbox/tui/theme"
)

// TestDemo needs no configuration, shows asks and a relay that is not reachable,
// takes an answer, and leaves the home folder alone.
func TestDemo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.theme = "auto"
	cmd := w.command("demo")
	if err := os.Remove(filepath.Join(w.home, "config.toml")); err != nil {
		t.Fatal(err)
	}
	s := w.start("120x40", cmd)
	s.see("askbox", "Not reachable", "the session waits").press("j", "k", "f", "F", "?", "esc", "h", "esc")
	s.press("q").quits(0)
	if left, err := os.ReadDir(w.home); err != nil || len(left) > 0 {
		t.Errorf("the demo left %v behind, %v", left, err)
	}
}

// TestNoConfiguration says how to get one.
func TestNoConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	cmd := w.command()
	if err := os.Remove(filepath.Join(w.home, "config.toml")); err != nil {
		t.Fatal(err)
	}
	s := w.start("80x24", cmd)
	status, err := s.Exit(limit)
	if status == 0 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
	for _, want := range []string{"askbox init", "askbox demo"} {
		if !strings.Contains(s.Screen(), want) {
			t.Errorf("%q is missing from:\n%s", want, s.Screen())
		}
	}
}

// TestSameAskInTwoSessions answers the one that is shown (C17).
func TestSameAskInTwoSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay := w.relays["work"]
	first, second := w.session("work", "First"), w.session("work", "Second")
	raw := func(command string) string {
		return `{"id":"ak_00000000000a","kind":"approval","status":"open","openedAt":"2026-11-30T09:00:00Z","approval":{"toolName":"Bash","input":{"command":"` + command + `"}}}`
	}
	a, b := relay.Raw(first, raw("ls")), relay.Raw(second, raw("rm"))
	s := w.open("120x40").see("First", "Second", "All 2")
	for strings.Count(s.read().Screen(), "│ │ rm") == 0 {
		s.press("j")
	}
	s.decide("d").answered("work", b, `{"decision":"deny"}`)
	if got := relay.Answers(a); len(got) > 0 {
		t.Errorf("the other session's ask got %s", got[0].Body)
	}
}

// TestNoColour tells everything apart by text alone (D07).
func TestNoColour(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.theme = "auto"
	w.env = []string{"NO_COLOR=1"}
	session := w.session("work", "Build")
	w.relays["work"].Bash(session, "git status \u009b2K echo done", "")
	s := w.open("120x40").see("Look closely", "U+009B", "git status")
	for _, colour := range []string{"\x1b[3", "\x1b[38;", ";3", ";9", "\x1b[9"} {
		for _, sgr := range sgrs(string(s.Terminal.Output())) {
			if strings.Contains(sgr, colour) {
				t.Fatalf("a colour was written: %q", sgr)
			}
		}
	}
}

// sgrs returns the sequences that set colours and styles.
func sgrs(output string) []string {
	var all []string
	for _, part := range strings.Split(output, "\x1b[")[1:] {
		if i := strings.IndexFunc(part, func(r rune) bool { return r >= 0x40 && r <= 0x7e }); i >= 0 && part[i] == 'm' {
			all = append(all, "\x1b["+part[:i+1])
		}
	}
	return all
}

// TestLateColour draws for the background that the terminal tells after its time, and
// paints nothing in white before (G13).
func TestLateColour(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]*theme.Theme{"\x1b]11;rgb:ffff/ffff/ffff\x1b\\": theme.Light(), "\x1b]11;rgb:0000/0000/0000\a": theme.Dark()} {
		w := newWorld(t, "", "work")
		w.theme = "auto"
		w.relays["work"].Bash(w.session("work", "Build"), "make", "")
		s := w.show(w.command(), terminal.Options{Width: 120, Height: 40, Silent: true}).see("make").settle()
		if white := "38;5;231m"; strings.Contains(string(s.Terminal.Output()), white) {
			t.Error("something is white before the background is known")
		}
		before := s.Written()
		s.send(reply).settle().press("?").see("Answer an approval")
		prefix, _, _ := strings.Cut(want.Paint(theme.Key, "x"), "x")
		if drawn := string(s.Terminal.Output()[before:]); !strings.Contains(drawn, prefix) {
			t.Errorf("%q: it is not drawn for that: %q", reply, drawn[:min(len(drawn), 300)])
		}
		s.press("q").gone("Answer an approval").press("q").quits(0)
	}
}
