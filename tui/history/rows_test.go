package history

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
	"askbox/tui/theme"
)

func many(n int) (all []*history.Entry) {
	now := time.Now()
	for i := range n {
		all = append(all, &history.Entry{Ref: client.Ref{Relay: "work", ID: fmt.Sprint(n - i)}, Kind: client.Approval, How: client.Answered, ByMe: true,
			Answer: history.Answer{Decision: client.Allow}, What: text.New(fmt.Sprint("cmd ", n-i)), At: now.Add(-time.Duration(i) * time.Minute)})
	}
	return all
}

// The pane opens with the newest entry, and as it was left once a key has moved (I02).
func TestOpensOnTheNewest(t *testing.T) {
	m := New(theme.PlainTheme()).Resize(110, 13)
	all := many(15)
	for i := range all {
		m = m.Take(all[len(all)-1-i:], time.Time{})
	}
	if m = m.Open(); m.Selected() != all[0] || m.top != 0 {
		t.Fatalf("it opens on %s, from line %d", m.Selected().Ref.ID, m.top)
	}
	more := many(33)
	if m = m.Take(more, time.Time{}).Open(); m.Selected() != more[0] {
		t.Fatalf("later it opens on %s", m.Selected().Ref.ID)
	}
	left := m.Move(5)
	entry := left.Selected()
	again := left.Take(append([]*history.Entry{many(34)[0]}, more...), time.Time{}).Open()
	if again.Selected() != entry || again.at-again.top != left.at-left.top {
		t.Fatalf("it was left on %s and is on %s", entry.Ref.ID, again.Selected().Ref.ID)
	}
}

// Every row says what was done in the same word and place, at every width, and who did it
// gives way first (I03).
func TestRowsSayWhatWasDone(t *testing.T) {
	one := func(how client.Status, d client.Decision, me bool) *history.Entry {
		e := *many(1)[0]
		e.How, e.Answer, e.ByMe, e.By = how, history.Answer{Decision: d}, me, text.New("Ada")
		return &e
	}
	tried := one(client.Open, client.NoDecision, false)
	tried.Tried = &history.Attempt{End: history.NotKnown}
	for _, c := range []struct {
		e    *history.Entry
		want string
	}{
		{one(client.Answered, client.Allow, true), "allowed"}, {one(client.Answered, client.Deny, true), "denied"}, {one(client.Answered, client.Always, false), "allowed"},
		{one(client.Dismissed, client.NoDecision, true), "dismissed"}, {one(client.Answered, client.NoDecision, false), "answered"},
		{one(client.Interrupted, client.NoDecision, false), "interrupted"}, {one(client.Expired, client.NoDecision, false), "expired"}, {tried, "not known"},
	} {
		for _, width := range []int{40, 59, 60, 80, 100, 120, 200} {
			row := ansi.Strip(New(theme.PlainTheme()).Resize(width, 5).Take([]*history.Entry{c.e}, time.Time{}).row(0, time.Now()))
			if !strings.HasPrefix(row[len("▌")+6:], c.want+" ") {
				t.Errorf("at %d it does not say %q there: %q", width, c.want, row)
			}
			left, right, _ := strings.Cut(row, "│")
			if strings.Contains(left, "by you") != (c.e.ByMe && width >= 60) || !strings.HasPrefix(right, " cmd 1") {
				t.Errorf("at %d: %q", width, row)
			}
		}
	}
}

// Words, who did it, what was done and where find an entry; f leaves what this person did.
func TestNarrows(t *testing.T) {
	all := many(4)
	all[0].ByMe, all[0].By, all[0].Surface = false, text.New("Grace"), text.New("slack")
	all[1].Answer.Decision = client.Deny
	m := New(theme.PlainTheme()).Resize(110, 20).Take(all, time.Time{}).Open().Move(2)
	for query, want := range map[string]int{"cmd": 4, "CMD 3": 1, "grace": 1, "slack": 1, "denied": 1, "nothing": 0, "": 4} {
		if got := m.Search(query).Len(); got != want {
			t.Errorf("%q finds %d, want %d", query, got, want)
		}
	}
	if got := m.Mine(true); got.Len() != 3 || got.Selected() != m.Selected() {
		t.Errorf("by you: %d, on %v", got.Len(), got.Selected())
	}
	if got := m.Search("cmd 1").Search("").Selected(); got != m.Selected() && got != all[3] {
		t.Errorf("the selection went to %v", got)
	}
	if said := strings.Join(m.Move(-9).detail, "\n"); !strings.Contains(said, "slack") || !strings.Contains(said, "Grace") {
		t.Errorf("where and by whom: %s", said)
	}
}

// What was tried here and did not count stands below its entry, and what the agent did then.
func TestSaysWhatWasTried(t *testing.T) {
	e := many(1)[0]
	e.ByMe, e.By, e.After = false, text.New("Grace"), client.AfterWentOn
	e.Tried = &history.Attempt{Answer: history.Answer{Decision: client.Deny}, End: history.TooLate, Why: "somebody was first"}
	said := ansi.Strip(strings.Join(New(theme.PlainTheme()).Resize(80, 20).Take([]*history.Entry{e}, time.Time{}).detail, "\n"))
	for _, want := range []string{"Approval · allowed", "Tried here: deny, too late.", "Somebody was first.", "The agent went on.", "│ Grace"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
}
