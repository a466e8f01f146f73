package client

import (
	"strings"

	"askbox/client/text"
)

// How an ask is told in one line.

// Row returns what a row shows of what is asked, and whether there is more of it: of prose
// the first line, of a change the path below the folder that the session works in.
func (a *Ask) Row() (t text.Text, more bool) {
	t, more = a.Brief(), a.Approval != nil && !a.Approval.Brief.Empty()
	switch lead := a.Leads(); {
	case a.Unreadable != "" || more:
	case a.Approval == nil || lead == PartPlan:
		return firstLine(t.Raw())
	case lead == PartDiff && a.Session.Folder.Raw() != "":
		return text.New(strings.TrimPrefix(t.Raw(), strings.TrimSuffix(a.Session.Folder.Raw(), "/")+"/")), false
	}
	return t, more
}

// Leads is the kind of the part that [ApprovalAsk.What] is from.
func (a *Ask) Leads() PartKind {
	if a.Approval != nil {
		for _, p := range a.Approval.Parts {
			if p.Kind != PartSays {
				return p.Kind
			}
		}
	}
	return PartField
}

// firstLine is the first line of prose with something in it, without the sign of a heading.
func firstLine(raw string) (line text.Text, more bool) {
	first, rest, _ := strings.Cut(strings.TrimLeft(raw, " \t\r\n"), "\n")
	if plain := strings.TrimLeft(first, "#"); strings.HasPrefix(plain, " ") {
		first = strings.TrimSpace(plain)
	}
	return text.New(first), strings.TrimSpace(rest) != ""
}

// Project returns the name of the folder that the session works in, empty where the relay
// tells none.
func (s *Session) Project() text.Text {
	raw := strings.TrimRight(s.Folder.Raw(), "/")
	return text.New(raw[strings.LastIndexByte(raw, '/')+1:])
}

// Line says in at most width cells what is asked. Prose is cut at its end, a path at its
// beginning, a command in the middle, and a mark says how much there is of one that is long.
func (a *Ask) Line(width int) string { return a.LineFrom(width, 0) }

// LineFrom is Line where the row of another ask begins with the same bytes of [Ask.Row]:
// what comes after them is in sight.
func (a *Ask) LineFrom(width, same int) string {
	t, more := a.Row()
	mode, lead, head := a.Reads(), "", width
	if more {
		width--
	}
	switch part := a.Leads(); {
	case a.Approval == nil || part == PartPlan || t.Fits(mode, width):
	case part == PartDiff:
		head = 0
	default:
		lead = size(t, width)
		width -= text.Width(lead)
		head = width / 2
	}
	if same > 0 {
		const before = 8 // bytes of what is the same, to tell what it is
		head = min(head, width/4)
		lead += t.From(mode, width, head, max(same-before, 0))
	} else {
		lead += t.Ends(mode, width, head)
	}
	if more && !strings.HasSuffix(lead, "…") {
		lead += "…"
	}
	return lead
}

// size is the mark that says how long a command is which does not fit, so that its
// beginning does not pass for all of it; empty for one that is not long.
func size(t text.Text, width int) string {
	const least, long = 20, 1000 // cells, bytes
	switch bytes, lines := t.Size(); {
	case width < least:
	case lines > 1:
		return text.Mark(Count(lines, "line")) + " "
	case bytes > long:
		return text.Mark(Number(bytes)+" bytes") + " "
	}
	return ""
}
