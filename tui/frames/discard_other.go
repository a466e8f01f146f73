//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package frames

// discard does nothing where the system has no way.
func discard(uintptr) {}
