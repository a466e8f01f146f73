//go:build !unix

package tui

import "os"

// watchContinue does nothing where processes are not stopped.
func watchContinue(chan os.Signal) (stop func()) { return func() {} }

// askColour asks nothing where the reply could not be waited for.
func askColour(_, _ *os.File) string { return "" }
