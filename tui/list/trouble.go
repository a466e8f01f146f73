package list

import (
	"cmp"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// trouble says how a relay does where that is to be said, in parts of which the first one
// matters most. It takes no line of its own, so that an outage moves no ask.
func (b *block) trouble(now time.Time) (parts []string, role theme.Role) {
	s := b.group.State
	switch {
	case !s.Asked:
		return []string{"asking for the first time…"}, theme.Dim
	case !s.Reachable:
		return []string{cmp.Or(s.Trouble, client.Unreached), s.Reason, seen(s, now), next(s, now)}, theme.Danger
	case s.Partial != "":
		parts = append(parts, "may not be whole", s.Partial)
	}
	if b.unreadable > 0 {
		parts = append(parts, client.Count(b.unreadable, "ask")+" could not be read")
	}
	if role = theme.Warn; len(parts) == 0 {
		role = theme.Dim
	}
	if b.unclaimed != "" {
		parts = append(parts, "see All", b.unclaimed)
	}
	return parts, role
}

// Trouble says on one line what is wrong with the first relay whose heading has no room for
// it, as far as that fits, and with how many more; empty where the list says it all.
func (m Model) Trouble(now time.Time, room int) string {
	troubled := m.troubled(now)
	if len(troubled) == 0 || len(m.notes(now)) < m.height-min(m.total, m.height) {
		return ""
	}
	b, more := troubled[0], ""
	if n := len(troubled) - 1; n > 0 {
		more = ", and " + client.Count(n, "other relay")
	}
	parts, _ := b.trouble(now)
	return m.joined(named(b)+": "+parts[0], parts[1:], room-text.Width(more)) + more
}

// joined adds parts to the program's words as far as there is room.
func (m Model) joined(words string, parts []string, room int) string {
	for _, part := range parts {
		next := words + " " + m.theme.Glyphs.Dot + " " + part
		switch {
		case part == "":
			continue
		case text.Width(next) > room:
			return words
		}
		words = next
	}
	return words
}

// named is the name of a relay in a sentence: one that came from another relay is quoted.
func named(b *block) string {
	if b.group.Via != "" {
		return text.New(b.group.Name).Quoted(30)
	}
	return b.group.Name
}

// troubled returns the groups whose headings have no room for all that is to be said.
func (m Model) troubled(now time.Time) (all []*block) {
	for i := range m.blocks {
		b := &m.blocks[i]
		parts, _ := b.trouble(now)
		room := m.width - text.Width(b.group.Name) - 16
		if len(parts) > 1 && (b.group.Via != "" || text.Width(strings.Join(parts, " · ")) > room) {
			all = append(all, b)
		}
	}
	return all
}

// notes says below the asks what is wrong with relays whose headings have no room for it.
func (m Model) notes(now time.Time) (lines []string) {
	const indent = 3
	for _, b := range m.troubled(now) {
		parts, role := b.trouble(now)
		const all = 1 << 20
		says := m.joined(named(b)+": "+parts[0], parts[1:2], all)
		for i, line := range theme.Wrap(says, max(m.width-indent, 8)) {
			// What goes on stands in further, so that no words of a relay begin where the
			// program's do.
			l := theme.NewLine(m.theme, m.width).Space(1)
			if i > 0 {
				l.Space(indent - 1)
			}
			lines = append(lines, l.Add(role, line).String())
		}
		if len(parts) > 2 {
			lines = append(lines, theme.NewLine(m.theme, m.width).Space(1).Add(theme.Dim, m.joined(parts[2], parts[3:], all)).String())
		}
	}
	return lines
}

func seen(s inbox.State, now time.Time) string {
	if s.Seen.IsZero() {
		return "never seen"
	}
	return "seen " + theme.Clock(s.Seen, now)
}

func next(s inbox.State, now time.Time) string {
	switch {
	case s.Asking:
		return "asking again now"
	case s.Next.IsZero():
		return "asked again soon"
	}
	return "next try " + theme.Try(s.Next, now)
}
