package ask

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/inbox"
)

// Key takes a key. Only [result.Send] ever leads to anything being sent.
func (m answer) Key(msg tea.KeyMsg, g reading) (answer, result) {
	if m.item == nil {
		return m, result{Pass: true}
	}
	if m.stage == typing {
		return m.typingKey(msg, g)
	}
	k := m.keys
	switch {
	case key.Matches(msg, k.Allow):
		return m.decide(client.ActAllow, g)
	case key.Matches(msg, k.Always):
		return m.decide(client.ActAlways, g)
	case key.Matches(msg, k.AllowMessage):
		return m.decide(client.ActAllowMessage, g)
	case key.Matches(msg, k.Deny):
		return m.decide(client.ActDeny, g)
	case key.Matches(msg, k.DenyReason):
		return m.decide(client.ActDenyReason, g)
	case key.Matches(msg, k.Dismiss):
		return m.decide(client.ActDismiss, g)
	case key.Matches(msg, k.DismissMessage):
		return m.decide(client.ActDismissMessage, g)
	case key.Matches(msg, k.Choose):
		return m.number(int(msg.Runes[0]-'0'), g)
	case key.Matches(msg, k.Tick):
		return m.tick(g)
	case key.Matches(msg, k.Type):
		return m.typeOwn(g)
	case key.Matches(msg, k.Enter):
		return m.enterKey(g)
	case key.Matches(msg, k.Back):
		return m.back()
	case key.Matches(msg, k.Editor):
		return m, result{Say: "Open a text first: " + m.textKeys() + ". Then ctrl+e opens it in your editor."}
	}
	return m.moveKey(msg)
}

func (m answer) textKeys() string {
	if m.item.Ask.Kind == client.Question {
		return "t for an answer, X for a message with a dismissal"
	}
	return "m, D or X"
}

// moveKey moves among the places of a question.
func (m answer) moveKey(msg tea.KeyMsg) (answer, result) {
	if m.item.Ask.Kind != client.Question || len(m.qs) == 0 {
		return m, result{Pass: true}
	}
	k := m.keys
	if msg.String() == "right" {
		return m.unfold(), result{}
	}
	if m.stage == idle {
		return m, result{Pass: true}
	}
	switch {
	case key.Matches(msg, k.Up):
		return m.move(-1), result{}
	case key.Matches(msg, k.Down):
		return m.move(+1), result{}
	case key.Matches(msg, k.NextField):
		return m.turn(+1), result{}
	case key.Matches(msg, k.PrevField):
		return m.turn(-1), result{}
	}
	return m, result{Pass: true}
}

func (m answer) unfold() answer {
	if m.item.Ask.Questions[m.q].Detail.Empty() {
		return m
	}
	return m.fold()
}

// enterKey goes into the answer. It decides nothing on an approval.
func (m answer) enterKey(g reading) (answer, result) {
	a := m.item.Ask
	if f := m.item.Flight; f != nil && f.State == inbox.NotKnown && !a.Status.Closed() {
		return m, result{Forget: true, Say: "The last answer is set aside. Look at the ask again before you answer it."}
	}
	if why := m.blocked(); why != "" {
		return m, result{Say: why}
	}
	switch {
	case m.stage == summing:
		if !g.Open {
			return m, result{Say: g.Why}
		}
		return m.send(m.answers())
	case m.stage == confirming:
		return m, result{Say: "Enter does not confirm this. " + m.again() + " does, esc goes back."}
	case m.stage == inside:
		return m.submit(g)
	case a.Kind == client.Question && len(m.qs) > 0:
		if why := m.refuses(client.ActAnswer); why != "" {
			return m, result{Say: why}
		}
		return m.enter(m.q), result{}
	case a.Kind == client.Approval:
		return m, result{Say: "Enter decides nothing here. a allows, d denies."}
	}
	return m, result{Say: m.refuses(client.ActAnswer)}
}

func (m answer) back() (answer, result) {
	switch m.stage {
	case confirming, summing:
		if m.item.Ask.Kind == client.Question && (m.confirm.act == client.ActAnswer || m.stage == summing) {
			return m.to(inside), result{}
		}
		return m.to(idle), result{}
	case inside:
		return m.to(idle), result{}
	}
	return m, result{Back: true}
}

// refuses says in the program's words why an action cannot be taken here; empty
// when it can.
func (m answer) refuses(act client.Action) string {
	if why := m.blocked(); why != "" {
		return why
	}
	a := m.item.Ask
	dismissal := act == client.ActDismiss || act == client.ActDismissMessage
	switch {
	case a.Kind == client.Secret && !dismissal:
		where := "Give it where the session runs."
		if a.Secret != nil && a.Secret.Where != "" {
			where = a.Secret.Where
		}
		return "Nothing was sent: this ask wants a secret. " + where
	case a.Kind == client.Question && act != client.ActAnswer && !dismissal:
		return "Nothing was sent: a question needs an answer. Choose with a number, or go into it with enter."
	case a.Kind == client.Approval && act == client.ActAnswer:
		return "Nothing was sent: an approval is allowed with a or denied with d."
	}
	o := a.Offer(act)
	switch {
	case o.OK:
		return ""
	case o.Why != "":
		return "Nothing was sent: " + strings.TrimSuffix(o.Why, ".") + "."
	}
	if act == client.ActAlways {
		return "Nothing was sent: no rule is proposed for this, so it cannot be allowed always."
	}
	return "Nothing was sent: this ask cannot be answered with “" + actionWords(act) + "”."
}

// approving reports whether an action lets something be done.
func approving(act client.Action) bool {
	return act == client.ActAllow || act == client.ActAlways || act == client.ActAllowMessage
}

// decide takes a key that decides. The order of the checks is the order in which
// a person can do something about them.
func (m answer) decide(act client.Action, g reading) (answer, result) {
	if why := m.refuses(act); why != "" {
		return m, result{Say: why}
	}
	asked := m.stage == confirming && m.confirm.act == act
	if approving(act) {
		if why := m.unallowable(act, g, asked); why != "" {
			return m, result{Say: why}
		}
	}
	if !g.Open {
		return m, result{Say: g.Why}
	}
	if f, ok := fieldOf(act); ok && !asked {
		return m.openField(f), result{}
	}
	if words := m.asksAgain(act); words != "" && !asked {
		if m.stage == confirming {
			// Another thing is asked about now, so it is a new stage as well.
			m.changes++
		}
		m.confirm = confirmation{act: act, option: -1, words: words}
		return m.to(confirming), result{}
	}
	return m.send(m.decision(act))
}

// unallowable says why an approval cannot be given at this moment.
func (m answer) unallowable(act client.Action, g reading, asked bool) string {
	if act == client.ActAlways {
		if len(m.item.Ask.Approval.Always) == 0 {
			return "Nothing was sent: the relay names no rule, so there is nothing to allow always."
		}
		if asked {
			switch {
			case g.Off != "":
				return "Nothing was sent. " + g.Off
			case !g.RulesRead:
				return "Nothing was sent: read the rule to its end first, then press A again."
			case !g.Anchored:
				return "Nothing was sent: the window is too small to show the rule."
			}
			return ""
		}
	}
	if g.Off != "" && !g.Elsewhere {
		return "Nothing was sent. " + g.Off
	}
	return unread(g)
}

// asksAgain is what an action is asked about once more; empty: it is not.
func (m answer) asksAgain(act client.Action) string {
	a := m.item.Ask
	words := a.Offer(act).Confirm
	if act == client.ActAlways {
		if words == "" {
			words = "This allows it from now on, without asking you."
		}
		return words
	}
	if !approving(act) || a.Approval == nil {
		return words
	}
	if m.mode > 0 && a.Approval.Modes[m.mode-1].Confirm != "" {
		words = strings.TrimSpace(words + " " + a.Approval.Modes[m.mode-1].Confirm)
	}
	if a.Approval.Excerpt != "" {
		words = strings.TrimSpace(words + " Only an excerpt is shown. This allows what is not shown as well.")
	}
	return words
}

func (m answer) decision(act client.Action) client.Answer {
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
		a.Message = m.texts[f].value
	}
	return a
}

// send checks an answer and hands it out. What was typed stays until the relay
// has confirmed it.
func (m answer) send(a client.Answer) (answer, result) {
	if err := client.Validate(m.item.Ask, a); err != nil {
		return m.invalid(err)
	}
	m.sent = m.now
	m.fault = fault{question: -1}
	m.changes++
	return m.to(idle), result{Send: &a}
}

// fieldOf is the field of an action that goes with a message.
func fieldOf(act client.Action) (field, bool) {
	switch act {
	case client.ActAllowMessage:
		return allowField, true
	case client.ActDenyReason:
		return denyField, true
	case client.ActDismissMessage:
		return dismissField, true
	}
	return ownField, false
}

// actOf is the action that a field's text goes with.
func actOf(f field) client.Action {
	return [fields]client.Action{client.ActAnswer, client.ActAllowMessage, client.ActDenyReason, client.ActDismissMessage}[f]
}

func actionWords(act client.Action) string {
	switch act {
	case client.ActAllow:
		return "allow"
	case client.ActAlways:
		return "allow always"
	case client.ActAllowMessage:
		return "allow with a message"
	case client.ActDeny:
		return "deny"
	case client.ActDenyReason:
		return "deny with a reason"
	case client.ActDismiss:
		return "dismiss"
	case client.ActDismissMessage:
		return "dismiss with a message"
	}
	return "answer"
}

// again is the key that confirms what is asked about once more.
func (m answer) again() string {
	k := m.keys
	switch m.confirm.act {
	case client.ActAllow:
		return k.Allow.Help().Key
	case client.ActAlways:
		return k.Always.Help().Key
	case client.ActAllowMessage:
		return k.AllowMessage.Help().Key
	case client.ActDeny:
		return k.Deny.Help().Key
	case client.ActDenyReason:
		return k.DenyReason.Help().Key
	case client.ActDismiss:
		return k.Dismiss.Help().Key
	case client.ActDismissMessage:
		return k.DismissMessage.Help().Key
	}
	if n := m.confirm.option + 1; n >= 1 && n <= 9 {
		return string(rune('0' + n))
	}
	return "space"
}
