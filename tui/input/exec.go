package input

import (
	"io"
	"os/exec"

	tea "github.com/charmbracelet/bubbletea"
)

// Exec returns the command that gives the terminal to another program until that
// ends, and then sends what done makes of its error. The program's standard input
// is the terminal itself where it is not set.
func (r *Reader) Exec(c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
	if c.Stdin == nil {
		c.Stdin = r.tty
	}
	return r.away(&otherProgram{c}, done)
}

// away lets go of the terminal, runs something while Bubble Tea has given it
// away, and takes it back. Bubble Tea cannot end a Read that waits, and would
// leave it competing for the keys; so reading stops before and starts after.
func (r *Reader) away(c tea.ExecCommand, done tea.ExecCallback) tea.Cmd {
	pause := func() tea.Msg {
		r.Pause()
		return nil
	}
	return tea.Sequence(pause, tea.Exec(resuming{c, r}, func(err error) tea.Msg {
		r.Resume()
		if done == nil {
			return nil
		}
		return done(err)
	}))
}

// resuming is a command after which keys are read again, before Bubble Tea starts
// to ask for them.
type resuming struct {
	tea.ExecCommand
	keys *Reader
}

func (r resuming) Run() error {
	defer r.keys.Resume()
	return r.ExecCommand.Run()
}

// otherProgram keeps the streams that are set, and takes Bubble Tea's otherwise.
type otherProgram struct{ *exec.Cmd }

func (p *otherProgram) SetStdin(in io.Reader) {
	if p.Stdin == nil {
		p.Stdin = in
	}
}

func (p *otherProgram) SetStdout(out io.Writer) {
	if p.Stdout == nil {
		p.Stdout = out
	}
}

func (p *otherProgram) SetStderr(out io.Writer) {
	if p.Stderr == nil {
		p.Stderr = out
	}
}
