package input

// Idle reports whether everything that was typed up to now has reached the
// program: a Read waits, which it does only after Bubble Tea has delivered what
// the Read before gave, and nothing is on its way to it.
//
// A key may decide only then. On a busy machine the first letter of a pasted or
// rattled-off sentence can be delivered long before the second, so that no
// clock tells it from a key that somebody pressed.
func (r *Reader) Idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.waiting || len(r.rest) > 0 || len(r.scan.ready) > 0 || !r.scan.wake().IsZero() {
		return false
	}
	return r.pump != nil && !r.pump.holds() && !unread(r.tty)
}
