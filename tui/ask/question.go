package ask

import (
	"strconv"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/theme"
)

// tickWidth is the cells of a tick, chosen or not.
const tickWidth = 3

// loggedWords say where own words go, because a question may ask for what nobody
// should type into it.
const loggedWords = "sent and logged as plain text"

// questions adds every question with what can be chosen and where to type.
func (b *builder) questions(a *client.Ask) {
	must := asksOnceMore(a)
	for i := range a.Questions {
		b.question(&a.Questions[i], i, len(a.Questions), must)
		b.doc.ends = append(b.doc.ends, len(b.doc.sections))
	}
}

// asksOnceMore reports whether something of an ask is asked about once more, so
// that it has to be read before.
func asksOnceMore(a *client.Ask) bool {
	for _, q := range a.Questions {
		for _, o := range q.Options {
			if o.Confirm != "" {
				return true
			}
		}
	}
	return a.Offer(client.ActAnswer).Confirm != ""
}

func (b *builder) question(q *client.QuestionAsk, i, of int, must bool) {
	b.prose(theme.Heading, i > 0, questionTitle(q, i, of))
	b.warn(text.Words, q.Text, q.Detail)
	if !q.Header.Empty() {
		b.add(b.quote(section{base: theme.Strong, mode: text.Words, must: must}, q.Header))
	}
	if !q.Text.Empty() {
		b.add(b.quote(section{mode: text.Words, must: must}, q.Text))
	}
	if !q.Detail.Empty() {
		_, lines := q.Detail.Size()
		b.add(section{words: []string{"more from the agent, " + client.Count(lines, "line")}, role: theme.Accent, indent: 4, at: place{kind: onDetail, question: i}})
		b.add(b.quote(section{mode: text.Words, must: must, folded: true}, q.Detail))
	}
	for o := range q.Options {
		b.option(q, i, o, must)
	}
	if !q.RecommendedText.Empty() {
		b.prose(theme.Accent, false, "Recommended, in the agent's words:")
		b.add(b.quote(section{mode: text.Words}, q.RecommendedText))
	}
	if q.Typed() {
		words := "your own words"
		switch {
		case len(q.Options) == 0:
			words = "your answer"
		case q.TextWithChoices:
			words = "your own words besides"
		}
		b.add(section{label: words, size: loggedWords, indent: 4 + tickWidth + 1, at: place{kind: onText, question: i}})
	}
}

// option adds one option: the program's cursor, number and tick, then the gutter,
// then the agent's label. So a label that is empty, the same as another one, or
// drawn like a button is still one option with a number of its own.
func (b *builder) option(q *client.QuestionAsk, i, o int, must bool) {
	opt := &q.Options[o]
	head := 2 + len(strconv.Itoa(len(q.Options))) + 1 + tickWidth + 1
	s := section{indent: head, at: place{kind: onOption, question: i, option: o}, mode: text.Words, must: must, gap: o == 0}
	if opt.Label.Empty() {
		s.words, s.role = []string{"no label"}, theme.Dim
		b.add(s)
	} else {
		b.add(b.quote(s, opt.Label))
	}
	b.textBelow(head, opt.Description, must)
	if opt.Effect != "" {
		b.wordsBelow(head, theme.Strong, "does: "+opt.Effect)
	}
	if q.Recommended == o+1 {
		b.wordsBelow(head, theme.Accent, "Recommended by the agent")
	}
	if id := q.Default.Raw(); id != "" && id == opt.ID {
		b.wordsBelow(head, theme.Dim, "Proposed by the form")
	}
}

// questionTitle says what is wanted: which question of how many, and how it may be answered.
func questionTitle(q *client.QuestionAsk, i, of int) string {
	which, how, has := "", "", ""
	if of > 1 {
		which = "Question " + strconv.Itoa(i+1) + " of " + strconv.Itoa(of)
	}
	switch {
	case q.Type == client.FieldNumber:
		how = "a number"
	case q.Type == client.FieldInteger:
		how = "a whole number"
	case q.Type == client.FieldText || len(q.Options) == 0:
		how = "in your own words"
	case q.Multi:
		how = "choose any of " + strconv.Itoa(len(q.Options))
	default:
		how = "choose one of " + strconv.Itoa(len(q.Options))
	}
	if q.Optional {
		has = "may be left out"
	} else if q.Type != client.FieldChoice {
		has = "required"
	}
	return capital(dotted(which, how, has))
}
