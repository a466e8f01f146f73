package tui

import (
	"strconv"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client/text"
)

// mostSearched is how long a search may be, in bytes.
const mostSearched = 200

// searchKey takes a key of the search line. The list narrows as one types; esc widens it
// again and goes back to where one was.
func (m model) searchKey(msg tea.KeyMsg) model {
	before := m.typed
	m, done := m.typeInto(msg)
	switch {
	case m.prompt != 0 && m.typed != before:
		m = m.search(m.typed)
	case m.prompt != 0:
	case !done:
		m = m.search("")
	case m.typed != "":
		m = m.seek(true, true)
	}
	return m
}

// search narrows what is listed on the screen.
func (m model) search(typed string) model {
	if m.screen == screenHistory {
		m.history = m.history.Search(typed)
	} else {
		m.list = m.list.Mark(m.marks()).Search(typed)
	}
	return m
}

// typeInto takes a key of the line at the bottom. Esc and Enter end it, and done says
// that it was Enter.
func (m model) typeInto(msg tea.KeyMsg) (_ model, done bool) {
	switch {
	case key.Matches(msg, m.keymap.Back):
		m.prompt = 0
	case key.Matches(msg, m.keymap.Enter):
		m.prompt, done = 0, true
	case msg.Type == tea.KeyBackspace:
		_, size := utf8.DecodeLastRuneInString(m.typed)
		m.typed = m.typed[:len(m.typed)-size]
	case msg.Type == tea.KeyCtrlU:
		m.typed = ""
	case msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace:
		m.typed = oneLine(m.typed + string(msg.Runes))
	}
	return m, done
}

// seek goes to the next or the previous match and says where that is.
func (m model) seek(forward, stay bool) model {
	query, at, of := m.list.Query(), 0, 0
	if m.screen == screenHistory {
		query = m.history.Query()
		m.history, at, of = m.history.Seek(forward, stay)
	} else {
		m.list, at, of = m.list.Seek(forward, stay)
	}
	switch {
	case query == "":
		return m.say("Nothing is searched for. Press / and type what you look for.")
	case of == 0:
		return m.trouble("Nothing matches " + text.New(query).String() + "; esc shows all again.")
	}
	return m.say("Match " + strconv.Itoa(at) + " of " + strconv.Itoa(of) + " · n next · N previous · esc shows all again")
}

// oneLine keeps what may stand in a search: its first line, not too long.
func oneLine(s string) string {
	for i, r := range s {
		if r == '\n' || r == '\r' || i+utf8.RuneLen(r) > mostSearched {
			return s[:i]
		}
	}
	return s
}
