package input

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/muesli/cancelreader"
)

// ErrGone means that the terminal went away. The program cannot be used any more
// and should end.
var ErrGone = errors.New("the terminal is gone")

// mostBytes is the most that Read returns. Bubble Tea takes a read that fills its
// 256 bytes for one that was cut.
const mostBytes = 200

// Options set a Reader up. The zero value suits a program without a mouse.
type Options struct {
	// Mouse lets SGR mouse reports through. Without it they are dropped, because
	// another program may have left them switched on.
	Mouse bool
}

// Stats says what a Reader has seen. Times are of this machine's clock, zero
// for never.
type Stats struct {
	// LastPaste is when a paste ended. Keys directly after it may belong to it.
	LastPaste time.Time
	// LastBurst is when a key came within 25 ms of the one before: no person
	// pressed both.
	LastBurst time.Time
	// LastTorn is when the rest of a torn sequence came, or the start of one was
	// given up. What is pressed around it may not be what was meant.
	LastTorn time.Time
	// Lost counts the bytes that could not be handed on, because they are no text
	// in UTF-8. A field that was filled while it grew is not what was typed.
	Lost int
	// Colour is the terminal's background as it said it last, rgb:RRRR/GGGG/BBBB with what
	// stands in front of that; empty where it said none.
	Colour string
	// Readings counts what the terminal gave at once: keys of the same reading came
	// together.
	Readings int
}

// source is what the bytes come from. Its reads can be cancelled.
type source func() (cancelreader.CancelReader, error)

// Reader reads a terminal for Bubble Tea. Each Read returns whole keys and
// characters only; a paste may take several. It is safe for concurrent use; a
// Read that begins ends the one before it with io.EOF.
//
// It has the methods of a terminal file, so that Bubble Tea switches raw mode on
// and off, but no name, so that nothing waits on the file behind its back.
type Reader struct {
	tty  *os.File
	open source

	mu      sync.Mutex
	scan    scanner
	rest    []byte        // of a paste that is being handed on
	newest  chan struct{} // closed when another Read takes over
	pump    *pump         // nil while nothing is read
	spare   []chunk       // read before a pause, not scanned yet
	paused  bool
	waiting bool // a Read waits, with nothing to hand on
	// readings counts the chunks that were scanned. The next one is scanned only once
	// everything of the one before was handed on.
	readings int
	closed   chan struct{}
	closing  sync.Once
}

// New makes a reader of a terminal. It reads nothing before its first Read.
func New(tty *os.File, o Options) *Reader {
	r := newReader(func() (cancelreader.CancelReader, error) { return cancelreader.NewReader(tty) }, o)
	r.tty = tty
	return r
}

// From makes a reader of what is no terminal, such as bytes in memory. It is opened
// anew for each time that reading goes on after a pause.
func From(open func() (cancelreader.CancelReader, error), o Options) *Reader {
	return newReader(open, o)
}

func newReader(open source, o Options) *Reader {
	return &Reader{open: open, scan: scanner{mouse: o.Mouse}, closed: make(chan struct{})}
}

// Stats returns what was seen up to now. What it says about a key is known before
// Bubble Tea delivers that key.
func (r *Reader) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.scan
	return Stats{LastPaste: s.lastPaste, LastBurst: s.lastBurst, LastTorn: s.lastTorn, Lost: s.lost, Colour: s.colour, Readings: r.readings}
}

// Read waits for keys. It returns io.EOF after Pause and Close, which ends Bubble
// Tea's reading without ending the program, and an error that is ErrGone when the
// terminal went away, which ends the program.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	mine, pump, err := r.begin()
	if err != nil {
		return 0, err
	}
	for {
		n, wake := r.take(mine, p)
		if n > 0 {
			return n, nil
		}
		if err := r.wait(mine, pump, wake); err != nil {
			return 0, err
		}
	}
}

// begin makes this Read the newest one and starts the pump where none runs.
func (r *Reader) begin() (mine chan struct{}, p *pump, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.closed:
		return nil, nil, io.EOF
	default:
	}
	if r.paused {
		return nil, nil, io.EOF
	}
	if r.newest != nil {
		close(r.newest)
	}
	r.newest = make(chan struct{})
	if r.pump == nil {
		from, err := r.open()
		if err != nil {
			return nil, nil, err
		}
		r.pump = startPump(from)
		for _, c := range r.spare {
			r.scan.feed(c.bytes, c.at)
		}
		r.spare = nil
	}
	return r.newest, r.pump, nil
}

// wait waits until there is something to take, or an end. What has come goes
// before a wait that is over: it came in time.
func (r *Reader) wait(mine chan struct{}, p *pump, wake time.Time) error {
	if fed, err := r.feed(mine, p); fed || err != nil {
		return err
	}
	var due <-chan time.Time
	if !wake.IsZero() {
		timer := time.NewTimer(time.Until(wake))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-mine:
		return io.EOF
	case <-r.closed:
		return io.EOF
	case <-p.stop:
		return io.EOF
	case <-p.more:
		select {
		case <-mine:
			p.signal() // It was meant for the Read that took over.
			return io.EOF
		default:
		}
	case <-due:
		if p.holds() {
			return nil
		}
		r.mu.Lock()
		r.scan.expire(time.Now())
		r.mu.Unlock()
	}
	return nil
}

// feed gives the scanner what came next, unless the pump was stopped or another
// Read took over meanwhile.
func (r *Reader) feed(mine chan struct{}, p *pump) (fed bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pump != p || r.newest != mine {
		return false, nil
	}
	c, fed, err := p.next()
	if fed {
		r.scan.feed(c.bytes, c.at)
		r.readings++
		r.waiting = false
	}
	return fed, err
}

// take moves whole units to p and returns their bytes, or when to expire. A Read
// that is not the newest takes nothing.
func (r *Reader) take(mine chan struct{}, p []byte) (int, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.newest != mine {
		return 0, time.Time{}
	}
	if len(p) > mostBytes {
		p = p[:mostBytes]
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	if n > 0 {
		r.waiting = false
		return n, time.Time{}
	}
	for len(r.scan.ready) > 0 {
		u := r.scan.ready[0]
		if n > 0 && (u.alone || n+len(u.bytes) > len(p)) {
			break
		}
		r.scan.ready = r.scan.ready[1:]
		c := copy(p[n:], u.bytes)
		n += c
		if u.alone || c < len(u.bytes) {
			r.rest = u.bytes[c:]
			break
		}
	}
	r.waiting = n == 0
	return n, r.scan.wake()
}

// Pause stops reading until Resume: Read returns io.EOF, and keys stay in the
// terminal for whoever reads it next. Keys that were read before are kept.
func (r *Reader) Pause() {
	r.mu.Lock()
	p := r.pump
	r.pump, r.paused = nil, true
	r.mu.Unlock()
	if p == nil {
		return
	}
	spare := p.end()
	r.mu.Lock()
	r.spare = append(r.spare, spare...)
	r.mu.Unlock()
}

// Resume lets the next Read go on.
func (r *Reader) Resume() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paused = false
}

// Close ends every Read. It does not close the terminal.
func (r *Reader) Close() error {
	r.closing.Do(func() {
		close(r.closed)
		r.Pause()
	})
	return nil
}

// Write writes to the terminal.
func (r *Reader) Write(p []byte) (int, error) { return r.tty.Write(p) }

// Fd returns the terminal's file descriptor.
func (r *Reader) Fd() uintptr { return r.tty.Fd() }
