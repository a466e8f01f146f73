package ask

import (
	"strconv"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/draw"
	"askbox/tui/theme"
)

// farOff is from where on an expiry is not worth a word.
const farOff = 365 * 24 * time.Hour

// Header draws who asks and what kind of ask it is: two lines, and where there
// is room more of them for what is unusual about the ask or its session.
func (m detail) Header(width, room int) []string {
	if m.item == nil || room <= 0 || width <= 0 {
		return nil
	}
	lines := []string{m.kindLine(width), m.whose(width)}
	full := append(m.kind(), draw.Part{Words: m.age()})
	if left, role := m.expiry(); left != "" && room > 2 && cells(append(full, draw.Part{Words: left})) > width {
		full[len(full)-1].Role = theme.Dim
		lines = []string{draw.Join(m.theme, width, full...), m.whose(width), draw.Line(m.theme, role, left, width)}
	}
	trouble := m.item.Ask.Session.Trouble
	if trouble != "" {
		lines = append(lines, draw.Words(m.theme, theme.Warn, "The session: "+trouble, width)...)
	}
	if p := m.item.Pausing; p != "" && p != trouble {
		lines = append(lines, draw.Words(m.theme, theme.Accent, p, width)...)
	}
	return lines[:min(len(lines), room)]
}

// kindLine says what the ask is, since when it is open, and how long it stays so.
// Where that does not fit, the age gives way first, then words of the time left.
func (m detail) kindLine(width int) string {
	kind, role := m.kind(), theme.Dim
	left, urgent := m.expiry()
	age := draw.Part{Role: role, Words: m.age()}
	full := append(append([]draw.Part{}, kind...), age, draw.Part{Role: urgent, Words: left})
	if cells(full) <= width {
		return draw.Join(m.theme, width, full...)
	}
	if left == "" {
		return draw.Join(m.theme, width, append(kind, age)...)
	}
	short := append(append([]draw.Part{}, kind...), draw.Part{Role: urgent, Words: left})
	if cells(short) > width {
		short[len(short)-1].Words = m.shortExpiry()
	}
	return draw.Join(m.theme, width, short...)
}

func cells(parts []draw.Part) int {
	n := 0
	for _, p := range parts {
		if p.Words != "" {
			n += text.Width(p.Words) + draw.Between
		}
	}
	return max(n-draw.Between, 0)
}

// kind says what the ask is and whether a session waits for it.
func (m detail) kind() []draw.Part {
	a := m.item.Ask
	name := a.Kind.String()
	if a.Unreadable != "" {
		name = "An ask that could not be read"
	}
	parts := []draw.Part{{Role: theme.Heading, Words: name}}
	if a.Urgent {
		parts = append(parts, draw.Part{Role: theme.Urgent, Words: "now"})
	}
	switch {
	case a.Status.Closed():
		return append(parts, draw.Part{Role: theme.Accent, Words: a.Status.String()})
	case a.Status == client.StatusUnknown:
		return append(parts, draw.Part{Role: theme.Warn, Words: "its state is not known here"})
	case a.Waits && !m.ranOut():
		return append(parts, draw.Part{Role: theme.Strong, Words: "the session waits"})
	}
	return parts
}

func (m detail) age() string {
	if m.item.Ask.Opened.IsZero() {
		return "age not known"
	}
	return draw.Age(m.relayNow().Sub(m.item.Ask.Opened))
}

// relayNow is the time by the clock of the ask's relay.
func (m detail) relayNow() time.Time {
	if m.group == nil {
		return m.now
	}
	return m.now.Add(m.group.Skew)
}

func (m detail) expiry() (words string, role theme.Role) {
	a := m.item.Ask
	if a.Expires.IsZero() || a.Status.Closed() {
		return "", theme.Dim
	}
	left := a.Expires.Sub(m.relayNow())
	switch {
	case left > farOff:
		return "", theme.Dim
	case m.ranOut():
		return a.ExpiredWords, theme.Danger
	case left <= 0:
		return "its time is over, the relay decides", theme.Danger
	case left <= 10*time.Minute:
		return m.theme.Glyphs.Expires + " expires in " + draw.Remaining(left), theme.Warn
	}
	return "expires in " + draw.Remaining(left), theme.Dim
}

// ranOut reports whether the ask is over by its time alone. While an answer from
// here is on its way, or may have arrived, nobody can say that yet.
func (m detail) ranOut() bool {
	if f := m.item.Flight; f != nil && (f.State == inbox.Sending || f.State == inbox.Checking ||
		f.State == inbox.Done || f.State == inbox.NotKnown) {
		return false
	}
	return m.item.Ask.RunOut(m.relayNow())
}

// shortExpiry is the time that is left, for where there is hardly room.
func (m detail) shortExpiry() string {
	left := m.item.Ask.Expires.Sub(m.relayNow())
	switch {
	case m.ranOut():
		return "expired"
	case left <= 0:
		return m.theme.Glyphs.Expires + " over"
	case left <= 2*time.Minute:
		return m.theme.Glyphs.Expires + strconv.Itoa(int((left+time.Second-1)/time.Second)) + "s"
	case left < time.Hour:
		return m.theme.Glyphs.Expires + strconv.Itoa(int(left/time.Minute)) + "m"
	}
	return m.theme.Glyphs.Expires + strconv.Itoa(int(left/time.Hour)) + "h"
}

// whose says on which relay the ask is, whose session it is, and its title: the
// program's words first, what others wrote last.
func (m detail) whose(width int) string {
	a := m.item.Ask
	relay := text.New(a.Relay).String()
	if m.group != nil {
		relay = m.group.Name
		if m.group.Via != "" {
			relay += " via " + m.group.Via
		}
	}
	parts := []draw.Part{{Role: theme.Plain, Words: text.Cut(relay, max(width/3, 8))}}
	switch a.Session.Starter {
	case client.StarterMe:
		parts = append(parts, draw.Part{Role: theme.Plain, Words: "yours"})
	case client.StarterAgent:
		parts = append(parts, draw.Part{Role: theme.Plain, Words: "agent"})
	case client.StarterPerson:
		name := "another person"
		if !a.Session.StartedBy.Name.Empty() {
			name = a.Session.StartedBy.Name.Fit(max(width/4, 8))
		}
		parts = append(parts, draw.Part{Role: theme.Plain, Words: name})
	}
	used := 0
	for _, p := range parts {
		used += text.Width(p.Words) + draw.Between
	}
	title := "session without a title"
	role := theme.Dim
	if !a.Session.Title.Empty() {
		title, role = a.Session.Title.Fit(max(width-used, 1)), theme.Strong
	}
	return draw.Join(m.theme, width, append(parts, draw.Part{Role: role, Words: title})...)
}

// Wake returns when the header says something else by the clock alone; zero: never.
func (m detail) Wake() time.Time {
	if m.item == nil {
		return time.Time{}
	}
	var wake time.Time
	sooner := func(d time.Duration) {
		if at := m.now.Add(d); d > 0 && (wake.IsZero() || at.Before(wake)) {
			wake = at
		}
	}
	a, now := m.item.Ask, m.relayNow()
	if !a.Opened.IsZero() {
		sooner(draw.AgeChange(now.Sub(a.Opened)))
	}
	if left := a.Expires.Sub(now); !a.Expires.IsZero() && !a.Status.Closed() && left <= farOff {
		sooner(draw.RemainingChange(left))
	}
	return wake
}
