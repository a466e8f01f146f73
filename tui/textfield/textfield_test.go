package textfield

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"askbox/tui/theme"
)

func runes(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

// Whatever is pressed, the text is what was typed less what was taken out, the
// cursor stands between characters, and the drawing keeps its size.
func TestKeys(t *testing.T) {
	keys := []tea.KeyMsg{
		{Type: tea.KeyLeft}, {Type: tea.KeyRight}, {Type: tea.KeyUp}, {Type: tea.KeyDown}, {Type: tea.KeyHome}, {Type: tea.KeyEnd},
		{Type: tea.KeyBackspace}, {Type: tea.KeyDelete}, {Type: tea.KeyCtrlW}, {Type: tea.KeyCtrlU}, {Type: tea.KeyCtrlK},
		{Type: tea.KeyLeft, Alt: true}, {Type: tea.KeyRight, Alt: true}, {Type: tea.KeySpace, Runes: []rune{' '}},
		runes("a"), runes("é"), runes("e\u0301"), runes("漢"), runes("👩‍👧"), runes("\t"), runes("\x1b"), runes("two words"),
	}
	rapid.Check(t, func(t *rapid.T) {
		e := New(rapid.SampledFrom([]string{"", "one\ntwo\n\nthree", "wide 漢字 and \x1b[2J"}).Draw(t, "start"))
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			before := e
			if rapid.IntRange(0, 9).Draw(t, "line") == 0 {
				e, _ = e.Insert("\n")
			} else {
				e, _ = e.Key(rapid.SampledFrom(keys).Draw(t, "key"))
			}
			if e.at < 0 || e.at > len(e.Value) || !utf8.ValidString(e.Value[:e.at]) || !utf8.ValidString(e.Value) {
				t.Fatalf("cursor %d in %q", e.at, e.Value)
			}
			head, tail := e.Value[:e.at], e.Value[e.at:]
			if !strings.HasPrefix(before.Value, head) && !strings.HasPrefix(head, before.Value[:before.at]) {
				t.Fatalf("%q became %q", before.Value, e.Value)
			}
			if !strings.HasSuffix(before.Value, tail) {
				t.Fatalf("what follows the cursor changed: %q became %q", before.Value, e.Value)
			}
			for _, l := range e.Draw(theme.PlainTheme(), 2, 20, 3, true) {
				if strings.ContainsAny(strings.NewReplacer("\x1b[1m", "", "\x1b[2m", "", "\x1b[7m", "", "\x1b[0m", "").Replace(l), "\x1b\t\n") {
					t.Fatalf("drawn raw: %q", l)
				}
			}
		}
	})
}

// A paste is taken whole or not at all.
func TestPasteWholeOrNot(t *testing.T) {
	e, ok := New("x").Insert(strings.Repeat("a", MaxBytes))
	if ok || e.Value != "x" {
		t.Error("a part of the paste was taken")
	}
	if e, ok = New("x").Insert(strings.Repeat("a", MaxBytes-1)); !ok || len(e.Value) != MaxBytes {
		t.Error("what fits was refused")
	}
}

// The cursor is among the rows that are drawn of a long text.
func TestCursorStaysInSight(t *testing.T) {
	e := New(strings.Repeat("line\n", 100))
	for range 120 {
		if lines := strings.Join(e.Draw(theme.PlainTheme(), 0, 30, 4, true), "\n"); !strings.Contains(lines, cursor) {
			t.Fatalf("no cursor at %d of %d", e.at, len(e.Value))
		}
		e, _ = e.Key(tea.KeyMsg{Type: tea.KeyUp})
	}
	if e.at != 0 {
		t.Errorf("the cursor did not come to the start: %d", e.at)
	}
}
