package ask

import (
	"errors"
	"strconv"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// became says where the answer from here is and how the ask ended, and never more than is known.
func (f *footer) became() {
	done := ""
	if fl := f.m.item.Flight; fl != nil {
		done = f.flight(fl)
	}
	f.closing(done)
	if f.m.item.Ask.Status.Closed() && f.m.hasWords() && f.left() > 0 {
		f.one(theme.Dim, f.m.keys.Spell("{copy} copies what you typed here."))
	}
}

// flight says where an answer is; what it returns says that it counted.
func (f *footer) flight(fl *inbox.Flight) (done string) {
	m, over, act := f.m, f.m.item.Ask.Status.Closed(), fl.Answer.Action().String()
	if mode := m.modeNamed(fl.Answer.Mode); mode != "" {
		act += ": " + mode
	}
	switch fl.State {
	case inbox.Done:
		return "done: " + act
	case inbox.Refused:
		words, said := refusal(fl.Err)
		f.fails(words, said, f.left()-1)
	case inbox.Sending:
		f.one(theme.Accent, act+" · sending…")
	case inbox.Checking:
		f.checking(act, fl)
	case inbox.NotKnown:
		f.notKnown(act, fl, over)
	case inbox.Held:
		if !over {
			f.held(act, fl)
			break
		}
		fallthrough
	default:
		f.one(theme.Warn, "too late: your answer ("+act+") did not count")
		if fl.Err != nil && !over {
			words, said := apart(fl.Err)
			f.words(theme.Dim, theme.Sentence(words))
			f.said(said, f.left())
		}
	}
	return ""
}

// held says how long an answer can be taken back.
func (f *footer) held(act string, fl *inbox.Flight) {
	when := "sent in " + strconv.Itoa(int((max(fl.Until.Sub(f.m.now), 0)+time.Second-1)/time.Second)) + " s"
	if fl.Err != nil {
		when = "waits for the relay"
	}
	f.out = append(f.out, theme.Join(f.m.theme, f.width,
		theme.Part{Role: theme.Accent, Words: act}, theme.Part{Role: theme.Accent, Words: when},
		theme.Part{Role: theme.Key, Words: f.m.keys.Spell("{undo} takes it back")}))
	if fl.Err != nil {
		words, said := apart(fl.Err)
		f.fails(theme.Sentence(words), said, max(f.left(), 1))
	}
}

// notKnown says of an answer that nobody knows whether it arrived.
func (f *footer) notKnown(act string, fl *inbox.Flight, over bool) {
	switch words, said := whyLost(fl.Err); {
	case over && errors.Is(fl.Err, inbox.ErrSame):
		f.words(theme.Warn, theme.Sentence(fl.Err.Error()))
	case over:
		f.one(theme.Danger, "not known whether your answer ("+act+") arrived")
	default:
		f.words(theme.Danger, act+" · not known whether it arrived"+words)
		f.said(said, 1)
		f.words(theme.Dim, "Look where the session runs. enter sets it aside, to answer again.")
	}
}

// checking says what is done about an answer that the relay did not confirm.
func (f *footer) checking(act string, fl *inbox.Flight) {
	why, said := whyLost(fl.Err)
	f.words(theme.Warn, act+" · checking, it is not confirmed"+why)
	f.said(said, 1)
	f.words(theme.Dim, "Sent "+inbox.Times(fl.Sends)+". While the relay has the ask open, the same answer is sent again, a few times at most.")
}

// whyLost says why it is not known whether an answer arrived, where that is known.
func whyLost(err error) (words string, said text.Text) {
	if lost := (*client.Uncertain)(nil); errors.As(err, &lost) {
		err = lost.Err
	}
	if err == nil {
		return "", said
	}
	words, said = client.Apart(err)
	return ": " + words, said
}

// refusal says why an answer was refused, in the program's words and in the relay's.
func refusal(err error) (words string, said text.Text) {
	if changed := (*inbox.Changed)(nil); errors.As(err, &changed) && !changed.Sent {
		return "Nothing was sent: the ask changed right before it was sent. Read it again.", text.Text{}
	}
	words, said = apart(err)
	if open := (*inbox.StillOpen)(nil); errors.As(err, &open) {
		return "not confirmed: " + words + ". Answer it again, or look where the session runs.", said
	}
	return "not sent: " + words, said
}

// closing says who closed the ask, how, when and with what: the program's words
// left, each name and answer on a line of its own behind the gutter. What the head and the
// choices above say is not said again. done is what became of an answer from here.
func (f *footer) closing(done string) {
	m := f.m
	a, c := m.item.Ask, m.item.Ask.Closing
	role, says := theme.Accent, capital(m.outcome())
	if done != "" {
		role, says = theme.Good, done
	}
	if !a.Status.Closed() || c == nil {
		if done != "" || a.Status.Closed() {
			f.one(role, says)
		}
		return
	}
	gap := " "
	if done != "" {
		gap = " · "
	}
	if !c.At.IsZero() {
		says += gap + client.Ago(m.relayNow().Sub(c.At))
		gap = " "
	}
	by, who := a.ClosedBy()
	if by != "" {
		says += gap + by
	}
	f.named(role, says, who)
	for _, line := range m.answerLeft() {
		if f.left() <= 0 {
			return
		}
		f.named(theme.Plain, "", line)
	}
	if !c.Surface.Empty() && f.left() > 0 {
		f.named(theme.Dim, "on", c.Surface)
	}
	if c.Note != "" && f.left() > 0 {
		f.words(theme.Dim, theme.Sentence(c.Note))
	}
	if after := c.After.String(); after != "" && f.left() > 0 {
		f.one(theme.Dim, theme.Sentence(after))
	}
}

// answerLeft returns what of an answer is said nowhere else: neither by the decision in the
// head, nor by the options that are chosen in the question.
func (m Model) answerLeft() []text.Text {
	c := m.item.Ask.Closing
	given := m.given()
	switch {
	case c.Decision != client.NoDecision && len(c.Answer) > 0:
		return c.Answer[1:]
	case given == nil || m.hasWords() || len(given.Questions) == 0:
		return c.Answer
	}
	for _, q := range given.Questions {
		if q.HasText {
			return c.Answer
		}
	}
	return nil
}

// modeNamed returns what a plan's mode is called; empty where there is none.
func (m Model) modeNamed(id string) string {
	if a := m.item.Ask.Approval; a != nil && id != "" {
		for _, mode := range a.Modes {
			if mode.ID == id {
				return mode.Title()
			}
		}
	}
	return ""
}

// named adds the program's words and, behind the gutter, what was sent, last on its
// line.
func (f *footer) named(role theme.Role, words string, sent text.Text) {
	f.out = append(f.out, f.name(role, words, sent))
}

func (f *footer) name(role theme.Role, words string, sent text.Text) string {
	l := theme.NewLine(f.m.theme, f.width).Add(role, words)
	if sent.Empty() {
		return l.String()
	}
	if words != "" {
		l.Space(1)
	}
	l.Add(theme.Gutter, f.m.theme.Glyphs.Gutter).Space(1)
	return l.Add(theme.Plain, sent.Fit(max(l.Left(), 1))).String()
}
