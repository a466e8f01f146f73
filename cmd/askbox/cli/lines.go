package cli

import (
	"slices"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/text"
)

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

// lines writes the asks: what the program says stands left of what an agent wrote.
// A column that would say the same of every ask is left out.
func (l *listing) lines() []string {
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
			out = append(out, left+beside(row.ask, l.width-text.Width(left)))
			continue
		}
		indent := "      " + row.digest + "  " + gutter
		// A name that is cut names nothing, so it stands whole.
		out = append(out, left+"  "+row.name, indent+beside(row.ask, max(l.width-text.Width(indent), 1)))
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

// beside returns what is asked and the session's title in at most width cells.
func beside(ask *client.Ask, width int) string {
	title := ask.Session.Title.Fit(max(min(30, width/3), 1))
	if ask.Session.Title.Empty() {
		return brief(ask, width)
	}
	return text.Cut(brief(ask, max(width-text.Width(title)-3, 1))+" · "+title, width)
}

// brief returns what is asked in at most width cells, an approval's tool first.
// Of several lines, which only a command has to show, the first one is enough.
func brief(ask *client.Ask, width int) string {
	first, _, more := strings.Cut(ask.Brief().Raw(), "\n")
	more = more || ask.Brief() != ask.What()
	if !more || first == "" || width < 2 || runs(ask) {
		return asked(ask, width)
	}
	tool := ""
	if ask.Approval != nil && !ask.Approval.Tool.Empty() {
		tool = ask.Approval.Tool.Fit(min(20, width)) + "  "
	}
	return strings.TrimSuffix(text.Cut(tool+text.New(first).FitAs(ask.Reads(), width), width-1), "…") + "…"
}

// runs reports whether what is asked is a command, whose line breaks are part of
// what runs.
func runs(ask *client.Ask) bool {
	return ask.Approval != nil && len(ask.Approval.Parts) > 0 && ask.Approval.Parts[0].Kind == client.PartCommand
}
