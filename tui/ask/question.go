package ask

import (
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/page"
	"askbox/tui/theme"
)

// tickWidth is the cells of a tick, chosen or not.
const tickWidth = 3

// loggedWords say where own words go, because a question may ask for what nobody
// should type into it.
const loggedWords = "sent and logged as plain text"

// headWidth is the cells of what the program has before one of n options: its cursor, a
// number and a tick.
func headWidth(n int) int { return 2 + len(strconv.Itoa(n)) + 1 + tickWidth + 1 }

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

// question adds a question with what can be chosen and where to type.
func (b *content) question(i int, must bool) {
	q := &b.ask.Questions[i]
	b.Words(theme.Dim, i > 0, questionTitle(q, i, len(b.ask.Questions)))
	b.Warn(text.Words, q.Text, q.Detail)
	said := page.Section{Mode: text.Words, Must: must}
	if !q.Header.Empty() {
		said.Base = theme.Dim
		b.Quote(said, q.Header)
	}
	if !q.Text.Empty() {
		said.Base = theme.Plain
		if !strings.Contains(q.Text.Raw(), "\n") {
			said.Base = theme.Strong
		}
		b.Quote(said, q.Text)
	}
	if !q.Detail.Empty() {
		_, lines := q.Detail.Size()
		b.Add(page.Section{Words: "more from the agent, " + client.Count(lines, "line"), Role: theme.Accent, Indent: 4, At: place{kind: onDetail, question: i}})
		b.Quote(page.Section{Mode: text.Words, Must: must, Fold: i + 1}, q.Detail)
	}
	for o := range q.Options {
		b.option(q, place{onOption, i, o}, must)
	}
	if !q.RecommendedText.Empty() {
		b.Words(theme.Accent, false, "Recommended, in the agent's words:")
		b.Quote(page.Section{Mode: text.Words}, q.RecommendedText)
	}
	if proposed(q) {
		b.Words(theme.Dim, false, "Proposed by the form:")
		b.Quote(page.Section{Mode: text.Words}, q.Default)
	}
	if q.Typed() {
		words := "your own words"
		switch {
		case len(q.Options) == 0:
			words = "your answer"
		case q.TextWithChoices:
			words = "your own words besides"
		}
		b.Add(page.Section{Label: words, Size: loggedWords, Indent: headWidth(1), At: place{kind: onText, question: i}})
	}
}

// option adds one option: the program's cursor, number and tick, then the gutter,
// then the agent's label. So a label that is empty, the same as another one, or
// drawn like a button is still one option with a number of its own.
func (b *content) option(q *client.QuestionAsk, at place, must bool) {
	opt := &q.Options[at.option]
	s := page.Section{Indent: headWidth(len(q.Options)), At: at, Mode: text.Words, Must: must, Gap: at.option == 0}
	if opt.Label.Empty() {
		s.Words, s.Role = "no label", theme.Dim
		b.Add(s)
	} else {
		b.Quote(s, opt.Label)
	}
	b.textBelow(s.Indent, opt.Description, must)
	if opt.Effect != "" {
		b.below(s.Indent, theme.Strong, "does: "+opt.Effect)
	}
	if q.Recommended == at.option+1 {
		b.below(s.Indent, theme.Accent, "Recommended by the agent")
	}
	if id := q.Default.Raw(); id != "" && id == opt.ID {
		b.below(s.Indent, theme.Dim, "Proposed by the form")
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
