package oar

import (
	"slices"
	"strings"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// closing tells how a card came to its end. The relay does not say by whom.
func (w *wireCard) closing(ask *client.Ask) *client.Closing {
	c := &client.Closing{At: w.AnsweredAt.Time}
	switch ask.Status {
	case client.Expired:
		c.Note = "it ended without an answer"
		if ask.Kind == client.Approval {
			c.Note += ", which counts as a refusal"
		}
	case client.Withdrawn:
		c.Note = "its turn ended before an answer"
	case client.Answered:
		c.Given, c.Answer = w.given()
		if c.Given != nil {
			c.Decision = c.Given.Decision
		}
	}
	return c
}

// given reads an answer back.
func (w *wireCard) given() (*client.Answer, []text.Text) {
	if w.form != nil {
		return w.form.given(w.StructuredAnswer)
	}
	said, ok := httpx.String(w.Answer)
	if !ok {
		return nil, nil
	}
	allow, deny, pair := w.pair()
	if pair && w.isApproval() {
		a := client.Answer{Decision: client.Deny, Message: said}
		switch {
		case said == allow:
			a = client.Answer{Decision: client.Allow}
		case said == deny:
			a.Message = ""
		case approves(said):
			a.Decision = client.Allow
		}
		return &a, new(client.Ask).AnswerLines(a)
	}
	return &client.Answer{Questions: []client.QuestionAnswer{w.chosen(said)}}, []text.Text{text.New(said)}
}

// chosen takes a text apart into the choices that it begins with, in the order
// offered, and what was typed behind them.
func (w *wireCard) chosen(said string) client.QuestionAnswer {
	a := client.QuestionAnswer{ID: w.ID}
	if slices.Contains(w.Choices, said) {
		a.Choices = []string{said}
		return a
	}
	left := said
	if w.about.multi {
		for _, c := range w.Choices {
			if left == c {
				a.Choices = append(a.Choices, c)
				return a
			}
			if after, ok := strings.CutPrefix(left, c+", "); ok && c != "" {
				a.Choices, left = append(a.Choices, c), after
			}
		}
	}
	a.Text, a.HasText = left, true
	return a
}
