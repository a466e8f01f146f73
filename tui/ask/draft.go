package ask

import (
	"slices"

	"askbox/client"
	"askbox/client/drafts"
)

// Draft is what was begun and not sent: choices, and every text as it was typed.
func (m answer) Draft() drafts.Draft {
	if m.item == nil {
		return drafts.Draft{}
	}
	d := drafts.Draft{Digest: m.item.Digest}
	if m.stale {
		d.Digest = m.written
	}
	for f := allowField; f < fields; f++ {
		if f != m.last && m.texts[f].value != "" {
			if d.Others == nil {
				d.Others = map[string]string{}
			}
			d.Others[draftNames[f]] = m.texts[f].value
		}
	}
	if m.last != ownField && m.texts[m.last].value != "" {
		d.Field, d.Answer.Message = draftNames[m.last], m.texts[m.last].value
	}
	if m.mode > 0 {
		d.Answer.Mode = m.item.Ask.Approval.Modes[m.mode-1].ID
	}
	any := false
	for i, q := range m.qs {
		a := client.QuestionAnswer{ID: m.item.Ask.Questions[i].ID}
		for o, chosen := range q.chosen {
			if chosen {
				a.Choices = append(a.Choices, m.item.Ask.Questions[i].Options[o].ID)
			}
		}
		if q.touched {
			a.Text, a.HasText = q.text.value, q.own || q.text.value == ""
			any = any || q.text.value != ""
		}
		any = any || len(a.Choices) > 0
		d.Answer.Questions = append(d.Answer.Questions, a)
	}
	if !any {
		d.Answer.Questions = nil
	}
	if !any && d.Answer.Message == "" && d.Answer.Mode == "" && d.Others == nil {
		return drafts.Draft{}
	}
	return d
}

// Restore takes a draft up again. What was chosen counts only where the content
// is the one it was chosen for; what was typed is always offered.
func (m answer) Restore(d drafts.Draft) answer {
	if m.item == nil {
		return m
	}
	same := d.Digest == m.item.Digest
	for f := allowField; f < fields; f++ {
		if words := d.Others[draftNames[f]]; words != "" {
			m.texts[f] = newEditor(words)
		}
		if draftNames[f] == d.Field && d.Answer.Message != "" {
			m.texts[f], m.last = newEditor(d.Answer.Message), f
		}
	}
	if same && m.item.Ask.Approval != nil && d.Answer.Mode != "" {
		for i, mode := range m.item.Ask.Approval.Modes {
			if mode.ID == d.Answer.Mode {
				m.mode = i + 1
			}
		}
	}
	m.qs = newQuestions(m.item.Ask.Questions)
	if same {
		for i, asked := range m.item.Ask.Questions {
			if i < len(d.Answer.Questions) && d.Answer.Questions[i].ID == asked.ID {
				m.qs[i] = m.qs[i].restore(asked, d.Answer.Questions[i])
			}
		}
	} else {
		m = m.restoreWords(d)
	}
	m.stale, m.written = !same && m.words(), d.Digest
	return m
}

// restoreWords takes over the words of a draft that was written for another content.
func (m answer) restoreWords(d drafts.Draft) answer {
	var texts []carried
	for i, a := range d.Answer.Questions {
		if a.Text != "" {
			texts = append(texts, carried{a.ID, i, newEditor(a.Text), a.HasText})
		}
	}
	return m.keepHomeless(texts, carry(m.qs, m.item.Ask.Questions, texts))
}

func (q question) restore(asked client.QuestionAsk, a client.QuestionAnswer) question {
	if a.Text != "" || a.HasText {
		q.text, q.touched = newEditor(a.Text), true
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
