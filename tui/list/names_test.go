package list

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

func group(name, via string, asks ...*client.Ask) *inbox.Group {
	g := &inbox.Group{Name: name, Via: via, State: inbox.State{Asked: true, Reachable: true}}
	for _, a := range asks {
		g.Items = append(g.Items, &inbox.Item{Ask: a, Digest: "d"})
	}
	return g
}

func approval(command string) *client.Ask {
	return &client.Ask{
		Ref: client.Ref{Relay: "work", Session: "s", ID: command}, Kind: client.Approval, Waits: true, Status: client.Open,
		Opened:   time.Unix(1000, 0),
		Approval: &client.ApprovalAsk{Tool: text.New("Bash"), Parts: []client.Part{{Kind: client.PartCommand, Text: text.New(command)}}},
	}
}

func drawn(m Model) []string {
	now := time.Unix(1060, 0)
	if !m.taken.IsZero() {
		now = m.taken
	}
	rows := m.View(now)
	for i := range rows {
		rows[i] = ansi.Strip(rows[i])
	}
	return rows
}

// TestAPairedRelaysNameIsNoHeading is a part of H13: the name that a relay has in another
// one stands last, behind the gutter, and the program's words before it are all there.
func TestAPairedRelaysNameIsNoHeading(t *testing.T) {
	for _, name := range []string{"work ── 9 │ Approval · done", "home ─────────── 0", "x", strings.Repeat("long", 40), "insecure ── 3"} {
		for _, via := range []string{"home", strings.Repeat("relay", 20)} {
			for width := 28; width < 140; width++ {
				g := group(name, via, approval("ls"))
				g.Insecure = true
				row := drawn(New(theme.PlainTheme(), client.All).Resize(width, 6, false).Take(&inbox.Snapshot{Groups: []*inbox.Group{g}}))[0]
				left, right, ok := strings.Cut(row, "│ ")
				if !ok || !strings.HasPrefix(left, "  via ") || !strings.HasSuffix(left, " insecure ── 1 ") {
					t.Fatalf("at %d the heading of %q is %q", width, name, row)
				}
				if right = strings.TrimRight(strings.TrimRight(right, " "), "…"); right == "" || !strings.HasPrefix(name, right) {
					t.Fatalf("at %d the name %q is %q", width, name, right)
				}
				if via == "home" && width >= 40 && !strings.Contains(left, "via home ") {
					t.Fatalf("at %d the name pushes out the relay before it: %q", width, row)
				}
			}
		}
	}
}

// TestChangedIsMarked at every width, left of what an agent wrote.
func TestChangedIsMarked(t *testing.T) {
	g := group("work", "", approval("changed │ ls"), approval("other"))
	for width := 40; width < 140; width++ {
		m := New(theme.PlainTheme(), client.All).Resize(width, 6, false).Take(&inbox.Snapshot{Groups: []*inbox.Group{g}})
		for _, on := range []bool{true, false} {
			m = m.Mark(Marks{Changed: func(it *inbox.Item) bool { return on && it == g.Items[0] }})
			var left []string
			for _, row := range drawn(m)[1:] {
				program, _, _ := strings.Cut(row, "│")
				left = append(left, program)
			}
			for i, want := range []bool{on, false} {
				if strings.Contains(strings.Join(left[2*i:2*i+2], " "), "changed") != want {
					t.Fatalf("at %d row %d is %q", width, i, left)
				}
			}
		}
	}
}

// TestACommandsRowHasItsMarks: in a row as well, what only looks like a quote is marked,
// and prose is as it was written.
func TestACommandsRowHasItsMarks(t *testing.T) {
	asked := &client.Ask{Ref: client.Ref{Relay: "work", Session: "s", ID: "q"}, Kind: client.Question, Status: client.Open,
		Questions: []client.QuestionAsk{{Text: text.New("It’s ⚠️ می\u200cخواهم?")}}}
	m := New(theme.PlainTheme(), client.All).Resize(80, 6, false).Take(&inbox.Snapshot{Groups: []*inbox.Group{group("work", "", approval("echo ’; id"), asked)}})
	screen := strings.Join(drawn(m), "\n")
	for _, want := range []string{"echo ⟨U+2019 ’⟩; id", "It’s ⚠️ می\u200cخواهم?"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is missing in\n%s", want, screen)
		}
	}
}
