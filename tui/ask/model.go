package ask

import (
	"reflect"
	"slices"
	"time"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/history"
	"askbox/client/inbox"
	"askbox/tui/keymap"
	"askbox/tui/textfield"
	"askbox/tui/theme"
)

// Model is the pane. It is a plain value: methods return the changed one.
type Model struct {
	theme         *theme.Theme
	keys          *keymap.Map
	drafts        *drafts.Store
	width, height int

	group *inbox.Group
	item  *inbox.Item
	now   time.Time

	known      memory
	precedents history.Precedents
	reading
	answer
	kept drafts.Draft // the draft as it was saved last

	room int // the most lines that the keys may take
	foot int // the lines that they take
	body int // the lines of the ask itself
}

// answer is the answer to one ask while it is made.
type answer struct {
	stage   stage
	changes int // grows with every change of what a key would do
	field   field
	texts   [fields]textfield.Field // ownField is not used: each question has its own
	last    field                   // the message that was typed last
	mode    int                     // the chosen mode of a plan, plus one
	qs      []question
	q       int   // the question in front
	here    place // what the cursor stands on in it
	confirm confirmation
	fault   fault
	stale   bool   // what was typed was typed for another content
	written string // the digest of that content
	sent    time.Time
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

// New returns an empty pane. The drafts may be nil: nothing is kept then.
func New(t *theme.Theme, keys *keymap.Map, d *drafts.Store) Model {
	return Model{theme: t, keys: keys, drafts: d}
}

// Remember takes what was decided about approvals before. It says so, and decides nothing.
func (m Model) Remember(p history.Precedents) Model {
	m.precedents = p
	return m
}

// Show sets what is shown; it nil: nothing is selected. The same ref and digest
// keep what was scrolled, read, chosen and typed. Another digest keeps what was
// typed, and nothing that was chosen: a choice was made for what stood there
// before. The answer to an ask begins with its draft, where there is one.
func (m Model) Show(g *inbox.Group, it *inbox.Item, now time.Time) Model {
	before := m.item
	m.group, m.item, m.now = g, it, now
	switch {
	case it == nil && before == nil:
		return m
	case it == nil:
		m.reading = reading{turns: m.turns + 1}
		m.answer = answer{changes: m.changes + 1}
		m.kept = drafts.Draft{}
		return m.layout()
	}
	m.known = m.known.shows(it)
	m = m.open(before)
	switch {
	case before == nil || before.Ask.Ref != it.Ask.Ref:
		m = m.begin().load()
	case before.Digest != it.Digest:
		m = m.changed(before).follow(before)
	default:
		m = m.follow(before)
	}
	return m.recall().layout()
}

// begin starts the answer to the ask shown.
func (m Model) begin() Model {
	m.answer = answer{changes: m.changes + 1, qs: newQuestions(m.item.Ask.Questions)}
	m.kept = drafts.Draft{}
	return m
}

// given is what the ask was answered with, where that is known.
func (m Model) given() *client.Answer {
	if f := m.item.Flight; f != nil && f.State == inbox.Done && f.Differs == nil {
		return &f.Answer
	}
	if a := m.item.Ask; a.Status.Closed() && a.Closing != nil {
		return a.Closing.Given
	}
	return nil
}

// recall shows an ask that is over with what was chosen and typed. Words that were not
// sent come first.
func (m Model) recall() Model {
	given := m.given()
	if given == nil || m.hasWords() {
		return m
	}
	asked := m.item.Ask
	m.qs = newQuestions(asked.Questions)
	for i := range m.qs {
		if i < len(given.Questions) && given.Questions[i].ID == asked.Questions[i].ID {
			m.qs[i] = m.qs[i].restore(asked.Questions[i], given.Questions[i])
			m.qs[i].touched = false
		}
	}
	if m.mode = 0; asked.Approval != nil {
		m.mode = 1 + slices.IndexFunc(asked.Approval.Modes, func(mode client.Mode) bool { return mode.ID == given.Mode })
	}
	return m
}

// outcome says in a word what became of an ask that is over: allowed, denied, answered.
func (m Model) outcome() string {
	a := m.item.Ask
	switch given := m.given(); {
	case given != nil && given.Decision != client.NoDecision:
		return given.Done()
	case a.Closing != nil && a.Closing.Decision != client.NoDecision:
		return a.Closing.Decision.Done()
	}
	return a.Status.String()
}

// load takes up the draft of the ask, where there is one.
func (m Model) load() Model {
	if m.drafts == nil || m.item.Ask.Status.Closed() {
		return m
	}
	if d, ok := m.drafts.Load(m.item.Ask.Ref); ok {
		m = m.restore(d)
		m.kept = d
	}
	return m
}

// Reload takes up a draft that another askbox has written, where nothing was begun here.
func (m Model) Reload() Model {
	if m.item == nil || !reflect.DeepEqual(m.kept, drafts.Draft{}) || !reflect.DeepEqual(m.draft(), drafts.Draft{}) {
		return m
	}
	return m.load().layout()
}

// keep saves the draft where it changed. The store writes in the background.
func (m Model) keep() Model {
	d := m.draft()
	if reflect.DeepEqual(d, m.kept) {
		return m
	}
	if m.drafts != nil {
		m.drafts.Save(m.item.Ask.Ref, d)
	}
	m.kept = d
	return m
}

// follow takes over what the snapshot says of the answer under way.
func (m Model) follow(before *inbox.Item) Model {
	f := m.item.Flight
	if f != nil || m.now.Sub(m.sent) > 2*time.Second || m.item.Ask.Status.Closed() {
		m.sent = time.Time{}
	}
	if f != nil && (before.Flight == nil || before.Flight.State != f.State) {
		m.changes++
		switch f.State {
		case inbox.Refused:
			m.fault = faultOf(f.Err, m.item.Ask.Questions)
		case inbox.Done:
			if m.drafts != nil {
				m.drafts.Remove(m.item.Ask.Ref)
			}
			return m.begin()
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

// Resize sets the size of the pane in cells.
func (m Model) Resize(width, height int) Model {
	m.width, m.height = width, height
	return m.layout()
}

// Refused takes the error with which the inbox would not take an answer, so that
// it stands at its field.
func (m Model) Refused(ref client.Ref, err error) Model {
	if m.item == nil || m.item.Ask.Ref != ref {
		return m
	}
	m.sent = time.Time{}
	m.fault = faultOf(err, m.item.Ask.Questions)
	return m.layout()
}

// Typing reports whether a text field has the focus.
func (m Model) Typing() bool { return m.stage == typing }

// Answering reports whether the pane is inside its answer.
func (m Model) Answering() bool { return m.stage != idle }

// Focused reports whether esc goes back inside the pane.
func (m Model) Focused() bool { return m.item != nil && (m.stage != idle || m.view != viewContent) }

// Stage changes whenever a key would decide something else than before on the
// same ask (something asked once more, a summary): the keys are armed anew then.
func (m Model) Stage() int { return m.changes*int(views) + int(m.view) }

// to goes to a stage. The keys are armed anew where the next one sends what is
// asked about once more, and after a text: whoever leaves a field may still be typing.
func (m Model) to(s stage) Model {
	if m.stage != s && (s == confirming || s == summing || m.stage == typing) {
		m.changes++
	}
	m.stage = s
	return m
}

// relayNow is the time by the clock of the ask's relay.
func (m Model) relayNow() time.Time {
	if m.group == nil {
		return m.now
	}
	return m.now.Add(m.group.Skew)
}
