package tui

// gate says whether keys that decide count now and, if not, why in words for
// the status line.
type gate struct {
	open bool
	why  string
}
