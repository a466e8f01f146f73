package client

// Decision is the answer to an approval.
type Decision int

// The decisions. There is no default.
const (
	NoDecision Decision = iota
	Allow
	Always
	Deny
)

// String returns the word that stands on the wire of most relays and in JSON.
func (d Decision) String() string { return [...]string{"", "allow", "always", "deny"}[d] }

// Answer is what a person answers to one ask. Which fields count depends on the
// kind of the ask; [Validate] says whether they fit.
type Answer struct {
	// Dismiss closes the ask without an answer; only Message goes with it.
	Dismiss bool
	// Decision answers an approval, Mode says how a plan is carried out.
	Decision Decision
	Mode     string
	// Message goes to the agent: a note with allow, a reason with deny, a message
	// with a dismissal. Exactly as typed.
	Message string
	// Questions answers a question: one entry for each of the ask's questions,
	// in their order.
	Questions []QuestionAnswer
}

// QuestionAnswer answers one question.
type QuestionAnswer struct {
	ID string // the question's
	// Choices are the ids of the chosen options, in the order offered.
	Choices []string
	// Text is what was typed, exactly; HasText tells an empty text from none.
	Text    string
	HasText bool
}

// Empty reports whether nothing was chosen or typed.
func (q QuestionAnswer) Empty() bool { return len(q.Choices) == 0 && !q.HasText }

// Action returns the action that the answer is.
func (a Answer) Action() Action {
	switch {
	case a.Dismiss && a.Message != "":
		return ActDismissMessage
	case a.Dismiss:
		return ActDismiss
	case a.Decision == Always:
		return ActAlways
	case a.Decision == Allow && a.Message != "":
		return ActAllowMessage
	case a.Decision == Allow:
		return ActAllow
	case a.Decision == Deny && a.Message != "":
		return ActDenyReason
	case a.Decision == Deny:
		return ActDeny
	}
	return ActAnswer
}
