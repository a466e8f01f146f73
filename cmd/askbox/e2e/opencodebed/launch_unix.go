//go:build unix && !linux

package opencodebed

import "syscall"

// withTest starts a process in a group of its own. A test that is killed leaves it
// behind here, because only Linux can bind it to the one that started it.
func withTest() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
