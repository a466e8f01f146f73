//go:build unix

package tui

import (
	"os"
	"os/signal"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// watchContinue sends to c when the process goes on after it was stopped.
func watchContinue(c chan os.Signal) (stop func()) {
	signal.Notify(c, unix.SIGCONT)
	return func() { signal.Stop(c) }
}

// detectTime bounds how long the terminal may take to say its colour.
const detectTime = 200 * time.Millisecond

// askColour asks the terminal for its background and returns what it replied
// within detectTime. The second question is one that every terminal answers, so
// that one that does not know the first costs no wait.
func askColour(in, out *os.File) string {
	fd := in.Fd()
	if !term.IsTerminal(fd) || !term.IsTerminal(out.Fd()) {
		return ""
	}
	state, err := term.MakeRaw(fd)
	if err != nil {
		return ""
	}
	defer func() { _ = term.Restore(fd, state) }()
	if _, err := out.WriteString("\x1b]11;?\x07\x1b[c"); err != nil {
		return ""
	}
	var reply []byte
	buf := make([]byte, 256)
	end := time.Now().Add(detectTime)
	for !answered(reply) {
		left := time.Until(end)
		if left <= 0 {
			break
		}
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(ready, int(left/time.Millisecond)+1)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			break
		}
		got, err := unix.Read(int(fd), buf)
		if err != nil || got <= 0 {
			break
		}
		reply = append(reply, buf[:got]...)
	}
	return string(reply)
}
