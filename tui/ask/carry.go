package ask

import (
	"strings"

	"askbox/client"
	"askbox/tui/textfield"
)

// carried is a text that was typed for a question which may not be there any more.
type carried struct {
	id   string // the question's
	at   int    // its place among the questions
	text textfield.Field
	own  bool
}

// carry puts texts into the questions of another content of the same ask: each
// into its own question, else into the one in its place, else into any that takes
// words. It returns for each text the question that has it now; -1: none.
func carry(fresh []question, asked []client.QuestionAsk, texts []carried) []int {
	to := make([]int, len(texts))
	for t := range to {
		to[t] = -1
	}
	put := func(fits func(c carried, i int) bool) {
		for t, c := range texts {
			for i := range fresh {
				if to[t] < 0 && !fresh[i].touched && asked[i].Typed() && fits(c, i) {
					fresh[i].text, fresh[i].own, fresh[i].touched = c.text, c.own, true
					to[t] = i
				}
			}
		}
	}
	put(func(c carried, i int) bool { return asked[i].ID == c.id && c.at == i })
	put(func(c carried, i int) bool { return asked[i].ID == c.id })
	put(func(c carried, i int) bool { return c.at == i })
	put(func(carried, int) bool { return true })
	return to
}

// typedTexts are the texts that were typed for the questions of an ask.
func (m Model) typedTexts(asked []client.QuestionAsk) []carried {
	var texts []carried
	for j, q := range m.qs {
		if j < len(asked) && q.touched && q.text.Value != "" {
			texts = append(texts, carried{asked[j].ID, j, q.text, q.own})
		}
	}
	return texts
}

// follows returns the question that a person is in after a change: the one that
// has their words now, else the one with the same id, else none (-1).
func follows(was int, id string, texts []carried, to []int, asked []client.QuestionAsk) int {
	for t, c := range texts {
		if c.at == was && to[t] >= 0 {
			return to[t]
		}
	}
	for i := range asked {
		if asked[i].ID == id {
			return i
		}
	}
	return -1
}

// keepAsMessage keeps a text that no question takes any more where it can be
// found: as the message of a dismissal, which nobody sends without seeing it.
func (m Model) keepAsMessage(texts []carried, to []int) Model {
	for t, c := range texts {
		if to[t] >= 0 {
			continue
		}
		words := c.text.Value
		if kept := m.texts[dismissField].Value; kept != "" {
			words = kept + "\n" + words
		}
		m.texts[dismissField] = textfield.New(words)
	}
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
