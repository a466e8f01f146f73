package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/list"
)

// focus is whether the terminal is in front of the user.
type focus int

const (
	focusUnknown focus = iota // a terminal that does not report it
	focusHere
	focusAway
)

// tellGap is the least time between two desktop notices.
const tellGap = 5 * time.Second

// mostTold bounds the memory of what was told.
const mostTold = 10_000

// teller decides when the desktop is told of new asks: once for each ask, never
// for those that a first listing brings, and not too often.
type teller struct {
	focus  focus
	seen   map[client.Ref]bool // told already
	asks   []*inbox.Item       // to be told
	groups []string            // their relays
	last   time.Time
	due    time.Time // when what waits is told; zero: nothing waits
}

func newTeller() teller { return teller{seen: map[client.Ref]bool{}} }

// add looks for asks that a snapshot brought.
func (t teller) add(before, after *inbox.Snapshot) teller {
	old := make(map[[2]string]*inbox.Group, len(before.Groups))
	for _, g := range before.Groups {
		old[[2]string{g.Via, g.Name}] = g
	}
	for _, g := range after.Groups {
		was := old[[2]string{g.Via, g.Name}]
		if was == nil || was.Version == g.Version || !was.State.Asked {
			continue
		}
		for _, i := range list.Arrived(was.Items, g.Items) {
			t.asks, t.groups = append(t.asks, g.Items[i]), append(t.groups, g.Name)
		}
	}
	return t
}

// tell returns the command that tells the desktop, where that is due.
func (m model) tell() (model, tea.Cmd) {
	t := &m.told
	var asks []*inbox.Item
	var groups []string
	for i, it := range t.asks {
		if m.wanted(it.Ask) && !t.seen[it.Ask.Ref] {
			asks, groups = append(asks, it), append(groups, t.groups[i])
		}
	}
	t.asks, t.groups = asks, groups
	if len(asks) == 0 {
		t.due = time.Time{}
		return m, nil
	}
	if due := t.last.Add(tellGap); m.now.Before(due) {
		t.due = due
		return m, nil
	}
	if len(t.seen) > mostTold {
		t.seen = map[client.Ref]bool{}
	}
	for _, it := range asks {
		t.seen[it.Ask.Ref] = true
	}
	title, body := notice(asks, groups)
	t.asks, t.groups, t.last, t.due = nil, nil, m.now, time.Time{}
	return m, tellDesktop(m.setup, title, body)
}

// wanted reports whether the user wants to be told of an ask.
func (m model) wanted(a *client.Ask) bool {
	if m.told.focus == focusHere || m.setup.notice == nil {
		return false
	}
	return m.notify == "all" || (m.notify == "now" && a.Urgent)
}

// notice words a notice. What an agent wrote goes into the title only, because
// desktops take the body for markup.
func notice(asks []*inbox.Item, groups []string) (title, body string) {
	first := asks[0].Ask
	title = "askbox: " + first.Kind.String()
	if first.Urgent {
		title += " now"
	}
	title += " · " + first.Brief().FitAs(first.Reads(), 80)
	body = "One ask waits on " + plainName(groups[0]) + "."
	if len(asks) > 1 {
		body = itoa(len(asks)) + " new asks wait, the newest on " + plainName(groups[0]) + "."
	}
	return title, body
}

// plainName makes the name of a relay, which may come from another relay, safe
// for a place that takes markup.
func plainName(name string) string {
	safe := []rune(text.Cut(name, 40))
	for i, r := range safe {
		if r == '<' || r == '>' || r == '&' {
			safe[i] = '_'
		}
	}
	return string(safe)
}

func tellDesktop(s setup, title, body string) tea.Cmd {
	return func() tea.Msg {
		if err := s.notice(title, body); err != nil {
			// A desktop without notices is no trouble: the screen shows the ask.
			return nil
		}
		return nil
	}
}
