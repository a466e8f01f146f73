package list

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// opencode is nineteen asks of two folders that begin alike, as a server of opencode has
// them (J01): commands, tests and changes of files deep down.
func opencode() []*client.Ask {
	var all []*client.Ask
	add := func(folder, title string, p client.Part) {
		n := len(all)
		all = append(all, &client.Ask{
			Ref: client.Ref{Relay: "code", Session: fmt.Sprint("ses_", n), ID: fmt.Sprint("per_", n)}, Kind: client.Approval, Waits: true, Status: client.Open,
			Opened: noon.Add(-time.Duration(n) * time.Minute), Session: client.Session{Title: text.New(title), Folder: text.New(folder)},
			Offers:   client.Offered(client.ActAllow, client.ActDeny),
			Approval: &client.ApprovalAsk{Tool: text.New("bash"), Parts: []client.Part{p}},
		})
	}
	for n := range 4 {
		add("/srv/shop", "Fill the shards again", client.Part{Text: text.New(fmt.Sprintf("docker compose -f deploy/staging/docker-compose.yml exec -T postgres psql -U app -c 'select count(*) from orders where shard = %d'", n))})
	}
	for n := range 6 {
		add("/srv/shop", "Find the flaky test", client.Part{Text: text.New(fmt.Sprintf("go test ./internal/orders/... -run TestRefund%d -count=20 -race -v", n))})
	}
	for n := range 5 {
		add("/srv/shop", "Round as the law says", client.Part{Kind: client.PartDiff, Path: text.New(fmt.Sprintf("/srv/shop/internal/orders/backend/payments/refunds/v2/handlers/refund_%d.go", n)), Text: text.New("+x")})
	}
	for n := range 2 {
		add("/srv/web", "Show the price with taxes", client.Part{Kind: client.PartDiff, Path: text.New(fmt.Sprintf("/srv/web/src/components/checkout/summary/price/Price%d.tsx", n)), Text: text.New("+x")})
	}
	add("/srv/shop", "Release", client.Part{Text: text.New("git push --force origin main")})
	add("/srv/web", "Release", client.Part{Text: text.New("git push --force origin main")})
	return all
}

// open returns the list as a window of a size has it.
func open(width, height int, asks ...*client.Ask) Model {
	g := group("code", "", asks...)
	g.Version = 1
	wide := width >= 100
	list := width
	if wide {
		list = min(width*42/100, 80)
	}
	return New(theme.PlainTheme(), client.All).Resize(list, height-3, wide).Take(&inbox.Snapshot{Groups: []*inbox.Group{g}, Taken: noon})
}

// shown returns what the list shows right of the gutters, an entry for each ask in sight.
func shown(m Model) (asks []string) {
	for _, line := range m.View(noon) {
		line = ansi.Strip(line)
		i := strings.IndexAny(line, "│┆")
		switch {
		case i < 0:
		case strings.Contains("0123456789m<", line[i-2:i-1]), strings.TrimSpace(ansi.Truncate(line, 6, "")) != "" && strings.Contains(line[:i], "m "):
			asks = append(asks, strings.TrimSpace(line[i+3:]))
		case len(asks) > 0:
			asks[len(asks)-1] += "\n" + strings.TrimSpace(line[i+3:])
		}
	}
	return asks
}

// No two asks that differ have the same row, at any size (J01).
func TestRowsTellAsksApart(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {100, 30}, {120, 40}, {157, 40}, {158, 40}, {200, 60}} {
		m := open(size[0], size[1], opencode()...)
		for at := 0; at < 19; at += m.Page() {
			seen := map[string]bool{}
			for _, row := range shown(m) {
				if seen[row] {
					t.Errorf("at %v two rows read %q:\n%s", size, row, strings.Join(drawn(m), "\n"))
				}
				seen[row] = true
			}
			m = m.Move(m.Page())
		}
	}
}

// A wider list never shows less of what is asked (J03).
func TestWiderShowsNoLess(t *testing.T) {
	for _, asks := range [][]*client.Ask{opencode(), opencode()[:5], opencode()[8:11]} {
		for _, beside := range []bool{false, true} {
			before := make([]int, len(asks))
			for width := 40; width < 110; width++ {
				g := group("code", "", asks...)
				m := New(theme.PlainTheme(), client.All).Resize(width, 30, beside).Take(&inbox.Snapshot{Groups: []*inbox.Group{g}, Taken: noon})
				like := m.alikes(m.textWidth())
				for at := range asks {
					b := &m.blocks[0]
					lines := b.height(at)
					if m.second {
						lines--
					}
					what, _ := m.what(asks[at], lines, like[b.items[at]])
					cells := text.Width(strings.TrimRight(strings.Join(what, ""), " "))
					if cells < before[at] {
						t.Errorf("beside %v, at %d of %d asks %d shows %d cells, and %d before: %q", beside, width, len(asks), at, cells, before[at], what)
					}
					before[at] = cells
				}
			}
		}
	}
}

// A window that is wide enough for two panes shows no less of an ask in its list than one
// that is not, while there is room (J03).
func TestTwoPanesShowNoLess(t *testing.T) {
	asks := opencode()[2:12:12][:5]
	before := make([]int, len(asks))
	for width := 60; width <= 240; width++ {
		m := open(width, 43, asks...)
		like := m.alikes(m.textWidth())
		for at, a := range asks {
			b := &m.blocks[0]
			what, _ := m.what(a, b.height(at)-1, like[b.items[at]])
			cells := text.Width(strings.TrimRight(strings.Join(what, ""), " "))
			if !m.second || cells < before[at] {
				t.Errorf("at %d ask %d shows %d cells, and %d before: %q", width, at, cells, before[at], what)
			}
			before[at] = cells
		}
	}
}

// Whatever the program says of an ask, in a word of its own, the gutter stays where it is (J07,
// I20, J16).
func TestTheGutterStays(t *testing.T) {
	asks := opencode()[:9]
	asks[1].Waits = false
	asks[2].Urgent = true
	asks[3].Expires = noon.Add(8*time.Minute + 30*time.Second)
	asks[4].Expires, asks[4].ExpiredWords = noon.Add(-time.Minute), "expired"
	asks[5].Status = client.StatusUnknown
	for _, size := range [][2]int{{40, 30}, {40, 14}, {80, 30}, {80, 14}, {120, 40}, {120, 14}, {200, 14}} {
		m := open(size[0], size[1], asks...)
		for i, state := range []inbox.FlightState{inbox.Held, inbox.NotKnown, inbox.Done} {
			m.blocks[0].items[6+i].Flight = &inbox.Flight{State: state, Until: noon.Add(10 * time.Second), Answer: client.Answer{Decision: client.Always}}
		}
		m = m.Mark(Marks{Draft: func(ref client.Ref) bool { return ref == asks[0].Ref }, Changed: func(*inbox.Item) bool { return false }})
		screen := strings.Join(drawn(m), "\n")
		for _, word := range []string{"draft", "now", "in 8m", "expired", "unclear", "held 10s", "not known", "allowed"} {
			if !strings.Contains(screen, word) {
				t.Errorf("at %v nothing says %q:\n%s", size, word, screen)
			}
		}
		at := -1
		for _, line := range drawn(m)[1:] {
			i := strings.IndexAny(line, "│┆")
			if i < 0 {
				continue
			}
			cell := text.Width(line[:i])
			if at >= 0 && cell != at {
				t.Errorf("at %v the gutter is not where it was: %q", size, line)
			}
			at = cell
		}
		for i, line := range drawn(m) {
			if !strings.Contains(line, " 1m ") {
				continue
			}
			says := line[:at+1]
			if m.second {
				says += drawn(m)[i+1][:at+1]
			}
			if strings.Contains(says, "waits") || m.second && !strings.Contains(says, "goes on") {
				t.Errorf("at %v of the one that goes on it says %q", size, says)
			}
		}
	}
}

// A script does not pass for its first line (J02).
func TestAScriptSaysHowLongItIs(t *testing.T) {
	script := approval("set -e\nfor f in $(git ls-files); do\n  gofmt -w $f\ndone\ngo vet ./...\ngo test ./...\ngit commit -am fix\ngit push --force origin main")
	for width := 40; width < 220; width++ {
		screen := strings.Join(drawn(open(width, 12, script)), "\n")
		if strings.Contains(screen, "gofmt") {
			continue // all of it is there
		}
		if !strings.Contains(screen, "⟨8 lines⟩") || !strings.Contains(screen, "main") {
			t.Fatalf("at %d:\n%s", width, screen)
		}
	}
}

// An empty filter and a search that finds nothing lead back to the same ask on the same row
// (I22).
func TestNarrowingKeepsThePlace(t *testing.T) {
	var asks []*client.Ask
	for i := range 60 {
		a := approval(fmt.Sprint("cmd ", i))
		a.Session.Starter = client.StarterMe
		asks = append(asks, a)
	}
	for _, size := range [][2]int{{120, 20}, {80, 20}, {40, 10}} {
		m := open(size[0], size[1], asks...).Move(29).Move(-3).Move(3)
		row := m.row()
		for _, f := range []client.Filter{client.Agents, client.Mine, client.All} {
			m = m.Show(f)
		}
		for _, query := range []string{"cmd 5", "cmd 55", "nothing", ""} {
			m = m.Search(query)
		}
		_, it := m.Selected()
		if it == nil || it.Ask.ID != "cmd 29" || m.row() != row {
			t.Errorf("at %v the cursor is on %+v in row %d, was in %d", size, it, m.row(), row)
		}
		m = m.Search("cmd 5").Move(1).Search("")
		if _, it = m.Selected(); it.Ask.ID != "cmd 51" {
			t.Errorf("at %v a key moved to cmd 51, and the cursor is on %s", size, it.Ask.ID)
		}
	}
}

// What is searched for may be a kind, a relay, or what calls for the person (J18, J16).
func TestSearchNarrows(t *testing.T) {
	edit, question := approval("edit"), &client.Ask{Ref: client.Ref{Relay: "code", ID: "q"}, Kind: client.Question, Status: client.Open,
		Urgent: true, Questions: []client.QuestionAsk{{Text: text.New("Which one of the runs?")}}}
	edit.Approval.Parts[0] = client.Part{Kind: client.PartDiff, Path: text.New("main.go")}
	run := approval("make run")
	run.Expires = noon.Add(5 * time.Minute)
	m := open(120, 30, edit, question, run).Mark(Marks{Draft: func(ref client.Ref) bool { return ref == edit.Ref }})
	for query, want := range map[string]string{
		"kind:edit": "edit", "kind:ask": "q", "kind:run": "make run", "kind:approval": "edit make run", "run": "q make run", "RUN": "q make run",
		"is:waits": "edit make run", "is:now": "q", "is:n": "q", "is:soon": "make run", "is:draft": "edit", "is:waits run": "make run", "relay:code": "edit q make run",
		"relay:other": "", "is:": "edit q make run", "nothing": "", "is:never": "", "": "edit q make run",
	} {
		var got []string
		narrow := m.Search(query)
		for _, it := range narrow.blocks[0].items {
			got = append(got, it.Ask.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

// A hit stands in sight, wherever in a command it is, and is marked (J17).
func TestHitsAreInSight(t *testing.T) {
	command := strings.Repeat("echo some words; ", 8) + "rm -rf NEEDLE" + strings.Repeat("; echo more words", 8)
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 12}, {200, 60}} {
		screen := strings.Join(open(size[0], size[1], approval(command), approval("ls")).Search("needle").View(noon), "\n")
		if !strings.Contains(ansi.Strip(screen), "NEEDLE") || !strings.Contains(screen, "\x1b[4m") || strings.Contains(screen, "ls") {
			t.Errorf("at %v:\n%s", size, screen)
		}
	}
}

// The ask that needs a person most comes first by tab, and by s in its group; nothing that is
// answered is gone to, and what arrives moves no row (J06).
func TestNeed(t *testing.T) {
	old, now, soon, later, calm, done := approval("old"), approval("now"), approval("soon"), approval("later"), approval("calm"), approval("done")
	for i, a := range []*client.Ask{done, calm, later, soon, now, old} {
		a.Opened, a.Offers = noon.Add(-time.Duration(i)*time.Minute), client.Offered(client.ActAllow)
	}
	now.Urgent, calm.Waits, soon.Expires, later.Expires = true, false, noon.Add(5*time.Minute), noon.Add(time.Hour)
	m := open(120, 30, done, calm, later, soon, now, old)
	held := group("code", "", done, calm, later, soon, now, old)
	held.Items[0].Flight = &inbox.Flight{State: inbox.Held}
	m = m.Take(&inbox.Snapshot{Groups: []*inbox.Group{held}, Taken: noon})
	order := []string{"now", "soon", "old", "later", "calm"}
	under := func(m Model) string { _, it := m.Selected(); return it.Ask.ID }
	walk := m
	for i := range 7 {
		var found bool
		if walk, found = walk.Needed(true); !found || under(walk) != order[i%5] {
			t.Errorf("tab %d goes to %s, want %s", i+1, under(walk), order[i%5])
		}
	}
	if walk, _ = walk.Needed(false); under(walk) != "now" {
		t.Errorf("shift+tab goes back to %s", under(walk))
	}
	if n := m.Needs(); n.Wait != 4 || n.Now != 1 || !n.Next.Equal(soon.Expires) {
		t.Errorf("%+v", n)
	}
	m = m.ByNeed(true)
	ids := func(m Model) string {
		var all []string
		for _, it := range m.blocks[0].items {
			all = append(all, it.Ask.ID)
		}
		return strings.Join(all, " ")
	}
	if got := ids(m); got != strings.Join(order, " ")+" done" || under(m) != "done" {
		t.Errorf("by need: %s, on %s", got, under(m))
	}
	calm.Urgent = true // a new snapshot says so
	fresh := approval("fresh")
	fresh.Opened, fresh.Offers = noon, client.Offered(client.ActAllow)
	g := group("code", "", fresh, done, calm, later, soon, now, old)
	g.Version = 3
	if got := ids(m.Take(&inbox.Snapshot{Groups: []*inbox.Group{g}, Taken: noon})); got != "now soon old later fresh calm done" {
		t.Errorf("after an arrival: %s", got)
	}
	if got := ids(m.ByNeed(false)); got != "done calm later soon now old" {
		t.Errorf("by age: %s", got)
	}
}

// A group without an ask takes one line, and an outage moves nothing (J18, J21).
func TestAnOutageMovesNothing(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}} {
		take := func(m Model, number uint64, down bool) Model {
			var groups []*inbox.Group
			for i, name := range []string{"one", "two", "three"} {
				g := group(name, "", approval(name))
				g.Version = 1
				if i == 0 {
					g = group(name, "")
					g.State.Reachable = !down
					g.State.Reason = strings.Repeat("a long reason ", 5)
				}
				groups = append(groups, g)
			}
			return m.Take(&inbox.Snapshot{Groups: groups, Taken: noon, Number: number})
		}
		m := take(open(size[0], size[1]), 1, false).Move(1)
		rows := func(m Model) (at []int) {
			for i, line := range drawn(m) {
				if strings.Contains(line, "│") || strings.Contains(line, "three ─") {
					at = append(at, i)
				}
			}
			return at
		}
		before := fmt.Sprint(rows(m))
		m = take(m, 2, true)
		if after := fmt.Sprint(rows(m)); after != before {
			t.Errorf("at %v the rows %s are in %s", size, before, after)
		}
		if screen := strings.Join(drawn(m), "\n"); !strings.Contains(screen, "Not reachable") {
			t.Errorf("at %v:\n%s", size, screen)
		}
	}
}
