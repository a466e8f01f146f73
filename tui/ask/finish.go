package ask

import (
	"strconv"

	"askbox/client"
	"askbox/client/inbox"
)

// enterKey goes into the answer. It decides nothing on an approval.
func (m Model) enterKey(g Gate) (Model, Wish) {
	a := m.item.Ask
	if f := m.item.Flight; f != nil && f.State == inbox.NotKnown && !a.Status.Closed() {
		return m, Wish{Kind: Forget, Text: "The last answer is set aside. Look at the ask again before you answer it."}
	}
	if why := m.blocked(); why != "" {
		return m, say(why)
	}
	switch {
	case m.stage == summing:
		return m.sendAnswers(g)
	case m.stage == confirming:
		return m, say("Enter does not confirm this. " + m.again() + " does, esc goes back.")
	case m.stage == inside:
		return m.submit(g)
	case a.Kind == client.Approval:
		return m, say(m.keys.Spell("Enter decides nothing here. {allow} allows, {deny} denies."))
	}
	if why := m.refuses(client.ActAnswer); why != "" || len(m.qs) == 0 {
		return m, say(why)
	}
	return m.enter(m.q), Wish{}
}

// submit is enter in a question: on to the next one, and from the last one to
// the end. It never chooses anything.
func (m Model) submit(g Gate) (Model, Wish) {
	asked := &m.item.Ask.Questions[m.q]
	if p := m.here; m.stage == inside {
		switch {
		case p.kind == onDetail:
			return m.fold(), Wish{}
		case p.kind == onText && m.qs[m.q].text.Value == "":
			m.field = ownField
			return m.to(typing), Wish{}
		case p.kind == onOption && !asked.Multi && !m.ticked(p):
			if on := m.chosen(m.q); len(on) > 0 {
				return m, say("Option " + strconv.Itoa(on[0]+1) + m.keys.Spell(" is chosen, not this one. {tick} chooses this one."))
			}
		}
	}
	if missing := m.missing(m.q); missing != "" {
		m.fault = fault{question: m.q + 1, words: missing}
		return m, say(missing)
	}
	if m.q < len(m.qs)-1 {
		return m.enter(m.q + 1), Wish{}
	}
	return m.finish(g)
}

// missing says what a question still needs; empty: nothing.
func (m Model) missing(i int) string {
	asked := m.item.Ask.Questions[i]
	if asked.Optional || !m.answerTo(i).Empty() {
		return ""
	}
	which := "This question"
	if len(m.qs) > 1 {
		which = "Question " + strconv.Itoa(i+1)
	}
	switch {
	case len(asked.Options) == 0:
		return which + " has no answer yet: type one."
	case asked.Typed():
		return which + m.keys.Spell(" has no answer yet: choose with {tick} or a number, or type one with {type}.")
	}
	return which + m.keys.Spell(" has no answer yet: choose with {tick} or a number.")
}

// finish sends the answers, or first shows them where there is more than the one
// choice that stands on the screen anyway.
func (m Model) finish(g Gate) (Model, Wish) {
	for i := range m.qs {
		if missing := m.missing(i); missing != "" {
			m = m.enter(i)
			m.fault = fault{question: i + 1, words: missing}
			return m, say(missing)
		}
	}
	if err := client.Validate(m.item.Ask, m.answers()); err != nil {
		return m.invalid(err)
	}
	if c := m.asksOption(); c.words != "" {
		if why := m.unread(); why != "" {
			return m, say(why)
		}
		if c.option >= 0 {
			m = m.front(c.question)
		}
		return m.ask(c), Wish{}
	}
	return m.confirmed(g)
}

// invalid shows why an answer does not fit, at its field.
func (m Model) invalid(err error) (Model, Wish) {
	f := faultOf(err, m.item.Ask.Questions)
	if f.question > 0 && f.question-1 != m.q {
		m = m.enter(f.question - 1)
	}
	m.fault = f
	return m, say(f.words)
}

// asksOption is what has to be asked about once more before the answers go, with the first
// option that it is for.
func (m Model) asksOption() confirmation {
	c := confirmation{act: client.ActAnswer, option: -1, words: m.item.Ask.Confirm(m.answers())}
	for i := range m.qs {
		for _, o := range m.chosen(i) {
			if c.option < 0 && m.item.Ask.Questions[i].Options[o].Confirm != "" {
				c.question, c.option = i, o
			}
		}
	}
	return c
}

// confirmed is what follows once nothing has to be asked about any more.
func (m Model) confirmed(g Gate) (Model, Wish) {
	if m.stage == confirming {
		if why := m.unread(); why != "" {
			return m, say(why)
		}
	}
	if m.needsSummary() {
		return m.to(summing), Wish{}
	}
	return m.sendAnswers(g)
}

func (m Model) needsSummary() bool {
	if len(m.qs) > 1 {
		return true
	}
	asked, a := m.item.Ask.Questions[0], m.answerTo(0)
	return asked.Multi || a.HasText && (len(a.Choices) > 0 || !m.qs[0].touched)
}

func (m Model) sendAnswers(g Gate) (Model, Wish) {
	if !g.Open {
		return m, say(g.Why)
	}
	if next, why := m.acknowledge(g); why != "" {
		return next, say(why)
	}
	return m.send(m.answers())
}
