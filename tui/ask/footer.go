package ask

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/draw"
	"askbox/tui/theme"
)

// footer collects the lines in the fixed place of the keys.
type footer struct {
	m     answer
	gate  reading
	width int
	room  int
	out   []string
}

// Footer draws what stands below the ask, in at most room lines of width cells:
// the keys with what they do, the field or the question that is asked once more,
// or what has become of the answer.
func (m answer) Footer(width, room int, g reading) []string {
	if m.item == nil || width <= 0 || room <= 0 {
		return nil
	}
	f := &footer{m: m, gate: g, width: width, room: room}
	a := m.item.Ask
	switch flight := m.item.Flight; {
	case m.stage == typing && m.field != ownField:
		f.messageField()
	case m.stage == typing:
		f.ownField()
	case a.Status.Closed():
		f.closed()
	case flight != nil && flight.State != inbox.Refused:
		f.flight(flight)
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
	f.out = append(f.out, draw.Words(f.m.theme, role, s, f.width)...)
}

// one adds a line that is cut where it is too long.
func (f *footer) one(role theme.Role, s string) {
	f.out = append(f.out, draw.Line(f.m.theme, role, text.Cut(s, f.width), f.width))
}

// most adds words on at most some lines, the last one cut where they take more.
func (f *footer) most(role theme.Role, s string, lines int) {
	all := draw.Wrap(s, f.width)
	if len(all) > lines {
		all = append(all[:max(lines-1, 0):max(lines-1, 0)], strings.Join(all[max(lines-1, 0):], " "))
	}
	for _, l := range all {
		f.one(role, l)
	}
}

// notes adds what went wrong with the last answer, and what the words typed
// before were typed for, where it leaves the lines that what follows needs at the
// least. The footer is drawn in as many lines as it took when it was laid out, so
// a need that is larger than what follows would take the notes away again.
func (f *footer) notes(least int) {
	if fl := f.m.item.Flight; fl != nil && fl.State == inbox.Refused && f.left() > least {
		f.most(theme.Danger, "not sent: "+reason(fl.Err), f.left()-2)
	} else if f.m.fault.words != "" && f.m.fault.question < 0 && f.left() > least {
		f.most(theme.Danger, f.m.fault.words, f.left()-2)
	}
	if f.m.stale && f.left() > least {
		f.one(theme.Warn, "Your words are from before this ask changed. Read it again.")
	}
}

func reason(err error) string {
	if err == nil {
		return "the reason is not known"
	}
	return strings.TrimPrefix(err.Error(), "not sent: ")
}

func (f *footer) messageField() {
	m := f.m
	act := actOf(m.field)
	head := actionWords(act)
	if e := m.item.Ask.Offer(act).Effect; e != "" {
		head += " · " + e
	}
	if why := m.blocked(); why != "" {
		f.one(theme.Warn, why+" Your words are kept, esc leaves.")
	} else {
		f.notes(2)
	}
	f.one(theme.Heading, strings.ToUpper(head[:1])+head[1:])
	e := m.texts[m.field]
	f.out = append(f.out, e.draw(m.theme, 0, f.width, max(f.left()-1, 1), true)...)
	if f.left() > 0 {
		f.fieldHint(e.count(), m.limit())
	}
}

// fieldHint draws what the keys do in a field, and the counter at the right.
func (f *footer) fieldHint(count, limit int) {
	keys := []hint{{"enter", "sends"}, {"esc", "keeps it"}, {"ctrl+j", "new line"}, {"ctrl+e", "editor"}}
	if limit == 0 {
		f.hints(keys)
		return
	}
	right := counter(f.m.theme, count, limit)
	whole := f.width
	f.width = max(whole-text.Width(right)-1, 0)
	f.hints(keys)
	f.width = whole
	last := len(f.out) - 1
	f.out[last] = draw.Fill(f.out[last]+" "+right, whole)
}

func counter(t *theme.Theme, count, limit int) string {
	words := humanize.Comma(int64(count)) + " / " + humanize.Comma(int64(limit))
	if count > limit {
		return t.Paint(theme.Danger, words+" too long")
	}
	return t.Paint(theme.Dim, words)
}

func (f *footer) ownField() {
	m := f.m
	if why := m.blocked(); why != "" {
		f.one(theme.Warn, why+" Your words are kept, esc leaves.")
		return
	}
	f.notes(1)
	f.hints([]hint{{"enter", m.enterWords()}, {"esc", "keeps it"}, {"ctrl+j", "new line"}, {"ctrl+e", "editor"}})
}

func (f *footer) confirming() {
	m := f.m
	f.words(theme.Warn, m.confirm.words)
	room := max(f.room-1, 1)
	if len(f.out) > room {
		f.out = f.out[:room]
	}
	words := actionWords(m.confirm.act)
	if m.confirm.act == client.ActAnswer {
		words = "send this answer"
	}
	if m.confirm.act == client.ActAlways && !f.gate.RulesRead {
		f.one(theme.Warn, "Read on, then A · esc goes back")
		return
	}
	f.hints([]hint{{m.again(), "again: " + words}, {"esc", "goes back"}})
}

// summary shows every answer before they go: with their words where there is
// room, and by their numbers otherwise.
func (f *footer) summary() {
	m := f.m
	var long []string
	for i := range m.qs {
		long = append(long, f.answerLines(i)...)
	}
	if len(long)+2 > f.room {
		var all []string
		for i := range m.qs {
			all = append(all, m.inNumbers(i))
		}
		long = draw.Words(m.theme, theme.Plain, strings.Join(all, " · "), f.width)
	}
	room := f.room - 1
	if len(long) < room {
		f.one(theme.Heading, "Your answers:")
		room--
	}
	if len(long) > room {
		long = append(long[:max(room-1, 0):max(room-1, 0)], draw.Line(m.theme, theme.Plain, "and more, ticked above", f.width))[:max(room, 0)]
	}
	f.out = append(f.out, long...)
	f.hints([]hint{{"enter", "sends them"}, {"esc", "goes back"}})
}

func (f *footer) answerLines(i int) []string {
	m := f.m
	asked, a := m.item.Ask.Questions[i], m.answerTo(i)
	head := strconv.Itoa(i+1) + "."
	if len(m.qs) == 1 {
		head = " "
	}
	if a.Empty() {
		return []string{draw.Line(m.theme, theme.Dim, head+" left out", f.width)}
	}
	var out []string
	add := func(t text.Text, word string) {
		out = append(out, label(m.theme, head+word, t, f.width))
		head = strings.Repeat(" ", len(head))
	}
	for o := range asked.Options {
		if m.ticked(i, o) {
			add(asked.Options[o].Label, " option "+strconv.Itoa(o+1))
		}
	}
	if a.HasText {
		add(text.New(a.Text), " your words")
	}
	return out
}

// inNumbers is an answer in the program's words alone.
func (m answer) inNumbers(i int) string {
	var parts []string
	for o := range m.item.Ask.Questions[i].Options {
		if m.ticked(i, o) {
			parts = append(parts, strconv.Itoa(o+1))
		}
	}
	s := strconv.Itoa(i+1) + ". "
	if len(parts) > 0 {
		s += "option " + strings.Join(parts, ", ")
	}
	if m.answerTo(i).HasText {
		if len(parts) > 0 {
			s += " and "
		}
		s += "your words"
	}
	if m.answerTo(i).Empty() {
		s += "left out"
	}
	return s
}

// flight says where the answer is, and never more than is known.
func (f *footer) flight(fl *inbox.Flight) {
	m := f.m
	act := actionWords(fl.Answer.Action())
	switch fl.State {
	case inbox.Held:
		left := max(fl.Until.Sub(m.now), 0)
		seconds := strconv.Itoa(int((left+time.Second-1)/time.Second)) + " s"
		f.out = append(f.out, draw.Join(m.theme, f.width,
			draw.Part{Role: theme.Accent, Words: act}, draw.Part{Role: theme.Accent, Words: "sent in " + seconds},
			draw.Part{Role: theme.Key, Words: "u takes it back"}))
	case inbox.Sending:
		f.one(theme.Accent, act+" · sending…")
	case inbox.Checking:
		f.one(theme.Warn, act+" · checking: the reply was lost")
		f.words(theme.Dim, "The relay is being asked what it knows. Nothing is sent twice.")
	case inbox.Done:
		f.one(theme.Good, "done: "+act)
		f.closing()
	case inbox.TooLate:
		f.one(theme.Warn, "too late: your answer ("+act+") did not count")
		if fl.Err != nil && !m.item.Ask.Status.Closed() {
			f.words(theme.Dim, draw.Sentence(fl.Err.Error()))
		}
		f.closing()
	case inbox.NotKnown:
		f.words(theme.Danger, act+" · not known whether it arrived"+because(fl.Err))
		f.words(theme.Dim, "Look where the session runs. enter sets it aside, to answer again.")
	}
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return ": " + strings.TrimPrefix(err.Error(), "not known whether it arrived: ")
}

func (f *footer) closed() {
	if fl := f.m.item.Flight; fl != nil {
		switch act := actionWords(fl.Answer.Action()); fl.State {
		case inbox.Done:
			f.one(theme.Good, "done: "+act)
		case inbox.Refused:
			f.one(theme.Danger, "not sent: "+reason(fl.Err))
		case inbox.NotKnown:
			if errors.Is(fl.Err, inbox.ErrSame) {
				f.words(theme.Warn, draw.Sentence(fl.Err.Error()))
				break
			}
			f.one(theme.Danger, "not known whether your answer ("+act+") arrived")
		default:
			f.one(theme.Warn, "too late: your answer ("+act+") did not count")
		}
	}
	f.closing()
	if f.m.words() && f.left() > 0 {
		f.one(theme.Dim, "y copies what you typed here.")
	}
}

// closing says who closed the ask, how, when and with what: the program's words
// left, names and answers behind the gutter.
func (f *footer) closing() {
	m := f.m
	a := m.item.Ask
	if !a.Status.Closed() {
		return
	}
	how := strings.ToUpper(a.Status.String()[:1]) + a.Status.String()[1:]
	c := a.Closing
	if c == nil {
		f.one(theme.Accent, how)
		return
	}
	if !c.At.IsZero() {
		if age := draw.Age(m.relayNow().Sub(c.At)); age == "just now" {
			how += " just now"
		} else {
			how += " " + age + " ago"
		}
	}
	f.out = append(f.out, m.closedBy(how, c, f.width))
	for _, line := range c.Answer {
		if f.left() <= 0 {
			return
		}
		row := text.Row{Pieces: []text.Piece{{S: line.Fit(max(f.width-draw.GutterWidth, 1))}}}
		f.out = append(f.out, draw.Quoted(m.theme, row, 0, f.width, theme.Plain))
	}
	if c.Note != "" && f.left() > 0 {
		f.words(theme.Dim, draw.Sentence(c.Note))
	}
}

func (m answer) closedBy(how string, c *client.Closing, width int) string {
	var names []string
	switch {
	case c.By.Me:
		how += " by you"
	case !c.By.Name.Empty():
		how += " by"
		names = append(names, c.By.Name.String())
	case c.By.Type == client.ActorAgent:
		how += " by an agent"
	case c.By.Type == client.ActorSystem:
		how += " by the relay"
	}
	if !c.Surface.Empty() {
		names = append(names, "on "+c.Surface.String())
	}
	line := m.theme.Paint(theme.Accent, how)
	if len(names) > 0 {
		room := max(width-text.Width(how)-3, 1)
		line += " " + m.theme.Paint(theme.Gutter, m.theme.Glyphs.Gutter) + " " + text.Cut(strings.Join(names, " "), room)
	}
	return draw.Fill(line, width)
}

func (m answer) relayNow() time.Time {
	if m.group == nil {
		return m.now
	}
	return m.now.Add(m.group.Skew)
}

// Wake returns when the footer says something else by the clock alone; zero: never.
func (m answer) Wake() time.Time {
	if m.item == nil {
		return time.Time{}
	}
	a := m.item.Ask
	if fl := m.item.Flight; fl != nil && fl.State == inbox.Held && !a.Status.Closed() {
		left := fl.Until.Sub(m.now)
		if left <= 0 {
			return time.Time{}
		}
		if rest := left % time.Second; rest > 0 {
			return m.now.Add(rest)
		}
		return m.now.Add(time.Second)
	}
	if a.Status.Closed() && a.Closing != nil && !a.Closing.At.IsZero() {
		return m.now.Add(draw.AgeChange(m.relayNow().Sub(a.Closing.At)))
	}
	return time.Time{}
}
