package tui

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/input"
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
	// Bubble Tea would hand it the end of a pipe: what it writes to is no file.
	if m.tty != nil {
		c.Stdout, c.Stderr = m.tty, m.tty
	}
	back := func(err error) tea.Msg { return collect(msg.edit, err) }
	if m.keys == nil {
		return m, m.givesBack(tea.ExecProcess(c, back))
	}
	return m, m.givesBack(m.keys.Exec(c, back))
}

// collect reads what the editor left and removes the file. A text that no field
// takes stays where it is, because somebody wrote it.
func collect(e edit, err error) tea.Msg {
	if info, failed := os.Stat(e.file()); err == nil && failed == nil && info.Size() > input.MostPasted {
		return editedMsg{edit: e, err: fmt.Errorf("it is longer than 256 KiB, and stands in %s", e.file())}
	}
	defer func() { _ = os.RemoveAll(e.folder) }()
	if err != nil {
		return editedMsg{edit: e, err: errors.New("the editor ended with an error")}
	}
	written, err := os.ReadFile(e.file())
	s := string(written)
	if !strings.HasSuffix(e.before, "\n") {
		// Editors end a file with a line break that nobody typed.
		s = strings.TrimSuffix(s, "\n")
	}
	if err != nil {
		err = errors.New("what it wrote could not be read")
	}
	return editedMsg{e, s, err}
}

// edited takes the text back. Keys that were meant for the editor decide nothing.
func (m model) edited(msg editedMsg, now moment) (model, tea.Cmd) {
	m.frames.Back()
	m.arming = m.arming.pasted(now).show(now, readTime)
	if msg.err != nil {
		return m.trouble("The editor's text was not taken: " + text.Sentence(msg.err.Error()) + "; the text is as it was."), nil
	}
	if !m.ask.Takes(msg.edit.ref) {
		return m, putAside(msg.written)
	}
	m.ask = m.ask.Edited(msg.edit.ref, msg.written)
	return m, nil
}

// putAside keeps a text whose field is not there any more.
func putAside(written string) tea.Cmd {
	return func() tea.Msg {
		folder, err := os.MkdirTemp("", "askbox-")
		e := edit{folder: folder}
		if err == nil {
			err = os.WriteFile(e.file(), []byte(written), 0o600)
		}
		if err != nil {
			return sayMsg{"The field of the editor's text is not there any more, and the text could not be kept.", true}
		}
		return sayMsg{"The field of the editor's text is not there any more. The text stands in " + safe(e.file()), true}
	}
}

// stop puts the program into the background.
func (m model) stop() tea.Cmd {
	if m.keys == nil {
		return m.givesBack(tea.Suspend)
	}
	return m.givesBack(m.keys.Suspend())
}
