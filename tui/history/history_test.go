package history

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
	"askbox/tui/theme"
)

func entry(by string, me bool) *history.Entry {
	return &history.Entry{
		Ref: client.Ref{Relay: "work", Session: "s", ID: "1"}, Kind: client.Question, How: client.Interrupted, ByMe: me,
		By: text.New(by), What: text.New("Which one?\nOf two."), Session: text.New("Build"), At: time.Now(),
		Note: "a message was sent to the session instead of an answer", With: []text.Text{text.New("by you")},
	}
}

func lines(width int, e *history.Entry) []string {
	m := New(theme.PlainTheme()).Take([]*history.Entry{e}, time.Time{}).Resize(width, 20)
	all := m.View(time.Now())
	for i := range all {
		all[i] = ansi.Strip(all[i])
	}
	return all
}

// Nobody passes for the user by a name: the program's words stand left of the
// gutter, at every width.
func TestANameIsNotTheProgramsWord(t *testing.T) {
	for _, width := range []int{40, 60, 80, 100, 120, 200} {
		left, _, ok := strings.Cut(lines(width, entry("by you", false))[1], "│")
		if !ok || strings.Contains(left, "you") {
			t.Errorf("at %d cells somebody's name is left of the gutter: %q", width, left)
		}
		left, _, _ = strings.Cut(lines(width, entry("Ada", true))[1], "│")
		if width >= 60 && !strings.Contains(left, "by you") {
			t.Errorf("at %d cells it does not say who: %q", width, left)
		}
		if !strings.Contains(left, "interrupted ") {
			t.Errorf("at %d cells it does not say how in full: %q", width, left)
		}
	}
}

// So does a relay's name, in the row and below it, where it is the last on its line.
func TestARelaysNameIsNotTheProgramsWord(t *testing.T) {
	e := entry("Ada", false)
	e.Ref.Relay = "by you"
	for _, width := range []int{40, 60, 80, 100, 120, 200} {
		named := 0
		for _, line := range lines(width, e) {
			left, right, _ := strings.Cut(line, "│")
			if strings.Contains(left, "you") {
				t.Errorf("at %d cells: %q", width, line)
			}
			if strings.Contains(left, "relay") && strings.TrimSpace(right) == "by you" {
				named++
			}
		}
		if named != 1 {
			t.Errorf("at %d cells the relay is named %d times below the entry", width, named)
		}
	}
}

// What the program says of an entry is never cut.
func TestTheNoteIsSaidInFull(t *testing.T) {
	for _, width := range []int{40, 60, 120} {
		said := strings.Join(strings.Fields(strings.Join(lines(width, entry("Ada", false)), " ")), " ")
		if !strings.Contains(said, "A message was sent to the session instead of an answer.") {
			t.Errorf("at %d cells: %s", width, said)
		}
	}
}

// Both contents stand under an entry where the relay tells of another one.
func TestWhatWasShownAndWhatTheRelayTells(t *testing.T) {
	e := entry("Ada", true)
	e.What, e.Shown, e.Told = text.New("ls"), text.New("Bash(ls:*)"), text.New("Bash(*)")
	said := strings.Join(lines(80, e), "\n")
	for _, want := range []string{"asked", "│ ls", "shown", "│ Bash(ls:*)", "told", "│ Bash(*)"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing:\n%s", want, said)
		}
	}
}

// TestTitleSaysWhatIsNotHeld where too many were closed for all to be held.
func TestTitleSaysWhatIsNotHeld(t *testing.T) {
	since := time.Date(2026, 11, 30, 14, 2, 0, 0, time.Local)
	for at, want := range map[time.Time]bool{{}: false, since: true} {
		m := New(theme.PlainTheme()).Take([]*history.Entry{entry("Grace", false)}, at).Resize(100, 5)
		if got := strings.Contains(m.View(since.Add(time.Hour))[0], "since 14:02"); got != want {
			t.Errorf("since %v: %q", at, m.View(since)[0])
		}
	}
}
