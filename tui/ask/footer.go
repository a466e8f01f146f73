package ask

import (
	"cmp"
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// footer collects the lines in the place of the keys.
type footer struct {
	m     Model
	width int
	room  int
	out   []string
}

// footer draws what stands below the ask, in at most room lines: the keys with
// what they do, the field or the question that is asked once more, or what has
// become of the answer.
func (m Model) footer(room int) []string {
	if m.item == nil || m.width <= 0 || room <= 0 {
		return nil
	}
	f := &footer{m: m, width: m.width, room: room}
	switch flight := m.item.Flight; {
	case m.stage == typing:
		f.typing()
	case m.item.Ask.Status.Closed(), flight != nil && flight.State != inbox.Refused:
		f.became()
	case m.stage == confirming:
		f.confirming()
	case m.stage == summing:
		f.summary()
	default:
		f.actions()
	}
	return f.out[:min(len(f.out), room)]
}

func (f *footer) left() int { return f.room - len(f.out) }

func (f *footer) words(role theme.Role, s string) {
	f.out = append(f.out, theme.Words(f.m.theme, role, s, f.width)...)
}

// one adds a line that is cut where it is too long.
func (f *footer) one(role theme.Role, s string) {
	f.out = append(f.out, theme.OneLine(f.m.theme, role, s, f.width))
}

// fails says why something was not done, and what the relay said to it, in at most
// some lines.
func (f *footer) fails(words string, said text.Text, lines int) {
	all := theme.Wrap(words, f.width)
	most := lines
	if !said.Empty() && lines > 1 {
		most--
	}
	if len(all) > most {
		all = append(all[:max(most-1, 0):max(most-1, 0)], strings.Join(all[max(most-1, 0):], " "))
	}
	for _, l := range all {
		f.one(theme.Danger, l)
	}
	f.said(said, min(lines-len(all), mostSaid))
}

// mostSaid is how many rows a relay's words take below the program's.
const mostSaid = 6

// said adds what a relay says in at most some rows, each behind the gutter, the last one cut
// with a mark where it says more.
func (f *footer) said(said text.Text, most int) {
	label, n := "it says ", 0
	room := f.width - len(label) - theme.GutterWidth
	if said.Empty() || most <= 0 || room <= 0 {
		return
	}
	for row := range said.Seq(room, text.Title) {
		if last := len(f.out) - 1; n == most {
			f.out[last] = theme.Fill(strings.TrimRight(f.out[last], " ")+" …", f.width)
			break
		}
		f.out = append(f.out, f.m.theme.Paint(theme.Dim, label)+theme.Quoted(f.m.theme, row, 0, f.width-len(label), theme.Plain))
		label = theme.Blank(len(label))
		n++
	}
}

// notes adds what went wrong with the last answer, where it leaves the lines that
// what follows needs at the least. The keys are drawn in as many lines as they took
// when they were laid out, so a need that is larger than what follows would take the
// notes away again.
func (f *footer) notes(least int) {
	fl, lines := f.m.item.Flight, f.left()-2
	switch {
	case f.left() <= least:
	case fl != nil && fl.State == inbox.Refused:
		words, said := refusal(fl.Err)
		f.fails(words, said, lines)
	case f.m.fault.words != "":
		f.fails(f.m.fault.words, f.m.fault.said, lines)
	}
}

// typing draws the field in focus: of a decision's message, with the decision and what it
// does above it, or of one's own words.
func (f *footer) typing() {
	m := f.m
	e, head := m.editor(), "Your words"
	if m.field == ownField {
		if len(m.qs) > 1 {
			head = "Your words for question " + strconv.Itoa(m.q+1)
		}
	} else {
		act := actOf(m.field)
		head = act.String() + m.modeWords(act, true)
		least := head
		if approving(act) {
			least = client.ActAllow.String() + m.modeWords(act, true)
		}
		head = capital(fitting(f.width, dotted(head, m.item.Ask.Offer(act).Effect), head, least))
	}
	if why := m.blocked(); why != "" {
		f.one(theme.Warn, why+" Your words are kept, esc leaves.")
	} else {
		f.notes(2)
	}
	if m.field != ownField || f.left() > 2 {
		f.one(theme.Heading, head)
	}
	f.out = append(f.out, e.Draw(m.theme, 0, f.width, max(f.left()-1, 1), true)...)
	if f.left() <= 0 {
		return
	}
	right := ""
	if limit := m.limit(); limit > 0 {
		right = " " + counter(m.theme, e.Count(), limit)
	}
	room := f.width - text.Width(right)
	var keys []hint
	for _, k := range m.Keys() {
		keys = append(keys, hint{k.Help().Key, m.keys.Short(k)})
	}
	f.hints(room, keys...)
	last := len(f.out) - 1
	f.out[last] = theme.Fill(text.Pad(f.out[last], max(room, 0))+right, f.width)
}

func counter(t *theme.Theme, count, limit int) string {
	words := client.Number(count) + " / " + client.Number(limit)
	if count > limit {
		return t.Paint(theme.Danger, words+" too long")
	}
	return t.Paint(theme.Dim, words)
}

func (f *footer) confirming() {
	m := f.m
	f.words(theme.Warn, m.confirm.words)
	if room := max(f.room-1, 1); len(f.out) > room {
		f.out = f.out[:room]
	}
	words := m.confirm.act.String() + m.modeWords(m.confirm.act, true)
	if f.width >= 60 {
		words = dotted(m.confirm.act.String(), m.modeWords(m.confirm.act, false))
	}
	if m.confirm.act == client.ActAnswer {
		words = "send this answer"
	}
	if m.confirm.act == client.ActAlways && !m.rulesRead() {
		f.one(theme.Warn, m.keys.Spell("Read on, then {always} · esc goes back"))
		return
	}
	f.hints(f.width, hint{m.again(), "again: " + words}, hint{"esc", "goes back"})
}

// summary shows every answer before they go: with their words where there is
// room, and by their numbers otherwise.
func (f *footer) summary() {
	m := f.m
	var long []string
	for i := range m.qs {
		if len(long) <= f.room {
			long = append(long, f.answerLines(i)...)
		}
	}
	if len(long)+2 > f.room {
		var all []string
		for i := range m.qs {
			all = append(all, m.inNumbers(i))
		}
		long = theme.Words(m.theme, theme.Plain, strings.Join(all, " · "), f.width)
	}
	room := f.room - 1
	if len(long) < room {
		f.one(theme.Heading, "Your answers:")
		room--
	}
	if len(long) > room {
		long = append(long[:max(room-1, 0):max(room-1, 0)], theme.OneLine(m.theme, theme.Plain, "and more, ticked above", f.width))[:max(room, 0)]
	}
	f.out = append(f.out, long...)
	f.hints(f.width, hint{"enter", "sends them"}, hint{"esc", "goes back"})
}

func (f *footer) answerLines(i int) []string {
	m := f.m
	asked, a := &m.item.Ask.Questions[i], m.answerTo(i)
	head := strconv.Itoa(i+1) + "."
	if len(m.qs) == 1 {
		head = " "
	}
	if a.Empty() {
		return []string{theme.OneLine(m.theme, theme.Dim, head+" left out", f.width)}
	}
	var out []string
	add := func(t text.Text, word string) {
		out = append(out, f.name(theme.Dim, head+word, t))
		head = strings.Repeat(" ", len(head))
	}
	for _, o := range m.chosen(i) {
		add(asked.Options[o].Label, " option "+strconv.Itoa(o+1))
	}
	if a.HasText {
		add(text.New(a.Text), " your words")
	}
	return out
}

// inNumbers is an answer in the program's words alone.
func (m Model) inNumbers(i int) string {
	var parts []string
	for _, o := range m.chosen(i) {
		parts = append(parts, strconv.Itoa(o+1))
	}
	var words []string
	if len(parts) > 0 {
		words = append(words, "option "+strings.Join(parts, ", "))
	}
	if m.answerTo(i).HasText {
		words = append(words, "your words")
	}
	if len(words) == 0 {
		words = append(words, "left out")
	}
	return strconv.Itoa(i+1) + ". " + strings.Join(words, " and ")
}

// capital begins the program's words with a capital letter.
func capital(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// actions draws the keys that decide, or why there are none.
func (f *footer) actions() {
	f.notes(2)
	a := f.m.item.Ask
	if why := f.m.blocked(); why != "" {
		f.words(theme.Dim, why)
		if a.RunOut(f.m.relayNow()) && f.left() > 0 {
			f.one(theme.Dim, "The relay has not said yet how it closed.")
		}
		return
	}
	switch off := f.m.off(); {
	case a.Kind == client.Paused:
		f.hints(f.width, hint{f.m.keys.Pause.Help().Key, "resume"})
		return
	case a.Kind == client.Question && (off != "" || !a.Offer(client.ActAnswer).OK):
		f.words(theme.Warn, cmp.Or(off, strings.TrimSuffix(a.Offer(client.ActAnswer).Why, ".")+"."))
	case a.Kind == client.Question && len(f.m.qs) > 0:
		f.question()
	case a.Kind == client.Approval && off != "":
		f.words(theme.Warn, off)
	}
	if f.m.stage == idle {
		f.offers()
	}
}

// question says what the keys do in a question.
func (f *footer) question() {
	m := f.m
	asked, words := m.item.Ask.Questions[m.q], m.qs[m.q].text
	if words.Value != "" && f.left() > 2 {
		if !m.ticked(place{kind: onText, question: m.q}) {
			f.one(theme.Dim, "kept, but not part of the answer:")
		}
		f.out = append(f.out, words.Draw(m.theme, 0, f.width, max(min(f.left()-2, 8), 1), false)...)
	}
	keys := []hint{{"enter", "goes into the answer"}}
	if m.stage == inside {
		keys = []hint{{m.keys.Spell("{tick}"), "chooses"}, {"enter", m.enterWords()}, {"esc", "back"}}
	}
	if len(asked.Options) > 0 {
		keys = append(keys, hint{"1-9", "choose"})
	}
	if asked.Typed() {
		keys = append(keys, hint{m.keys.Spell("{type}"), "your words"})
	}
	f.hints(f.width, keys...)
}

// enterWords says what enter does in the question in front.
func (m Model) enterWords() string {
	switch {
	case m.q < len(m.qs)-1:
		return "next question"
	case m.needsSummary():
		return "shows your answers"
	}
	return "sends"
}
