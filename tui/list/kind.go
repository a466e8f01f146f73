package list

import (
	"askbox/client"
	"askbox/tui/theme"
)

// kind returns what an ask is, as a word of at most four cells for narrow lists
// and in full. Both are the program's own: the short word of an approval comes
// from what would be done, never from the name that the agent's tool has.
func kind(a *client.Ask) (short, word string, role theme.Role) {
	switch {
	case a.Unreadable != "":
		return "??", "Unreadable", theme.Warn
	case a.Kind == client.Approval:
		if short = approvals[first(a.Approval)]; short == "Tool" && a.Approval != nil && a.Approval.Tool.Empty() {
			short = "Act"
		}
		return short, "Approval", theme.Accent
	case a.Kind == client.Question:
		return "?", "Question", theme.Accent
	case a.Kind == client.Secret:
		return "Key", "Secret", theme.Accent
	}
	return "??", "Unknown", theme.Warn
}

var approvals = map[client.PartKind]string{
	client.PartCommand: "Run",
	client.PartArgs:    "Run",
	client.PartDiff:    "Edit",
	client.PartPlan:    "Plan",
	client.PartField:   "Tool",
}

// first is the kind of the part that says most of what an approval would do.
func first(a *client.ApprovalAsk) client.PartKind {
	if a == nil || len(a.Parts) == 0 || a.Parts[0].Kind == client.PartSays {
		return client.PartField
	}
	return a.Parts[0].Kind
}
