//go:build unix

package config

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
)

// detach starts a command in a session of its own, which has no terminal, and ends all
// of it where it is given up.
func detach(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	// By this name a program that was asked to draws on the terminal all the same.
	command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GPG_TTY=") })
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}
