package tui

import (
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/theme"
)

// header names the filters with their counts, what calls for the person, and what holds
// for the whole screen. What is left out first where there is little room stands last.
func (m model) header() string {
	l := theme.NewLine(m.theme, m.width).Space(1)
	roomy := m.width >= 60
	if roomy {
		l.Add(theme.Strong, "askbox").Space(3)
	}
	for f := client.All; f <= client.Agents; f++ {
		s := f.String() + " " + m.counted(f)
		switch {
		case f == m.list.Filter():
			l.Add(theme.Accent, "["+s+"]")
		case roomy:
			l.Space(1).Add(theme.Dim, s).Space(1)
		default:
			l.Add(theme.Dim, s)
		}
		l.Space(1)
	}
	m.standing(l)
	m.calling(l)
	h := m.keymap.History.Help().Key
	for _, says := range []string{" answered in the last day ", " last day ", " "} {
		if says += m.lastDay(); l.Left() > len(h)+len(says)+1 {
			l.Space(l.Left()-len(h)-len(says)-1).Add(theme.Key, h).Add(theme.Dim, says)
			break
		}
	}
	return l.String()
}

// lastDay is how many asks this person answered or dismissed in the last day.
func (m model) lastDay() string {
	if !m.snapshot.AnsweredSince.IsZero() {
		return itoa(m.snapshot.Mine) + "+"
	}
	return itoa(m.snapshot.Mine)
}

// calling says how much calls for the person, as far as there is room.
func (m model) calling(l *theme.Line) {
	n, marked := m.list.Needs(), len(m.bundle.refs)
	add := func(role theme.Role, says string) {
		if l.Left() > text.Width(says) {
			l.Add(role, says).Space(min(2, l.Left()-1))
		}
	}
	if marked > 0 {
		add(theme.Accent, itoa(marked)+" marked")
	}
	if n.Now > 0 {
		add(theme.Urgent, itoa(n.Now)+" now")
	}
	if n.Wait > 0 {
		add(theme.Strong, itoa(n.Wait)+" wait")
	}
	if left, ok := theme.Left(n.Next, m.now); ok && n.Next.After(m.now) {
		add(theme.Warn, "next out "+left)
	}
	if m.list.OrderedByNeed() {
		add(theme.Dim, "by need")
	}
	if q := m.list.Query(); q != "" {
		add(theme.Accent, "/"+text.New(q).Fit(20)+" "+itoa(m.list.Len()))
	}
}

// counted is how many asks are open under a filter, with a mark where the list of a
// relay may not be whole.
func (m model) counted(f client.Filter) string {
	if m.partial {
		return itoa(m.counts[f]) + "+"
	}
	return itoa(m.counts[f])
}

// standing is what must be in sight on every screen.
func (m model) standing(l *theme.Line) {
	if m.demo {
		l.Space(1).Add(theme.Good, "demo").Space(2)
	}
	insecure := 0
	name := ""
	for _, g := range m.snapshot.Groups {
		if g.Insecure && g.Via == "" {
			insecure++
			name = g.Name
		}
	}
	switch {
	case insecure == 1 && l.Left() >= 24+len(name):
		l.Space(1).Add(theme.Warn, "insecure: "+text.Cut(name, 20)).Space(2)
	case insecure > 0:
		l.Add(theme.Warn, "insecure").Space(1)
	}
	if len(m.relays) > 0 && l.Left() >= 40 {
		l.Space(1).Add(theme.Warn, "only "+text.New(strings.Join(m.relays, ", ")).Fit(20))
	}
}
