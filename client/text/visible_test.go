package text_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"askbox/client/text"
)

// L20: what goes to a clipboard holds no character that acts on a terminal.
func TestVisible(t *testing.T) {
	for raw, want := range map[string]string{
		"ls -la\n\tcd  x  \n\n\n\n\n\nrm":                              "ls -la\n\tcd  x  \n\n\n\n\n\nrm",
		"echo hi\r\nrm -rf /\x1b[2J\x1b]52;c;eA==\a\u202e\x00\u009b1A": "echo hi⟨CR⟩\nrm -rf /⟨ESC⟩[2J⟨ESC⟩]52;c;eA==⟨BEL⟩⟨U+202E⟩⟨NUL⟩⟨U+009B⟩1A",
		"it’s": "it’s", "a\u200bb": "a⟨U+200B⟩b", "⟨ESC⟩": "⟨U+27E8⟩ESC⟨U+27E9⟩",
	} {
		got, marks := text.New(raw).Visible(text.Typed)
		if got != want || (marks > 0) != (got != raw) {
			t.Errorf("%q became %q with %d marks, want %q", raw, got, marks, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		raw := hostile().Draw(t, "raw")
		mode := modes().Draw(t, "mode")
		got, marks := text.New(raw).Visible(mode)
		for l := range strings.SplitSeq(got, "\n") {
			if bad := unsafe(drawnAs(mode, strings.ReplaceAll(l, "\t", ""))); bad != "" {
				t.Fatalf("%s in %q", bad, l)
			}
		}
		if marks == 0 && got != raw {
			t.Fatalf("%q became %q", raw, got)
		}
	})
}
