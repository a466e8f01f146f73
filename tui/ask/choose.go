package ask

import (
	"slices"
	"strconv"

	"askbox/client"
	"askbox/tui/textfield"
)

// question is the answer to one question while it is being made.
type question struct {
	chosen  []bool
	text    textfield.Field
	own     bool // the text is the answer, or part of it
	touched bool // the text was typed, and is not only what the form proposes
	open    bool // the detail is unfolded
}

// newQuestions begins with nothing chosen, whatever is recommended or proposed.
// Only a typed field begins with what its form proposes: it is seen in the field
// and goes when the person takes it out.
func newQuestions(asked []client.QuestionAsk) []question {
	qs := make([]question, len(asked))
	for i := range asked {
		q := &asked[i]
		qs[i].chosen = make([]bool, len(q.Options))
		if q.Typed() && proposed(q) && len(q.Options) == 0 && q.Type != client.FieldChoice {
			qs[i].text, qs[i].own = textfield.New(q.Default.Raw()), true
		}
		for o := range q.Options {
			// What is asked about once more has to be read in full before.
			qs[i].open = qs[i].open || q.Options[o].Confirm != ""
		}
	}
	return qs
}

// proposed reports whether the form proposes something that is none of the options.
func proposed(q *client.QuestionAsk) bool {
	for o := range q.Options {
		if q.Options[o].ID == q.Default.Raw() {
			return false
		}
	}
	return !q.Default.Empty()
}

// place is what the cursor of the answer can stand on.
type place struct {
	kind             placeKind
	question, option int
}

type placeKind int

const (
	nowhere placeKind = iota
	onDetail
	onOption
	onText
	onMode // of a plan: no cursor stands there, a number chooses
)

// places are what the cursor can stand on in a question: its detail, its options, its field.
func (m Model) places(i int) []place {
	q := &m.item.Ask.Questions[i]
	all := make([]place, 0, len(q.Options)+2)
	if !q.Detail.Empty() {
		all = append(all, place{kind: onDetail, question: i})
	}
	for o := range q.Options {
		all = append(all, place{onOption, i, o})
	}
	if q.Typed() {
		all = append(all, place{kind: onText, question: i})
	}
	return all
}

// ticked reports whether something is part of the answer as it stands.
func (m Model) ticked(at place) bool {
	switch at.kind {
	case onMode:
		return m.mode == at.option+1
	case onOption:
		q := m.qs[at.question]
		return q.chosen[at.option] && (!q.own || m.item.Ask.Questions[at.question].TextWithChoices)
	case onText:
		return m.qs[at.question].own && m.qs[at.question].text.Value != ""
	}
	return false
}

// chosen lists the options of a question that are part of the answer.
func (m Model) chosen(i int) []int {
	var out []int
	for o := range m.qs[i].chosen {
		if m.ticked(place{onOption, i, o}) {
			out = append(out, o)
		}
	}
	return out
}

// unfolded reports whether the detail of a question is shown.
func (m Model) unfolded(i int) bool { return i < len(m.qs) && m.qs[i].open }

// answerTo is the answer to a question as it stands.
func (m Model) answerTo(i int) client.QuestionAnswer {
	asked := &m.item.Ask.Questions[i]
	a := client.QuestionAnswer{ID: asked.ID}
	for _, o := range m.chosen(i) {
		a.Choices = append(a.Choices, asked.Options[o].ID)
	}
	if m.ticked(place{kind: onText, question: i}) {
		a.Text, a.HasText = m.qs[i].text.Value, true
	}
	return a
}

func (m Model) answers() client.Answer {
	var a client.Answer
	for i := range m.qs {
		a.Questions = append(a.Questions, m.answerTo(i))
	}
	return a
}

// with is the answer with one question changed.
func (m Model) with(i int, change func(q *question)) Model {
	m.qs = slices.Clone(m.qs)
	change(&m.qs[i])
	return m
}

// front brings a question to the front, with the cursor on what is chosen there
// or on its first option.
func (m Model) front(i int) Model {
	m.q, m.here = i, place{}
	all := m.places(i)
	if on := m.chosen(i); len(on) > 0 {
		m.here = place{onOption, i, on[0]}
	} else if len(all) > 0 {
		m.here = all[0]
		if m.here.kind == onDetail && len(all) > 1 {
			m.here = all[1]
		}
	}
	return m
}

// enter goes into a question: among its options, or into its field where it has
// nothing else.
func (m Model) enter(i int) Model {
	m = m.front(i)
	if m.here.kind == onText && len(m.item.Ask.Questions[i].Options) == 0 {
		m.field = ownField
		return m.to(typing)
	}
	return m.to(inside)
}

// move goes on by places, over the borders of questions.
func (m Model) move(by int) Model {
	all := m.places(m.q)
	switch next := slices.Index(all, m.here) + by; {
	case next >= 0 && next < len(all):
		m.here = all[next]
	case next < 0 && m.q > 0:
		m.q, m.here = m.q-1, place{}
		if all = m.places(m.q); len(all) > 0 {
			m.here = all[len(all)-1]
		}
	case next >= len(all) && m.q < len(m.qs)-1:
		m.q, m.here = m.q+1, place{}
		if all = m.places(m.q); len(all) > 0 {
			m.here = all[0]
		}
	}
	return m.to(inside)
}

// turn goes to the next or the previous question.
func (m Model) turn(by int) Model {
	n := len(m.qs)
	return m.enter((m.q + by + n) % n)
}

// choose chooses or ticks an option of the question in front. In a question
// with one answer a second press takes the choice back.
func (m Model) choose(option int) Model {
	asked := &m.item.Ask.Questions[m.q]
	at := place{onOption, m.q, option}
	was := m.ticked(at)
	m = m.with(m.q, func(q *question) {
		q.chosen = slices.Clone(q.chosen)
		if !asked.Multi {
			clear(q.chosen)
		}
		q.chosen[option] = !was
		if !asked.TextWithChoices {
			q.own = false
		}
	})
	m.fault = fault{}
	m.here = at
	return m.to(inside)
}

// number takes a digit: an option of the question in front, or a plan's mode.
func (m Model) number(n int, g Gate) (Model, Wish) {
	if why := m.blocked(); why != "" {
		return m, say(why)
	}
	if !g.Open {
		return m, say(g.Why)
	}
	a := m.item.Ask
	switch {
	case a.Approval != nil && len(a.Approval.Modes) > 0:
		return m.chooseMode(n)
	case len(m.qs) == 0:
		return m, say("There is nothing to choose here.")
	}
	if why := m.refuses(client.ActAnswer); why != "" {
		return m, say(why)
	}
	if n > len(a.Questions[m.q].Options) {
		return m, say("There is no option " + strconv.Itoa(n) + ".")
	}
	if m.stage == confirming && m.confirm.act == client.ActAnswer && m.confirm.option == n-1 {
		return m.confirmed(g)
	}
	return m.choose(n - 1), Wish{}
}

func (m Model) chooseMode(n int) (Model, Wish) {
	modes := m.item.Ask.Approval.Modes
	if n > len(modes) {
		return m, say("There is no mode " + strconv.Itoa(n) + ".")
	}
	if m.mode == n {
		n = 0
	}
	m.mode = n
	// A key that allows does something else now than it did.
	m.changes++
	if m.stage == confirming {
		m = m.to(idle)
	}
	if n == 0 {
		return m, say("No mode is chosen.")
	}
	return m, say("Mode " + strconv.Itoa(n) + m.keys.Spell(" is chosen. {allow} allows the plan in this mode."))
}

// tickKey is the space bar: what the place of the cursor can do, but never send. Where there
// is nothing to choose, it goes on by a page.
func (m Model) tickKey(g Gate) (Model, Wish) {
	if m.stage == confirming && m.confirm.act == client.ActAnswer {
		if !g.Open {
			return m, say(g.Why)
		}
		return m.confirmed(g)
	}
	if m.item.Ask.Kind != client.Question || m.stage == idle || m.view != viewContent {
		return m, Wish{Kind: pass}
	}
	if why := m.refuses(client.ActAnswer); why != "" {
		return m, say(why)
	}
	switch {
	case m.here.kind == nowhere:
		return m, Wish{}
	case m.here.kind == onDetail:
		return m.fold(), Wish{}
	case m.here.kind == onText:
		m.field = ownField
		return m.to(typing), Wish{}
	case !g.Open:
		return m, say(g.Why)
	}
	return m.choose(m.here.option), Wish{}
}

func (m Model) fold() Model {
	return m.with(m.q, func(q *question) { q.open = !q.open })
}
