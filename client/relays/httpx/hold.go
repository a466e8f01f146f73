package httpx

import (
	"sync"
	"time"

	"askbox/client"
)

// Hold is the pause that a relay asked for: until it is over nothing is sent to the
// relay, neither a request nor a stream. The zero value is none. It is safe for
// concurrent use, and may be shared by the clients of one relay.
type Hold struct {
	mu    sync.Mutex
	until time.Time
	why   *client.RateLimited
}

// ownPause is how long nothing is sent after a refusal that asks for no time.
const ownPause = 2 * time.Second

// begin begins the pause of a refusal.
func (h *Hold) begin(why *client.RateLimited) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.until = why.Until; h.until.IsZero() {
		h.until = time.Now().Add(ownPause)
	}
	h.why = why
}

// err returns the refusal while its pause lasts, and nil when there is none.
func (h *Hold) err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.why == nil || !time.Now().Before(h.until) {
		return nil
	}
	return h.why
}

// Lift ends the pause, because the person wants the relay asked now.
func (h *Hold) Lift() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.why = nil
}
