package opencode

import (
	"strings"
	"testing"
)

// TestDiffLacksIndentation: as the real server's does, which cuts away what all
// lines have in common.
func TestDiffLacksIndentation(t *testing.T) {
	for _, tt := range []struct{ before, after, lines string }{
		{"", "    if admin:\n        delete_all()\n", "+if admin:\n+    delete_all()\n"},
		{"\techo five\n", "\techo five\n\n\trm -rf build\n", "-echo five\n+echo five\n+\n+rm -rf build\n"},
		{"a\n", "  b\n", "-a\n+  b\n"},
	} {
		if got := diff("/p/f", tt.before, tt.after); !strings.HasSuffix(got, "@@\n"+tt.lines) {
			t.Errorf("%q to %q is shown as %q", tt.before, tt.after, got)
		}
	}
}
