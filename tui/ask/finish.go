package ask

import (
	"strconv"

	"askbox/client"
)

// submit is enter in a question: on to the next one, and from the last one to
// the end. It never chooses anything.
func (m answer) submit(g reading) (answer, result) {
	if m.stage == inside {
		switch p, ok := m.here(); {
		case ok && p.kind == onDetail:
			return m.fold(), result{}
		case ok && p.kind == onText && m.qs[m.q].text.value == "":
			m.field = ownField
			return m.to(typing), result{}
		case ok && p.kind == onOption && !m.item.Ask.Questions[m.q].Multi && !m.ticked(m.q, p.option):
			return m.unchosen(g)
		}
	}
	if missing := m.missing(m.q); missing != "" {
		m.fault = fault{question: m.q, words: missing}
		return m, result{Say: missing}
	}
	if m.q < len(m.qs)-1 {
		return m.enter(m.q + 1), result{}
	}
	return m.finish(g)
}

// unchosen is enter on an option that is not the chosen one.
func (m answer) unchosen(g reading) (answer, result) {
	asked := m.item.Ask.Questions[m.q]
	for o := range asked.Options {
		if m.ticked(m.q, o) {
			return m, result{Say: "Option " + strconv.Itoa(o+1) + " is chosen, not this one. space chooses this one."}
		}
	}
	if a := m.answerTo(m.q); !a.Empty() || asked.Optional {
		if m.q < len(m.qs)-1 {
			return m.enter(m.q + 1), result{}
		}
		return m.finish(g)
	}
	words := m.missing(m.q)
	m.fault = fault{question: m.q, words: words}
	return m, result{Say: words}
}

// missing says what a question still needs; empty: nothing.
func (m answer) missing(i int) string {
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
	case typed(asked):
		return which + " has no answer yet: choose with space or a number, or type one with t."
	}
	return which + " has no answer yet: choose with space or a number."
}

// finish sends the answers, or first shows them where there is more than the one
// choice that stands on the screen anyway.
func (m answer) finish(g reading) (answer, result) {
	for i := range m.qs {
		if missing := m.missing(i); missing != "" {
			m = m.enter(i)
			m.fault = fault{question: i, words: missing}
			return m, result{Say: missing}
		}
	}
	if err := client.Validate(m.item.Ask, m.answers()); err != nil {
		return m.invalid(err)
	}
	if c := m.asksOption(); c.words != "" {
		if why := unread(g); why != "" {
			return m, result{Say: why}
		}
		m.confirm = c
		if c.option >= 0 {
			m = m.front(c.question)
		}
		return m.to(confirming), result{}
	}
	if m.needsSummary() {
		return m.to(summing), result{}
	}
	return m.sendAnswers(g)
}

func (m answer) invalid(err error) (answer, result) {
	m.fault = faultOf(err, m.item.Ask.Questions)
	if m.fault.question >= 0 && m.fault.question != m.q {
		f := m.fault
		m = m.enter(f.question)
		m.fault = f
	}
	return m, result{Say: m.fault.words}
}

// asksOption is what has to be asked about once more before the answers go.
func (m answer) asksOption() confirmation {
	c := confirmation{act: client.ActAnswer, option: -1}
	for i := range m.qs {
		for o, opt := range m.item.Ask.Questions[i].Options {
			if !m.ticked(i, o) || opt.Confirm == "" {
				continue
			}
			if c.option < 0 {
				c.question, c.option = i, o
			} else {
				c.words += " "
			}
			c.words += opt.Confirm
		}
	}
	if c.words == "" {
		c.words = m.item.Ask.Offer(client.ActAnswer).Confirm
	}
	return c
}

func (m answer) confirmed(g reading) (answer, result) {
	if why := unread(g); why != "" {
		return m, result{Say: why}
	}
	if m.needsSummary() {
		return m.to(summing), result{}
	}
	return m.sendAnswers(g)
}

func (m answer) needsSummary() bool {
	if len(m.qs) > 1 {
		return true
	}
	asked, a := m.item.Ask.Questions[0], m.answerTo(0)
	return asked.Multi || a.HasText && len(a.Choices) > 0 || a.HasText && !m.qs[0].touched
}

func (m answer) sendAnswers(g reading) (answer, result) {
	if !g.Open {
		return m, result{Say: g.Why}
	}
	return m.send(m.answers())
}

// unread says why something that has to be read first was not; empty: it was.
func unread(g reading) string {
	switch {
	case g.Elsewhere:
		return "Nothing was sent: press v to go back to the ask first."
	case !g.Anchored:
		return "Nothing was sent: the window is too small to show what is asked."
	case !g.Read:
		return "Nothing was sent: read it to the end first. " + g.Unread
	}
	return ""
}
