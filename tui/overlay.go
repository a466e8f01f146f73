package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client/text"
	"askbox/tui/ask"
)

// overlayKey takes a key of the help or of the history.
func (m model) overlayKey(msg tea.KeyMsg) (model, tea.Cmd) {
	if m.screen == screenHistory {
		if next, cmd, ok := m.historyKey(msg); ok {
			return next, cmd
		}
	}
	switch {
	case key.Matches(msg, m.keymap.Back):
		m.screen = screenInbox
	case m.decides(msg):
		m = m.say("Press esc to go back to the asks first.")
	default:
		m = m.overlayMove(msg)
	}
	return m, nil
}

// historyKey takes the keys that look for something in the history, or act on an entry.
func (m model) historyKey(msg tea.KeyMsg) (model, tea.Cmd, bool) {
	k, e := m.keymap, m.history.Selected()
	switch {
	case key.Matches(msg, k.Back) && m.history.Query() != "":
		m.history = m.history.Search("")
	case key.Matches(msg, k.Search):
		m.prompt, m.typed = '/', ""
		m.history = m.history.Search("")
	case key.Matches(msg, k.SearchNext):
		m = m.seek(true, false)
	case key.Matches(msg, k.SearchPrev):
		m = m.seek(false, false)
	case key.Matches(msg, k.NextFilter, k.PrevFilter):
		m.history = m.history.Mine(!m.history.OnlyMine())
	case key.Matches(msg, k.Open, k.Copy, k.Raw) && e == nil:
		m = m.say("Nothing is listed here.")
	case key.Matches(msg, k.Copy):
		said, note := ask.Copied(e.What, text.Typed)
		return m, copyText(m.ctx, m.out, said, "", note), true
	case key.Matches(msg, k.Open):
		it := m.snapshot.Find(e.Ref)
		if it == nil || it.Ask.Session.Link == "" {
			return m.say("No link of this session is known here."), nil, true
		}
		m, cmd := m.openIntent(it.Ask.Session.Link)
		return m, cmd, true
	case key.Matches(msg, k.Raw):
		m = m.say("Only open asks are kept as they were sent.")
	default:
		return m, nil, false
	}
	return m, nil, true
}

// overlayMove takes the keys that move in the help or in the history.
func (m model) overlayMove(msg tea.KeyMsg) model {
	const end = 1 << 30
	k := m.keymap
	page := max(m.body()-2, 1)
	var rows int
	switch {
	case key.Matches(msg, k.Up):
		rows = -1
	case key.Matches(msg, k.Down):
		rows = 1
	case key.Matches(msg, k.Top, k.Start):
		rows = -end
	case key.Matches(msg, k.Bottom, k.End):
		rows = end
	case key.Matches(msg, k.PageUp):
		return m.overlayScroll(true, page)
	case key.Matches(msg, k.PageDown):
		return m.overlayScroll(false, page)
	case key.Matches(msg, k.HalfUp):
		return m.overlayScroll(true, page/2)
	case key.Matches(msg, k.HalfDown):
		return m.overlayScroll(false, page/2)
	case key.Matches(msg, k.LineUp):
		return m.overlayScroll(true, 1)
	case key.Matches(msg, k.LineDown):
		return m.overlayScroll(false, 1)
	}
	if m.screen == screenHistory {
		m.history = m.history.Move(rows)
	} else {
		m.help = m.help.scroll(rows)
	}
	return m
}

func (m model) overlayScroll(up bool, lines int) model {
	if up {
		lines = -lines
	}
	if m.screen == screenHistory {
		m.history = m.history.Scroll(lines)
	} else {
		m.help = m.help.scroll(lines)
	}
	return m
}
