//go:build !unix

package tui

import "os/exec"

// detach does nothing where no program gets the terminal by itself.
func detach(*exec.Cmd) {}
