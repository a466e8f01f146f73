package ask

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/textfield"
)

// pass says that a key means nothing to the answer: it may scroll.
const pass Kind = -1

func say(words string) Wish {
	if words == "" {
		return Wish{}
	}
	return Wish{Kind: Say, Text: words}
}

// handler is what a key does. A wish of the kind [pass] says that it does nothing here, so that
// the next handler of that key is tried.
type handler struct {
	key  key.Binding
	does func(Model, Gate) (Model, Wish)
}

// handlers are what the keys do while no text field has the focus, in the order in which they
// are tried.
func (m Model) handlers(msg tea.KeyMsg) []handler {
	k := m.keys
	all := []handler{
		{k.Raw, Model.rawKey}, {k.Back, Model.leaveRaw}, {k.Open, Model.openKey},
		{k.Copy, Model.copyKey}, {k.Undo, Model.undoKey}, {k.Pause, Model.pauseKey},

		{k.Choose, func(m Model, g Gate) (Model, Wish) { return m.number(int(msg.Runes[0]-'0'), g) }},
		{k.Tick, Model.tickKey}, {k.Type, Model.typeOwn}, {k.Enter, Model.enterKey}, {k.Back, Model.back}, {k.Editor, Model.editorKey},
		{unfold, Model.foldKey}, {k.Up, moves(-1)}, {k.Down, moves(+1)}, {k.NextField, turns(+1)}, {k.PrevField, turns(-1)},
	}
	for act := client.ActAllow; act <= client.ActDismissMessage; act++ {
		if act != client.ActAnswer {
			all = append(all, handler{m.binding(act), func(m Model, g Gate) (Model, Wish) { return m.decide(act, g) }})
		}
	}
	return all
}

// unfold shows or hides what an agent has more to say of its question.
var unfold = key.NewBinding(key.WithKeys("right"))

// Key takes a key that is not the root's. Only a wish of the kind [Send] ever leads
// to anything being sent.
func (m Model) Key(msg tea.KeyMsg, g Gate) (Model, Wish) {
	if m.item == nil {
		return m, Wish{}
	}
	next, w := m.press(msg, g)
	if w.Kind == pass {
		return m.scrollKey(msg), Wish{}
	}
	w.Ref, w.Digest = m.item.Ask.Ref, m.item.Digest
	return next.took(), w
}

func (m Model) press(msg tea.KeyMsg, g Gate) (Model, Wish) {
	if m.stage == typing {
		return m.typingKey(msg, g)
	}
	for _, h := range m.handlers(msg) {
		if key.Matches(msg, h.key) {
			if next, w := h.does(m, g); w.Kind != pass {
				return next, w
			}
		}
	}
	return m, Wish{Kind: pass}
}

// took follows what a key did to the answer.
func (m Model) took() Model {
	m = m.keep()
	asksRules := m.stage == confirming && m.confirm.act == client.ActAlways
	switch {
	case asksRules && m.view != viewRules:
		m = m.look(viewRules)
	case !asksRules && m.view == viewRules:
		m = m.look(viewContent)
	}
	return m.layout().toCursor()
}

// rawKey shows the ask as the relay sent it, or goes back from that.
func (m Model) rawKey(g Gate) (Model, Wish) {
	switch m.view {
	case viewRules:
		return m, say(m.keys.Spell("Answer this first: {always} allows always, esc goes back."))
	case viewContent:
		return m.look(viewRaw), Wish{}
	}
	return m.leaveRaw(g)
}

func (m Model) leaveRaw(Gate) (Model, Wish) {
	if m.view != viewRaw {
		return m, Wish{Kind: pass}
	}
	return m.look(viewContent), Wish{}
}

func (m Model) openKey(Gate) (Model, Wish) {
	switch s := m.item.Ask.Session; {
	case s.Link != "":
		return m, Wish{Kind: Open, Text: s.Link}
	case s.Attach != "":
		return m, Wish{Kind: Attach, Text: s.Attach}
	}
	return m, say("The relay gives no link for this session.")
}

// copyKey copies what would be done or is asked. Of an ask that closed while somebody typed it
// is what they typed, because no key sends that any more, and so it is where that can be kept
// nowhere. Nothing that cannot be seen is copied as it is: pasted into a shell, it would act
// there.
func (m Model) copyKey(Gate) (Model, Wish) {
	what, mode := m.item.Ask.What(), text.Typed
	if m.item.Ask.Reads() == text.Words {
		mode = text.Words
	}
	if a := m.item.Ask.Approval; a != nil && m.item.Ask.Unreadable == "" {
		what = a.Whole()
	}
	unkept := func(u drafts.Unkept) bool { return u.Ref == m.item.Ask.Ref }
	if words := m.words(); words != "" && (m.item.Ask.Status.Closed() || m.drafts != nil && slices.ContainsFunc(m.drafts.Unkept(), unkept)) {
		what, mode = text.New(words), text.Typed
	}
	said, note := Copied(what, mode)
	return m, Wish{Kind: Copy, Text: said, Note: note}
}

// Copied returns a text as it is copied, where nothing that cannot be seen stands as it is,
// and what there is to say of that.
func Copied(what text.Text, mode text.Mode) (said, note string) {
	said, marks := what.Visible(mode)
	var notes []string
	if lines := strings.Count(said, "\n") + 1; lines > 1 {
		notes = append(notes, "It has "+client.Count(lines, "line")+".")
	}
	if marks > 0 {
		notes = append(notes, "What cannot be seen in it stands as "+client.Count(marks, "mark")+".")
	}
	return said, strings.Join(notes, " ")
}

func (m Model) undoKey(Gate) (Model, Wish) {
	if f := m.item.Flight; f == nil || f.State != inbox.Held {
		return m, say("There is nothing to take back here.")
	}
	return m, Wish{Kind: Undo}
}

func (m Model) pauseKey(g Gate) (Model, Wish) {
	s := m.item.Ask.Session
	switch {
	case m.item.Ask.Status.Closed():
		return m, say(m.keys.Spell("This ask is over. A session that is paused has a row of its own, where {pause} resumes it."))
	case !s.CanPause && !s.CanResume:
		return m, say("This relay cannot pause the session.")
	case !g.Open:
		return m, say(g.Why)
	}
	return m, Wish{Kind: Pause, Resume: s.CanResume}
}

func (m Model) editorKey(Gate) (Model, Wish) {
	texts := "{allow_message}, {deny_reason} or {dismiss_message}"
	if m.item.Ask.Kind == client.Question {
		texts = "{type} for an answer, {dismiss_message} for a message with a dismissal"
	}
	return m, say(m.keys.Spell("Open a text first: " + texts + ". Then {editor} opens it in your editor."))
}

// binding is the key of an action.
func (m Model) binding(act client.Action) key.Binding {
	k := m.keys
	return [...]key.Binding{
		client.ActAllow: k.Allow, client.ActAlways: k.Always, client.ActAllowMessage: k.AllowMessage,
		client.ActDeny: k.Deny, client.ActDenyReason: k.DenyReason, client.ActAnswer: k.Enter,
		client.ActDismiss: k.Dismiss, client.ActDismissMessage: k.DismissMessage,
	}[act]
}

// keyOf is what the key of an action is called.
func (m Model) keyOf(act client.Action) string { return m.binding(act).Help().Key }

func (m Model) foldKey(Gate) (Model, Wish) {
	switch {
	case len(m.qs) == 0:
		return m, Wish{Kind: pass}
	case m.item.Ask.Questions[m.q].Detail.Empty():
		return m, Wish{}
	}
	return m.fold(), Wish{}
}

// moves goes to another place of a question that is being answered.
func moves(by int) func(Model, Gate) (Model, Wish) {
	return answering(func(m Model) Model { return m.move(by) })
}

// turns goes to another question of an ask that is being answered.
func turns(by int) func(Model, Gate) (Model, Wish) {
	return answering(func(m Model) Model { return m.turn(by) })
}

func answering(does func(Model) Model) func(Model, Gate) (Model, Wish) {
	return func(m Model, _ Gate) (Model, Wish) {
		if len(m.qs) == 0 || m.stage == idle {
			return m, Wish{Kind: pass}
		}
		return does(m), Wish{}
	}
}

// back goes back by one step.
func (m Model) back(Gate) (Model, Wish) {
	switch {
	case m.stage == summing, m.stage == confirming && m.confirm.act == client.ActAnswer:
		return m.to(inside), Wish{}
	case m.stage != idle:
		return m.to(idle), Wish{}
	}
	return m, Wish{Kind: Back}
}

// scrollKey scrolls the ask.
func (m Model) scrollKey(msg tea.KeyMsg) Model {
	k := m.keys
	p := m.pages[m.view]
	switch {
	case key.Matches(msg, k.PageDown, k.Tick):
		p = p.ScrollPage(+1, 1)
	case key.Matches(msg, k.PageUp):
		p = p.ScrollPage(-1, 1)
	case key.Matches(msg, k.HalfDown):
		p = p.ScrollPage(+1, 2)
	case key.Matches(msg, k.HalfUp):
		p = p.ScrollPage(-1, 2)
	case key.Matches(msg, k.Down, k.LineDown):
		p = p.Scroll(+1)
	case key.Matches(msg, k.Up, k.LineUp):
		p = p.Scroll(-1)
	case key.Matches(msg, k.Start, k.Top):
		p = p.ScrollTo(0)
	case key.Matches(msg, k.End, k.Bottom):
		p = p.Scroll(p.Total())
	}
	m.pages[m.view] = p
	return m
}

// Paste takes a bracketed paste: it belongs to the text field in focus or to nobody.
func (m Model) Paste(msg tea.KeyMsg) Model {
	if m.item == nil || m.stage != typing {
		return m
	}
	s := textfield.Pasted(msg.Runes)
	if m.oneLine() {
		s = strings.Trim(s, "\n")
	}
	m, _ = m.insert(s)
	return m.took()
}

// Takes reports whether the field is there that a text from the editor goes into.
func (m Model) Takes(ref client.Ref) bool {
	return m.item != nil && m.item.Ask.Ref == ref && m.stage == typing
}

// Edited takes what the editor wrote, exactly as given, where its field is still there.
func (m Model) Edited(ref client.Ref, written string) Model {
	if !m.Takes(ref) || len(written) > textfield.MaxBytes {
		return m
	}
	return m.setEditor(textfield.New(written)).took()
}

// Hinted reports whether the keys of the answer stand beside it. A message takes
// its lines first: without them nobody could write one.
func (m Model) Hinted() bool {
	return m.item == nil || m.stage != typing || m.field == ownField || m.foot > 2
}

// Looks lists the keys that look at the ask or act on its session.
func (m Model) Looks() []key.Binding {
	if m.item == nil {
		return nil
	}
	k, s := m.keys, m.item.Ask.Session
	keys := []key.Binding{k.Raw, k.Copy}
	if s.Link != "" || s.Attach != "" {
		keys = append(keys, k.Open)
	}
	switch {
	case m.item.Ask.Status.Closed():
	case s.CanResume:
		keys = append(keys, renamed(k.Pause, "resume"))
	case s.CanPause:
		keys = append(keys, k.Pause)
	}
	return keys
}

// Keys lists the keys of the field in focus, for where they have no room beside it.
func (m Model) Keys() []key.Binding {
	enter := "sends"
	if m.field == ownField {
		enter = m.enterWords()
	}
	return []key.Binding{renamed(m.keys.Enter, enter), renamed(m.keys.Back, "keeps it"), m.keys.NewLine, m.keys.Editor}
}

func renamed(b key.Binding, does string) key.Binding {
	return key.NewBinding(key.WithKeys(b.Keys()...), key.WithHelp(b.Help().Key, does))
}
