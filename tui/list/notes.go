package list

import (
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"askbox/client/inbox"
	"askbox/tui/theme"
)

// indent is what a note stands in from the edge, and mostReason the lines that
// the reason of a relay that is down may take.
const (
	indent     = 3
	goesOn     = 2
	mostReason = 3
)

// note is a line between the heading of a group and its asks. What it says
// changes only with the group; a clock one says when the relay was seen and is
// tried again, and is worded as it is drawn.
type note struct {
	text  string
	role  theme.Role
	clock bool
}

// noted gives a block its notes.
func (m Model) noted(b block) block {
	s := b.group.State
	b.notes = nil
	add := func(r theme.Role, text string) { b.notes = append(b.notes, note{text: text, role: r}) }
	switch {
	case !s.Asked:
		add(theme.Dim, "asking for the first time…")
	case !s.Reachable:
		for _, line := range folded("Not reachable · "+s.Reason, m.width-indent) {
			add(theme.Danger, line)
		}
		b.notes = append(b.notes, note{role: theme.Dim, clock: true})
	}
	if s.Partial != "" {
		for _, line := range folded("may not be whole: "+s.Partial, m.width-indent) {
			add(theme.Warn, line)
		}
	}
	switch {
	case b.unreadable == 1:
		add(theme.Warn, "1 ask could not be read")
	case b.unreadable > 1:
		add(theme.Warn, strconv.Itoa(b.unreadable)+" asks could not be read")
	}
	switch {
	case len(b.items) > 0 || !s.Asked || !s.Reachable || s.Partial != "":
	case len(b.group.Items) > 0:
		// The heading says how many the filter hides.
	default:
		add(theme.Dim, "nothing open")
	}
	return b
}

// folded breaks a safe sentence into lines. What does not fit into the last one
// is cut with a mark by whoever draws it. What goes on stands in further, so that no
// words of a relay in it begin where the program's begin.
func folded(s string, width int) []string {
	lines := strings.Split(ansi.Wrap(s, max(width-goesOn, 8), ""), "\n")
	if len(lines) > mostReason {
		rest := strings.Join(lines[mostReason-1:], " ")
		lines = append(lines[:mostReason-1], rest)
	}
	for i := range lines[1:] {
		lines[i+1] = strings.Repeat(" ", goesOn) + lines[i+1]
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
	case s.Stopped:
		return "not asked again until you press R"
	case s.Asking:
		return "asking again now"
	case s.Next.IsZero():
		return "asked again soon"
	}
	return "next try " + theme.Try(s.Next, now)
}
