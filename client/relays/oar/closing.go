package oar

import (
	"errors"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// sentAnswer is what was sent for a card, to be known again in what the relay
// has: from its text alone "A, B" may be two choices or one typed text.
type sentAnswer struct {
	answer client.Answer
	text   string
	object map[string]jsontext.Value
}

// maxSent bounds what is remembered of answers.
const maxSent = 100

func (r *Relay) remember(id string, s sentAnswer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.sent) >= maxSent {
		clear(r.sent)
	}
	r.sent[id] = s
}

// lost keeps in mind that the reply to an answer to a board was lost.
func (r *Relay) lost(ask *client.Ask, answer client.Answer, err error) {
	var uncertain *client.Uncertain
	if errors.As(err, &uncertain) {
		r.remember(boardKey(ask), sentAnswer{answer: answer})
	}
}

func (r *Relay) wasSent(id string) (sentAnswer, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.sent[id]
	return s, ok
}

// is reports whether a closed card holds this answer.
func (s sentAnswer) is(w *wireCard) bool {
	if s.object != nil {
		sent, err := json.Marshal(s.object)
		return err == nil && sameJSON(sent, w.StructuredAnswer)
	}
	got, ok := httpx.String(w.Answer)
	return ok && got == s.text
}

func sameJSON(a, b jsontext.Value) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	return a.Canonicalize() == nil && b.Canonicalize() == nil && string(a) == string(b)
}

// cardClosing tells how a card came to its end. The relay does not say by whom.
func (r *Relay) cardClosing(w *wireCard, ask *client.Ask) *client.Closing {
	c := &client.Closing{At: w.AnsweredAt.Time}
	switch ask.Status {
	case client.Expired:
		c.Note = "it ended without an answer"
		if ask.Kind == client.Approval {
			c.Note += ", which counts as a refusal"
		}
	case client.Withdrawn:
		c.Note = "it was cancelled"
	case client.Answered:
		given, lines := w.given()
		if s, ok := r.wasSent(w.ID); ok && s.is(w) {
			given = &s.answer
		}
		if given != nil {
			c.Decision = given.Decision
		}
		c.Given, c.Answer = given, lines
	}
	return c
}

// given reads an answer back.
func (w *wireCard) given() (*client.Answer, []text.Text) {
	if w.form != nil {
		return w.givenForm()
	}
	said, ok := httpx.String(w.Answer)
	if !ok {
		return nil, nil
	}
	allow, deny, pair := w.pair()
	if pair && w.isApproval() {
		switch {
		case said == allow:
			return &client.Answer{Decision: client.Allow}, []text.Text{text.New("allowed")}
		case said == deny:
			return &client.Answer{Decision: client.Deny}, []text.Text{text.New("denied")}
		case approves(said):
			return &client.Answer{Decision: client.Allow, Message: said}, []text.Text{text.New("allowed"), text.New(said)}
		}
		return &client.Answer{Decision: client.Deny, Message: said}, []text.Text{text.New("denied"), text.New(said)}
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

func (w *wireCard) givenForm() (*client.Answer, []text.Text) {
	o, err := httpx.Split(w.StructuredAnswer)
	if err != nil {
		return nil, nil
	}
	a := &client.Answer{}
	var lines []text.Text
	for _, f := range w.form.fields {
		one := client.QuestionAnswer{ID: f.ask.ID}
		if raw := o.Get(f.ask.ID); raw != nil {
			lines = append(lines, text.New(f.ask.Header.Raw()+": "+plainValue(raw)))
			items, err := httpx.List(raw)
			if err != nil {
				items = []jsontext.Value{raw}
			}
			for _, item := range items {
				if len(f.ask.Options) > 0 {
					one.Choices = append(one.Choices, plainValue(item))
				} else {
					one.Text, one.HasText = plainValue(item), true
				}
			}
		}
		a.Questions = append(a.Questions, one)
	}
	return a, lines
}
