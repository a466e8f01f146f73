package ask

import (
	"slices"
	"strings"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/tui/textfield"
)

// carried is a text that was typed for a question which may not be there any more.
type carried struct {
	from int    // the question's place among the questions
	id   string // its id
	text textfield.Field
	own  bool
}

// carry begins the answer to another content of the ask with texts that were typed: each in its
// own question, else in the first that takes words, else as the message of a dismissal, which
// nobody sends without seeing it. to says for each text which question has it now; -1: none.
func (m Model) carry(texts []carried) (_ Model, to []int) {
	asked := m.item.Ask.Questions
	m.qs = newQuestions(asked)
	to = slices.Repeat([]int{-1}, len(texts))
	for _, same := range []bool{true, false} {
		for t, c := range texts {
			for i := range m.qs {
				if q := &m.qs[i]; to[t] < 0 && !q.touched && asked[i].Typed() && (asked[i].ID == c.id || !same) {
					q.text, q.own, q.touched = c.text, c.own, true
					to[t] = i
				}
			}
		}
	}
	for t, c := range texts {
		if to[t] < 0 {
			words := c.text.Value
			if kept := m.texts[dismissField].Value; kept != "" {
				words = kept + "\n" + words
			}
			m.texts[dismissField] = textfield.New(words)
		}
	}
	return m, to
}

// changed keeps the typed words over to another content of the same ask. Whoever is in a field
// stays in it, where there is one for their words.
func (m Model) changed(before *inbox.Item) Model {
	old, asked := before.Ask.Questions, m.item.Ask.Questions
	var texts []carried
	for i, q := range m.qs {
		if i < len(old) && q.touched && q.text.Value != "" {
			texts = append(texts, carried{i, old[i].ID, q.text, q.own})
		}
	}
	m, to := m.carry(texts)
	front := -1
	if m.q < len(old) {
		front = slices.IndexFunc(asked, func(q client.QuestionAsk) bool { return q.ID == old[m.q].ID })
	}
	for t, c := range texts {
		if c.from == m.q && to[t] >= 0 {
			front = to[t]
		}
	}
	if lost := m.field == ownField && (front < 0 || !asked[front].Typed()); m.stage != typing || lost {
		m.stage = idle
	}
	m.q, m.here, m.mode = max(front, 0), place{}, 0
	m.fault = fault{}
	if !m.stale {
		m.written = before.Digest
	}
	m.stale = m.hasWords() && m.written != m.item.Digest
	m.changes++
	return m
}

// words returns everything that was typed, each text on lines of its own.
func (m Model) words() string {
	var all []string
	for _, q := range m.qs {
		if q.touched && q.text.Value != "" {
			all = append(all, q.text.Value)
		}
	}
	for _, e := range m.texts {
		if e.Value != "" {
			all = append(all, e.Value)
		}
	}
	return strings.Join(all, "\n")
}

// hasWords reports whether anything was typed.
func (m Model) hasWords() bool { return m.words() != "" }
