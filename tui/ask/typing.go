package ask

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/tui/draw"
)

// typeOwn opens the field of the question in front.
func (m answer) typeOwn(g reading) (answer, result) {
	a := m.item.Ask
	if a.Kind == client.Approval && m.blocked() == "" {
		return m, result{Say: "An approval takes no answer of your own. D denies with a reason."}
	}
	if why := m.refuses(client.ActAnswer); why != "" {
		return m, result{Say: why}
	}
	if len(m.qs) == 0 || !typed(a.Questions[m.q]) {
		return m, result{Say: "This question takes one of its options, and no words of your own."}
	}
	if !g.Open {
		return m, result{Say: g.Why}
	}
	m.field = ownField
	for s, p := range m.places(m.q) {
		if p.kind == onText {
			m.stop = s
		}
	}
	return m.to(typing), result{}
}

func (m answer) openField(f field) answer {
	m.field = f
	return m.to(typing)
}

// typingKey takes a key while a field has the focus: it types, and only enter
// ever sends.
func (m answer) typingKey(msg tea.KeyMsg, g reading) (answer, result) {
	k := m.keys
	switch {
	case msg.Paste:
		return m.Paste(msg)
	case key.Matches(msg, k.Back):
		return m.leave(), result{}
	case key.Matches(msg, k.NewLine):
		if m.oneLine() {
			return m, result{Say: "This field takes one line."}
		}
		return m.insert("\n")
	case key.Matches(msg, k.Enter):
		return m.enterField(g)
	case key.Matches(msg, k.Editor):
		return m, result{Edit: true}
	case key.Matches(msg, k.NextField) && m.field == ownField:
		return m.turnField(+1), result{}
	case key.Matches(msg, k.PrevField) && m.field == ownField:
		return m.turnField(-1), result{}
	case key.Matches(msg, k.PageUp), key.Matches(msg, k.PageDown):
		return m, result{Pass: true}
	}
	e, took := m.editor().key(msg)
	if !took {
		if msg.Type == tea.KeyRunes && !msg.Alt {
			return m, result{Say: full}
		}
		return m, result{}
	}
	if e.value == m.editor().value {
		// Moving the cursor is not typing: what a form proposes stays a proposal.
		return m.place(e), result{}
	}
	return m.setEditor(e), result{}
}

const full = "Nothing was put in: the field takes no more."

// place moves the cursor without touching the text.
func (m answer) place(e editor) answer {
	if m.field == ownField {
		m.qs = cloneQuestions(m.qs)
		m.qs[m.q].text = e
		return m
	}
	m.texts[m.field] = e
	return m
}

// oneLine reports whether the field in focus takes a number.
func (m answer) oneLine() bool {
	if m.field != ownField || m.q >= len(m.qs) {
		return false
	}
	t := m.item.Ask.Questions[m.q].Type
	return t == client.FieldNumber || t == client.FieldInteger
}

func (m answer) insert(s string) (answer, result) {
	e, ok := m.editor().insert(s)
	if !ok {
		return m, result{Say: full}
	}
	return m.setEditor(e), result{}
}

// Paste puts a paste into the field in focus, once and whole; without a field it
// goes to nobody.
func (m answer) Paste(msg tea.KeyMsg) (answer, result) {
	if m.stage != typing {
		return m, result{}
	}
	s := pasted(msg.Runes)
	if m.oneLine() {
		s = strings.Trim(s, "\n")
	}
	return m.insert(s)
}

// leave goes out of a field. What was typed stays.
func (m answer) leave() answer {
	if m.field != ownField || m.blocked() != "" || len(m.qs) == 0 {
		return m.to(idle)
	}
	if len(m.qs) == 1 && len(m.item.Ask.Questions[0].Options) == 0 {
		return m.to(idle)
	}
	return m.to(inside)
}

func (m answer) turnField(by int) answer {
	if len(m.qs) < 2 {
		return m
	}
	return m.turn(by)
}

// enterField is enter in a field: on to the next question, or the end.
func (m answer) enterField(g reading) (answer, result) {
	if why := m.blocked(); why != "" {
		return m, result{Say: why + " What you typed is kept."}
	}
	e := m.editor()
	if strings.ContainsRune(e.value, '�') {
		return m, result{Say: "Nothing was sent: a character came in damaged. Take out the mark for it first."}
	}
	if limit := m.limit(); limit > 0 && e.count() > limit {
		return m, result{Say: "Nothing was sent: the text has " + draw.Count(e.count()-limit, "character") + " too many."}
	}
	if m.field == ownField {
		return m.submit(g)
	}
	act := actOf(m.field)
	if e.value == "" {
		return m, result{Say: "Nothing was sent: type a message first, or go back with esc."}
	}
	if why := m.refuses(act); why != "" {
		return m, result{Say: why}
	}
	if approving(act) {
		if why := m.unallowable(act, g, false); why != "" {
			return m, result{Say: why}
		}
	}
	if !g.Open {
		return m, result{Say: g.Why}
	}
	answer := m.decision(act)
	if err := client.Validate(m.item.Ask, answer); err != nil {
		return m.invalid(err)
	}
	if words := m.asksAgain(act); words != "" {
		m.confirm = confirmation{act: act, option: -1, words: words}
		return m.to(confirming), result{}
	}
	return m.send(answer)
}
