package inbox

import (
	"errors"
	"slices"
	"time"

	"askbox/client"
)

var errClosing = errors.New("askbox is closing; nothing was sent")

// Send takes an answer as [Inbox.Hold] does, and lets it go as soon as it can be
// taken back no more.
func (b *Inbox) Send(ref client.Ref, digest string, answer client.Answer) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.take(ref, digest, answer); err != nil {
		return err
	}
	b.release(ref)
	return nil
}

// Hold takes an answer for an ask whose content had the digest when it was shown,
// and holds it for Options.Undo and until [Inbox.Release]. One that is never
// released is never sent. It returns an error, and takes nothing, where the ask is
// not there or not open any more (*client.Closed), has another content (*Changed),
// has an answer under way (*Busy), or the answer does not fit (client.Validate).
// What comes of it later is in the snapshots.
func (b *Inbox) Hold(ref client.Ref, digest string, answer client.Answer) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.take(ref, digest, answer)
}

// Release lets the answer that is held for an ask go, once its time is over.
func (b *Inbox) Release(ref client.Ref) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.release(ref)
}

func (b *Inbox) release(ref client.Ref) {
	f := b.flights[ref]
	if f == nil || f.state != Held || f.free {
		return
	}
	f.free = true
	close(f.let)
}

// take begins a flight. It is called with the lock held.
func (b *Inbox) take(ref client.Ref, digest string, answer client.Answer) error {
	if b.ended {
		return errClosing
	}
	if f := b.flights[ref]; f != nil && !f.over() {
		return &Busy{Flight: f.view()}
	}
	r, it := b.item(ref)
	switch {
	case it == nil && b.closed.Find(ref) != nil:
		return &client.Closed{Ask: b.closed.Find(ref).Ask}
	case it == nil:
		return &client.Closed{Why: "the ask is not open any more"}
	case it.Digest != digest:
		return &Changed{Item: it}
	}
	now := time.Now()
	if err := client.ValidateAt(it.Ask, answer, now.Add(r.skew)); err != nil {
		return err
	}
	f := &flight{ref: ref, relay: r, digest: digest, shown: it.Ask, began: b.tick(), answer: answer, let: make(chan struct{}), stop: make(chan struct{}),
		state: Held, at: now, until: now.Add(b.opt.Undo)}
	b.flights[ref] = f
	b.show(f)
	b.publish()
	b.background(&b.flying, func() { b.fly(f) })
	return nil
}

// Undo takes back the answer that is held for an ask, and reports whether it was in time.
func (b *Inbox) Undo(ref client.Ref) (client.Answer, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.flights[ref]
	if f == nil || f.state != Held {
		return client.Answer{}, false
	}
	b.drop(f)
	b.publish()
	return f.answer, true
}

// Forget drops the outcome of an answer that was seen: an ask that is open can be answered
// again, and one that is closed is not listed any more.
func (b *Inbox) Forget(ref client.Ref) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.flights[ref]; f != nil && f.over() {
		b.drop(f)
		b.publish()
	}
}

// Unsent returns the answers that are held or under way.
func (b *Inbox) Unsent() []client.Ref {
	b.mu.Lock()
	defer b.mu.Unlock()
	var refs []client.Ref
	for ref, f := range b.flights {
		if !f.over() {
			refs = append(refs, ref)
		}
	}
	slices.SortFunc(refs, compareRefs)
	return refs
}

// drop ends a flight as if it had never begun.
func (b *Inbox) drop(f *flight) {
	if f.state == Held {
		close(f.stop)
	}
	delete(b.flights, f.ref)
	b.miss(f)
	b.edit(f.ref, func(it *Item) { it.Flight = nil })
}

// show puts the state of a flight on its item.
func (b *Inbox) show(f *flight) {
	if b.flights[f.ref] == f {
		b.edit(f.ref, func(it *Item) { it.Flight = f.view() })
	}
}

// turn brings a flight into another state.
func (b *Inbox) turn(f *flight, to FlightState, err error) {
	f.state, f.err, f.at = to, err, time.Now()
	b.miss(f)
	b.show(f)
}
