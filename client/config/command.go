package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"askbox/client/text"
)

// run starts the token_command, without a shell, and takes the first line that it
// prints, because password stores keep notes on the lines after it.
func (s source) run(ctx context.Context) (Token, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	var out, problems capped
	command := exec.CommandContext(ctx, s.argv[0], s.argv[1:]...)
	command.Stdout, command.Stderr = &out, &problems
	// A grandchild that keeps the pipe open must not hold askbox up.
	command.WaitDelay = time.Second
	err := command.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Token{}, errors.New("the command did not end in time")
	case errors.As(err, &exit):
		return Token{}, fmt.Errorf("the command failed with status %d%s", exit.ExitCode(), firstLine(problems.String()))
	case err != nil:
		return Token{}, errors.New("the command cannot be run; check that the program exists")
	}
	value, _, _ := strings.Cut(out.String(), "\n")
	return checkToken(value, s.password)
}

// firstLine returns what a failed command said first, short and safe to print.
func firstLine(said string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if line == "" {
		return ""
	}
	return ": " + text.New(line).Fit(120)
}

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
