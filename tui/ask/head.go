package ask

import (
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// farOff is from where on an expiry is not worth a word.
const farOff = 365 * 24 * time.Hour

// head draws who asks and what kind of ask it is, with more lines where there is
// room, and below them what must not be missed at any size.
func (m Model) head() []string {
	if m.item == nil {
		return nil
	}
	warning := m.warning()
	room := 2
	switch {
	case m.height >= 20:
		room = 6
	case m.height >= 14:
		room = 4
	case m.height < 6 || warning != nil && m.height < 10:
		room = 1
	}
	lines := m.kindLines(room > 2)
	lines = append(lines[:1:1], append([]string{m.whose()}, lines[1:]...)...)
	trouble := m.item.Ask.Session.Trouble
	if trouble != "" {
		lines = append(lines, theme.Words(m.theme, theme.Warn, "The session: "+trouble, m.width)...)
	}
	if p := m.item.Pausing; p != "" && p != trouble {
		lines = append(lines, theme.Words(m.theme, theme.Accent, p, m.width)...)
	}
	lines = append(lines[:min(len(lines), room)], warning...)
	if m.height >= 18 {
		lines = append(lines, theme.Blank(m.width))
	}
	return lines
}

// warning is the line that nothing pushes out; nil: there is none.
func (m Model) warning() []string {
	var role theme.Role
	var words []string
	f := m.item.Flight
	switch {
	case f != nil && f.Differs != nil:
		role, words = theme.Danger, []string{"The relay carried out something else than you saw.", "The relay did something you did not see."}
	case m.owed() && m.stale:
		role, words = theme.Warn, []string{"This ask changed since you saw it. Your words are from before that. Read it again.",
			"Changed since you saw it; your words are from before.", "Changed; your words are from before it."}
	case m.owed():
		role, words = theme.Warn, []string{"This ask changed since you saw it. Read it again.", "Changed since you saw it. Read it again."}
	case m.stale:
		role, words = theme.Warn, []string{"Your words are from before this ask changed. Read it again.", "Changed; your words are from before it."}
	default:
		return nil
	}
	return []string{theme.OneLine(m.theme, role, fitting(m.width, words...), m.width)}
}

// fitting is the first of the program's words that fits, else the last.
func fitting(width int, words ...string) string {
	for _, w := range words {
		if text.Width(w) <= width {
			return w
		}
	}
	return words[len(words)-1]
}

// kindLines say what the ask is, since when it is open, and how long it stays so, which has
// a line of its own where there is room for two. Elsewhere the age gives way first, then words
// of the time left.
func (m Model) kindLines(roomy bool) []string {
	kind := m.kind()
	kind = kind[:len(kind):len(kind)]
	left, role := m.expiry()
	until := theme.Part{Role: role, Words: left}
	aged := append(kind, theme.Part{Role: theme.Dim, Words: m.age()})
	switch full := append(aged, until); {
	case left == "" && cells(full) > m.width:
		aged[len(kind)].Words = theme.ShortAge(m.item.Ask.Opened, m.relayNow())
		return []string{theme.Join(m.theme, m.width, aged...)}
	case cells(full) <= m.width:
		return []string{theme.Join(m.theme, m.width, full...)}
	case roomy:
		return []string{theme.Join(m.theme, m.width, aged...), theme.OneLine(m.theme, role, left, m.width)}
	case cells(append(kind, until)) > m.width:
		until.Words = m.shortExpiry()
	}
	return []string{theme.Join(m.theme, m.width, append(kind, until)...)}
}

func cells(parts []theme.Part) int {
	n := 0
	for _, p := range parts {
		if p.Words != "" {
			n += text.Width(p.Words) + theme.Between
		}
	}
	return max(n-theme.Between, 0)
}

// kind says what the ask is and whether a session waits for it.
func (m Model) kind() []theme.Part {
	a := m.item.Ask
	name := a.Kind.String()
	if a.Unreadable != "" {
		name = "An ask that could not be read"
	}
	parts := []theme.Part{{Role: theme.Heading, Words: name}}
	if a.Urgent {
		parts = append(parts, theme.Part{Role: theme.Urgent, Words: "now"})
	}
	switch {
	case a.Status.Closed():
		return append(parts, theme.Part{Role: theme.Accent, Words: m.outcome()})
	case a.Status == client.StatusUnknown:
		return append(parts, theme.Part{Role: theme.Warn, Words: "its state is not known here"})
	case m.ranOut() || a.Unreadable != "" || a.Kind == client.Paused:
		return parts
	case a.Waits:
		return append(parts, theme.Part{Role: theme.Strong, Words: "the session waits"})
	}
	return append(parts, theme.Part{Role: theme.Dim, Words: "the session goes on"})
}

func (m Model) age() string {
	if m.item.Ask.Opened.IsZero() {
		return "age not known"
	}
	return client.Age(m.relayNow().Sub(m.item.Ask.Opened))
}

func (m Model) expiry() (words string, role theme.Role) {
	a, words := m.item.Ask, m.item.Ask.TimeLeft(m.relayNow())
	left := a.Expires.Sub(m.relayNow())
	switch {
	case words == "" || left > farOff:
		return "", theme.Dim
	case left <= 0:
		if a.ExpiredWords != "" && !m.ranOut() {
			words = client.Overdue
		}
		return words, theme.Danger
	case left <= 10*time.Minute:
		return words, theme.Warn
	}
	return words, theme.Dim
}

// ranOut reports whether the ask is over by its time alone. While an answer from
// here is on its way, or may have arrived, nobody can say that yet.
func (m Model) ranOut() bool {
	if f := m.item.Flight; f != nil && (f.State == inbox.Sending || f.State == inbox.Checking ||
		f.State == inbox.Done || f.State == inbox.NotKnown) {
		return false
	}
	return m.item.Ask.RunOut(m.relayNow())
}

// shortExpiry is the time that is left, for where there is hardly room.
func (m Model) shortExpiry() string {
	now, end := m.relayNow(), m.item.Ask.Expires
	if m.ranOut() {
		return "expired"
	}
	if left, soon := theme.Left(end, now); soon {
		return left
	}
	return "in " + theme.ShortAge(now, end)
}

// whose says on which relay the ask is and whose session it is, in the program's
// words, then behind the gutter what others call themselves: no name can look like
// one of the program's words.
func (m Model) whose() string {
	a := m.item.Ask
	relay := text.New(a.Relay).String()
	var names []string
	name := func(s string) { names = append(names, text.Cut(s, max(m.width/4, 8))) }
	if m.group != nil && m.group.Via != "" {
		relay = "via " + m.group.Via
		name(m.group.Name)
	}
	starter := ""
	switch a.Session.Starter {
	case client.StarterMe:
		starter = "yours"
	case client.StarterAgent:
		starter = "agent"
	case client.StarterPerson:
		starter = "another person"
		if n := a.Session.StartedBy.Name; !n.Empty() {
			name(n.Fit(max(m.width/4, 8)))
		}
	case client.StarterUnknown:
		// It stands under neither Mine nor Agents.
		if starter = "not told whose"; a.Session.StartedBy.Type == client.ActorSystem {
			starter = "the relay's own"
		}
	}
	if a.Session.Title.Empty() && len(names) == 0 {
		return theme.Join(m.theme, m.width, theme.Part{Words: text.Cut(relay, max(m.width/3, 8))}, theme.Part{Words: starter},
			theme.Part{Role: theme.Dim, Words: "session without a title"})
	}
	l := theme.NewLine(m.theme, m.width).Add(theme.Plain, dotted(text.Cut(relay, max(m.width/3, 8)), starter)).Space(1)
	for _, n := range names {
		l.Add(theme.Gutter, m.theme.Glyphs.Gutter).Space(1).Add(theme.Plain, n).Space(1)
	}
	mode := "" // in which the agent works on, behind the title where there is room
	if !a.Mode.Empty() && m.width >= 60 && !a.Session.Title.Empty() {
		mode = a.Mode.Fit(20)
	}
	room := l.Left() - theme.GutterWidth
	if mode != "" {
		room -= text.Width(mode) + theme.GutterWidth + 1
	}
	if !a.Session.Title.Empty() && (room > 3 || len(names) == 0) {
		l.Add(theme.Gutter, m.theme.Glyphs.Gutter).Space(1).Add(theme.Strong, a.Session.Title.Fit(max(room, 1)))
	}
	if mode != "" && room > 3 {
		l.Space(1).Add(theme.Gutter, m.theme.Glyphs.Gutter).Space(1).Add(theme.Plain, mode)
	}
	return l.String()
}
