//go:build unix

package input

import (
	"os"

	"golang.org/x/sys/unix"
)

// unread reports whether a terminal holds bytes that nobody has read yet. Where
// the system does not tell, it holds none.
func unread(tty *os.File) bool {
	if tty == nil {
		return false
	}
	fds := []unix.PollFd{{Fd: int32(tty.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
}
