package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"askbox/client/text"
	"askbox/tui"
)

// mostTyped is the most bytes that are read as a message. What a relay takes is far less.
const mostTyped = 1 << 20

// message is what an agent is to be told, from one of the places where it can come from.
type message struct {
	words  string // - for the standard input
	file   string
	editor bool
}

func (m *message) add(command *cobra.Command, use string) {
	flags := command.Flags()
	flags.StringVarP(&m.words, "message", "m", "", use+"; - reads it from the standard input")
	flags.StringVar(&m.file, "message-file", "", "read the message from this `file`")
	flags.BoolVar(&m.editor, "editor", false, "write the message in $VISUAL or $EDITOR")
}

// oneMessage refuses a message from two places.
func oneMessage(command *cobra.Command) error {
	return atMostOne(command, "message", "message-file", "editor")
}

// read returns the message, exactly but for the line end that ends a file, and whether
// there is one.
func (m *message) read(a *app, command *cobra.Command) (words string, given bool, err error) {
	switch {
	case m.editor:
		words, err = a.write()
	case command.Flags().Changed("message-file"):
		words, err = unless(command.Context(), func() (string, error) {
			f, err := os.Open(m.file)
			if err != nil {
				return "", err
			}
			defer f.Close()
			return typedWords(f)
		})
	case m.words == "-":
		words, err = unless(command.Context(), func() (string, error) { return typedWords(a.In) })
	default:
		return m.words, command.Flags().Changed("message"), nil
	}
	if err != nil {
		return "", false, &usageError{"nothing was sent: the message could not be read: " + err.Error()}
	}
	return words, true, nil
}

// unless reads a text, unless the command is interrupted first: a pipe that nobody writes
// to never ends.
func unless(ctx context.Context, read func() (string, error)) (string, error) {
	type text struct {
		words string
		err   error
	}
	came := make(chan text, 1)
	go func() {
		words, err := read()
		came <- text{words, err}
	}()
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case t := <-came:
		return t.words, t.err
	}
}

// typedWords reads a text to its end.
func typedWords(r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, mostTyped+1))
	switch {
	case err != nil:
		return "", err
	case len(b) > mostTyped:
		return "", errors.New("it is longer than 1 MiB")
	case !utf8.Valid(b):
		return "", errors.New("it is not UTF-8")
	}
	words := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
	if words == "" {
		return "", errors.New("it is empty")
	}
	return words, nil
}

// fromInput reads the text of an answer from the standard input, which holds one alone.
func (o *answerOptions) fromInput() (string, error) {
	in := o.in
	if o.in = nil; in == nil {
		return "", &usageError{"the standard input can be the message or the text of one question, and no more"}
	}
	words, err := in()
	if err != nil {
		return "", &usageError{"nothing was sent: the text could not be read: " + err.Error()}
	}
	return words, nil
}

// write has the person write a text in their editor. Where that goes wrong, what was
// written stays where it is, and the error names the place.
func (a *app) write() (string, error) {
	in, out, err := a.terminal()
	if err != nil {
		return "", errors.New("an editor needs a terminal")
	}
	words, from, err := tui.Editor()
	if err != nil {
		return "", fmt.Errorf("%s %w", from, err)
	}
	folder, err := os.MkdirTemp("", "askbox-")
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "message.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return "", err
	}
	c := exec.Command(words[0], append(words[1:len(words):len(words)], file)...)
	c.Stdin, c.Stdout, c.Stderr = in, out, os.Stderr
	failed := c.Run()
	f, err := os.Open(file)
	if err != nil {
		return "", errors.Join(failed, err)
	}
	defer f.Close()
	written, err := typedWords(f)
	if err = errors.Join(failed, err); err != nil && written != "" {
		return "", fmt.Errorf("%w; what was written stands in %s", err, text.New(file))
	}
	return written, errors.Join(err, os.RemoveAll(folder))
}
