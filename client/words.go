package client

import (
	"cmp"
	"slices"
	"strings"

	"askbox/client/text"
)

// The words in which askbox tells people of asks, on the screen, on the command line and in
// the history. Nothing reads them in order to decide something.

// String returns what an action is called: `allow with a message`.
func (a Action) String() string {
	return [...]string{"allow", "allow always", "allow with a message", "deny", "deny with a reason",
		"answer", "dismiss", "dismiss with a message"}[a]
}

// Name returns the word for an action that stands in JSON written for scripts.
func (a Action) Name() string {
	return [...]string{"allow", "allow_always", "allow_message", "deny", "deny_message",
		"answer", "dismiss", "dismiss_message"}[a]
}

// Done returns what a decision did: `allowed`.
func (d Decision) Done() string {
	return [...]string{"", "allowed", "allowed, always", "denied"}[d]
}

// Done returns what an answer did: `denied`, `dismissed`, `answered`.
func (a Answer) Done() string {
	switch {
	case a.Dismiss:
		return Dismissed.String()
	case a.Decision != NoDecision:
		return a.Decision.Done()
	}
	return Answered.String()
}

// Name returns the word for a status that stands in JSON written for scripts.
func (s Status) Name() string {
	if s == StatusUnknown {
		return "unknown"
	}
	return s.String()
}

// Did says in one word what became of an ask that closed in a way: the decision where it is
// known, else how it closed. The screen, the history and the commands say it alike, and
// what was allowed never looks like what was denied.
func (s Status) Did(d Decision) string {
	if s == Answered && d != NoDecision {
		return d.Done()
	}
	return s.String()
}

// Did is [Status.Did] of an ask.
func (a *Ask) Did() string {
	if a.Closing == nil {
		return a.Status.String()
	}
	return a.Status.Did(a.Closing.Decision)
}

// String says what the agent did after its ask was closed; empty where it is not known.
func (a After) String() string {
	return [...]string{"", "the agent went on", "the agent has asked again", "what was allowed failed", "the agent stopped"}[a]
}

// Name returns the word for it that stands in JSON written for scripts; empty where it is
// not known.
func (a After) Name() string {
	return [...]string{"", "went_on", "asked_again", "failed", "stopped"}[a]
}

// String returns the heading of such a part.
func (k PartKind) String() string {
	return [...]string{"Command", "Arguments", "Change", "Plan", "Input", "The agent says"}[k]
}

// Name returns the word for the kind of a part that stands in JSON written for scripts.
func (k PartKind) Name() string {
	return [...]string{"command", "arguments", "change", "plan", "field", "says"}[k]
}

// Title returns what a mode is called: the program's words for it, else the relay's id.
func (m Mode) Title() string {
	if m.Label != "" {
		return m.Label
	}
	return "mode " + text.New(m.ID).Quoted(40)
}

// Name returns the word for the type of an answer that stands in JSON written for scripts.
func (t FieldType) Name() string {
	return [...]string{"choice", "text", "number", "integer", "boolean"}[t]
}

// AnswerLines says what an answer to this ask is, as it stands in [Closing.Answer]: the
// decision in the program's words, then what was chosen and typed, a line for each question.
func (a *Ask) AnswerLines(answer Answer) []text.Text {
	var lines []text.Text
	add := func(s string) { lines = append(lines, text.New(s)) }
	if answer.Decision != NoDecision {
		add(answer.Decision.Done())
	}
	if answer.Mode != "" {
		add("mode: " + answer.Mode)
	}
	for i, given := range answer.Questions {
		if at := slices.IndexFunc(a.Questions, func(q QuestionAsk) bool { return q.ID == given.ID }); at >= 0 {
			i = at
		}
		var said []string
		for _, id := range given.Choices {
			said = append(said, a.Label(i, id).Raw())
		}
		if given.HasText {
			said = append(said, given.Text)
		}
		lines = append(lines, a.Said(i, said))
	}
	if answer.Message != "" {
		add(answer.Message)
	}
	return lines
}

// Said is what was chosen and typed as the answer to a question, as a line of
// [Closing.Answer]. The question is named where it is one of several.
func (a *Ask) Said(question int, said []string) text.Text {
	line := strings.Join(said, ", ")
	if question < len(a.Questions) && len(a.Questions) > 1 {
		q := &a.Questions[question]
		line = cmp.Or(q.Header.Raw(), q.Text.Raw()) + ": " + line
	}
	return text.New(line)
}

// EndedBy says how an ask closed, by whom and where, safe to print: `denied by "Ada"`.
func (a *Ask) EndedBy() string {
	words, name := a.ClosedBy()
	words = strings.TrimSuffix(a.Did()+" "+words, " ")
	if !name.Empty() {
		words += " " + name.Quoted(60)
	}
	if a.Closing != nil && !a.Closing.Surface.Empty() {
		words += " in " + a.Closing.Surface.Quoted(30)
	}
	return words
}

// ClosedBy says who closed the ask: `by you`. A name that the relay gives comes apart, to
// stand behind the words where nobody takes it for one of them. Both are empty where
// nobody did: an ask that expired, or ended with its session, was closed by no one.
func (a *Ask) ClosedBy() (words string, name text.Text) {
	if a.Closing == nil {
		return "", name
	}
	switch by := a.Closing.By; {
	case by.Me:
		return "by you", name
	case !by.Name.Empty():
		return "by", by.Name
	case by.Type == ActorAgent:
		return "by an agent", name
	case by.Type == ActorSystem:
		return "by the relay", name
	case by.Type == ActorUser && !by.MaybeMe:
		return "by another person", name
	case a.Status == Answered || a.Status == Dismissed || a.Status == Declined:
		return "by someone the relay does not name", name
	}
	return "", name
}

// Name returns the word for whose a session is that stands in JSON written for scripts.
func (s Starter) Name() string { return [...]string{"unknown", "me", "person", "agent"}[s] }

// Name returns the word for what somebody is that stands in JSON written for scripts; empty
// where it is not known.
func (t ActorType) Name() string { return [...]string{"", "user", "agent", "system"}[t] }
