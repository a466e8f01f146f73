package tui

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/muesli/cancelreader"
)

// farTerminal is a terminal at the other end of a line that takes its time in both
// directions and keeps the order. What the person sees is what has arrived there.
type farTerminal struct {
	ctx context.Context

	mu         sync.Mutex
	screen     *vt.Emulator
	down, up   time.Duration // how long the line takes
	busy       time.Duration // how long the terminal takes to reply
	silent     bool          // it replies to nothing
	lose       int           // how many of the next replies are lost
	stalled    time.Time     // until when nothing arrives at the person
	stopped    time.Time     // until when nothing arrives at the program
	seq        int           // counts what happens at the person's side
	seen       *sight        // what was on the screen so far
	replies    int
	frames     int
	lastDown   time.Time
	lastUp     time.Time
	keyArrived time.Time // when keys arrived at the program last
	tearing    bool      // a sequence is on its way in pieces: nothing comes between them
	behind     int       // replies that wait for its end

	toPerson  chan parcel
	toProgram chan *press
	bytes     chan []byte
}

// parcel is on its way to the terminal.
type parcel struct {
	bytes []byte
	due   time.Time
}

// press is what went from the person's side to the program: keys, or a reply.
type press struct {
	bytes   string
	reply   bool
	seq     int       // of the person's side
	pressed time.Time // there
	due     time.Time
	arrived time.Time // zero: not yet
	rows    []string  // what stood on the screen when it was pressed
	view    view      // that, taken apart
	torn    bool      // it is the rest of a sequence, and so no key
	unsure  bool      // it may be one
}

func newFarTerminal(ctx context.Context, width, height int) *farTerminal {
	t := &farTerminal{ctx: ctx, screen: vt.NewEmulator(width, height), seen: newSight(),
		toPerson: make(chan parcel, 100_000), toProgram: make(chan *press, 100_000), bytes: make(chan []byte, 100_000)}
	t.screen.RegisterCsiHandler('n', func(p ansi.Params) bool {
		if n, _, ok := p.Param(0, 0); ok && n == 5 {
			t.reply()
		}
		return true
	})
	go t.carryDown()
	go t.carryUp()
	return t
}

// Write, Read, Close and Fd make it the file that frames are written to.
func (t *farTerminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lastDown = later(time.Now().Add(t.down), t.lastDown)
	t.toPerson <- parcel{bytes: append([]byte(nil), p...), due: t.lastDown}
	return len(p), nil
}
func (t *farTerminal) Read([]byte) (int, error) { return 0, io.EOF }
func (t *farTerminal) Close() error             { return nil }
func (t *farTerminal) Fd() uintptr              { return ^uintptr(0) }

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// carryDown brings what was written to the person's side.
func (t *farTerminal) carryDown() {
	for {
		select {
		case p := <-t.toPerson:
			for !t.sleepUntil(p.due, &t.stalled) {
				if t.ctx.Err() != nil {
					return
				}
			}
			t.mu.Lock()
			_, _ = t.screen.Write(p.bytes)
			t.looked()
			t.mu.Unlock()
		case <-t.ctx.Done():
			return
		}
	}
}

// sleepUntil waits for a moment and for the end of a stall, which may grow meanwhile.
func (t *farTerminal) sleepUntil(due time.Time, stall *time.Time) (reached bool) {
	t.mu.Lock()
	until := later(due, *stall)
	t.mu.Unlock()
	if !time.Now().Before(until) {
		return true
	}
	select {
	case <-time.After(time.Until(until)):
	case <-t.ctx.Done():
	}
	return false
}

// looked takes in what stands on the screen now. It is called with the lock held.
func (t *farTerminal) looked() {
	t.seq++
	t.frames++
	rows := t.rows()
	calm := !t.keyArrived.IsZero() && time.Since(t.keyArrived) > calmTime+t.down && time.Now().After(t.stalled.Add(calmTime))
	t.seen.take(viewOf(rows), t.seq, calm)
}

func (t *farTerminal) rows() []string {
	rows := make([]string, t.screen.Height())
	for y := range rows {
		var row strings.Builder
		for x := 0; x < t.screen.Width(); {
			cell := t.screen.CellAt(x, y)
			if cell == nil || cell.Width == 0 {
				row.WriteByte(' ')
				x++
				continue
			}
			row.WriteString(cell.Content)
			x += cell.Width
		}
		rows[y] = row.String()
	}
	return rows
}

// reply sends the terminal's word that it has worked off what came before.
func (t *farTerminal) reply() {
	if t.silent {
		return
	}
	if t.lose > 0 {
		t.lose--
		return
	}
	t.replies++
	busy := t.busy
	time.AfterFunc(busy, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.tearing {
			t.behind++
			return
		}
		t.send(&press{bytes: "\x1b[0n", reply: true})
	})
}

// tear begins a sequence that comes in pieces, or ends it.
func (t *farTerminal) tear(begins bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tearing = begins
	for ; !begins && t.behind > 0; t.behind-- {
		t.send(&press{bytes: "\x1b[0n", reply: true})
	}
}

// press presses keys at the person's side.
func (t *farTerminal) press(bytes string) *press {
	t.mu.Lock()
	defer t.mu.Unlock()
	rows := t.rows()
	p := &press{bytes: bytes, seq: t.seq, rows: rows, view: t.seen.last}
	t.seq++
	t.send(p)
	return p
}

func (t *farTerminal) send(p *press) {
	p.pressed = time.Now()
	t.lastUp = later(p.pressed.Add(t.up), t.lastUp)
	p.due = t.lastUp
	t.toProgram <- p
}

// carryUp brings keys and replies to the program.
func (t *farTerminal) carryUp() {
	for {
		select {
		case p := <-t.toProgram:
			for !t.sleepUntil(p.due, &t.stopped) {
				if t.ctx.Err() != nil {
					return
				}
			}
			t.mu.Lock()
			p.arrived = time.Now()
			if !p.reply {
				t.keyArrived = p.arrived
			}
			t.mu.Unlock()
			t.bytes <- []byte(p.bytes)
		case <-t.ctx.Done():
			return
		}
	}
}

// memory is the program's end of the line, as the reader of keys opens it.
type keyMemory struct {
	from   chan []byte
	cancel chan struct{}
	once   sync.Once
}

func (t *farTerminal) open() (cancelreader.CancelReader, error) {
	return &keyMemory{from: t.bytes, cancel: make(chan struct{})}, nil
}

func (k *keyMemory) Read(p []byte) (int, error) {
	select {
	case b := <-k.from:
		return copy(p, b), nil
	case <-k.cancel:
		return 0, cancelreader.ErrCanceled
	}
}
func (k *keyMemory) Cancel() bool { k.once.Do(func() { close(k.cancel) }); return true }
func (k *keyMemory) Close() error { return nil }
