package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/tui/keymap"
)

// What comes from the terminal and is no single key of a person.

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
		k := m.keymap
		inList := m.listVisible() && !m.ask.Focused()
		moved := key.Matches(one, k.LineUp, k.LineDown) || !inList && key.Matches(one, k.Up, k.Down)
		switch {
		case moved && m.askVisible():
			m, _ = m.give(one, gate{why: g.why})
		default:
			m, moved = m.move(one)
			m.moving = moved
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

// paste gives a paste to the text field in focus, and to nobody else.
func (m model) paste(msg tea.KeyMsg, now moment) (model, tea.Cmd) {
	m.arming = m.arming.pasted(now)
	if !m.unsettled.empty() {
		return m.typedOn()
	}
	m.status = m.status.clear()
	switch {
	case len(msg.Runes) == 0:
		m = m.trouble("Nothing was put in: the paste is longer than 256 KiB. Give the agent a file or a link instead.")
	case m.screen == screenInbox && m.prompt != 0:
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
	if !s.LastTorn.IsZero() {
		m.arming.torn = now.mono - now.wall.Sub(s.LastTorn)
	}
	return !s.LastBurst.IsZero() && now.wall.Sub(s.LastBurst) < burstTime
}

// mouse takes what the mouse does, where that is switched on: a click puts the cursor on
// an ask, the wheel moves what is under it, and nothing is ever decided. Where somebody
// types, nothing is moved away from them.
func (m model) mouse(msg tea.MouseMsg) (model, tea.Cmd) {
	up, down := msg.Button == tea.MouseButtonWheelUp, msg.Button == tea.MouseButtonWheelDown
	click := msg.Button == tea.MouseButtonLeft
	onList := m.listVisible() && (!m.wide() || msg.X < m.listWidth())
	switch {
	case m.small() || msg.Action != tea.MouseActionPress || !up && !down && !click || m.askVisible() && m.ask.Typing():
	case m.screen != screenInbox && !click:
		return m.overlayScroll(up, 3), nil
	case m.screen != screenInbox:
	case onList && click:
		m.list = m.list.Click(msg.Y - 1)
	case onList && up:
		m.list = m.list.Move(-1)
	case onList:
		m.list = m.list.Move(1)
	case m.askVisible() && up:
		return m.give(keymap.Press(m.keymap.HalfUp), gate{})
	case m.askVisible() && down:
		return m.give(keymap.Press(m.keymap.HalfDown), gate{})
	}
	return m, nil
}
