//go:build unix

// Package terminal runs a program in a pseudo-terminal with an emulator behind
// it, the way that a person sees it: keys go in, a screen comes out.
//
// The emulator answers what programs ask a terminal. Everything that the program
// wrote is kept as well, to look for what must never be written.
package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Options set a terminal up. The zero value is 80 columns by 24 rows.
type Options struct {
	Width, Height int
	// Silent leaves the program's questions to the terminal without an answer.
	Silent bool
	// Colours are told to a program that asks for them; those of the emulator where nil.
	Colours *Colours
	// Lag is how long each answer to a question of the program takes.
	Lag time.Duration
}

// Terminal is a running program with its screen. Its methods can be called from
// any goroutine.
type Terminal struct {
	cmd    *exec.Cmd
	line   *os.File // the emulator's side
	slave  *os.File // the program's side
	before unix.Termios

	mu       sync.Mutex
	screen   *vt.Emulator
	output   []byte
	at       time.Time // when output came last, or what was typed was seen to be read
	arrivals []arrival
	modes    map[int]bool
	title    string
	bells    int
	changed  chan struct{} // closed and made anew at each change

	ignored *sync.Cond   // of deaf
	deaf    bool         // nobody reads the output
	replies atomic.Int64 // bytes that the emulator sent to the program
	lag     atomic.Int64 // how long each of its answers takes

	read   chan struct{} // closed when all output was taken
	exited chan struct{} // closed when the program has ended
	err    error         // of the program, after exited
}

// Start starts the program. It is the leader of a session of its own, with the
// terminal as its controlling one.
func Start(cmd *exec.Cmd, o Options) (*Terminal, error) {
	if o.Width == 0 {
		o.Width, o.Height = 80, 24
	}
	master, slave, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("no pseudo-terminal: %w", err)
	}
	line, err := pollable(master)
	if err != nil {
		return nil, errors.Join(err, slave.Close())
	}
	t := &Terminal{cmd: cmd, line: line, slave: slave, at: time.Now(), modes: map[int]bool{25: true},
		ignored: sync.NewCond(&sync.Mutex{}), changed: make(chan struct{}), read: make(chan struct{}), exited: make(chan struct{})}
	t.screen = vt.NewEmulator(o.Width, o.Height)
	if o.Colours != nil {
		t.screen.SetForegroundColor(o.Colours.text())
		t.screen.SetBackgroundColor(o.Colours.background())
	}
	t.screen.SetCallbacks(vt.Callbacks{
		EnableMode:  func(m ansi.Mode) { t.modes[m.Mode()] = true },
		DisableMode: func(m ansi.Mode) { t.modes[m.Mode()] = false },
		Title:       func(s string) { t.title = s },
		Bell:        func() { t.bells++ },
	})
	if err := t.launch(o); err != nil {
		return nil, errors.Join(err, line.Close(), slave.Close())
	}
	t.SetLag(o.Lag)
	answers := make(chan answer, 1000)
	t.screen.RegisterCsiHandler('n', func(p ansi.Params) bool {
		// The emulator replies as to the private request (CSI ? 0 n).
		if n, _, ok := p.Param(0, 0); !ok || n != 5 {
			return false
		}
		answers <- t.answerTo("\x1b[0n")
		return true
	})
	go t.collect(answers)
	go t.answer(answers, o.Silent)
	go t.take()
	go t.reap()
	return t, nil
}

// pollable takes a file over in a way that lets Close end its reads.
func pollable(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// control does something to the emulator's side that needs its descriptor. Its Fd
// method is not used, because that would make reads block for good.
func (t *Terminal) control(do func(fd int) error) error {
	conn, err := t.line.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { failed = do(int(fd)) })
	return errors.Join(err, failed)
}

func (t *Terminal) setSize(width, height int) error {
	return t.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(height), Col: uint16(width)})
	})
}

func (t *Terminal) launch(o Options) error {
	if err := t.setSize(o.Width, o.Height); err != nil {
		return err
	}
	state, err := unix.IoctlGetTermios(int(t.slave.Fd()), getTermios)
	if err != nil {
		return err
	}
	t.before = *state
	if t.cmd.Stdin == nil {
		t.cmd.Stdin = t.slave
	}
	if t.cmd.Stdout == nil {
		t.cmd.Stdout = t.slave
	}
	if t.cmd.Stderr == nil {
		t.cmd.Stderr = t.slave
	}
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if t.cmd.Stdin != t.slave {
		t.cmd.ExtraFiles = []*os.File{t.slave}
		t.cmd.SysProcAttr.Ctty = 3
	}
	return t.cmd.Start()
}

// answer is what the emulator replies to a question, and when that is due.
type answer struct {
	bytes []byte
	due   time.Time
}

// SetLag sets how long each answer to a question of the program takes from now on.
func (t *Terminal) SetLag(d time.Duration) { t.lag.Store(int64(d)) }

// collect takes what the emulator replies to the program's questions. It takes no
// lock, because write holds it while the emulator waits for its reply to be read.
func (t *Terminal) collect(answers chan<- answer) {
	buf := make([]byte, 1024)
	for {
		n, err := t.screen.Read(buf)
		if err != nil {
			return
		}
		t.replies.Add(int64(n))
		answers <- t.answerTo(string(buf[:n]))
	}
}

func (t *Terminal) answerTo(bytes string) answer {
	return answer{[]byte(bytes), time.Now().Add(time.Duration(t.lag.Load()))}
}

// answer passes the replies on in their order, when they are due.
func (t *Terminal) answer(answers <-chan answer, silent bool) {
	for {
		select {
		case a := <-answers:
			time.Sleep(time.Until(a.due))
			if !silent {
				_, _ = t.line.Write(a.bytes)
			}
		case <-t.exited:
			return
		}
	}
}

// take feeds the program's output to the emulator.
func (t *Terminal) take() {
	defer close(t.read)
	buf := make([]byte, 64<<10)
	for {
		t.ignored.L.Lock()
		for t.deaf {
			t.ignored.Wait()
		}
		t.ignored.L.Unlock()
		n, err := t.line.Read(buf)
		if n > 0 {
			t.write(buf[:n], time.Now())
		}
		if err != nil {
			return
		}
	}
}

func (t *Terminal) write(b []byte, at time.Time) {
	t.mu.Lock()
	t.output = append(t.output, b...)
	t.at = at
	t.arrivals = append(t.arrivals, arrival{len(t.output), at})
	_, _ = t.screen.Write(b)
	close(t.changed)
	t.changed = make(chan struct{})
	t.mu.Unlock()
}

// reap waits for the program, and ends the reading when its last output is taken.
func (t *Terminal) reap() {
	t.err = t.cmd.Wait()
	t.Ignore(false)
	_ = t.slave.Close()
	<-t.read
	close(t.exited)
	// The emulator's own Close is not safe beside a Read that waits.
	if replies, ok := t.screen.InputPipe().(io.Closer); ok {
		_ = replies.Close()
	}
}

// Rows returns the rows of the screen, without the blanks at their ends.
func (t *Terminal) Rows() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rows()
}

func (t *Terminal) rows() []string {
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
		rows[y] = strings.TrimRight(row.String(), " ")
	}
	return rows
}

// Screen returns the rows of the screen as one text.
func (t *Terminal) Screen() string { return strings.Join(t.Rows(), "\n") }

// Wait waits until the screen fits, and returns an error that shows the screen
// when it does not within the time or the program ends first.
func (t *Terminal) Wait(limit time.Duration, fits func(screen string) bool) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		t.mu.Lock()
		screen, changed := strings.Join(t.rows(), "\n"), t.changed
		t.mu.Unlock()
		if fits(screen) {
			return nil
		}
		select {
		case <-changed:
		case <-t.exited:
			if fits(t.Screen()) {
				return nil
			}
			return fmt.Errorf("the program ended (%v) with this on the screen:\n%s", t.err, t.Screen())
		case <-timer.C:
			return fmt.Errorf("after %v this is on the screen:\n%s", limit, screen)
		}
	}
}

// Quiet waits until the program has written nothing for a while, which is what a
// person waits for who reads the screen. A program that has not read what was typed
// is late and not quiet.
func (t *Terminal) Quiet(d, limit time.Duration) error {
	end := time.Now().Add(limit)
	if err := t.Taken(limit); err != nil {
		return err
	}
	for {
		t.mu.Lock()
		at, changed := t.at, t.changed
		t.mu.Unlock()
		left := time.Until(at.Add(d))
		if left <= 0 {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("the screen keeps changing")
		}
		timer := time.NewTimer(left)
		select {
		case <-changed:
		case <-t.exited:
			timer.Stop()
			return nil
		case <-timer.C:
		}
		timer.Stop()
	}
}

// Taken waits until the program has read everything that was typed. On a busy
// machine it may come to that late, and then reads several keys as one burst.
func (t *Terminal) Taken(limit time.Duration) error {
	const look = 2 * time.Millisecond
	end := time.Now().Add(limit)
	for waited := false; ; waited = true {
		// The system does not tell when a reader has emptied the line, so it is asked.
		unread, err := t.unread()
		if err != nil || !unread {
			if waited {
				t.mu.Lock()
				t.at = time.Now()
				t.mu.Unlock()
			}
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("what was typed has not been read within %v", limit)
		}
		select {
		case <-t.exited:
			return nil
		case <-time.After(look):
		}
	}
}

// unread reports whether the program has not read all that was typed. It polls,
// because that also moves along what the line itself has not passed on.
func (t *Terminal) unread() (bool, error) {
	conn, err := t.slave.SyscallConn()
	if err != nil {
		return false, err
	}
	var failed error
	line := []unix.PollFd{{Events: unix.POLLIN}}
	err = conn.Control(func(fd uintptr) {
		line[0].Fd = int32(fd)
		for failed = unix.EINTR; failed == unix.EINTR; {
			_, failed = unix.Poll(line, 0)
		}
	})
	return line[0].Revents == unix.POLLIN, errors.Join(err, failed)
}

// Send types bytes, in one write.
func (t *Terminal) Send(bytes string) error {
	_, err := t.line.WriteString(bytes)
	return err
}

// Ignore stops reading what the program writes, as a window does that hangs, and goes
// on with it. It reads again by itself when the program has ended.
func (t *Terminal) Ignore(output bool) {
	t.ignored.L.Lock()
	defer t.ignored.L.Unlock()
	t.deaf = output
	t.ignored.Broadcast()
}

// Paste pastes text with the markers around it that terminals put there, where the
// program asked for them.
func (t *Terminal) Paste(text string) error {
	if t.Mode(2004) {
		text = "\x1b[200~" + text + "\x1b[201~"
	}
	return t.Send(text)
}

// Resize changes the size of the window.
func (t *Terminal) Resize(width, height int) error {
	t.mu.Lock()
	t.screen.Resize(width, height)
	t.mu.Unlock()
	return t.setSize(width, height)
}

// HangUp closes the terminal, as when its window is closed.
func (t *Terminal) HangUp() error {
	if err := t.line.Close(); err != nil {
		return err
	}
	// The program may have ended by now, and this side with it.
	if err := t.slave.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// Signal sends a signal to the program.
func (t *Terminal) Signal(s os.Signal) error { return t.cmd.Process.Signal(s) }

// Process returns the program's process id.
func (t *Terminal) Process() int { return t.cmd.Process.Pid }
