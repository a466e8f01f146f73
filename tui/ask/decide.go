package ask

import (
	"cmp"
	"strings"

	"askbox/client"
	"askbox/client/inbox"
)

// blocked says in the program's words why no answer can be given now; empty
// when one can.
func (m Model) blocked() string {
	a := m.item.Ask
	if f := m.item.Flight; f != nil && !a.Status.Closed() {
		switch f.State {
		case inbox.Held:
			return m.keys.Spell("You have answered this ask. {undo} takes that back as long as it is held.")
		case inbox.Sending:
			return "Your answer is being sent."
		case inbox.Checking:
			return "The reply to your answer was lost. The relay is being asked what it knows."
		case inbox.Done, inbox.TooLate:
			return "This ask is over."
		case inbox.NotKnown:
			return "It is not known whether your answer arrived. Press enter to answer again."
		}
	}
	switch {
	case a.Status.Closed():
		return "Nothing was sent: this ask is " + a.Status.String() + "."
	case a.Unreadable != "" || a.Kind == client.Unknown:
		return m.keys.Spell("This ask cannot be answered here. {as_sent} shows it as the relay sent it.")
	case a.Status != client.Open:
		return "This ask cannot be answered here: its state is not known to askbox."
	case !m.sent.IsZero():
		return "You have answered this ask."
	case a.RunOut(m.relayNow()):
		return "Nothing is sent any more: " + a.ExpiredWords + "."
	}
	return ""
}

// refuses says in the program's words why an action cannot be taken here; empty
// when it can.
func (m Model) refuses(act client.Action) string {
	if why := m.blocked(); why != "" {
		return why
	}
	a := m.item.Ask
	dismissal := act == client.ActDismiss || act == client.ActDismissMessage
	switch {
	case a.Kind == client.Secret && !dismissal:
		return "Nothing was sent: this ask wants a secret. " + where(a.Secret)
	case a.Kind == client.Question && act != client.ActAnswer && !dismissal:
		return "Nothing was sent: a question needs an answer. Choose with a number, or go into it with enter."
	case a.Kind == client.Approval && act == client.ActAnswer:
		return m.keys.Spell("Nothing was sent: an approval is allowed with {allow} or denied with {deny}.")
	case act == client.ActAnswer && m.off() != "":
		return "Nothing was sent. " + m.off()
	}
	o := a.Offer(act)
	switch {
	case o.OK:
		return ""
	case o.Why != "":
		return "Nothing was sent: " + strings.TrimSuffix(o.Why, ".") + "."
	case act == client.ActAlways:
		return "Nothing was sent: no rule is proposed for this, so it cannot be allowed always."
	}
	return "Nothing was sent: this ask cannot be answered with “" + act.String() + "”."
}

// off says in the program's words why the ask cannot be allowed here at all; empty
// when it can.
func (m Model) off() string {
	for _, v := range []view{viewContent, viewRules} {
		if how := m.pages[v].TooLarge(); how != "" {
			return m.item.Ask.Kind.TooLarge(how)
		}
	}
	if nothing(m.item.Ask) {
		return "There is nothing to show of it, so it cannot be allowed here. You can deny it."
	}
	return ""
}

// anchored reports whether what would be done is on the screen, with its first row at least.
func (m Model) anchored() bool { return m.body > 0 && m.pages[m.view].Anchored() }

// read reports whether every row that an allow depends on was read.
func (m Model) read() bool { return m.pages[viewContent].Read() }

// rulesRead reports whether the rules of "always" are shown and were read to the end.
func (m Model) rulesRead() bool { return m.view == viewRules && m.pages[viewRules].Read() }

// unread says why something that has to be read first was not; empty: it was.
func (m Model) unread() string {
	switch {
	case m.view == viewRules:
		return "Nothing was sent: go back to the ask with esc first."
	case m.view != viewContent:
		return m.keys.Spell("Nothing was sent: press {as_sent} to go back to the ask first.")
	case !m.anchored():
		return "Nothing was sent: the window is too small to show what is asked."
	case !m.read():
		words, _ := m.position()
		return "Nothing was sent: read it to the end first. " + words
	}
	return ""
}

// approving reports whether an action lets something be done.
func approving(act client.Action) bool {
	return act == client.ActAllow || act == client.ActAlways || act == client.ActAllowMessage
}

// decide takes a key that decides. The order of the checks is the order in which
// a person can do something about them.
func (m Model) decide(act client.Action, g Gate) (Model, Wish) {
	if why := m.refuses(act); why != "" {
		return m, say(why)
	}
	asked := m.stage == confirming && m.confirm.act == act
	if next, why := m.bars(act, g, asked, approving(act)); why != "" {
		return next, say(why)
	}
	if f, ok := fieldOf(act); ok && !asked {
		m.field = f
		return m.to(typing), Wish{}
	}
	return m.give(act, asked)
}

// bars says why an action cannot be taken at this moment; empty: it can. knows says that a
// change has to be acknowledged for it.
func (m Model) bars(act client.Action, g Gate, asked, knows bool) (_ Model, why string) {
	if knows {
		if next, why := m.acknowledge(g); why != "" {
			return next, why
		}
	}
	if approving(act) {
		if why := m.unallowable(act, asked); why != "" {
			return m, why
		}
	}
	if !g.Open {
		return m, cmp.Or(g.Why, "Nothing was sent.")
	}
	return m, ""
}

// give sends an answer that nothing bars, or asks about it once more first.
func (m Model) give(act client.Action, asked bool) (Model, Wish) {
	if words := m.asksAgain(act); words != "" && !asked {
		return m.ask(confirmation{act: act, option: -1, words: words}), Wish{}
	}
	return m.send(m.decision(act))
}

// ask asks once more.
func (m Model) ask(c confirmation) Model {
	if m.stage == confirming {
		// Another thing is asked about now, so it is a new stage as well.
		m.changes++
	}
	m.confirm = c
	return m.to(confirming)
}

// unallowable says why an approval cannot be given at this moment.
func (m Model) unallowable(act client.Action, asked bool) string {
	if act == client.ActAlways && len(m.item.Ask.Approval.Always) == 0 {
		return "Nothing was sent: the relay names no rule, so there is nothing to allow always."
	}
	if off := m.off(); off != "" && m.view != viewRaw {
		return "Nothing was sent. " + off
	}
	switch {
	case act != client.ActAlways || !asked:
		return m.unread()
	case !m.rulesRead():
		return m.keys.Spell("Nothing was sent: read the rule to its end first, then press {always} again.")
	case !m.anchored():
		return "Nothing was sent: the window is too small to show the rule."
	}
	return ""
}

// asksAgain is what an action is asked about once more; empty: it is not.
func (m Model) asksAgain(act client.Action) string {
	words := m.item.Ask.Confirm(m.decision(act))
	if act == client.ActAlways && m.item.Ask.Offer(act).Confirm == "" {
		words = strings.TrimSpace("This allows it from now on, without asking you. " + words)
	}
	return words
}

func (m Model) decision(act client.Action) client.Answer {
	var a client.Answer
	switch act {
	case client.ActAllow, client.ActAllowMessage:
		a.Decision = client.Allow
		if m.mode > 0 {
			a.Mode = m.item.Ask.Approval.Modes[m.mode-1].ID
		}
	case client.ActAlways:
		a.Decision = client.Always
	case client.ActDeny, client.ActDenyReason:
		a.Decision = client.Deny
	case client.ActDismiss, client.ActDismissMessage:
		a.Dismiss = true
	}
	if f, ok := fieldOf(act); ok {
		a.Message = m.texts[f].Value
	}
	return a
}

// send checks an answer and hands it out. What was typed stays until the relay
// has confirmed it.
func (m Model) send(a client.Answer) (Model, Wish) {
	if err := client.Validate(m.item.Ask, a); err != nil {
		return m.invalid(err)
	}
	m.sent = m.now
	m.fault = fault{}
	m.changes++
	return m.to(idle), Wish{Kind: Send, Answer: a}
}

// fieldOf is the field of an action that goes with a message.
func fieldOf(act client.Action) (field, bool) {
	for f := allowField; f < fields; f++ {
		if actOf(f) == act {
			return f, true
		}
	}
	return ownField, false
}

// actOf is the action that a field's text goes with.
func actOf(f field) client.Action {
	return [fields]client.Action{client.ActAnswer, client.ActAllowMessage, client.ActDenyReason, client.ActDismissMessage}[f]
}

// again is the key that confirms what is asked about once more.
func (m Model) again() string {
	if m.confirm.act != client.ActAnswer {
		return m.keyOf(m.confirm.act)
	}
	if n := m.confirm.option + 1; n >= 1 && n <= 9 {
		return string(rune('0' + n))
	}
	return m.keys.Spell("{tick}")
}
