// Command hello only draws its first frame and counts keys, with the libraries
// that askbox is made of. What askbox costs is measured beside it.
package main

import (
	"fmt"
	"os"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

type model struct {
	page viewport.Model
	keys int
}

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.page = viewport.New(msg.Width, msg.Height)
	case tea.KeyMsg:
		if msg.String() == "q" {
			return m, tea.Quit
		}
		m.keys++
	}
	return m, nil
}

func (m model) View() string {
	m.page.SetContent(lipgloss.NewStyle().Bold(true).Render("hello") + fmt.Sprintf("\n%d keys", m.keys))
	return m.page.View()
}

func main() {
	m := model{page: viewport.New(80, 24)}
	if _, err := tea.NewProgram(m, tea.WithAltScreen()).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
