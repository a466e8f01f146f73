//go:build !unix

package config

import "os/exec"

// detach does nothing: a command gets no input here, and its output is not shown.
func detach(*exec.Cmd) {}
