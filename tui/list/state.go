package list

import (
	"strconv"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// state is one thing that the program says of an ask.
type state struct {
	word string
	role theme.Role
}

// fitting returns those of the states for which there is room, and the cells that they take.
func fitting(states []state, room int) (fit []state, width int) {
	for i, s := range states {
		s.word = text.Cut(s.word, room)
		cells := text.Width(s.word) + min(i, 1)
		if width+cells > room {
			break
		}
		fit, width = append(fit, s), width+cells
	}
	return fit, width
}

func say(l *theme.Line, states []state) {
	for i, s := range states {
		l.Space(min(i, 1)).Add(s.role, s.word)
	}
}

// states is what the program says of an ask, the most important first: what this program
// does with it or how it closed, or else what calls for the person.
func (m Model) states(it *inbox.Item, now, relay time.Time) []state {
	if s, role := outcome(it, now, relay); s != "" {
		return []state{{s, role}}
	}
	var all []state
	add := func(holds bool, word string, role theme.Role) {
		if holds {
			all = append(all, state{word, role})
		}
	}
	left, soon := theme.Left(it.Ask.Expires, relay)
	add(m.marks.Marked != nil && m.marks.Marked(it.Ask.Ref), "marked", theme.Accent)
	add(m.marks.Changed != nil && m.marks.Changed(it), "changed", theme.Warn)
	add(soon, left, theme.Warn)
	add(it.Ask.Urgent, "now", theme.Urgent)
	add(m.marks.Draft != nil && m.marks.Draft(it.Ask.Ref), "draft", theme.Accent)
	add(it.Ask.Waits, "waits", theme.Plain)
	paused := it.Ask.Kind == client.Paused
	add(paused, "paused", theme.Dim)
	add(!it.Ask.Waits && !paused && m.second && it.Ask.Unreadable == "", "goes on", theme.Dim)
	return all
}

// outcome says what this program does with an ask, or how it closed; empty while it is
// only open. The second time is the relay's.
func outcome(it *inbox.Item, now, relay time.Time) (string, theme.Role) {
	if f := it.Flight; f != nil {
		if f.Differs != nil {
			return "differs", theme.Danger
		}
		switch f.State {
		case inbox.Held:
			left := max(f.Until.Sub(now), 0)
			return "held " + strconv.Itoa(int((left+time.Second-1)/time.Second)) + "s", theme.Accent
		case inbox.Sending:
			return "sending", theme.Accent
		case inbox.Checking:
			return "checking", theme.Warn
		case inbox.Done:
			return word(f.Answer.Done()), theme.Good
		case inbox.Refused:
			return "refused", theme.Danger
		case inbox.TooLate:
			return "too late", theme.Danger
		case inbox.NotKnown:
			return "not known", theme.Danger
		}
	}
	switch {
	case it.Ask.Status.Closed():
		return word(it.Ask.Did()), theme.Warn
	case it.Ask.Status == client.StatusUnknown:
		return "unclear", theme.Warn
	case it.Ask.RunOut(relay):
		return client.Expired.String(), theme.Danger
	}
	return "", theme.Plain
}

// word is the first of the program's words for an end: that an allow was for always stands
// on the ask.
func word(did string) string {
	first, _, _ := strings.Cut(did, ",")
	return first
}

// The words for what an ask is, which are the program's own: that of an approval comes
// from what would be done, never from the name that the agent's tool has.
const (
	run     = "Run"
	edit    = "Edit"
	plan    = "Plan"
	tool    = "Tool"
	ask     = "Ask"
	secret  = "Key"
	off     = "Off" // a session that is paused
	unknown = "??"
)

// kindOf returns what an ask is, as a word of at most four cells.
func kindOf(a *client.Ask) string {
	switch {
	case a.Unreadable != "":
		return unknown
	case a.Kind == client.Question:
		return ask
	case a.Kind == client.Secret:
		return secret
	case a.Kind == client.Paused:
		return off
	case a.Kind != client.Approval:
		return unknown
	}
	switch a.Leads() {
	case client.PartCommand, client.PartArgs:
		return run
	case client.PartDiff:
		return edit
	case client.PartPlan:
		return plan
	}
	return tool
}
