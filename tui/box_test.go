package tui

import (
	"context"
	"sync"
	"time"

	"askbox/client"
	"askbox/client/inbox"
)

// fakeBox is an inbox without relays: it records what it is asked to do, and
// shows the snapshots that a test publishes.
type fakeBox struct {
	mu       sync.Mutex
	snapshot *inbox.Snapshot
	waiting  []sending // held and not released
	sent     []sending // released
	taken    []sending // every one that was ever held
	undone   []client.Ref
	asked    int // refreshes
	forgot   []client.Ref
	seen     int // how often what was left is said to have been seen
	paused   []client.Ref
	held     []client.Ref
	refuse   error
	fresh    bool
	flushed  *bool
	changed  chan struct{} // closed when a snapshot is published
}

func newFakeBox() *fakeBox { return &fakeBox{fresh: true, changed: make(chan struct{})} }

func (b *fakeBox) publish(s *inbox.Snapshot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.snapshot = s
	close(b.changed)
	b.changed = make(chan struct{})
}

type sending struct {
	ref    client.Ref
	digest string
	answer client.Answer
}

func (b *fakeBox) Latest() *inbox.Snapshot { return b.snapshot }

func (b *fakeBox) Next(ctx context.Context, after uint64) (*inbox.Snapshot, error) {
	for {
		b.mu.Lock()
		s, changed := b.snapshot, b.changed
		b.mu.Unlock()
		if s.Number > after {
			return s, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (b *fakeBox) Hold(ref client.Ref, digest string, a client.Answer) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refuse != nil {
		return b.refuse
	}
	b.waiting = append(b.waiting, sending{ref, digest, a})
	b.taken = append(b.taken, sending{ref, digest, a})
	b.held = append(b.held, ref)
	return nil
}

func (b *fakeBox) Release(ref client.Ref) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, s := range b.waiting {
		if s.ref == ref {
			b.waiting = append(b.waiting[:i:i], b.waiting[i+1:]...)
			b.sent = append(b.sent, s)
			return
		}
	}
}

func (b *fakeBox) Undo(ref client.Ref) (client.Answer, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.undone = append(b.undone, ref)
	for _, list := range []*[]sending{&b.waiting, &b.sent} {
		for i, s := range *list {
			if s.ref == ref {
				*list = append((*list)[:i:i], (*list)[i+1:]...)
				b.held = without(b.held, ref)
				return s.answer, true
			}
		}
	}
	return client.Answer{}, false
}

func (b *fakeBox) Forget(ref client.Ref)        { b.forgot = append(b.forgot, ref) }
func (b *fakeBox) Seen()                        { b.seen++ }
func (b *fakeBox) Refresh(string)               { b.asked++ }
func (b *fakeBox) Fresh(string, time.Time) bool { return b.fresh }
func (b *fakeBox) Unsent() []client.Ref         { return b.held }
func (b *fakeBox) Pause(ref client.Ref, _ bool) error {
	b.paused = append(b.paused, ref)
	return nil
}
func (b *fakeBox) Close(_ context.Context, flush bool) []inbox.Loose {
	b.flushed = &flush
	return nil
}
