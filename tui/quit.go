package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// quitting is the question whether to quit while an answer is unsent.
type quitting struct {
	at      int // the option under the cursor
	closing bool
	drops   bool // the person wants what is held not to be sent
	unsent  bool // an answer was unsent as it was asked
}

// quitOption is an answer to the question; the first one stays.
type quitOption struct {
	words string
	flush bool
}

// quitOptions are the answers to choose from.
func (m model) quitOptions() []quitOption {
	if m.quit.unsent {
		return []quitOption{{"stay", false}, {"send what is held now, then quit", true}, {"quit and send nothing that is still held", false}}
	}
	return []quitOption{{"stay", false}, {"quit; what is kept nowhere is printed behind it", false}}
}

// quitOrBack is q: it goes back by one level, and quits from the list.
func (m model) quitOrBack(g gate) (model, tea.Cmd) {
	switch {
	case m.screen != screenInbox:
		m.screen = screenInbox
		return m, nil
	case m.askVisible() && (!m.wide() || m.ask.Focused()):
		return m.hand(tea.KeyMsg{Type: tea.KeyEsc}, g)
	}
	return m.leave(false)
}

// commandKey takes a key of the line that begins with a colon. It knows the words
// with which editors and pagers quit.
func (m model) commandKey(msg tea.KeyMsg) (model, tea.Cmd) {
	m, done := m.typeInto(msg)
	if !done {
		return m, nil
	}
	switch m.typed {
	case "q", "q!", "qa", "quit", "x", "wq", "exit":
		return m.leave(false)
	case "":
		return m, nil
	}
	return m.trouble(m.keymap.Spell("There is no such command. {command}q quits, {help} shows the keys.")), nil
}

// leave quits, or asks first while an answer is unsent or a text is kept nowhere. A second ctrl+c drops
// what is held: nothing is sent that was not to be sent. A key that waits for a pause
// is taken back, because what follows it is no pause.
func (m model) leave(interrupt bool) (model, tea.Cmd) {
	if m.screen == screenQuit {
		if !interrupt {
			return m, nil
		}
		if m.quit.closing {
			return m, m.givesBack(tea.Quit)
		}
		return m.shut(false)
	}
	var back tea.Cmd
	if !m.unsettled.empty() {
		m, back = m.takeBack("Taken back, nothing was sent: you quit.")
	}
	unsent := len(m.unsent()) > 0
	if !unsent && len(m.unkept()) == 0 {
		m.quit.drops = true
		return m, m.givesBack(tea.Quit)
	}
	m.screen, m.quit = screenQuit, quitting{unsent: unsent}
	return m, back
}

// unsent returns the answers that are held or under way, but for those that are being
// taken back.
func (m model) unsent() []client.Ref {
	refs := m.box.Unsent()
	for _, r := range m.queue {
		if r.kind == requestHold && !slices.Contains(refs, r.Ref) {
			refs = append(refs, r.Ref)
		}
	}
	for _, r := range m.queue {
		if r.kind == requestTakeBack {
			refs = without(refs, r.Ref)
		}
	}
	return refs
}

// unkept returns the texts that no disk takes.
func (m model) unkept() []drafts.Unkept {
	if m.drafts == nil {
		return nil
	}
	return m.drafts.Unkept()
}

// givesBack gives the terminal away, to whom then says, once it has replied to what
// it was asked: a shell or an editor would take a reply for something that was typed.
// Where it takes nothing any more, that is not waited for.
func (m model) givesBack(then tea.Cmd) tea.Cmd {
	m.frames.Away()
	return func() tea.Msg {
		m.frames.Quiet(m.ctx)
		m.free()
		return then()
	}
}

func (m model) shut(flush bool) (model, tea.Cmd) {
	m.quit.closing, m.quit.drops = true, !flush
	return m, closeBox(m.box, flush)
}

// quitKey takes a key of the question. Enter alone stays, because that is what
// the cursor stands on.
func (m model) quitKey(msg tea.KeyMsg) (model, tea.Cmd) {
	if m.quit.closing {
		return m, nil
	}
	switch {
	case key.Matches(msg, m.keymap.Back):
		m.screen = screenInbox
	case key.Matches(msg, m.keymap.Up):
		m.quit.at = max(m.quit.at-1, 0)
	case key.Matches(msg, m.keymap.Down):
		m.quit.at = min(m.quit.at+1, len(m.quitOptions())-1)
	case key.Matches(msg, m.keymap.Choose):
		if at := int(msg.Runes[0] - '1'); at < len(m.quitOptions()) {
			m.quit.at = at
		}
	case key.Matches(msg, m.keymap.Enter):
		if m.quit.at == 0 {
			m.screen = screenInbox
			return m, nil
		}
		return m.shut(m.quitOptions()[m.quit.at].flush)
	}
	return m, nil
}

// quitView is the question, with every answer that is unsent.
func (m model) quitView() []string {
	var lines []string
	add := func(l *theme.Line) { lines = append(lines, l.String()) }
	line := func() *theme.Line { return theme.NewLine(m.theme, m.width).Space(2) }
	options, unsent, unkept := m.quitOptions(), m.unsentLines(), m.unkeptLines()
	room := max(m.body()-len(options)-3, 1)
	switch {
	case m.quit.closing:
		add(line().Add(theme.Heading, "Waiting for the relays; ctrl+c quits at once."))
	case len(unsent) > 0:
		add(line().Add(theme.Heading, "Quit? Not every answer has been sent."))
	case len(unkept) > 0:
		add(line().Add(theme.Heading, "Quit? Not every text could be kept."))
	default:
		add(line().Add(theme.Heading, "Nothing is unsent any more. Quit?"))
	}
	all := append(unsent, unkept...)
	for i, s := range all {
		if i == room-1 && len(all) > room {
			add(line().Space(2).Add(theme.Dim, "and "+itoa(len(all)-i)+" more"))
			break
		}
		add(line().Space(2).Add(theme.Plain, s))
	}
	add(line())
	for i, option := range options {
		l := theme.NewLine(m.theme, m.width).Space(1)
		role, cursor := theme.Plain, " "
		if i == m.quit.at {
			role, cursor = theme.Selected, m.theme.Glyphs.Cursor
		}
		add(l.Add(theme.Cursor, cursor).Space(1).Add(theme.Key, itoa(i+1)).Space(1).Add(role, option.words))
	}
	for len(lines) < m.body() {
		add(line())
	}
	return lines[:m.body()]
}

// unsentLines says what is held or under way, one safe line each.
func (m model) unsentLines() []string {
	var all []string
	for _, ref := range m.unsent() {
		var b strings.Builder
		if it := m.snapshot.Find(ref); it != nil && it.Flight != nil {
			b.WriteString(stateWord(it.Flight.State) + ": " + it.Flight.Answer.Action().String() + " · " + text.New(ref.Relay).String() + " · " + it.Ask.Line(60))
		} else {
			b.WriteString("held: an answer · " + ref.String())
		}
		all = append(all, b.String())
	}
	return all
}

// unkeptLines says which texts are kept nowhere, one safe line each.
func (m model) unkeptLines() (all []string) {
	for _, u := range m.unkept() {
		all = append(all, "kept nowhere: "+safe(strings.Join(u.Draft.Texts(), " "))+" · "+named(m.snapshot, u.Ref))
	}
	return all
}

func stateWord(s inbox.FlightState) string {
	return [...]string{"held", "sending", "checking", "done", "refused", "too late", "not known"}[s]
}
