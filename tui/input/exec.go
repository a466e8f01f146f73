package input

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// endTime is how long a program that was told to end may take.
const endTime = 500 * time.Millisecond

// Exec returns the command that gives the terminal to another program until that
// ends, and then sends what done makes of its error. Where the context ends first the
// program is told to end as well, and left alone where it does not: it may hold what
// somebody wrote. The program's standard input is the terminal itself where it is not
// set.
func (r *Reader) Exec(ctx context.Context, c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
	if c.Stdin == nil {
		c.Stdin = r.tty
	}
	return r.away(&otherProgram{c, ctx}, done)
}

// Lend returns the command that gives the terminal away while something runs, and then
// sends what done makes of it.
func (r *Reader) Lend(run func(), done tea.ExecCallback) tea.Cmd { return r.away(lent(run), done) }

// lent is something of this program that uses the terminal.
type lent func()

func (l lent) Run() error {
	l()
	return nil
}

func (lent) SetStdin(io.Reader)  {}
func (lent) SetStdout(io.Writer) {}
func (lent) SetStderr(io.Writer) {}

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
type otherProgram struct {
	*exec.Cmd
	ctx context.Context
}

func (p *otherProgram) Run() error {
	if err := p.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-p.ctx.Done():
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		return errors.Join(context.Cause(p.ctx), err)
	}
	select {
	case err := <-ended:
		return errors.Join(context.Cause(p.ctx), err)
	case <-time.After(endTime):
		return context.Cause(p.ctx)
	}
}

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
