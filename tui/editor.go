package tui

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
)

// edit is a text on its way through the user's editor.
type edit struct {
	ref    client.Ref
	before string
	folder string // holds the file and nothing else
}

func (e edit) file() string { return filepath.Join(e.folder, "answer.txt") }

// prepare puts a text into a file that only its owner can read.
func prepare(e edit) tea.Cmd {
	return func() tea.Msg {
		var err error
		if e.folder, err = os.MkdirTemp("", "askbox-"); err != nil {
			return editMsg{e, err}
		}
		return editMsg{e, os.WriteFile(e.file(), []byte(e.before), 0o600)}
	}
}

// editor returns the words of the user's editor.
func editor() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(os.Getenv(name)); len(words) > 0 {
			return words
		}
	}
	return []string{"vi"}
}

// edit gives the terminal to the editor.
func (m model) edit(msg editMsg) (model, tea.Cmd) {
	if msg.err != nil {
		return m.trouble("The editor could not be opened: there is no place for its file."), nil
	}
	words := editor()
	c := exec.Command(words[0], append(words[1:len(words):len(words)], msg.edit.file())...)
	back := func(err error) tea.Msg { return collect(msg.edit, err) }
	if m.keys == nil {
		return m, tea.ExecProcess(c, back)
	}
	return m, m.keys.Exec(c, back)
}

// collect reads what the editor left and removes the file.
func collect(e edit, err error) tea.Msg {
	defer func() { _ = os.RemoveAll(e.folder) }()
	if err != nil {
		return editedMsg{edit: e, err: err}
	}
	written, err := os.ReadFile(e.file())
	s := string(written)
	if !strings.HasSuffix(e.before, "\n") {
		// Editors end a file with a line break that nobody typed.
		s = strings.TrimSuffix(s, "\n")
	}
	return editedMsg{e, s, err}
}

// edited takes the text back. Keys that were meant for the editor decide nothing.
func (m model) edited(msg editedMsg, now moment) model {
	m.arming = m.arming.pasted(now).show(now)
	if msg.err != nil {
		return m.trouble("The editor ended with an error; the text is as it was.")
	}
	m.ask = m.ask.edited(msg.edit.ref, msg.written)
	return m
}

// stop puts the program into the background.
func (m model) stop() tea.Cmd {
	if m.keys == nil {
		return tea.Suspend
	}
	return m.keys.Suspend()
}
