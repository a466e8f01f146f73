package tui

import (
	"time"

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

// statusLine is what was said last, or else what stands: arrivals out of sight,
// and that the relay of the ask on the screen does not answer.
func (m model) statusLine() string {
	l := theme.NewLine(m.theme, m.width).Space(1)
	if m.searching {
		return l.Add(theme.Key, "/").Add(theme.Plain, tail(text.New(m.typed).String(), l.Left()-1)).Add(theme.Cursor, "▌").String()
	}
	if n := m.list.Above(); n > 0 && m.screen == screenInbox {
		l.Add(theme.Accent, itoa(n)+" new "+m.theme.Glyphs.Above)
		l.Space(2)
	}
	switch {
	case m.status.trouble:
		l.Add(theme.Warn, m.status.text)
	case m.status.text != "":
		l.Add(theme.Plain, m.status.text)
	default:
		l.Add(theme.Warn, m.stale())
	}
	return l.String()
}

// stale says that what is on the screen may be old.
func (m model) stale() string {
	group, item := m.list.Selected()
	if item == nil || !m.askVisible() || group.State.Reachable || !group.State.Asked {
		return ""
	}
	s := group.Name + " does not answer"
	if !group.State.Seen.IsZero() {
		s += "; this is as it was at " + clock(group.State.Seen, m.now)
	}
	return s
}

// tail keeps the end of a safe string, because that is where somebody is typing.
func tail(s string, width int) string {
	for text.Width(s) > max(width, 0) {
		_, size := firstRune(s)
		s = s[size:]
	}
	return s
}
