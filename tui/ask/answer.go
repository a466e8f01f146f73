// Package answer takes what a person answers to an ask: decisions, choices and
// words, checked against the ask, and given back as a plain value. It sends
// nothing itself and knows no relay.
package ask

import (
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/tui/keymap"
	"askbox/tui/theme"
)

// reading says what of a key may count at this moment.
type reading struct {
	// Open says that keys that decide count; Why says why not.
	Open bool
	Why  string
	// Read says that everything that is asked has been on screen; Unread says
	// what is missing. Off says why it cannot be allowed at all.
	Read        bool
	Unread, Off string
	// Anchored says that the first row of what would be done is on screen.
	Anchored bool
	// RulesRead says that the rules of "always" are on screen and were read to the end.
	RulesRead bool
	// Elsewhere says that something else than the ask is shown in its place.
	Elsewhere bool
}

// result is what a key asks for.
type result struct {
	Send   *client.Answer // to be sent for the ask shown; it passed client.Validate
	Say    string         // for the status line
	Back   bool           // there was nothing to go back from here
	Edit   bool           // the field's text goes to an editor; Edited brings it back
	Forget bool           // drop the outcome of the answer that failed
	Pass   bool           // the key means nothing here
}

// stage is where a person is in the answer.
type stage int

const (
	idle       stage = iota // outside: the keys act on the ask as a whole
	inside                  // among the options of a question
	typing                  // in a text field
	confirming              // something is asked about once more
	summing                 // the answers are shown before they are sent
)

// field names a text field.
type field int

const (
	ownField field = iota // of the question in front
	allowField
	denyField
	dismissField
	fields
)

// draftNames are the words with which the fields are kept as drafts.
var draftNames = [fields]string{"", "allow", "deny", "dismiss"}

// confirmation is what is asked about once more.
type confirmation struct {
	act              client.Action
	question, option int // for an answer; option -1: the answer as a whole
	words            string
}

// fault is why an answer was not taken, at its field.
type fault struct {
	message  bool // the field is the message of a decision
	question int  // the question, or -1
	words    string
}

// answer is the pane. It is a plain value: methods return the changed one.
type answer struct {
	theme *theme.Theme
	keys  *keymap.Map

	group *inbox.Group
	item  *inbox.Item
	now   time.Time

	stage   stage
	changes int // grows with every change of what a key would do
	field   field
	texts   [fields]editor // ownField is not used: each question has its own
	last    field          // the message that was typed last
	mode    int            // the chosen mode of a plan, plus one
	qs      []question
	q       int // the question in front
	stop    int // the place of the cursor in it
	confirm confirmation
	fault   fault
	stale   bool   // what was typed was typed for another content
	written string // the digest of that content
	sent    time.Time
}

// New returns an empty pane.
func newAnswer(t *theme.Theme, keys *keymap.Map) answer {
	return answer{theme: t, keys: keys, fault: fault{question: -1}}
}

// Show sets the ask; it nil: there is none. The same ref with the same digest
// keeps everything. Another digest keeps what was typed, and nothing that was
// chosen: a choice was made for what stood there before.
func (m answer) Show(g *inbox.Group, it *inbox.Item, now time.Time) answer {
	before := m.item
	m.group, m.item, m.now = g, it, now
	switch {
	case it == nil:
		m = newAnswer(m.theme, m.keys)
		m.now = now
		return m
	case before == nil || before.Ask.Ref != it.Ask.Ref:
		fresh := newAnswer(m.theme, m.keys)
		fresh.group, fresh.item, fresh.now, fresh.changes = g, it, now, m.changes+1
		fresh.qs = newQuestions(it.Ask.Questions)
		return fresh
	case before.Digest != it.Digest:
		m = m.changed(before)
	}
	return m.follow(before)
}

// changed keeps the typed words over to another content of the same ask.
func (m answer) changed(before *inbox.Item) answer {
	old, asked := before.Ask.Questions, m.item.Ask.Questions
	fresh := newQuestions(asked)
	texts := m.typedTexts(old)
	to := carry(fresh, asked, texts)
	front := -1
	if m.q < len(old) {
		front = follows(m.q, old[m.q].ID, texts, to, asked)
	}
	m = m.keepHomeless(texts, to)
	lost := m.stage == typing && m.field == ownField && (front < 0 || !typed(asked[front]))
	if m.stage == inside || m.stage == confirming || m.stage == summing || lost {
		m.stage = idle
	}
	m.q = max(front, 0)
	m.qs, m.stop, m.mode = fresh, 0, 0
	m.fault = fault{question: -1}
	if !m.stale {
		m.written = before.Digest
	}
	m.stale = m.words() && m.written != m.item.Digest
	m.changes++
	return m
}

// words reports whether anything was typed.
func (m answer) words() bool {
	for _, q := range m.qs {
		if q.touched && q.text.value != "" {
			return true
		}
	}
	for _, e := range m.texts {
		if e.value != "" {
			return true
		}
	}
	return false
}

// follow takes over what the snapshot says of the answer under way.
func (m answer) follow(before *inbox.Item) answer {
	f := m.item.Flight
	if f != nil || m.now.Sub(m.sent) > 2*time.Second || m.item.Ask.Status.Closed() {
		m.sent = time.Time{}
	}
	if f != nil && (before.Flight == nil || before.Flight.State != f.State) {
		m.changes++
		if f.State == inbox.Refused {
			m = m.Refused(f.Err)
		}
		if f.State == inbox.Done {
			fresh := newAnswer(m.theme, m.keys)
			fresh.group, fresh.item, fresh.now, fresh.changes = m.group, m.item, m.now, m.changes
			fresh.qs = newQuestions(m.item.Ask.Questions)
			return fresh
		}
	}
	if m.stage != typing && m.stage != idle && m.blocked() != "" {
		// The focus of a text field is left alone: whoever types there would
		// otherwise type on into keys that act.
		m.stage = idle
		m.changes++
	}
	return m
}

// Refused notes why an answer was not taken, so that it stands at its field.
func (m answer) Refused(err error) answer {
	m.sent = time.Time{}
	m.fault = fault{question: -1}
	if m.item != nil {
		m.fault = faultOf(err, m.item.Ask.Questions)
	}
	return m
}

// Stage changes whenever a key would decide something else than before.
func (m answer) Stage() int { return m.changes }

// Typing reports whether a text field has the focus.
func (m answer) Typing() bool { return m.stage == typing }

// Focused reports whether the pane is inside its answer, so that esc goes back in it.
func (m answer) Focused() bool { return m.stage != idle }

// AsksRules reports whether the rules of "always" are to be shown.
func (m answer) AsksRules() bool {
	return m.stage == confirming && m.confirm.act == client.ActAlways
}

// to goes to a stage. The keys are armed anew where the next one sends what is
// asked about once more, and after a text: whoever leaves a field may still be typing.
func (m answer) to(s stage) answer {
	if m.stage != s && (s == confirming || s == summing || m.stage == typing) {
		m.changes++
	}
	m.stage = s
	return m
}

// blocked says in the program's words why no answer can be given now; empty
// when one can.
func (m answer) blocked() string {
	if m.item == nil {
		return "No ask is selected."
	}
	a := m.item.Ask
	if f := m.item.Flight; f != nil && !a.Status.Closed() {
		switch f.State {
		case inbox.Held:
			return "You have answered this ask. u takes that back as long as it is held."
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
		return "This ask cannot be answered here. v shows it as the relay sent it."
	case a.Status != client.Open:
		return "This ask cannot be answered here: its state is not known to askbox."
	case !m.sent.IsZero():
		return "You have answered this ask."
	case a.RunOut(m.relayNow()):
		return "Nothing is sent any more: " + a.ExpiredWords + "."
	}
	return ""
}

// Text is what is typed in the field in focus, for the editor.
func (m answer) Text() string { return m.editor().value }

// Edited takes what an editor wrote for the field in focus, exactly as given.
func (m answer) Edited(written string) answer {
	if len(written) > maxTyped || m.stage != typing {
		return m
	}
	return m.setEditor(newEditor(written))
}

func (m answer) editor() editor {
	if m.field == ownField {
		if m.q < len(m.qs) {
			return m.qs[m.q].text
		}
		return editor{}
	}
	return m.texts[m.field]
}

func (m answer) setEditor(e editor) answer {
	m.fault = fault{question: -1}
	if m.field == ownField {
		if m.q < len(m.qs) {
			m.qs = cloneQuestions(m.qs)
			q := &m.qs[m.q]
			q.touched = q.touched || q.text.value != e.value
			q.text, q.own = e, e.value != ""
		}
		return m
	}
	m.texts[m.field], m.last = e, m.field
	return m
}

// limit is the most characters of the field in focus; 0: none known.
func (m answer) limit() int {
	switch {
	case m.field == dismissField:
		return client.MaxDismissal
	case m.field == ownField && m.q < len(m.qs):
		return m.item.Ask.Questions[m.q].MaxText
	}
	return 0
}
