package tui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/tui/ask"
	"askbox/tui/draw"
)

// key decides whom a key belongs to.
func (m model) key(msg tea.KeyMsg, now moment) (model, tea.Cmd) {
	several := msg.Type == tea.KeyRunes && len(msg.Runes) > 1
	burst := false
	if p := m.waiting; p != nil {
		if p.msg.String() == msg.String() && !msg.Paste {
			// A key that bounces is one press.
			m.arming, _ = m.arming.press(now, true, m.fresh)
			return m.say("The key came twice at once and counts once."), nil
		}
		// A key right behind a deciding one shows that nobody pressed it.
		m.waiting, burst = nil, true
		m = m.missed(p.msg)
		m = m.trouble(m.arming.judge(now, true).why)
	} else {
		m.status = m.status.clear()
	}
	if msg.Paste {
		return m.paste(msg, now)
	}
	var g gate
	m.arming, g = m.arming.again(msg.String()).press(now, several || burst || m.machine(now), m.fresh)
	switch {
	case key.Matches(msg, m.keymap.Interrupt):
		return m.leave(true)
	case key.Matches(msg, m.keymap.Stop):
		return m, m.stop()
	case key.Matches(msg, m.keymap.Redraw):
		return m, tea.Batch(tea.ClearScreen, tea.WindowSize())
	case m.screen == screenQuit:
		return m.quitKey(msg)
	case m.searching:
		return m.searchKey(msg), nil
	case m.askVisible() && m.ask.Typing():
		return m.hand(msg, g)
	case several:
		return m.replay(msg, g)
	}
	return m.single(msg, g)
}

// single takes one key outside of text fields.
func (m model) single(msg tea.KeyMsg, g gate) (model, tea.Cmd) {
	if m.small() {
		if key.Matches(msg, m.keymap.Quit) {
			return m.leave(false)
		}
		return m, nil
	}
	if next, cmd, ok := m.anywhere(msg); ok {
		return next, cmd
	}
	switch m.screen {
	case screenHistory, screenHelp:
		return m.overlayKey(msg), nil
	}
	if m.ask.Focused() && m.askVisible() {
		return m.hand(msg, g)
	}
	if next, ok := m.move(msg); ok {
		return next, nil
	}
	return m.open(msg, g)
}

// anywhere takes the keys that do the same on every screen.
func (m model) anywhere(msg tea.KeyMsg) (model, tea.Cmd, bool) {
	k := m.keymap
	var cmd tea.Cmd
	switch {
	case key.Matches(msg, k.Quit):
		m, cmd = m.leave(false)
	case key.Matches(msg, k.Undo):
		m, cmd = m.undo()
	case key.Matches(msg, k.Refresh):
		m, cmd = m.say("Asking every relay now.").request(request{kind: requestRefresh})
	case key.Matches(msg, k.Help):
		m = m.toggle(screenHelp)
	case key.Matches(msg, k.History):
		m = m.toggle(screenHistory)
	case m.screen != screenInbox:
		return m, nil, false
	case key.Matches(msg, k.NextFilter):
		m = m.filter(1)
	case key.Matches(msg, k.PrevFilter):
		m = m.filter(-1)
	case key.Matches(msg, k.Search):
		m.searching, m.typed, m.opened = true, "", false
	case key.Matches(msg, k.SearchNext):
		m = m.seek(true, false)
	case key.Matches(msg, k.SearchPrev):
		m = m.seek(false, false)
	default:
		return m, nil, false
	}
	return m, cmd, true
}

// move takes the keys that move the cursor of the list. In one column with the
// ask open they scroll the ask, so they are not the list's.
func (m model) move(msg tea.KeyMsg) (model, bool) {
	if !m.listVisible() {
		return m, false
	}
	const end = 1 << 30
	page := max(m.body()-1, 1)
	k := m.keymap
	switch {
	case key.Matches(msg, k.Up):
		m.list = m.list.Move(-1)
	case key.Matches(msg, k.Down):
		m.list = m.list.Move(1)
	case key.Matches(msg, k.Top):
		m.list = m.list.Move(-end)
	case key.Matches(msg, k.Bottom):
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
	k := m.keymap
	return key.Matches(msg, k.Allow, k.Always, k.AllowMessage, k.Deny, k.DenyReason,
		k.Dismiss, k.DismissMessage, k.Choose, k.Tick, k.Enter, k.Type, k.Pause)
}

// hand gives a key to the ask pane. One that may decide waits a moment first,
// because the first key of a burst looks like any other.
func (m model) hand(msg tea.KeyMsg, g gate) (model, tea.Cmd) {
	waits := m.decides(msg)
	if m.ask.Typing() {
		waits = key.Matches(msg, m.keymap.Enter)
		if n := m.damaged(); waits && n > 0 {
			m.lostBefore += n
			return m.trouble("Nothing was sent: " + "the field lacks " + draw.Count(n, "byte") + " that the terminal sent and that are no text. Look at it; enter again sends it as it stands."), nil
		}
	} else {
		m.lostBefore += m.damaged()
	}
	if !waits || !g.open {
		return m.give(msg, g)
	}
	m.seq++
	m.waiting = &pressed{msg: msg, gate: g, on: m.shown, seq: m.seq}
	return m, settle(m.seq, m.idle)
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
	m.ask = pane
	if !typing && !pane.Typing() {
		m = m.missed(msg)
	}
	return m.act(wish, g)
}

// missed tells the gate of a key that opens a text field where it opened none.
func (m model) missed(msg tea.KeyMsg) model {
	k := m.keymap
	if key.Matches(msg, k.AllowMessage, k.DenyReason, k.DismissMessage, k.Type) {
		m.arming = m.arming.lose(msg.String())
	}
	return m
}

// replay takes keys that came in one reading, as held-down keys do: they move,
// and decide nothing.
func (m model) replay(msg tea.KeyMsg, g gate) (model, tea.Cmd) {
	refused := false
	for _, r := range msg.Runes {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
		if m.small() {
			break
		}
		if m.screen == screenHistory || m.screen == screenHelp {
			m = m.overlayMove(one)
			continue
		}
		moved := key.Matches(one, m.keymap.Up, m.keymap.Down)
		switch {
		case moved && m.askVisible() && (m.ask.Focused() || !m.listVisible()):
			m, _ = m.give(one, gate{why: g.why})
		default:
			m, moved = m.move(one)
		}
		if !moved && m.decides(one) {
			refused = true
			m = m.missed(one)
		}
	}
	if refused {
		m = m.trouble(m.arming.judge(m.clock(), true).why)
	}
	return m, nil
}

// fresh reports whether the relay of the ask on the screen was read after a moment.
func (m model) fresh(since time.Time) bool { return m.box.Fresh(m.shown.ref.Relay, since) }

// paste gives a paste to the text field in focus, and to nobody else.
func (m model) paste(msg tea.KeyMsg, now moment) (model, tea.Cmd) {
	m.arming = m.arming.pasted(now)
	switch {
	case len(msg.Runes) == 0:
		m = m.trouble("Nothing was put in: the paste is longer than 256 KiB. Give the agent a file or a link instead.")
	case m.screen == screenInbox && m.searching:
		m.typed = oneLine(m.typed + string(msg.Runes))
	case m.askVisible() && m.ask.Typing():
		m.ask = m.ask.Paste(msg)
	default:
		m = m.say("The paste was dropped: it belongs into a text field.")
	}
	return m, nil
}

// idle reports whether nothing that was typed is still on its way here. It runs
// outside of Update, so it looks at the reader alone.
func (m model) idle() bool { return m.keys == nil || m.keys.Idle() }

// machine reports whether the reader of the terminal saw keys that no person
// pressed. It sees the bytes before they wait in any queue.
func (m *model) machine(now moment) bool {
	if m.keys == nil {
		return false
	}
	s := m.keys.Stats()
	if !s.LastPaste.IsZero() && now.wall.Sub(s.LastPaste) < pasteTime {
		m.arming = m.arming.pasted(now)
	}
	return !s.LastBurst.IsZero() && now.wall.Sub(s.LastBurst) < burstTime
}

// wheel scrolls. A click does nothing: nothing is decided with a mouse.
func (m model) wheel(msg tea.MouseMsg) (model, tea.Cmd) {
	up := msg.Button == tea.MouseButtonWheelUp
	if m.small() || msg.Action != tea.MouseActionPress || (!up && msg.Button != tea.MouseButtonWheelDown) {
		return m, nil
	}
	if m.screen != screenInbox {
		return m.overlayScroll(up, 3), nil
	}
	if !m.askVisible() || m.ask.Typing() {
		return m, nil
	}
	scroll := tea.KeyMsg{Type: tea.KeyCtrlD}
	if up {
		scroll.Type = tea.KeyCtrlU
	}
	return m.give(scroll, gate{})
}
