package ask

import (
	"slices"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/tui/textfield"
)

// draft is what was begun and not sent: choices, and every text as it was typed. A
// plan's mode is not part of it: nobody would see it come back.
func (m Model) draft() drafts.Draft {
	if m.item == nil {
		return drafts.Draft{}
	}
	d := drafts.Draft{Digest: m.item.Digest}
	if m.stale {
		d.Digest = m.written
	}
	begun := false
	for f := allowField; f < fields; f++ {
		words := m.texts[f].Value
		switch {
		case words == "":
			continue
		case f == m.last:
			d.Field, d.Answer.Message = draftNames[f], words
		case d.Others == nil:
			d.Others = map[string]string{draftNames[f]: words}
		default:
			d.Others[draftNames[f]] = words
		}
		begun = true
	}
	any := false
	for i, q := range m.qs {
		asked := &m.item.Ask.Questions[i]
		a := client.QuestionAnswer{ID: asked.ID}
		for o, chosen := range q.chosen {
			if chosen {
				a.Choices = append(a.Choices, asked.Options[o].ID)
			}
		}
		if q.touched {
			a.Text, a.HasText = q.text.Value, q.own || q.text.Value == ""
		}
		any = any || a.Text != "" || len(a.Choices) > 0
		d.Answer.Questions = append(d.Answer.Questions, a)
	}
	if !any {
		d.Answer.Questions = nil
	}
	if !any && !begun {
		return drafts.Draft{}
	}
	return d
}

// restore takes a draft up again. What was chosen counts only where the content
// is the one it was chosen for; what was typed is always offered.
func (m Model) restore(d drafts.Draft) Model {
	same := d.Digest == m.item.Digest
	for f := allowField; f < fields; f++ {
		if words := d.Others[draftNames[f]]; words != "" {
			m.texts[f] = textfield.New(words)
		}
		if draftNames[f] == d.Field && d.Answer.Message != "" {
			m.texts[f], m.last = textfield.New(d.Answer.Message), f
		}
	}
	if same {
		m.qs = newQuestions(m.item.Ask.Questions)
		for i, asked := range m.item.Ask.Questions {
			if i < len(d.Answer.Questions) && d.Answer.Questions[i].ID == asked.ID {
				m.qs[i] = m.qs[i].restore(asked, d.Answer.Questions[i])
			}
		}
	} else {
		var texts []carried
		for i, a := range d.Answer.Questions {
			if a.Text != "" {
				texts = append(texts, carried{i, a.ID, textfield.New(a.Text), a.HasText})
			}
		}
		m, _ = m.carry(texts)
	}
	m.stale, m.written = !same && m.hasWords(), d.Digest
	return m
}

func (q question) restore(asked client.QuestionAsk, a client.QuestionAnswer) question {
	if a.Text != "" || a.HasText {
		q.text, q.touched = textfield.New(a.Text), true
		q.own = a.HasText && a.Text != ""
	}
	for o, opt := range asked.Options {
		if i := slices.Index(a.Choices, opt.ID); i >= 0 {
			q.chosen[o] = true
			a.Choices = slices.Delete(slices.Clone(a.Choices), i, i+1)
		}
	}
	return q
}
