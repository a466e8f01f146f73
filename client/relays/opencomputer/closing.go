package opencomputer

import (
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// wireAnswer is an answer as it is sent, and as a closed ask holds it.
type wireAnswer struct {
	Decision string         `json:"decision,omitempty"`
	Message  string         `json:"message,omitempty"`
	Mode     string         `json:"mode,omitempty"`
	Answers  []wireAnswered `json:"answers,omitempty"`
}

// wireAnswered answers one question. Choices is never null, Text is null where
// nothing was typed.
type wireAnswered struct {
	QuestionID string   `json:"questionId"`
	Choices    []string `json:"choices"`
	Text       *string  `json:"text"`
}

// notes say how an ask closed without an answer.
var notes = map[client.Status]string{
	client.Dismissed:   "the agent reads that as a denial",
	client.Declined:    "a message was sent to the session instead of an answer",
	client.Interrupted: "the turn was interrupted, the session suspended, or its runner ended",
}

// closing tells how a closed ask came to its end.
func closing(w *wireAsk, ask *client.Ask, who relays.Who) *client.Closing {
	c := &client.Closing{By: who.Actor(w.ClosedBy), At: w.ClosedAt.Time, Note: notes[ask.Status]}
	given, ok := readAnswer(w.Answer)
	switch ask.Status {
	case client.Answered:
		if ok {
			c.Given = given.given()
			c.Decision, c.Answer = c.Given.Decision, ask.AnswerLines(*c.Given)
			if given.Decision != "" && c.Decision == client.NoDecision {
				c.Answer = append(c.Answer, text.New("decided: "+given.Decision))
			}
		}
	case client.Dismissed:
		if given.Message != "" {
			c.Answer = []text.Text{text.New(given.Message)}
		}
		c.Given = &client.Answer{Dismiss: true, Message: given.Message}
	case client.Declined:
		if given.Message != "" {
			c.Answer = []text.Text{text.New(given.Message)}
		}
	}
	return c
}

// readAnswer reads what a closed ask was answered with. An odd one is not shown,
// and costs nothing else.
func readAnswer(raw jsontext.Value) (wireAnswer, bool) {
	var w wireAnswer
	if raw.Kind() != '{' || httpx.Decode(raw, &w) != nil {
		return wireAnswer{}, false
	}
	return w, true
}

var decisions = map[string]client.Decision{"allow": client.Allow, "always": client.Always, "deny": client.Deny}

// given is the answer as a person would give it here.
func (w wireAnswer) given() *client.Answer {
	a := &client.Answer{Decision: decisions[w.Decision], Mode: w.Mode, Message: w.Message}
	for _, q := range w.Answers {
		one := client.QuestionAnswer{ID: q.QuestionID, Choices: q.Choices}
		if q.Text != nil && *q.Text != "" {
			one.Text, one.HasText = *q.Text, true
		}
		a.Questions = append(a.Questions, one)
	}
	return a
}
