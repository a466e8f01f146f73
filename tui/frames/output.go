package frames

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// statusRequest asks a terminal for its status (DSR); it replies CSI 0 n.
const statusRequest = "\x1b[5n"

const (
	// takeTime is how long the terminal may take for what is written to it. What comes
	// later is dropped until it has: the program is not to wait for a terminal that
	// nobody reads.
	takeTime = time.Second
	// freeTime is the same once what it holds was thrown away.
	freeTime = 200 * time.Millisecond
)

// errBlocked means that the terminal has not taken yet what was written before.
var errBlocked = errors.New("the terminal takes nothing")

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
	title  bool
	mu     sync.Mutex    // so that no other bytes come between a frame and its request
	late   chan struct{} // closed when the terminal has taken what it took too long for
	freed  chan struct{} // has an element once it takes something again
}

// Output returns what writes the frames of this screen to a terminal.
func (s *Screen[R]) Output(tty term.File) *Output {
	return &Output{File: tty, screen: s, freed: make(chan struct{}, 1)}
}

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

// What is written with the alternate screen: it is cleared before it is left, because a
// terminal without one would keep the last frame, and the title of the window is kept
// while it is on (XTWINOPS 22 and 23). The title is emptied first for a terminal that
// keeps none.
const (
	enterScreen = ansi.SetModeAltScreenSaveCursor
	leaveScreen = ansi.ResetModeAltScreenSaveCursor
	clearScreen = ansi.EraseEntireScreen + ansi.CursorHomePosition
	keepTitle   = "\x1b[22;2t"
	giveTitle   = "\x1b]2;\a\x1b[23;2t"
)

// KeepTitle has the title of the window kept and given back with the screen. It is called
// before anything is written.
func (o *Output) KeepTitle() { o.title = true }

// around writes what belongs to the entering and the leaving of the screen.
func (o *Output) around(p []byte) []byte {
	keep, give := "", ""
	if o.title {
		keep, give = keepTitle, giveTitle
	}
	p = bytes.Replace(p, []byte(enterScreen), []byte(keep+enterScreen), 1)
	return bytes.Replace(p, []byte(leaveScreen), []byte(clearScreen+leaveScreen+give), 1)
}

// Write writes to the terminal: a stamped frame without its stamp and with requests
// behind it, in one write, anything else as it is.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	bare, number := unstamp(p)
	if number == 0 {
		return len(bare), o.put(o.around(p), nil)
	}
	if width, height, err := term.GetSize(o.Fd()); err == nil && !o.screen.fits(number, Size{width, height}) {
		// The window has just changed, so that the terminal cuts this frame: it is
		// written because the renderer takes it for written, and never counts.
		return len(p), o.put(bare, nil)
	}
	n := o.screen.ask(number)
	err := o.put(append(bare, strings.Repeat(statusRequest, n)...), func(err error) { o.screen.wrote(number, n, err) })
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// put writes bytes and then calls wrote, which may be nil, with the error. It waits for
// the terminal no longer than takeTime.
func (o *Output) put(p []byte, wrote func(error)) error {
	if wrote == nil {
		wrote = func(error) {}
	}
	if o.late != nil {
		select {
		case <-o.late:
			o.late = nil
		default:
			wrote(errBlocked)
			return errBlocked
		}
	}
	done := make(chan error, 1)
	go func() {
		_, err := o.File.Write(p)
		done <- err
	}()
	timer := time.NewTimer(takeTime)
	defer timer.Stop()
	select {
	case err := <-done:
		wrote(err)
		return err
	case <-timer.C:
	}
	late := make(chan struct{})
	o.late = late
	go func() {
		wrote(<-done)
		close(late)
		select {
		case o.freed <- struct{}{}:
		default:
		}
	}()
	return nil
}

// Freed returns a channel that has an element once the terminal takes something again
// after a while in which it took nothing: what was written meanwhile is lost, and the
// screen has to be drawn anew.
func (o *Output) Freed() <-chan struct{} { return o.freed }

// Free throws away what the terminal does not take, so that it can be given back.
func (o *Output) Free() {
	o.mu.Lock()
	late := o.late
	o.mu.Unlock()
	if late == nil {
		return
	}
	discard(o.Fd())
	select {
	case <-late:
	case <-time.After(freeTime):
	}
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
	_ = o.put([]byte(strings.Repeat(statusRequest, n)), func(err error) {
		if err != nil {
			o.screen.wrote(number, n, err)
		}
	})
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
