package ask

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/tui/textfield"
)

// typeOwn opens the field of the question in front.
func (m Model) typeOwn(g Gate) (Model, Wish) {
	a := m.item.Ask
	if a.Kind == client.Approval && m.blocked() == "" {
		return m, say(m.keys.Spell("An approval takes no answer of your own. {deny_reason} denies with a reason."))
	}
	if why := m.refuses(client.ActAnswer); why != "" {
		return m, say(why)
	}
	if len(m.qs) == 0 || !a.Questions[m.q].Typed() {
		return m, say("This question takes one of its options, and no words of your own.")
	}
	if !g.Open {
		return m, say(g.Why)
	}
	m.field = ownField
	m.here = place{kind: onText, question: m.q}
	return m.to(typing), Wish{}
}

// typingKey takes a key while a field has the focus: it types, and only enter
// ever sends.
func (m Model) typingKey(msg tea.KeyMsg, g Gate) (Model, Wish) {
	k := m.keys
	switch {
	case msg.Paste:
		return m.Paste(msg), Wish{}
	case key.Matches(msg, k.Back):
		return m.leave(), Wish{}
	case key.Matches(msg, k.NewLine):
		if m.oneLine() {
			return m, say("This field takes one line.")
		}
		return m.insert("\n")
	case key.Matches(msg, k.Enter):
		return m.enterField(g)
	case key.Matches(msg, k.Editor):
		return m, Wish{Kind: Edit, Text: m.editor().Value}
	case key.Matches(msg, k.NextField) && m.field == ownField && len(m.qs) > 1:
		return m.turn(+1), Wish{}
	case key.Matches(msg, k.PrevField) && m.field == ownField && len(m.qs) > 1:
		return m.turn(-1), Wish{}
	case key.Matches(msg, k.PageUp), key.Matches(msg, k.PageDown):
		return m, Wish{Kind: pass}
	}
	e, took := m.editor().Key(msg)
	switch {
	case !took && msg.Type == tea.KeyRunes && !msg.Alt:
		return m, say(full)
	case !took:
		return m, Wish{}
	}
	return m.setEditor(e), Wish{}
}

const full = "Nothing was put in: the field takes no more."

// editor is the field in focus.
func (m Model) editor() textfield.Field {
	if m.field != ownField {
		return m.texts[m.field]
	}
	if m.q < len(m.qs) {
		return m.qs[m.q].text
	}
	return textfield.Field{}
}

func (m Model) setEditor(e textfield.Field) Model {
	typed := e.Value != m.editor().Value
	if typed {
		m.fault = fault{}
	}
	if m.field != ownField {
		m.texts[m.field], m.last = e, m.field
		return m
	}
	if m.q >= len(m.qs) {
		return m
	}
	return m.with(m.q, func(q *question) {
		q.text = e
		// Moving the cursor is not typing: what a form proposes stays a proposal.
		if typed {
			q.touched, q.own = true, e.Value != ""
		}
	})
}

// limit is the most characters of the field in focus; 0: none known.
func (m Model) limit() int {
	switch {
	case m.field == dismissField:
		return client.MaxDismissal
	case m.field == ownField && m.q < len(m.qs):
		return m.item.Ask.Questions[m.q].MaxText
	}
	return 0
}

// oneLine reports whether the field in focus takes a number.
func (m Model) oneLine() bool {
	if m.field != ownField || m.q >= len(m.qs) {
		return false
	}
	t := m.item.Ask.Questions[m.q].Type
	return t == client.FieldNumber || t == client.FieldInteger
}

func (m Model) insert(s string) (Model, Wish) {
	e, ok := m.editor().Insert(s)
	if !ok {
		return m, say(full)
	}
	return m.setEditor(e), Wish{}
}

// leave goes out of a field. What was typed stays.
func (m Model) leave() Model {
	if m.field != ownField || m.blocked() != "" || len(m.qs) == 0 {
		return m.to(idle)
	}
	if len(m.qs) == 1 && len(m.item.Ask.Questions[0].Options) == 0 {
		return m.to(idle)
	}
	return m.to(inside)
}

// enterField is enter in a field: on to the next question, or the end.
func (m Model) enterField(g Gate) (Model, Wish) {
	if why := m.blocked(); why != "" {
		return m, say(why + " What you typed is kept.")
	}
	e := m.editor()
	if strings.ContainsRune(e.Value, '�') {
		return m, say("Nothing was sent: a character came in damaged. Take out the mark for it first.")
	}
	if limit := m.limit(); limit > 0 && e.Count() > limit {
		return m, say("Nothing was sent: the text has " + client.Count(e.Count()-limit, "character") + " too many.")
	}
	act := actOf(m.field)
	if why := m.refuses(act); why != "" {
		return m, say(why)
	}
	if m.field == ownField {
		return m.submit(g)
	}
	if e.Value == "" {
		return m, say("Nothing was sent: type a message first, or go back with esc.")
	}
	if next, why := m.bars(act, g, false, true); why != "" {
		return next, say(why)
	}
	if err := client.Validate(m.item.Ask, m.decision(act)); err != nil {
		return m.invalid(err)
	}
	return m.give(act, false)
}
