package tui

import (
	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// nothing says why no ask is selected, and what can be done about it; empty
// while one is. It never says that nothing is open before every relay that
// can be reached was asked.
func (m model) nothing() string {
	if _, item := m.list.Selected(); item != nil {
		return ""
	}
	if m.list.Len() > 0 {
		return "Asking the relays… ↓ goes to the first ask that is there."
	}
	asked, lost, part := 0, 0, ""
	for _, g := range m.snapshot.Groups {
		switch {
		case !g.State.Asked:
		case g.State.Reachable:
			asked++
			if g.State.Partial != "" && part == "" {
				part = nameIn(g)
			}
		default:
			lost++
		}
	}
	groups := len(m.snapshot.Groups)
	switch {
	case m.counts[client.All] > 0:
		return m.hidden()
	case asked+lost < groups:
		return "Asking the relays…"
	case groups == 0:
		return ""
	case asked == 0:
		return "No relay could be read. Each is asked again by itself; R asks all of them now."
	case part != "":
		return "Nothing open could be read, but the list of " + part + " may not be whole."
	case lost > 0:
		return "Nothing is open on the relays that answer. New asks show here by themselves."
	}
	return "Nothing is open. New asks show here by themselves."
}

// hidden says which filters have something while the one that is shown has not.
func (m model) hidden() string {
	now := m.list.Filter()
	says := "Nothing is open under " + now.String() + "."
	if m.partial {
		says = "Nothing open could be read for " + now.String() + "."
	}
	for f := client.All; f <= client.Agents; f++ {
		if f != now && m.counts[f] > 0 {
			says += " " + f.String() + " has " + itoa(m.counts[f]) + "."
		}
	}
	says += m.keymap.Spell(" {next_filter} goes to the next filter.")
	switch name, why := m.unclaimed(now); {
	case why == "":
	case now == client.Mine:
		says += " Asks on " + name + " may be yours: " + why + "."
	default:
		says += " Asks on " + name + " may be an agent's: " + why + "."
	}
	return says
}

// unclaimed names the first relay with an ask of which nobody can tell whether a filter
// lets it through, and says why.
func (m model) unclaimed(f client.Filter) (name, why string) {
	for _, g := range m.snapshot.Groups {
		for _, item := range g.Items {
			if why := f.Unclaimed(item.Ask); why != "" && !item.Ask.Status.Closed() {
				return nameIn(g), why
			}
		}
	}
	return "", ""
}

// nameIn is the name of a relay in a sentence: one that came from another relay is quoted.
func nameIn(g *inbox.Group) string {
	if g.Via != "" {
		return text.New(g.Name).Quoted(30)
	}
	return g.Name
}

// nothingLines fills the place of the ask where there is none.
func (m model) nothingLines(width int) []string {
	lines := theme.Words(m.theme, theme.Dim, m.nothing(), width)
	for len(lines) < m.body() {
		lines = append(lines, theme.Blank(width))
	}
	return lines[:m.body()]
}
