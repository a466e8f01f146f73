package tui

import (
	"io"
	"os"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

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

// tellGap is the least time between two notices.
const tellGap = 5 * time.Second

// hereTime is how long after a key a person is taken to be in front of a terminal that
// does not report its focus.
const hereTime = time.Minute

// endsSoon is how long before an ask is over unanswered the terminal tells of it.
const endsSoon = 5 * time.Minute

// screenMost is the most bytes that GNU screen passes on in one go.
const screenMost = 768

// mostTold bounds the memory of what was told.
const mostTold = 10_000

// teller decides when the terminal tells of new asks, and of those that will be over
// unanswered: once for each ask, never of those as new that a first listing brings, not
// too often, and only while the person may be elsewhere.
type teller struct {
	focus  focus
	seen   map[client.Ref]bool // told of as new already
	warned map[client.Ref]bool // told of as ending already
	asks   []*inbox.Item       // to be told
	groups []string            // their relays
	last   time.Time
	looked time.Time // when it was looked for asks that end soon
}

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
			t.asks, t.groups = append(t.asks, g.Items[i]), append(t.groups, nameIn(g))
		}
	}
	return t
}

// tell returns the command that has the terminal tell, where that is due.
func (m model) tell() (model, tea.Cmd) {
	words := m.arrivals()
	if words == "" {
		words = m.endings()
	}
	if words == "" {
		return m, nil
	}
	m.told.last = m.now
	return m, tellTerminal(m.out, words)
}

// arrivals words a notice of the asks that are to be told of, and takes them for told;
// empty while there is nothing to tell, or it is too soon for that.
func (m *model) arrivals() string {
	t := &m.told
	var asks []*inbox.Item
	var groups []string
	for i, it := range t.asks {
		if m.wanted(it.Ask) && !t.seen[it.Ask.Ref] {
			asks, groups = append(asks, it), append(groups, t.groups[i])
		}
	}
	t.asks, t.groups = asks, groups
	if len(asks) == 0 || m.now.Before(t.last.Add(tellGap)) {
		return ""
	}
	t.seen = marked(t.seen, asks)
	t.asks, t.groups = nil, nil
	return notice(asks, groups)
}

// endings words a notice of the asks that will be over for good soon, by their relay's
// clock, and takes them for told; empty while there are none. It looks once a second, and
// through the asks only where one of them ends soon.
func (m *model) endings() string {
	t := &m.told
	if m.notify == "off" || m.here() || m.now.Before(t.last.Add(tellGap)) || m.now.Before(t.looked.Add(time.Second)) {
		return ""
	}
	t.looked = m.now
	if next := m.list.Needs().Next; next.IsZero() || next.Sub(m.now) > endsSoon {
		return ""
	}
	var asks []*inbox.Item
	var first *inbox.Group
	var least time.Duration
	for _, g := range m.snapshot.Groups {
		for _, it := range g.Items {
			left := it.Ask.Expires.Sub(m.now.Add(g.Skew))
			if it.Ask.ExpiredWords == "" || left <= 0 || left > endsSoon || !list.Open(it) || t.warned[it.Ask.Ref] {
				continue
			}
			if asks = append(asks, it); first == nil || left < least {
				first, least = g, left
			}
		}
	}
	if len(asks) == 0 {
		return ""
	}
	t.warned = marked(t.warned, asks)
	says := "one ask ends unanswered in "
	if len(asks) > 1 {
		says = itoa(len(asks)) + " asks end unanswered soon, the first in "
	}
	return "askbox: " + says + client.Remaining(least) + " on " + plainName(nameIn(first))
}

// marked adds asks to a set that is bounded.
func marked(set map[client.Ref]bool, asks []*inbox.Item) map[client.Ref]bool {
	if set == nil || len(set) > mostTold {
		set = map[client.Ref]bool{}
	}
	for _, it := range asks {
		set[it.Ask.Ref] = true
	}
	return set
}

// here reports whether the person is taken to be in front of the terminal.
func (m model) here() bool {
	return m.told.focus == focusHere || m.told.focus == focusUnknown && m.arming.seen.mono-m.arming.key < hereTime
}

// wanted reports whether the user wants to be told of an ask.
func (m model) wanted(a *client.Ask) bool {
	if m.here() || a.Kind == client.Paused {
		return false
	}
	return m.notify == "all" || m.notify == "now" && a.Waits || m.notify != "off" && a.Urgent
}

// notice words a notice for the first of some asks. It holds nothing that an agent
// wrote, because nobody knows what a terminal or a desktop makes of it.
func notice(asks []*inbox.Item, groups []string) string {
	first, says := asks[0].Ask, "one ask waits on "
	if len(asks) > 1 {
		says = itoa(len(asks)) + " new asks wait, the newest on "
	}
	words := "askbox: " + first.Kind.String()
	if first.Urgent {
		words += " now"
	}
	return words + " · " + says + plainName(groups[0])
}

// plainName makes the name of a relay, which may come from another relay, safe
// for a place that takes markup or parts a line at semicolons.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("<>&;", r) {
			return '_'
		}
		return r
	}, text.Cut(name, 40))
}

// notification is what makes a terminal tell of something, whatever machine it runs
// on: the bell, which all of them know, and their own notice (OSC 777 or OSC 9). A
// terminal takes the notice that it does not know for nothing; tmux and screen hand it on
// only when it is wrapped, and ring the bell by themselves.
func notification(words string, getenv func(string) string) string {
	seq, kind := ansi.Notify(words), getenv("TERM")
	if strings.HasPrefix(kind, "foot") || strings.HasPrefix(kind, "rxvt") || getenv("VTE_VERSION") != "" {
		seq = ansi.URxvtExt("notify", "askbox", strings.TrimPrefix(words, "askbox: "))
	}
	switch {
	case getenv("TMUX") != "":
		seq = ansi.TmuxPassthrough(seq)
	case getenv("STY") != "":
		seq = ansi.ScreenPassthrough(seq, screenMost)
	}
	return seq + "\a"
}

// tellTerminal rings. A terminal that takes no notice is no trouble: the screen shows
// the ask.
func tellTerminal(out io.Writer, words string) tea.Cmd {
	return func() tea.Msg {
		_, _ = io.WriteString(out, notification(words, os.Getenv))
		return nil
	}
}

// windowTitle is what the window is called: how many asks are open, and nothing that
// anybody else wrote.
func (m model) windowTitle() string {
	open, now := m.counts[client.All], m.list.Needs().Now
	switch {
	case open == 0:
		return "askbox"
	case now > 0:
		return "(" + itoa(open) + ", " + itoa(now) + " now) askbox"
	}
	return "(" + itoa(open) + ") askbox"
}

// entitle gives the window its title where that has changed.
func (m model) entitle() (model, tea.Cmd) {
	title := m.windowTitle()
	if !m.titled || title == m.title || m.editing != nil {
		return m, nil
	}
	m.title = title
	return m, tea.SetWindowTitle(title)
}
