//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"askbox/client/fake"
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
			s := w.open("120x30").see("read to the end", "session waits")
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

// TestOnlyASCII is G30: a locale that is not UTF-8, and the theme of that name, draw nothing
// else, and what a relay sent beyond it is a mark.
func TestOnlyASCII(t *testing.T) {
	t.Parallel()
	for env, name := range map[string]string{"LC_ALL=C": "dark", "LANG=C.UTF-8": "ascii"} {
		for _, size := range []string{"40x10", "80x24", "120x40"} {
			t.Run(env+" "+size, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, "", "work")
				w.theme = name
				w.env = append(w.env, env)
				w.relays["work"].Bash(w.session("work", "Füll das Café"), "echo é漢 | sh", "")
				s := w.open(size).see("<U+00E9>")
				s.press("enter").see("U+00E9").press("?").see("Nothing is approved")
				s.press("esc", "h").see("last day")
				for _, r := range string(s.Terminal.Output()) {
					if r >= 0x80 {
						t.Fatalf("%q was drawn:\n%s", r, s.Screen())
					}
				}
				s.press("ctrl+c").quits(0)
			})
		}
	}
}

// TestCommandsAreSpelledAndProseIsDrawn is H22, H23 and G28 on the screen.
func TestCommandsAreSpelledAndProseIsDrawn(t *testing.T) {
	t.Parallel()
	prose := "Isn’t it “done” ⚠️ ✔️ 👍🏽 👩\u200d💻 می\u200cخواهم שלום?"
	w := newWorld(t, "", "work")
	session := w.session("work", "Look")
	w.relays["work"].Questions(session, fake.Question{ID: "q", Text: prose, Options: []fake.Option{{Label: "yes"}}})
	w.relays["work"].Bash(session, "echo ’; rm -rf ~ #’ ｜ sh", prose)
	w.relays["work"].Bash(session, "rm -rf אב / גד ⚠️", "")
	s := w.open("200x40").see("All 3").press("G").settle()
	s.reads(prose).press("k").settle()
	s.reads("echo ⟨U+2019 ’⟩; rm -rf ~ #⟨U+2019 ’⟩ ⟨U+FF5C ｜⟩ sh", "3 characters look like quotes or pipes and are none: U+2019", prose)
	s.press("k").settle()
	s.reads("rm -rf ⟨אב U+05D0 U+05D1⟩ / ⟨גד U+05D2 U+05D3⟩ ⚠⟨U+FE0F⟩", "4 letters run from right to left")
	s.press("q").quits(0)
}
