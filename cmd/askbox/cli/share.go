package cli

import (
	"fmt"
	"sync"

	"askbox/client"
)

// The most that is held of what relays list, as they sent it, in bytes: of all together,
// and of one at least, however much the others list.
const (
	mostTogether = 24 << 20
	leastOfOne   = 1 << 20
)

// share bounds what the relays of an inbox hold together. A nil one bounds nothing.
type share struct {
	mu   sync.Mutex
	held map[*lazy]int // bytes
}

// cut leaves as much of a listing as there is room for beside those of the other relays,
// and says in numbers what is left out.
func (s *share) cut(of *lazy, batch client.Batch) client.Batch {
	if s == nil {
		return batch
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	room := mostTogether
	for other, held := range s.held {
		if other != of {
			room -= held
		}
	}
	room = max(room, leastOfOne)
	size, all := 0, len(batch.Asks)
	for i, ask := range batch.Asks {
		if size+len(ask.Raw) > room {
			batch.Asks, batch.Complete, batch.Covers = batch.Asks[:i:i], false, nil
			batch.Partial = fmt.Sprintf("%s of this relay are left out: askbox holds %d MiB of all relays together",
				client.Count(all-i, "ask"), mostTogether>>20)
			break
		}
		size += len(ask.Raw)
	}
	if s.held == nil {
		s.held = map[*lazy]int{}
	}
	s.held[of] = size
	return batch
}
