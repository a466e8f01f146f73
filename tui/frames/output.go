package frames

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/charmbracelet/x/term"
)

// statusRequest asks a terminal for its status (DSR); it replies CSI 0 n.
const statusRequest = "\x1b[5n"

// asker is what an Output needs of a Screen.
type asker interface {
	ask(number uint64) (requests int)
	wrote(number uint64, requests int, err error)
	newest() uint64
	fits(number uint64, now Size) bool
}

// Output is the terminal's side that is written to. It has the methods of a
// terminal file, so that Bubble Tea finds its size. It is safe for concurrent use.
type Output struct {
	term.File
	screen asker
	mu     sync.Mutex // so that no other bytes come between a frame and its request
}

// Output returns what writes the frames of this screen to a terminal.
func (s *Screen[R]) Output(tty term.File) *Output { return &Output{File: tty, screen: s} }

func (s *Screen[R]) newest() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// fits reports whether a frame is laid out for the size that the window has.
func (s *Screen[R]) fits(number uint64, now Size) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.waiting {
		if f.number == number {
			return f.size == now
		}
	}
	return s.number != number || s.size == now
}

// Write writes to the terminal: a stamped frame without its stamp and with requests
// behind it, in one write, anything else as it is.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	bare, number := unstamp(p)
	if number == 0 {
		return o.File.Write(p)
	}
	if width, height, err := term.GetSize(o.Fd()); err == nil && !o.screen.fits(number, Size{width, height}) {
		// The window has just changed, so that the terminal cuts this frame: it is
		// written because the renderer takes it for written, and never counts.
		return len(p), o.bare(bare)
	}
	n := o.screen.ask(number)
	_, err := o.File.Write(append(bare, strings.Repeat(statusRequest, n)...))
	o.screen.wrote(number, n, err)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (o *Output) bare(p []byte) error {
	_, err := o.File.Write(p)
	return err
}

// Again asks once more whether the frame that was written last is drawn. It waits
// for the terminal, so it belongs into a command.
func (o *Output) Again() {
	o.mu.Lock()
	defer o.mu.Unlock()
	number := o.screen.newest()
	n := o.screen.ask(number)
	if n == 0 {
		return
	}
	if _, err := o.File.Write([]byte(strings.Repeat(statusRequest, n))); err != nil {
		o.screen.wrote(number, n, err)
	}
}

// unstamp takes the stamp out of the bytes of a frame; number 0: there is none. The
// bytes come from the renderer, which takes no escape sequence apart.
func unstamp(p []byte) (bare []byte, number uint64) {
	at := bytes.LastIndex(p, []byte(stampStart))
	if at < 0 {
		return p, 0
	}
	digits, rest, ended := bytes.Cut(p[at+len(stampStart):], []byte(stampEnd))
	number, err := strconv.ParseUint(string(digits), 10, 64)
	if !ended || err != nil {
		return p, 0
	}
	return append(bytes.Clone(p[:at]), rest...), number
}
