package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// terminal lets one command at a time ask the person for something.
var terminal sync.Mutex

// run starts the token_command, without a shell, and takes the first line that it
// prints, because password stores keep notes on the lines after it. With the terminal
// the command can ask for a passphrase on it; without, it has none at all, so that it
// cannot draw on the screen or take its keys. What else it prints is shown nowhere,
// because a token may stand in it.
func (s source) run(ctx context.Context, onTerminal bool) (Token, error) {
	if onTerminal {
		terminal.Lock()
		defer terminal.Unlock()
	}
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	var out capped
	command := exec.CommandContext(ctx, s.argv[0], s.argv[1:]...)
	command.Stdout = &out
	// A child of it that keeps the output open must not hold askbox up.
	command.WaitDelay = 100 * time.Millisecond
	if onTerminal {
		command.Stdin, command.Stderr = os.Stdin, os.Stderr
	} else {
		detach(command)
	}
	err := command.Run()
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Token{}, fmt.Errorf("the command did not end within %.0f s; run it by hand to see why", commandTimeout.Seconds())
	case ctx.Err() != nil:
		return Token{}, errors.New("the command was interrupted")
	case errors.As(err, &exit) && exit.ExitCode() < 0:
		return Token{}, errors.New("the command was ended by a signal")
	case errors.As(err, &exit):
		return Token{}, fmt.Errorf("the command failed with status %d; run it by hand to see why", exit.ExitCode())
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return Token{}, errNoProgram
	}
	value, _, _ := strings.Cut(out.String(), "\n")
	return checkToken(value, s.password)
}

var errNoProgram = errors.New("there is no such program that can be run")

// capped keeps the first bytes written to it, one more than a token may have.
type capped struct{ buffer bytes.Buffer }

// Write takes all and keeps what fits, so that the command is not stopped by it.
func (c *capped) Write(p []byte) (int, error) {
	if room := maxToken + 1 - c.buffer.Len(); room > 0 {
		c.buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// String returns what was kept.
func (c *capped) String() string { return c.buffer.String() }
