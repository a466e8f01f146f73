//go:build unix

package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
)

// Mode reports whether the program switched a private mode of the terminal on:
// 25 the cursor is shown, 1049 the alternate screen, 2004 pastes are marked,
// 1004 the focus is reported, 1000 to 1006 the mouse.
func (t *Terminal) Mode(mode int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.modes[mode]
}

// Title returns the title that the program gave the window.
func (t *Terminal) Title() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.title
}

// Output returns everything that the program wrote.
func (t *Terminal) Output() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.output)
}

// Written returns how many bytes the program wrote.
func (t *Terminal) Written() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.output)
}

// Replies returns how many bytes the terminal sent back to the program because
// something that it wrote asked for them, apart from replies to status requests.
func (t *Terminal) Replies() int {
	return int(t.replies.Load())
}

// Raw reports whether the terminal is in raw mode.
func (t *Terminal) Raw() (bool, error) {
	state, err := t.termios()
	return err == nil && state.Lflag&unix.ICANON == 0, err
}

// termios asks the emulator's side, which answers for the pair also when the
// program's side is closed.
func (t *Terminal) termios() (state *unix.Termios, err error) {
	err = t.control(func(fd int) (err error) {
		state, err = unix.IoctlGetTermios(fd, getTermios)
		return err
	})
	return state, err
}

// GivenBack returns an error that says in which way the terminal is not as it was
// before the program started.
func (t *Terminal) GivenBack() error {
	var errs []error
	state, err := t.termios()
	if err != nil {
		errs = append(errs, err)
	} else if *state != t.before {
		errs = append(errs, fmt.Errorf("the line settings differ: %+v before, %+v now", t.before, *state))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for mode, on := range t.modes {
		switch {
		case mode == 25 && !on:
			errs = append(errs, errors.New("the cursor is hidden"))
		case mode == 25, mode == 7:
		case on:
			errs = append(errs, fmt.Errorf("the mode %d is still on", mode))
		}
	}
	if t.screen.IsAltScreen() {
		errs = append(errs, errors.New("the alternate screen is on"))
	}
	return errors.Join(errs...)
}

// Exit waits until the program has ended and returns its exit status, -1 where a
// signal ended it. A program that does not end in time is killed, and that is an
// error.
func (t *Terminal) Exit(limit time.Duration) (int, error) {
	select {
	case <-t.exited:
	case <-time.After(limit):
		screen := t.Screen()
		t.Kill()
		return 0, fmt.Errorf("the program did not end within %v; on the screen:\n%s", limit, screen)
	}
	var status *exec.ExitError
	if t.err == nil {
		return 0, nil
	}
	if errors.As(t.err, &status) {
		return status.ExitCode(), nil
	}
	return 0, t.err
}

// Ended returns a channel that is closed when the program has ended.
func (t *Terminal) Ended() <-chan struct{} { return t.exited }

// Kill ends the program the hard way, gives the terminal up, and waits for both.
func (t *Terminal) Kill() {
	_ = t.cmd.Process.Kill()
	select {
	case <-t.exited:
	case <-time.After(5 * time.Second):
	}
	_ = t.line.Close()
}

// Find returns the place of a text on the screen, column and row from 0.
func (t *Terminal) Find(text string) (x, y int, ok bool) {
	for y, row := range t.Rows() {
		if before, _, found := strings.Cut(row, text); found {
			return ansi.StringWidth(before), y, true
		}
	}
	return 0, 0, false
}
