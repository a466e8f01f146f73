package ask

import (
	"slices"
	"strconv"

	"askbox/client"
)

// question is the answer to one question while it is being made.
type question struct {
	chosen  []bool
	text    editor
	own     bool // the text is the answer, or part of it
	touched bool // the text was typed, and is not only what the form proposes
	open    bool // the detail is unfolded
}

// newQuestions begins with nothing chosen, whatever is recommended or proposed.
// Only a typed field begins with what its form proposes: it is seen in the field
// and goes when the person takes it out.
func newQuestions(asked []client.QuestionAsk) []question {
	qs := make([]question, len(asked))
	for i, q := range asked {
		qs[i].chosen = make([]bool, len(q.Options))
		if typed(q) && len(q.Options) == 0 && !q.Default.Empty() && q.Type != client.FieldChoice {
			qs[i].text, qs[i].own = newEditor(q.Default.Raw()), true
		}
		for _, o := range q.Options {
			// What is asked about once more has to be read in full before.
			qs[i].open = qs[i].open || o.Confirm != ""
		}
	}
	return qs
}

func cloneQuestions(qs []question) []question { return slices.Clone(qs) }

func typed(q client.QuestionAsk) bool {
	return q.OwnText || q.Type == client.FieldText || q.Type == client.FieldNumber || q.Type == client.FieldInteger
}

// ticked reports whether an option is part of the answer as it stands.
func (m answer) ticked(i, option int) bool {
	q := m.qs[i]
	return q.chosen[option] && (!q.own || m.item.Ask.Questions[i].TextWithChoices)
}

// answerTo is the answer to a question as it stands.
func (m answer) answerTo(i int) client.QuestionAnswer {
	asked := m.item.Ask.Questions[i]
	a := client.QuestionAnswer{ID: asked.ID}
	for o := range asked.Options {
		if m.ticked(i, o) {
			a.Choices = append(a.Choices, asked.Options[o].ID)
		}
	}
	if q := m.qs[i]; q.own && q.text.value != "" {
		a.Text, a.HasText = q.text.value, true
	}
	return a
}

func (m answer) answers() client.Answer {
	var a client.Answer
	for i := range m.qs {
		a.Questions = append(a.Questions, m.answerTo(i))
	}
	return a
}

// place is one place of the cursor in a question.
type place struct {
	kind   placeKind
	option int
}

type placeKind int

const (
	onDetail placeKind = iota
	onOption
	onText
)

func (m answer) places(i int) []place {
	q := m.item.Ask.Questions[i]
	var out []place
	if !q.Detail.Empty() {
		out = append(out, place{kind: onDetail})
	}
	for o := range q.Options {
		out = append(out, place{onOption, o})
	}
	if typed(q) {
		out = append(out, place{kind: onText})
	}
	return out
}

// here is the place of the cursor; ok is false where the question has none.
func (m answer) here() (place, bool) {
	if m.q >= len(m.qs) {
		return place{}, false
	}
	ps := m.places(m.q)
	if m.stop < 0 || m.stop >= len(ps) {
		return place{}, false
	}
	return ps[m.stop], true
}

// front brings a question to the front, with the cursor on what is chosen there
// or on its first option.
func (m answer) front(i int) answer {
	m.q, m.stop = i, 0
	ps := m.places(i)
	for s, p := range ps {
		if p.kind != onDetail {
			m.stop = s
			break
		}
	}
	for s, p := range ps {
		if p.kind == onOption && m.ticked(i, p.option) {
			m.stop = s
			break
		}
	}
	return m
}

// enter goes into a question: among its options, or into its field where it has
// nothing else.
func (m answer) enter(i int) answer {
	m = m.front(i)
	if p, ok := m.here(); ok && p.kind == onText && len(m.item.Ask.Questions[i].Options) == 0 {
		m.field = ownField
		return m.to(typing)
	}
	return m.to(inside)
}

// move goes on by places, over the borders of questions.
func (m answer) move(by int) answer {
	next := m.stop + by
	switch n := len(m.places(m.q)); {
	case next >= 0 && next < n:
		m.stop = next
	case next < 0 && m.q > 0:
		m.q--
		m.stop = max(len(m.places(m.q))-1, 0)
	case next >= n && m.q < len(m.qs)-1:
		m.q, m.stop = m.q+1, 0
	}
	return m.to(inside)
}

// turn goes to the next or the previous question.
func (m answer) turn(by int) answer {
	n := len(m.qs)
	return m.enter((m.q + by + n) % n)
}

// choose chooses or ticks an option of the question in front. In a question
// with one answer a second press takes the choice back.
func (m answer) choose(option int) answer {
	asked := m.item.Ask.Questions[m.q]
	m.qs = cloneQuestions(m.qs)
	q := &m.qs[m.q]
	was := m.ticked(m.q, option)
	q.chosen = slices.Clone(q.chosen)
	if !asked.Multi {
		clear(q.chosen)
	}
	q.chosen[option] = !was
	if !asked.TextWithChoices {
		q.own = false
	}
	m.fault = fault{question: -1}
	for s, p := range m.places(m.q) {
		if p.kind == onOption && p.option == option {
			m.stop = s
		}
	}
	return m.to(inside)
}

// number takes a digit: an option of the question in front, or a plan's mode.
func (m answer) number(n int, g reading) (answer, result) {
	if why := m.blocked(); why != "" {
		return m, result{Say: why}
	}
	if !g.Open {
		return m, result{Say: g.Why}
	}
	a := m.item.Ask
	switch {
	case a.Approval != nil && len(a.Approval.Modes) > 0:
		return m.chooseMode(n)
	case a.Kind == client.Question && len(m.qs) > 0:
		if why := m.refuses(client.ActAnswer); why != "" {
			return m, result{Say: why}
		}
		if n > len(a.Questions[m.q].Options) {
			return m, result{Say: "There is no option " + strconv.Itoa(n) + "."}
		}
		if m.stage == confirming && m.confirm.act == client.ActAnswer && m.confirm.option == n-1 {
			return m.confirmed(g)
		}
		return m.choose(n - 1), result{}
	}
	return m, result{Say: "There is nothing to choose here."}
}

func (m answer) chooseMode(n int) (answer, result) {
	modes := m.item.Ask.Approval.Modes
	if n > len(modes) {
		return m, result{Say: "There is no mode " + strconv.Itoa(n) + "."}
	}
	if m.mode == n {
		n = 0
	}
	m.mode = n
	if m.stage == confirming {
		m = m.to(idle)
	}
	if n == 0 {
		return m, result{Say: "No mode is chosen."}
	}
	return m, result{Say: "Mode " + strconv.Itoa(n) + " is chosen. a allows the plan in this mode."}
}

// tick is the space bar: what the place of the cursor can do, but never send.
func (m answer) tick(g reading) (answer, result) {
	if m.stage == confirming && m.confirm.act == client.ActAnswer {
		if !g.Open {
			return m, result{Say: g.Why}
		}
		return m.confirmed(g)
	}
	if m.item == nil || m.item.Ask.Kind != client.Question {
		return m, result{Say: "There is nothing to choose here."}
	}
	if why := m.refuses(client.ActAnswer); why != "" {
		return m, result{Say: why}
	}
	if m.stage == idle {
		return m, result{Say: "Go into the answer with enter, or choose with a number."}
	}
	p, ok := m.here()
	switch {
	case !ok:
		return m, result{}
	case p.kind == onDetail:
		return m.fold(), result{}
	case p.kind == onText:
		m.field = ownField
		return m.to(typing), result{}
	case !g.Open:
		return m, result{Say: g.Why}
	}
	return m.choose(p.option), result{}
}

func (m answer) fold() answer {
	if m.q < len(m.qs) {
		m.qs = cloneQuestions(m.qs)
		m.qs[m.q].open = !m.qs[m.q].open
	}
	return m
}
