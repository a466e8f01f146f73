// Package quiet keeps the start of the program from asking the terminal for its
// colours. Importing Bubble Tea asks, and a terminal that never answers would
// stall every command, also those that draw nothing, for five seconds.
//
// Go initialises packages in the order of their import paths, each as soon as
// what it imports is ready. This one needs lipgloss alone and its path sorts
// before Bubble Tea's, so it comes between the two and settles the question
// first. The screen asks the terminal by itself, once it runs.
package quiet

import "github.com/charmbracelet/lipgloss"

func init() {
	lipgloss.SetHasDarkBackground(true)
}
