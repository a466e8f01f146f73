package tui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/text"
	"askbox/tui/theme"
)

// status is the line at the bottom that says what happened.
type status struct {
	text    string
	trouble bool
	until   time.Time // zero: until the next key
}

// sayTime is how long an ordinary message stays. One that says that something
// did not happen stays until the next key.
const sayTime = 8 * time.Second

// say puts a safe sentence into the status line.
func (m model) say(s string) model {
	m.status = status{text: s, until: m.now.Add(sayTime)}
	return m
}

// trouble puts a safe sentence there that must not go by unseen.
func (m model) trouble(s string) model {
	m.status = status{text: s, trouble: true}
	return m
}

func (s status) clear() status { return status{} }

func (s status) expire(now time.Time) status {
	if !s.until.IsZero() && !now.Before(s.until) {
		return status{}
	}
	return s
}

// mostSaid is how many lines a message takes at the most: those of the ask itself are
// never among them.
const mostSaid = 4

// bottom is the status line and the footer. A message that is too long for one
// line takes both, and in a narrow window the lines above them: no word of it may be
// missing, and the keys come back with the next key.
func (m model) bottom() []string {
	l := theme.NewLine(m.theme, m.width).Space(1)
	if m.prompt != 0 {
		l.Add(theme.Key, string(m.prompt)).Add(theme.Plain, tail(text.New(m.typed).String(), l.Left()-2))
		l.Add(theme.Cursor, m.theme.Glyphs.Cursor)
		if m.prompt == '/' && m.typed == "" && m.screen == screenInbox {
			l.Space(1).Add(theme.Dim, "words, relay:work, kind:edit, is:waits")
		}
		return []string{l.String(), m.footer()}
	}
	if n := m.list.Above(); n > 0 && m.screen == screenInbox {
		l.Add(theme.Accent, itoa(n)+" new "+m.theme.Glyphs.Above).Space(2)
	}
	says, role := m.status.text, theme.Plain
	switch {
	case m.status.trouble:
		role = theme.Warn
	case says == "":
		says, role = m.standstill(l.Left() - 1)
	}
	if text.Width(says) <= l.Left()-1 {
		return []string{l.Add(role, says).String(), m.footer()}
	}
	first := theme.Wrap(says, l.Left()-1)[0]
	lines := []string{l.Add(role, first).String()}
	rest := theme.Wrap(strings.TrimSpace(strings.TrimPrefix(says, first)), m.width-2)
	if most := mostSaid - 1; len(rest) > most {
		rest = append(rest[:most-1:most-1], text.Cut(strings.Join(rest[most-1:], " "), m.width-2))
	}
	for _, part := range rest {
		lines = append(lines, theme.NewLine(m.theme, m.width).Space(1).Add(role, part).String())
	}
	return lines
}

// standstill is what the line says while nothing happens: that what is on the
// screen may be old, or why there is nothing on it. It stays, so it leaves the
// keys their line wherever it can.
func (m model) standstill(room int) (string, theme.Role) {
	if unkept := m.unkept(); len(unkept) > 0 {
		why := reason(unkept[0].Err)
		if m.shown.ok && slices.ContainsFunc(unkept, func(u drafts.Unkept) bool { return u.Ref == m.shown.ref }) {
			return "What you typed cannot be kept: " + why + "; " + m.keymap.Back.Help().Key + ", then " + m.keymap.Copy.Help().Key + " copies it", theme.Warn
		}
		return client.Count(len(unkept), "text") + " cannot be kept: " + why, theme.Warn
	}
	if m.screen == screenInbox && !m.wide() && m.nothing() != "" {
		return m.nothing(), theme.Dim
	}
	group, item := m.list.Selected()
	if item == nil || !m.askVisible() || group.State.Reachable || !group.State.Asked {
		if m.listVisible() {
			return m.list.Trouble(m.now, room), theme.Warn
		}
		return "", theme.Plain
	}
	trouble := cmp.Or(group.State.Trouble, client.Unreached)
	few := strings.ToLower(trouble[:1]) + trouble[1:]
	says := group.Name + ": " + few
	if trouble == client.Unreached {
		says = group.Name + " does not answer"
	}
	if !group.State.Seen.IsZero() {
		at := clock(group.State.Seen, m.now)
		says += "; this is as it was at " + at
		few += ", as it was at " + at
	}
	if text.Width(says) > room {
		says = few
	}
	return says, theme.Warn
}

// tail keeps the end of a safe string, because that is where somebody is typing.
func tail(s string, width int) string {
	for text.Width(s) > max(width, 0) {
		_, size := firstRune(s)
		s = s[size:]
	}
	return s
}
