package opencodebed

import "syscall"

// withTest starts a process in a group of its own that dies with the test.
func withTest() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
