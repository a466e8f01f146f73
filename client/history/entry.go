package history

import (
	"strings"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// Entry is one ask that was closed, or that somebody tried to answer here.
type Entry struct {
	Ref     client.Ref
	Kind    client.Kind
	Waited  bool      // whether the session waited
	What    text.Text // what was on the screen, where it was answered here
	Session text.Text // title
	// How is how it closed; Open where it did not, and there was an attempt alone.
	How    client.Status
	By     text.Text // name; empty when not known
	ByMe   bool
	ByType client.ActorType
	At     time.Time // zero when not known
	// Surface is where it was answered, as in client.Closing.
	Surface text.Text
	// Answer is what it was answered with, as far as that is known, and With the same
	// as lines for people, as in client.Closing.Answer.
	Answer Answer
	With   []text.Text
	After  client.After
	Note   string // the program's words
	// Shown and Told are set where it was answered here and the relay says that it
	// was something else: the first piece that differs, as it was on the screen and
	// as the relay has it.
	Shown, Told text.Text
	// Here says that it was answered with this program, on this machine.
	Here bool
	// Same is what [client.Ask.Sameness] says of an approval that was answered here.
	Same string
	// Tried is the last answer that was given here and is not known to have counted;
	// nil where there is none.
	Tried *Attempt
}

// Did says in one word what became of the ask, or of the answer to it where that is all
// there is.
func (e *Entry) Did() string {
	if e.How == client.Open && e.Tried != nil {
		return e.Tried.End.String()
	}
	return e.How.Did(e.Answer.Decision)
}

// Mine reports whether the person in front of this program closed it, here or elsewhere:
// what the count of the day counts.
func (e *Entry) Mine() bool {
	return e.ByMe && (e.How == client.Answered || e.How == client.Dismissed || e.How == client.Declined)
}

// Ours reports whether an answer was given with this program on this machine, whatever
// came of it.
func (e *Entry) Ours() bool { return e.Here || e.Tried != nil }

// Answer is what was answered, or was to be.
type Answer struct {
	Dismiss  bool
	Decision client.Decision
	Mode     text.Text
	Message  text.Text
	Choices  []text.Text // the labels of what was chosen, of all questions
	Texts    []text.Text // what was typed, of all questions
}

// AnswerTo returns an answer to an ask as the history keeps it.
func AnswerTo(ask *client.Ask, a client.Answer) Answer {
	kept := Answer{Dismiss: a.Dismiss, Decision: a.Decision, Mode: Short(text.New(a.Mode)), Message: Short(text.New(a.Message))}
	for i, q := range a.Questions {
		for _, id := range q.Choices {
			if len(kept.Choices) < mostLines {
				kept.Choices = append(kept.Choices, Short(ask.Label(i, id)))
			}
		}
		if q.HasText && len(kept.Texts) < mostLines {
			kept.Texts = append(kept.Texts, Short(text.New(q.Text)))
		}
	}
	return kept
}

// Action returns what the answer is called: `deny with a reason`.
func (a Answer) Action() client.Action {
	return client.Answer{Dismiss: a.Dismiss, Decision: a.Decision, Message: a.Message.Raw()}.Action()
}

// Lines says what the answer is, a line each: the decision in the program's words, then
// what was chosen and typed.
func (a Answer) Lines() []text.Text {
	var lines []text.Text
	if a.Decision != client.NoDecision {
		lines = append(lines, text.New(a.Decision.Done()))
	}
	if !a.Mode.Empty() {
		lines = append(lines, text.New("mode: "+a.Mode.Raw()))
	}
	lines = append(append(lines, a.Choices...), a.Texts...)
	if !a.Message.Empty() {
		lines = append(lines, a.Message)
	}
	return lines
}

// Attempt is an answer that was given here and is not known to have counted.
type Attempt struct {
	Answer Answer
	End    End
	At     time.Time // when that was known
	Why    string    // the program's words; empty where End says it all
	Said   text.Text // the relay's words
}

// End is how an attempt ended.
type End int

// The ends of an attempt.
const (
	NotSent  End = iota // it never left
	Refused             // the relay did not take it
	TooLate             // the ask had closed in another way
	NotKnown            // it was sent, and nobody could say whether it counted
)

// String returns what stands on the screen.
func (e End) String() string {
	return [...]string{"not sent", "not taken", "too late", "not known"}[e]
}

// Name returns the word that stands in JSON written for scripts.
func (e End) Name() string {
	return [...]string{"not_sent", "refused", "too_late", "not_known"}[e]
}

const (
	mostLines = 50   // of one answer
	mostBytes = 2000 // of one text
)

// Short bounds what the history holds of a text: it is held in memory and written to
// disk, and a command can be megabytes.
func Short(t text.Text) text.Text {
	raw := t.Raw()
	if len(raw) <= mostBytes {
		return t
	}
	return text.New(strings.ToValidUTF8(strings.Clone(raw[:mostBytes]), "") + "…")
}

// ShortLines bounds what the history holds of the lines of an answer.
func ShortLines(lines []text.Text) []text.Text {
	var out []text.Text
	for _, t := range lines[:min(len(lines), mostLines)] {
		out = append(out, Short(t))
	}
	return out
}
