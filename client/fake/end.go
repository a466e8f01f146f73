package fake

import (
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Answer is what somebody says to an ask, in words that fit every kind of relay.
type Answer struct {
	// Decision is allow, always or deny, for an approval.
	Decision string
	// Choices are the labels that were chosen, for each question.
	Choices [][]string
	// Words is what was typed: a reason, a message or an answer.
	Words string
}

// Allow is the answer that allows.
var Allow = Answer{Decision: "allow"}

// Deny is the answer that denies; the reason may be empty.
func Deny(reason string) Answer { return Answer{Decision: "deny", Words: reason} }

// Choose is an answer to one question.
func Choose(labels ...string) Answer { return Answer{Choices: [][]string{labels}} }

// First returns the first label that was chosen for the first question.
func (a Answer) First() string {
	if len(a.Choices) == 0 || len(a.Choices[0]) == 0 {
		return ""
	}
	return a.Choices[0][0]
}

// Given is the answer to one question, as it came over a wire.
type Given struct {
	ID      string
	Choices []string // labels
	Text    *string
}

// Check checks the answers to the questions of an ask: one for each, with choices
// that are offered or with text. It returns where the fault lies, as in
// "[0].choices", and what it is, empty where there is none.
func (a *Ask) Check(given []Given) (answer Answer, where, fault string) {
	if len(given) != len(a.Questions) {
		return answer, "", "there is one answer for each question"
	}
	answer.Choices = make([][]string, len(given))
	answered := map[string]bool{}
	for i, one := range given {
		at := "[" + strconv.Itoa(i) + "]"
		q := slices.IndexFunc(a.Questions, func(q Question) bool { return q.ID == one.ID })
		if q < 0 || answered[one.ID] {
			return answer, at + ".questionId", "there is one answer for each question"
		}
		answered[one.ID] = true
		answer.Choices[q] = one.Choices
		if one.Text != nil {
			answer.Words = *one.Text
		}
		if len(one.Choices) == 0 && (one.Text == nil || *one.Text == "") {
			return answer, at, "an answer has a choice or text"
		}
		for j, label := range one.Choices {
			if !a.Questions[q].Offers(label) || slices.Contains(one.Choices[:j], label) {
				return answer, at + ".choices", "choices are options of that question, each once"
			}
		}
		if len(one.Choices) > 1 && !a.Questions[q].Several {
			return answer, at + ".choices", "there is more than one choice, of which one is wanted"
		}
	}
	return answer, "", ""
}

// The ways in which an ask ends.
const (
	Answered    = "answered"
	Dismissed   = "dismissed"
	Declined    = "declined"    // a message was steered into the turn instead
	Interrupted = "interrupted" // its turn ended, or its agent took it back
	Expired     = "expired"
)

// End is how an ask ended.
type End struct {
	// How is one of the ways above; empty while the ask is open.
	How string
	At  time.Time
	// By is who ended it; nobody where it is zero. Surface is where.
	By      Actor
	Surface string
	Answer
	// Body is the answer as the wire has it, in a form in which equal answers are equal.
	Body jsontext.Value
}

// Sent is an answer, a dismissal or another call that arrived for an ask, whatever
// came of it.
type Sent struct {
	By Actor
	// Call is the last part of the path: answer, dismiss, …
	Call string
	// Body is what arrived, byte for byte.
	Body string
	// Code is the error that it got; empty where it was taken.
	Code string
}
