package ask

import (
	"strings"
	"testing"

	"askbox/client/text"
)

// D03: wherever the approving key works, the ask's session and the first line of
// the command are on the pane; and every frame has exactly its size (D01, D04).
func TestEverySize(t *testing.T) {
	long := samplePane(sampleApproval("first-line\n"+strings.Repeat("echo step\n", 200)), 60, 20)
	question := samplePane(sampleQuestion(databases(), several()), 60, 20)
	for h := 0; h <= 60; h++ {
		for _, w := range []int{0, 1, 2, 5, 13, 20, 33, 34, 40, 57, 61, 74, 100, 200} {
			for _, p := range []Model{long, question} {
				p = p.Resize(w, h)
				checkPane(t, p)
				p, _ = press(p, "end")
				checkPane(t, p)
			}
			p := samplePane(sampleApproval("first-line"), w, h)
			if _, in := press(p, "a"); in.Kind == Send && w >= 34 {
				wantSees(t, p, "first-line", "Fix the flaky build")
			}
		}
	}
}

func checkPane(t interface {
	Helper()
	Fatalf(string, ...any)
}, p Model) {
	t.Helper()
	v := p.View()
	if p.width <= 0 || p.height <= 0 {
		if v != "" {
			t.Fatalf("%dx%d draws %q", p.width, p.height, v)
		}
		return
	}
	lines := strings.Split(v, "\n")
	if len(lines) != p.height {
		t.Fatalf("%dx%d has %d lines", p.width, p.height, len(lines))
	}
	for i, l := range lines {
		if text.Width(l) != p.width {
			t.Fatalf("%dx%d: line %d has %d cells: %q", p.width, p.height, i, text.Width(l), l)
		}
	}
}
