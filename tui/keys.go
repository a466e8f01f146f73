package tui

import (
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/tui/ask"
	"askbox/tui/input"
)

// key decides whom a key belongs to.
func (m model) key(msg tea.KeyMsg, now moment) (model, tea.Cmd) {
	if msg.Type == tea.KeyRunes && len(msg.Runes) == 1 {
		switch msg.Runes[0] {
		case input.Replied:
			return m.replied(now)
		case input.Coloured:
			return m.coloured(), nil
		}
	}
	if msg.Paste {
		return m.paste(msg, now)
	}
	if m.bounced(msg, now) {
		m.arming.key = now.mono
		return m.say("The key came twice at once and counts once."), nil
	}
	several := msg.Type == tea.KeyRunes && len(msg.Runes) > 1
	burst := several || m.machine(now) || now.mono-m.arming.key < burstTime
	m.arming.behind = m.behind()
	var g gate
	m.arming, g = m.arming.again(msg.String()).press(now, m.kindOf(msg), burst, m.fresh)
	if m.told.focus == focusAway {
		m.told.focus = focusHere
	}
	stood := m.status.text
	if m.arming.lost == "" {
		m.status = m.status.clear()
	}
	m, following, swallowed := m.follow(msg, g, burst, now)
	if swallowed || m.words(msg) {
		return m, following
	}
	m, cmd := m.route(msg, g, several)
	m, seeing := m.seesLeft(stood)
	return m, tea.Batch(following, cmd, seeing, m.retry(g))
}

// retry asks the terminal once more where a key was refused because its reply is
// long in coming.
func (m model) retry(g gate) tea.Cmd {
	if g.open || !m.arming.behind || !m.frames.Overdue() {
		return nil
	}
	return m.askAgain()
}

// route gives a key to whom it belongs.
func (m model) route(msg tea.KeyMsg, g gate, several bool) (model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keymap.Interrupt):
		return m.leave(true)
	case key.Matches(msg, m.keymap.Stop):
		return m.stop()
	case key.Matches(msg, m.keymap.Redraw):
		return m, tea.Batch(tea.ClearScreen, tea.WindowSize())
	case m.prompt == ':':
		return m.commandKey(msg)
	case m.foreign(msg):
		return m.trouble("The keys of askbox are Latin letters: switch the keyboard's layout. ctrl+c quits."), nil
	case m.screen == screenQuit:
		return m.quitKey(msg)
	case m.prompt != 0:
		return m.searchKey(msg), nil
	case m.askVisible() && m.ask.Typing():
		if key.Matches(msg, m.keymap.NextAsk, m.keymap.PrevAsk) {
			return m.say("Go out of the text with esc first; it is kept."), nil
		}
		return m.hand(msg, g)
	case several:
		return m.replay(msg, g)
	}
	return m.single(msg, g)
}

// foreign reports whether a key gives a letter that none of askbox's keys is, as all do
// on a keyboard with a layout of its own.
func (m model) foreign(msg tea.KeyMsg) bool {
	if msg.Type != tea.KeyRunes || m.prompt != 0 || m.askVisible() && m.ask.Typing() {
		return false
	}
	return msg.Runes[0] >= utf8.RuneSelf && unicode.IsLetter(msg.Runes[0]) && !key.Matches(msg, m.keymap.All()...)
}

// single takes one key outside of text fields.
func (m model) single(msg tea.KeyMsg, g gate) (model, tea.Cmd) {
	if m.small() {
		switch {
		case key.Matches(msg, m.keymap.Quit):
			return m.leave(false)
		case key.Matches(msg, m.keymap.Undo):
			// It was pressed on what the window showed before it got small.
			return m.undo()
		}
		return m, nil
	}
	offer := m.offer
	m.offer = ""
	switch {
	case key.Matches(msg, m.keymap.Quit):
		return m.quitOrBack(g)
	case offer != "" && key.Matches(msg, m.keymap.Copy):
		return m, copyText(m.ctx, m.out, offer, "", "")
	}
	if next, cmd, ok := m.anywhere(msg); ok {
		return next, cmd
	}
	switch {
	case m.screen == screenHistory, m.screen == screenHelp:
		return m.overlayKey(msg)
	case key.Matches(msg, m.keymap.Enter) && m.answered():
		return m.need(true), nil
	}
	if m.ask.Focused() && m.askVisible() {
		return m.hand(msg, g)
	}
	if next, ok := m.move(msg); ok {
		next.moving = true
		return next, nil
	}
	return m.open(msg, g)
}

// anywhere takes the keys that do the same on every screen.
func (m model) anywhere(msg tea.KeyMsg) (model, tea.Cmd, bool) {
	k := m.keymap
	var cmd tea.Cmd
	switch {
	case key.Matches(msg, k.Undo):
		m, cmd = m.undo()
	case key.Matches(msg, k.Refresh):
		m, cmd = m.refresh()
	case key.Matches(msg, k.Help):
		m = m.toggle(screenHelp)
	case key.Matches(msg, k.History):
		m = m.toggle(screenHistory)
	case key.Matches(msg, k.Command):
		m.prompt, m.typed = ':', ""
	case m.screen != screenInbox:
		return m, nil, false
	case key.Matches(msg, k.NextFilter):
		m = m.filter(1)
	case key.Matches(msg, k.PrevFilter):
		m = m.filter(-1)
	case key.Matches(msg, k.Search):
		m.prompt, m.typed, m.opened = '/', "", false
		m.list = m.list.Search("")
	case key.Matches(msg, k.Mark) && !m.ask.Focused():
		m = m.mark()
	case key.Matches(msg, k.Order):
		m = m.order()
	case key.Matches(msg, k.NextField) && !m.ask.Focused():
		m = m.need(true)
	case key.Matches(msg, k.PrevField) && !m.ask.Focused():
		m = m.need(false)
	case key.Matches(msg, k.NextAsk):
		m = m.step(1)
	case key.Matches(msg, k.PrevAsk):
		m = m.step(-1)
	case key.Matches(msg, k.SearchNext):
		m = m.seek(true, false)
	case key.Matches(msg, k.SearchPrev):
		m = m.seek(false, false)
	default:
		return m, nil, false
	}
	return m, cmd, true
}

// step goes to the next or the previous ask, from inside an open one too.
func (m model) step(by int) model {
	_, before := m.list.Selected()
	m.list, m.moving = m.list.Move(by), true
	_, after := m.list.Selected()
	switch {
	case before == nil || after == nil || before.Ask.Ref != after.Ask.Ref:
		return m
	case by > 0:
		return m.say("This is the last ask.")
	}
	return m.say("This is the first ask.")
}

// answered reports whether the ask on the screen wants nothing any more, so that
// enter goes on from it.
func (m model) answered() bool {
	_, it := m.list.Selected()
	if it == nil || !m.askVisible() || m.ask.Focused() {
		return false
	}
	f := it.Flight
	return it.Ask.Status.Closed() || f != nil && f.State != inbox.Refused && f.State != inbox.NotKnown
}

// need goes to the next ask that needs the person, or to the one before. Nobody knows
// which that will be, so that it has to stand as long as one that was come upon.
func (m model) need(forward bool) model {
	list, found := m.list.Needed(forward)
	if !found {
		return m.say("No other ask needs you now.")
	}
	m.list = list
	return m
}

// order orders the asks of each group by need, or by age again.
func (m model) order() model {
	byNeed := !m.list.OrderedByNeed()
	m.list = m.list.ByNeed(byNeed)
	if byNeed {
		return m.say("Ordered by need: what waits first, of that what is urgent or runs out soon, then what waits longest.")
	}
	return m.say("Ordered by age, the newest first.")
}

// move takes the keys that move the cursor of the list. In one column with the
// ask open they scroll the ask, so they are not the list's.
func (m model) move(msg tea.KeyMsg) (model, bool) {
	if !m.listVisible() {
		return m, false
	}
	const end = 1 << 30
	page := m.list.Page()
	k := m.keymap
	switch {
	case key.Matches(msg, k.Up):
		m.list = m.list.Move(-1)
	case key.Matches(msg, k.Down):
		m.list = m.list.Move(1)
	case key.Matches(msg, k.Top), !m.wide() && key.Matches(msg, k.Start):
		m.list = m.list.Move(-end)
	case key.Matches(msg, k.Bottom), !m.wide() && key.Matches(msg, k.End):
		m.list = m.list.Move(end)
	case !m.wide() && key.Matches(msg, k.PageUp):
		m.list = m.list.Move(-page)
	case !m.wide() && key.Matches(msg, k.PageDown):
		m.list = m.list.Move(page)
	case !m.wide() && key.Matches(msg, k.HalfUp):
		m.list = m.list.Move(-page / 2)
	case !m.wide() && key.Matches(msg, k.HalfDown):
		m.list = m.list.Move(page / 2)
	default:
		return m, false
	}
	return m, true
}

// open takes what is left: keys for the ask, where one is on the screen.
func (m model) open(msg tea.KeyMsg, g gate) (model, tea.Cmd) {
	_, item := m.list.Selected()
	switch {
	case key.Matches(msg, m.keymap.Back) && m.listVisible() && len(m.bundle.refs) > 0:
		m.bundle = bundle{}
	case m.askVisible():
		if key.Matches(msg, m.keymap.Back) && m.list.Query() != "" && m.wide() {
			m.list = m.list.Search("")
			return m, nil
		}
		return m.hand(msg, g)
	case key.Matches(msg, m.keymap.Enter) && item == nil:
		m.list = m.list.Move(1)
	case key.Matches(msg, m.keymap.Enter):
		m.opened = true
	case key.Matches(msg, m.keymap.Back):
		m.list = m.list.Search("")
	case item != nil && m.decides(msg):
		// A row is not the ask in full, so nothing is decided on it.
		m = m.trouble(m.arming.judge(m.clock(), false).why)
	}
	return m, nil
}

// decides reports whether a key may, in some state of the pane, lead to
// something being sent.
func (m model) decides(msg tea.KeyMsg) bool {
	return m.deciding(msg) || key.Matches(msg, m.keymap.Choose, m.keymap.Tick, m.keymap.Enter)
}

// hand gives a key to the ask pane. One that opens something waits first, to see
// whether it stands alone; a decision is held at once, and waits in the inbox.
func (m model) hand(msg tea.KeyMsg, g gate) (model, tea.Cmd) {
	if m.ask.Typing() {
		if n := m.damaged(); n > 0 && key.Matches(msg, m.keymap.Enter) {
			m.lostBefore += n
			return m.trouble("Nothing was sent: the field lacks " + client.Count(n, "byte") + " that the terminal sent and that are no text. Look at it; enter again sends it as it stands."), nil
		}
		return m.give(msg, g)
	}
	m.lostBefore += m.damaged()
	if !g.open && g.soon && g.alone && m.field(msg) {
		// It decides nothing, and the moment is over once it is known to stand alone.
		m.unsettled.opener = &pressed{msg: msg, gate: g, on: m.shown}
		return m.begin(msg, m.clock())
	}
	if !g.open && (m.arming.behind || len(m.stood.rows) > 0) && m.deciding(msg) {
		// What is not read is on the screen, and counts in a moment.
		return m.missed(msg).trouble(g.why), nil
	}
	after, wish := m.ask.Key(msg, ask.Gate{Open: g.open, Why: g.why})
	opens := m.opens(msg, after, wish)
	switch {
	case !g.alone && (opens || wish.Kind == ask.Send):
		return m.missed(msg).trouble(typedBefore), nil
	case opens:
		m.unsettled.opener = &pressed{msg: msg, gate: g, on: m.shown}
		return m.begin(msg, m.clock())
	}
	return m.give(msg, g)
}

// damaged returns how many bytes were lost while the text field in focus was filled.
func (m model) damaged() int {
	if m.lost == nil {
		return 0
	}
	return m.lost() - m.lostBefore
}

// give gives a key to the ask pane and does what it asks for.
func (m model) give(msg tea.KeyMsg, g gate) (model, tea.Cmd) {
	typing := m.ask.Typing()
	pane, wish := m.ask.Key(msg, ask.Gate{Open: g.open, Why: g.why})
	if m.jumps(msg, pane) {
		return m, nil
	}
	m.ask = pane
	if !typing && !pane.Typing() {
		m = m.missed(msg)
	}
	next, cmd := m.act(wish, g)
	if wish.Kind != ask.Send || next.unsettled.empty() {
		return next, cmd
	}
	next, settling := next.begin(msg, m.clock())
	return next, tea.Batch(cmd, settling)
}

// jumps reports whether a key would scroll further than to the rows next to those
// that were written, or to those that stood there as its reading began. A key that
// goes to the start, the end or a place of the answer passes rows by, which then do
// not count as read; it is never held back.
func (m model) jumps(msg tea.KeyMsg, after ask.Model) bool {
	now, then := m.ask.OnScreen(), after.OnScreen()
	if now.Layout != then.Layout || now.First == then.First || !m.shown.ok || !m.scrolls(msg, then.First-now.First) {
		return false
	}
	return !m.reachable(then) || m.reading.rows.Layout == then.Layout && !next(m.reading.rows, then)
}

// scrolls reports whether a key that moves the ask by some rows is one that scrolls.
func (m model) scrolls(msg tea.KeyMsg, by int) bool {
	k := m.keymap
	switch {
	case key.Matches(msg, k.PageDown, k.PageUp), key.Matches(msg, k.Tick) && !m.ask.Answering():
		return true
	case m.ask.Typing():
		return false
	}
	return key.Matches(msg, k.HalfDown, k.HalfUp, k.LineDown, k.LineUp) || key.Matches(msg, k.Down, k.Up) && (by == 1 || by == -1)
}

// missed tells the gate of a key that opens a text field where it opened none.
func (m model) missed(msg tea.KeyMsg) model {
	if m.field(msg) {
		m.arming = m.arming.lose(msg.String())
	}
	return m
}

// field reports whether a key opens a text field.
func (m model) field(msg tea.KeyMsg) bool {
	k := m.keymap
	return key.Matches(msg, k.AllowMessage, k.DenyReason, k.DismissMessage, k.Type)
}

// fresh reports whether the relay of the ask on the screen was read after a moment.
func (m model) fresh(since time.Time) bool { return m.box.Fresh(m.shown.ref.Relay, since) }
