//go:build unix

package input

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// stopWait is how long the program waits to be stopped. Without a shell that
// could continue it the system does not stop it, and it goes on by itself.
const stopWait = time.Second

// Suspend returns the command that stops the program as ctrl+z does, and sends a
// tea.ResumeMsg when it goes on.
func (r *Reader) Suspend() tea.Cmd {
	return r.away(stopped{}, func(error) tea.Msg { return tea.ResumeMsg{} })
}

// stopped stops the program and those it was started together with.
type stopped struct{}

func (stopped) Run() error {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-goesOn:
	case <-time.After(stopWait):
	}
	return nil
}

func (stopped) SetStdin(io.Reader)  {}
func (stopped) SetStdout(io.Writer) {}
func (stopped) SetStderr(io.Writer) {}
