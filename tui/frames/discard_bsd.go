//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package frames

import "golang.org/x/sys/unix"

// discard throws away what a terminal holds and has not taken.
func discard(fd uintptr) {
	const output = 2 // FWRITE of <sys/fcntl.h>
	_ = unix.IoctlSetPointerInt(int(fd), unix.TIOCFLUSH, output)
}
