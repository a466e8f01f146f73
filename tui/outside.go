package tui

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/mattn/go-shellwords"

	"askbox/client/text"
)

// SplitCommand splits a command, such as that of $EDITOR, as a shell does. An error goes on
// behind the name of what holds it.
func SplitCommand(command string) ([]string, error) {
	if runtime.GOOS == "windows" {
		command = strings.ReplaceAll(command, `\`, `\\`)
	}
	p := shellwords.NewParser()
	p.ParseEnv = true
	words, err := p.Parse(command)
	switch {
	case err != nil:
		return nil, errors.New("has a quote or a bracket that is not closed")
	case p.Position >= 0:
		return nil, errors.New("has a sign in it that only a shell understands; name a script instead")
	case len(words) > 0 && strings.HasPrefix(words[0], "~/"):
		if home, err := os.UserHomeDir(); err == nil {
			words[0] = filepath.Join(home, words[0][2:])
		}
	}
	return words, nil
}

// reason is why a file could not be had or a program not be started, without the
// name, which the caller says; safe to print.
func reason(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	var start *exec.Error
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	case errors.As(err, &start):
		err = start.Err
	}
	return text.New(err.Error()).String()
}

// runTime is how long a program that was started outside of the terminal may take to
// fail. One that runs on, such as a browser, is taken to do what it should.
const runTime = 3 * time.Second

// runOutside runs a program that gets neither the terminal nor its output, and waits
// whether it fails.
func runOutside(ctx context.Context, words []string, in io.Reader) error {
	c := exec.Command(words[0], words[1:]...)
	c.Stdin = in
	detach(c)
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(runTime):
	case <-ctx.Done():
	}
	return nil
}
