//go:build !unix

package input

import tea "github.com/charmbracelet/bubbletea"

// Suspend returns nil: programs are not suspended on this system.
func (r *Reader) Suspend() tea.Cmd { return nil }
