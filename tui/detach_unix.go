//go:build unix

package tui

import (
	"os/exec"
	"syscall"
)

// detach starts a program without the terminal: it cannot open it either.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
