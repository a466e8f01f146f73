package frames

import "golang.org/x/sys/unix"

// discard throws away what a terminal holds and has not taken.
func discard(fd uintptr) { _ = unix.IoctlSetInt(int(fd), unix.TCFLSH, unix.TCOFLUSH) }
