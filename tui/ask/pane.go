package ask

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
	"askbox/tui/keymap"
	"askbox/tui/theme"
)

// Model shows one ask in full and takes its answer: the detail above, the
// answer's keys below, always in the same place. It is a plain value: every
// method that changes it returns the changed one.
type Model struct {
	theme         *theme.Theme
	keymap        *keymap.Map
	drafts        *drafts.Store
	width, height int

	group  *inbox.Group
	item   *inbox.Item
	now    time.Time
	detail detail
	answer answer
	kept   drafts.Draft // the draft as it was saved last
	room   int          // the most lines that the footer may take
	foot   int          // the lines that it takes
}

// New returns an empty pane. The drafts may be nil: nothing is kept then.
func New(t *theme.Theme, keys *keymap.Map, d *drafts.Store) Model {
	return Model{theme: t, keymap: keys, drafts: d, detail: newDetail(t), answer: newAnswer(t, keys)}
}

// Show sets what is shown; it nil: nothing is selected. The same ref and digest
// keep what was scrolled, read, chosen and typed. The answer to an ask begins
// with its draft, where there is one.
func (p Model) Show(g *inbox.Group, it *inbox.Item, now time.Time) Model {
	before := p.item
	p.group, p.item, p.now = g, it, now
	p.detail = p.detail.Show(g, it, now)
	p.answer = p.answer.Show(g, it, now)
	switch {
	case it == nil:
		p.kept = drafts.Draft{}
	case before == nil || before.Ask.Ref != it.Ask.Ref:
		p.kept = drafts.Draft{}
		if d, ok := p.load(it.Ask.Ref); ok && !it.Ask.Status.Closed() {
			p.answer, p.kept = p.answer.Restore(d), d
		}
	case it.Flight != nil && it.Flight.State == inbox.Done && (before.Flight == nil || before.Flight.State != inbox.Done):
		p.remove(it.Ask.Ref)
		p.kept = drafts.Draft{}
	}
	return p.layout()
}

// Resize sets the size of the pane in cells.
func (p Model) Resize(width, height int) Model {
	p.width, p.height = width, height
	return p.layout()
}

// layout shares the height out: who asks, at the top, then what is asked, then a
// rule that says how much was read, then the keys. What is asked always keeps
// the rows that it needs to show what would be done.
func (p Model) layout() Model {
	if p.width <= 0 || p.height <= 0 {
		p.detail = p.detail.Resize(0, 0)
		return p
	}
	head := len(p.head())
	body := 5
	switch {
	case p.height < 10:
		body = 2
	case p.height < 16:
		body = 3
	}
	room := max(p.height-head-1-min(body, max(p.height-head-3, 1)), 1)
	if p.height < 16 && !p.answer.Focused() && p.item != nil && p.item.Flight == nil && !p.item.Ask.Status.Closed() {
		// In a low window the rows of the ask are worth more than long words for its keys.
		most := 4
		if p.height < 10 {
			most = 2
		}
		room = min(room, most)
	}
	rows, from, to := p.answer.Rows(p.width)
	tail := make([]tailRow, len(rows))
	for i, r := range rows {
		tail[i] = tailRow(r)
	}
	p.detail = p.detail.Resize(p.width, 0).Tail(tail)
	p.room, p.foot = room, p.footHeight(room)
	p.detail = p.detail.Resize(p.width, max(p.height-head-1-p.foot, 0))
	if to > from && p.answer.Focused() {
		p.detail = p.detail.Reveal(from, to)
	}
	return p
}

// footHeight is the lines that the footer needs, whether the ask is read to its
// end or not: the keys do not move while somebody reads.
func (p Model) footHeight(room int) int {
	g := p.reading(Gate{})
	g.Read = false
	unread := len(p.answer.Footer(p.width, room, g))
	g.Read = true
	return max(unread, len(p.answer.Footer(p.width, room, g)))
}

// head draws who asks, with more lines where there is room.
func (p Model) head() []string {
	room := 2
	switch {
	case p.height >= 20:
		room = 6
	case p.height >= 14:
		room = 4
	case p.height < 6:
		room = 1
	}
	lines := p.detail.Header(p.width, room)
	if p.height >= 18 && len(lines) > 0 {
		lines = append(lines, strings.Repeat(" ", p.width))
	}
	return lines
}

// gate puts what was read together with what the root says of the keys.
func (p Model) reading(g Gate) reading {
	words, _ := p.detail.Position()
	return reading{
		Open: g.Open, Why: g.Why,
		Read: p.detail.Read(), Unread: words, Off: p.detail.Off(),
		Anchored: p.detail.Anchored(), RulesRead: p.detail.RulesRead(),
		Elsewhere: p.detail.View() != viewContent,
	}
}

// Key takes a key that is not the root's.
func (p Model) Key(msg tea.KeyMsg, g Gate) (Model, Wish) {
	if p.item == nil {
		return p, Wish{}
	}
	if !p.answer.Typing() {
		if q, in, took := p.lookKey(msg, g); took {
			return q, in
		}
	}
	m, r := p.answer.Key(msg, p.reading(g))
	if r.Pass {
		return p.scrollKey(msg), Wish{}
	}
	return p.took(m, r)
}

// took takes over what the answer pane made of a key.
func (p Model) took(m answer, r result) (Model, Wish) {
	p.answer = m
	p = p.keep()
	switch asks, shown := p.answer.AsksRules(), p.detail.View(); {
	case asks && shown != viewRules:
		p.detail = p.detail.Open(viewRules)
	case !asks && shown == viewRules:
		p.detail = p.detail.Open(viewContent)
	}
	p = p.layout()
	return p, p.intent(r)
}

func (p Model) intent(r result) Wish {
	ref := p.item.Ask.Ref
	switch {
	case r.Send != nil:
		return Wish{Kind: Send, Ref: ref, Digest: p.item.Digest, Answer: *r.Send}
	case r.Forget:
		return Wish{Kind: Forget, Ref: ref, Text: r.Say}
	case r.Edit:
		return Wish{Kind: Edit, Ref: ref, Text: p.answer.Text()}
	case r.Back:
		return Wish{Kind: Back, Ref: ref}
	case r.Say != "":
		return Wish{Kind: Say, Ref: ref, Text: r.Say}
	}
	return Wish{}
}

// lookKey takes the keys that look at the ask or act on its session, and answer nothing.
func (p Model) lookKey(msg tea.KeyMsg, g Gate) (Model, Wish, bool) {
	k, a := p.keymap, p.item.Ask
	switch {
	case key.Matches(msg, k.Raw):
		next := viewRaw
		if p.detail.View() == viewRaw {
			next = viewContent
		}
		if p.detail.View() == viewRules {
			return p, p.say("Answer this first: A allows always, esc goes back."), true
		}
		p.detail = p.detail.Open(next)
		return p.layout(), Wish{}, true
	case key.Matches(msg, k.Back) && p.detail.View() == viewRaw:
		p.detail = p.detail.Open(viewContent)
		return p.layout(), Wish{}, true
	case key.Matches(msg, k.Open):
		if a.Session.Link == "" {
			return p, p.say("The relay gives no link for this session."), true
		}
		return p, Wish{Kind: Open, Ref: a.Ref, Text: a.Session.Link}, true
	case key.Matches(msg, k.Copy):
		return p, Wish{Kind: Copy, Ref: a.Ref, Text: p.copied()}, true
	case key.Matches(msg, k.Undo):
		if f := p.item.Flight; f == nil || f.State != inbox.Held {
			return p, p.say("There is nothing to take back here."), true
		}
		return p, Wish{Kind: Undo, Ref: a.Ref}, true
	case key.Matches(msg, k.Pause):
		return p, p.pause(g), true
	}
	return p, Wish{}, false
}

func (p Model) say(words string) Wish {
	return Wish{Kind: Say, Ref: p.item.Ask.Ref, Text: words}
}

func (p Model) pause(g Gate) Wish {
	s := p.item.Ask.Session
	switch {
	case !s.CanPause && !s.CanResume:
		return p.say("This relay cannot pause the session.")
	case !g.Open:
		return p.say(g.Why)
	}
	return Wish{Kind: Pause, Ref: p.item.Ask.Ref, Resume: s.CanResume}
}

// copied is what y puts on the clipboard: what would be done or is asked, as it was
// sent. Of an ask that closed while somebody typed it is what they typed, because
// no key sends that any more.
func (p Model) copied() string {
	a := p.item.Ask
	if words := p.answer.Words(); words != "" && a.Status.Closed() {
		return words
	}
	return a.What().Raw()
}

// scrollKey scrolls the ask.
func (p Model) scrollKey(msg tea.KeyMsg) Model {
	k := p.keymap
	switch {
	case key.Matches(msg, k.PageDown):
		p.detail = p.detail.Page(+1)
	case key.Matches(msg, k.PageUp):
		p.detail = p.detail.Page(-1)
	case key.Matches(msg, k.HalfDown):
		p.detail = p.detail.Half(+1)
	case key.Matches(msg, k.HalfUp):
		p.detail = p.detail.Half(-1)
	case key.Matches(msg, k.Down):
		p.detail = p.detail.Scroll(+1)
	case key.Matches(msg, k.Up):
		p.detail = p.detail.Scroll(-1)
	case key.Matches(msg, k.Start), key.Matches(msg, k.Top):
		p.detail = p.detail.Top()
	case key.Matches(msg, k.End), key.Matches(msg, k.Bottom):
		p.detail = p.detail.End()
	}
	return p
}

// Paste takes a bracketed paste: it belongs to the text field in focus or to nobody.
func (p Model) Paste(msg tea.KeyMsg) Model {
	if p.item == nil || !p.answer.Typing() {
		return p
	}
	m, _ := p.answer.Paste(msg)
	p, _ = p.took(m, result{})
	return p
}

// Takes reports whether the field is there that a text from the editor goes into.
func (p Model) Takes(ref client.Ref) bool {
	return p.item != nil && p.item.Ask.Ref == ref && p.answer.Typing()
}

// Edited takes what the editor wrote, where its field is still there.
func (p Model) Edited(ref client.Ref, written string) Model {
	if !p.Takes(ref) {
		return p
	}
	p, _ = p.took(p.answer.Edited(written), result{})
	return p
}

// Refused takes the error with which the inbox would not take an answer, so
// that it stands at its field.
func (p Model) Refused(ref client.Ref, err error) Model {
	if p.item == nil || p.item.Ask.Ref != ref {
		return p
	}
	p.answer = p.answer.Refused(err)
	return p.layout()
}

// Typing reports whether a text field has the focus.
func (p Model) Typing() bool { return p.item != nil && p.answer.Typing() }

// Focused reports whether esc goes back inside the pane.
func (p Model) Focused() bool {
	return p.item != nil && (p.answer.Focused() || p.detail.View() != viewContent)
}

// Answering reports whether the pane is inside its answer.
func (p Model) Answering() bool { return p.answer.Focused() }

// Stage changes whenever a key would decide something else than before on the
// same ask (something asked once more, a summary): the keys are armed anew then.
func (p Model) Stage() int { return p.answer.Stage()*4 + int(p.detail.View()) }

// Wake is when something on the pane changes by the clock alone; zero: never.
func (p Model) Wake() time.Time {
	a, b := p.detail.Wake(), p.answer.Wake()
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Looks lists the keys that look at the ask or act on its session.
func (p Model) Looks() []key.Binding {
	if p.item == nil {
		return nil
	}
	k, s := p.keymap, p.item.Ask.Session
	keys := []key.Binding{k.Raw, k.Copy}
	if s.Link != "" {
		keys = append(keys, k.Open)
	}
	switch {
	case s.CanResume:
		keys = append(keys, renamed(k.Pause, "resume"))
	case s.CanPause:
		keys = append(keys, k.Pause)
	}
	return keys
}

// Hinted reports whether the keys of the answer stand beside it.
func (p Model) Hinted() bool { return p.item != nil && p.answer.Hinted(p.foot) }

// Keys lists the bindings that do something now, for the footer.
func (p Model) Keys() []key.Binding {
	if p.item == nil {
		return nil
	}
	return p.answer.Keys()
}
