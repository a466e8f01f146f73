package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
)

// fastest is the least time between two keys that a person presses. What comes
// faster was pasted, or typed before there was anything to read.
const fastest = 5 * time.Millisecond

// settles is how long nothing comes after a paste that is over.
const settles = 100 * time.Millisecond

// person returns the terminal that a person reads and types on.
func (a *app) person() (*os.File, bool) {
	in, ok := a.In.(*os.File)
	return in, ok && a.InTerminal && a.OutTerminal
}

// chunk is what one reading of the terminal brought.
type chunk struct {
	bytes string
	at    time.Time
	err   error
}

// typing is a line that is typed, one key after the other.
type typing struct {
	line   []byte
	last   time.Time
	pasted bool
	over   bool
}

// take adds what came, and returns what to write for it.
func (t *typing) take(c chunk) string {
	one := utf8.RuneCountInString(c.bytes) == 1
	t.pasted = t.pasted || !one || c.at.Sub(t.last) < fastest
	t.last = c.at
	switch key := c.bytes[0]; {
	case t.pasted:
	case key == '\r', key == '\n':
		t.over = true
	case key == 0x7f, key == '\b':
		if len(t.line) > 0 {
			t.line = t.line[:len(t.line)-1]
			return "\b \b"
		}
	case key < ' ', key >= utf8.RuneSelf:
		// ctrl+c, ctrl+d, esc and whatever else is in no word that is asked for.
		t.line, t.over = nil, true
	default:
		t.line = append(t.line, key)
		return c.bytes
	}
	return ""
}

var (
	errLeft   = errors.New("nothing was sent")
	errPasted = errors.New("nothing was sent: that was pasted, or typed before the question was there. Type the word key by key")
)

// typed asks a question and returns nil where its answer is the word, typed key by
// key and ended with Enter. A paste and keys that were there before count for nothing.
func (a *app) typed(ctx context.Context, in *os.File, word, question string) error {
	state, err := term.MakeRaw(in.Fd())
	if err != nil {
		return fmt.Errorf("nothing was sent, because no key can be read: %w", err)
	}
	defer func() { _ = term.Restore(in.Fd(), state) }()
	t := typing{last: a.now()}
	_, _ = io.WriteString(a.Out, toRaw(question))
	keys := make(chan chunk)
	go func() {
		var buffer [256]byte
		for {
			n, err := in.Read(buffer[:])
			select {
			case keys <- chunk{string(buffer[:n]), a.now(), err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	defer func() { _, _ = io.WriteString(a.Out, "\r\n") }()
	for !t.over {
		var quiet <-chan time.Time
		if t.pasted {
			quiet = time.After(settles)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-quiet:
			return errPasted
		case c := <-keys:
			if c.err != nil || c.bytes == "" {
				return errLeft
			}
			_, _ = io.WriteString(a.Out, t.take(c))
		}
	}
	if string(t.line) != word {
		return errLeft
	}
	return nil
}

// toRaw writes line ends as a terminal wants them that does nothing about them.
func toRaw(s string) string {
	out := make([]byte, 0, len(s)+4)
	for i := range len(s) {
		if s[i] == '\n' {
			out = append(out, '\r')
		}
		out = append(out, s[i])
	}
	return string(out)
}
