package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/tui/input"
)

// edit is a text on its way through the user's editor.
type edit struct {
	ref    client.Ref
	before string
	folder string // holds the file and nothing else
	editor string // its name, safe
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

// Editor returns the words of the user's editor, and the variable that they are in; an
// error goes on behind its name.
func Editor() (words []string, from string, err error) {
	for _, from := range []string{"VISUAL", "EDITOR"} {
		if words, err := SplitCommand(os.Getenv(from)); len(words) > 0 || err != nil {
			return words, "$" + from, err
		}
	}
	return []string{"vi"}, "", nil
}

// edit gives the terminal to the editor.
func (m model) edit(msg editMsg) (model, tea.Cmd) {
	if msg.err != nil {
		return m.trouble("The editor could not be opened: there is no place for its file: " + reason(msg.err) + "."), nil
	}
	words, from, err := Editor()
	if err != nil {
		return m.trouble("The editor could not be opened: " + from + " " + err.Error() + "."), discard(msg.edit)
	}
	e := msg.edit
	e.editor = safe(filepath.Base(words[0]))
	c := exec.Command(words[0], append(words[1:len(words):len(words)], e.file())...)
	// Bubble Tea would hand it the end of a pipe: what it writes to is no file.
	if m.tty != nil {
		c.Stdout, c.Stderr = m.tty, m.tty
	}
	m.editing = &e
	lent := m.lent
	back := func(err error) tea.Msg {
		lent(false)
		return collect(e, err)
	}
	run := tea.ExecProcess(c, back)
	if m.keys != nil {
		run = m.keys.Exec(m.ctx, c, back)
	}
	return m, m.givesBack(func() tea.Msg {
		lent(true)
		return run()
	})
}

// collect reads what the editor left. The file stays until a field has the text, and
// for good where no field takes it: somebody wrote it.
func collect(e edit, err error) editedMsg {
	written, more, failed := e.written()
	where := ""
	switch {
	case failed != nil && !errors.Is(failed, fs.ErrNotExist), more:
		where = e.folder
	case failed == nil && written != e.before:
		where = e.file()
	}
	keeps := func(why string) editedMsg {
		says := why + "; the text is as it was."
		if where != "" {
			says = why + ". What it wrote stands in " + safe(where)
		}
		return editedMsg{edit: e, keep: where != "", trouble: says}
	}
	var start *exec.Error
	var path *fs.PathError
	switch {
	case errors.As(err, &start), errors.As(err, &path):
		return editedMsg{edit: e, trouble: "“" + e.editor + "” could not be started: " + reason(err) + "; set $VISUAL or $EDITOR. The text is as it was."}
	case err != nil:
		return keeps(e.editor + " ended with " + safe(err.Error()))
	case failed != nil:
		return keeps("The text of " + e.editor + " could not be read: " + reason(failed))
	case len(written) > input.MostPasted:
		return keeps("The text of " + e.editor + " is longer than 256 KiB")
	}
	return editedMsg{edit: e, written: written}
}

// written is the text in the editor's file. more says that it left other files, as one
// does that was ended in the middle of its work.
func (e edit) written() (s string, more bool, err error) {
	entries, _ := os.ReadDir(e.folder)
	for _, other := range entries {
		more = more || other.Name() != filepath.Base(e.file())
	}
	info, err := os.Stat(e.file())
	switch {
	case err != nil:
		return "", more, err
	case !info.Mode().IsRegular():
		return "", more, errors.New("it is not a regular file")
	case info.Size() > 64*input.MostPasted:
		return "", more, errors.New("it is too large")
	}
	b, err := os.ReadFile(e.file())
	if s = string(b); !strings.HasSuffix(e.before, "\n") {
		// Editors end a file with a line break that nobody typed.
		s = strings.TrimSuffix(s, "\n")
	}
	return s, more, err
}

// edited takes the text back. Keys that were meant for the editor decide nothing.
func (m model) edited(msg editedMsg, now moment) (model, tea.Cmd) {
	m.frames.Back()
	m.editing, m.title = nil, ""
	m.arming = m.arming.pasted(now).show(now, readTime)
	switch {
	case msg.trouble != "":
		if m = m.trouble(msg.trouble); msg.keep {
			return m, nil
		}
	case m.ask.Takes(msg.edit.ref):
		m.ask = m.ask.Edited(msg.edit.ref, msg.written)
	case msg.written != msg.edit.before:
		return m.trouble("The field of the editor's text is not there any more. The text stands in " + safe(msg.edit.file())), nil
	}
	return m, discard(msg.edit)
}

// discard removes the editor's file.
func discard(e edit) tea.Cmd {
	return func() tea.Msg {
		_ = os.RemoveAll(e.folder)
		return nil
	}
}

// rescue takes what the editor has saved so far into the draft, as the program ends
// while the editor is open or has just been closed. It says where the text is, where
// there is one; the file is removed once the drafts are written.
func (m model) rescue() (_ model, says string, remove func()) {
	remove = func() {}
	if m.editing == nil {
		return m, "", remove
	}
	e := *m.editing
	written, more, err := e.written()
	switch {
	case err == nil && !more && written == e.before:
		return m, "", func() { _ = os.RemoveAll(e.folder) }
	case err == nil && !more && m.drafts != nil && m.ask.Takes(e.ref) && len(written) <= input.MostPasted:
		m.ask = m.ask.Edited(e.ref, written)
		return m, fmt.Sprintf("what %s saved is kept as a draft of %s", e.editor, e.ref), func() { _ = os.RemoveAll(e.folder) }
	case more:
		return m, fmt.Sprintf("what %s wrote for %s stands in %s", e.editor, e.ref, safe(e.folder)), remove
	}
	return m, fmt.Sprintf("what %s wrote for %s stands in %s", e.editor, e.ref, safe(e.file())), remove
}

// stop puts the program into the background. What waits for a pause is taken back:
// nobody knows how long it would wait.
func (m model) stop() (model, tea.Cmd) {
	var back tea.Cmd
	if !m.unsettled.empty() {
		m, back = m.takeBack("Taken back, nothing was sent: askbox was put into the background.")
	}
	if m.keys == nil {
		return m, tea.Sequence(back, m.givesBack(tea.Suspend))
	}
	return m, tea.Sequence(back, m.givesBack(m.keys.Suspend()))
}
