package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// longest is the most cells of what an agent wrote in a line that goes to a pipe.
const longest = 500

// leastAsked is the fewest cells in which what is asked still says something. A
// terminal that has fewer beside the names of the asks shows it a line below.
const leastAsked = 28

// listing is what a terminal shows of the open asks, with the widths of its columns.
type listing struct {
	width  int // of a line of the terminal
	rows   []listed
	goesOn bool // some session does not wait
	urgent bool // some ask is urgent
}

// listed is one open ask, with its name as a command takes it, the digest to answer it
// by, and the time by its relay's clock.
type listed struct {
	ask    *client.Ask
	name   string
	digest string
	now    time.Time
}

func (l *listing) add(row listed) {
	l.rows = append(l.rows, row)
	l.goesOn = l.goesOn || !row.ask.Waits
	l.urgent = l.urgent || row.ask.Urgent
}

// lines writes the asks for a person at a terminal, or for a program.
func (l *listing) lines(terminal bool) []string {
	if terminal {
		return l.columns()
	}
	return l.fields()
}

// fields writes the asks for a program: a line each, with tabs between.
func (l *listing) fields() []string {
	var out []string
	for _, row := range l.rows {
		opened := ""
		if !row.ask.Opened.IsZero() {
			opened = row.ask.Opened.UTC().Format(time.RFC3339)
		}
		out = append(out, strings.Join([]string{opened, kindWord(row.ask), waitsWord(row.ask), urgentWord(row.ask), row.name,
			asked(row.ask, longest), row.ask.Session.Title.Fit(longest), row.digest}, "\t"))
	}
	return out
}

// columns writes the asks for a person: what the program says stands left of what an agent
// wrote. A column that would say the same of every ask is left out.
func (l *listing) columns() []string {
	var out []string
	name := l.names()
	for _, row := range l.rows {
		left := text.Pad(strings.Repeat(" ", max(4-len(age(row.ask.Opened, row.now)), 0))+age(row.ask.Opened, row.now), 4) +
			"  " + text.Pad(kindWord(row.ask), 8)
		if l.goesOn {
			left += "  " + text.Pad(waitsWord(row.ask), 7)
		}
		if l.urgent {
			left += "  " + text.Pad(urgentWord(row.ask), 3)
		}
		if text.Width(row.name) <= name {
			left += "  " + text.Pad(row.name, name) + "  " + row.digest + "  " + gutter
			out = append(out, left+askedIn(row.ask, l.width-text.Width(left)))
			continue
		}
		indent := "      " + row.digest + "  " + gutter
		// A name that is cut names nothing, so it stands whole.
		out = append(out, left+"  "+row.name, indent+askedIn(row.ask, max(l.width-text.Width(indent), 1)))
	}
	return out
}

// approvals reports whether anything in the list can be allowed.
func (l *listing) approvals() bool {
	return slices.ContainsFunc(l.rows, func(row listed) bool { return row.ask.Offer(client.ActAllow).OK })
}

// names returns the width of the column of names: the widest of those that leave
// room for what is asked.
func (l *listing) names() int {
	left := 4 + 2 + 8 + 2 + shortDigits
	if l.goesOn {
		left += 2 + 7
	}
	if l.urgent {
		left += 2 + 3
	}
	most, widest := l.width-left-4-text.Width(gutter)-leastAsked, 0
	for _, row := range l.rows {
		if w := text.Width(row.name); w <= most {
			widest = max(widest, w)
		}
	}
	return widest
}

// askedIn returns what is asked and the session's title in at most width cells.
func askedIn(ask *client.Ask, width int) string {
	title := ask.Session.Title.Fit(max(min(30, width/3), 1))
	if ask.Session.Title.Empty() {
		return brief(ask, width)
	}
	return text.Cut(brief(ask, max(width-text.Width(title)-3, 1))+" · "+title, width)
}

// brief returns what is asked in at most width cells on a line for a person, an approval's
// tool first.
func brief(ask *client.Ask, width int) string { return withTool(ask, width, ask.Line) }

// asked is the same on a line for a program, with every line of what is asked.
func asked(ask *client.Ask, width int) string {
	return withTool(ask, width, func(width int) string { return ask.What().FitAs(ask.Reads(), width) })
}

func withTool(ask *client.Ask, width int, line func(width int) string) string {
	if ask.Approval == nil || ask.Approval.Tool.Empty() {
		return line(width)
	}
	tool := ask.Approval.Tool.Fit(min(20, width)) + "  "
	return text.Cut(tool+line(max(width-text.Width(tool), 1)), width)
}

func kindWord(ask *client.Ask) string {
	switch {
	case ask.Unreadable != "":
		return "Not read"
	case ask.Kind == client.Unknown:
		return "Unknown"
	}
	return ask.Kind.String()
}

func waitsWord(ask *client.Ask) string {
	if ask.Waits {
		return "waits"
	}
	return "goes on"
}

func urgentWord(ask *client.Ask) string {
	if ask.Urgent {
		return "now"
	}
	return ""
}

// age returns how long ago a moment was in its largest unit. It is never
// negative, since clocks differ, and says so when the moment is not known.
func age(then, now time.Time) string {
	if then.IsZero() {
		return "?"
	}
	d := max(now.Sub(then), 0)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}

// eventLine writes one thing that a watch tells, for a person.
func (a *app) eventLine(h happening) string {
	fields := []string{h.at.Local().Format(time.TimeOnly), text.Pad(h.event, 6)}
	if h.ask == nil {
		return strings.TrimSpace(strings.Join(append(fields, relayName(h), h.why()), "  "))
	}
	fields = append(fields, argument(h.ask.Ref.String()), shortDigest(h.ask), text.Pad(kindWord(h.ask), 8), urgentWord(h.ask))
	if h.event == eventClosed {
		fields = append(fields, h.why())
	}
	left := strings.Join(fields, "  ") + "  " + gutter
	return left + brief(h.ask, max(a.Width-text.Width(left), leastAsked))
}

// eventFields writes the same for a program, with tabs between.
func eventFields(h happening) string {
	fields := []string{h.at.UTC().Format(time.RFC3339), h.event}
	if h.ask == nil {
		return strings.Join(append(fields, relayName(h), h.why()), "\t")
	}
	return strings.Join(append(fields, argument(h.ask.Ref.Full()), h.why(), kindWord(h.ask), urgentWord(h.ask),
		shortDigest(h.ask), asked(h.ask, longest)), "\t")
}

// why says why a relay was lost, or how an ask closed.
func (h *happening) why() string {
	switch {
	case h.ask == nil && h.via != "" && h.reason != "":
		return gutter + h.reason // as the relay in between tells it
	case h.ask == nil:
		return h.reason
	case h.event == eventClosed:
		return h.ask.EndedBy()
	}
	return ""
}

// relayName returns the name of a relay: that of one which is not configured is its own,
// so it stands in quotes behind the way to it.
func relayName(h happening) string {
	if h.via == "" {
		return text.New(h.relay).String()
	}
	return "via " + text.New(h.via).String() + " " + text.New(h.relay).Quoted(60)
}
