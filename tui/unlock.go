package tui

import tea "github.com/charmbracelet/bubbletea"

// refresh has every relay asked now. Where the token of one cannot be had without asking
// the person, the terminal is given to whoever asks first.
func (m model) refresh() (model, tea.Cmd) {
	var unlock func()
	if m.unlock != nil && m.keys != nil && m.unsettled.empty() {
		unlock = m.unlock()
	}
	if unlock == nil {
		return m.say("Asking every relay now.").request(request{kind: requestRefresh})
	}
	lent := m.lent
	run := m.keys.Lend(unlock, func(error) tea.Msg {
		lent(false)
		return tea.ResumeMsg{} // which asks every relay
	})
	return m, m.givesBack(func() tea.Msg {
		lent(true)
		return run()
	})
}
