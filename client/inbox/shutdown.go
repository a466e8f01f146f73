package inbox

import (
	"context"
	"slices"
	"time"

	"askbox/client"
)

// Loose is an answer whose outcome is not known when the inbox closes.
type Loose struct {
	Ref  client.Ref
	What string // safe: what was asked, short
	Why  string // "not sent", "sent, not confirmed"
	// NotKnown says that it may have counted.
	NotKnown bool
}

// Words for loose answers.
const (
	notSent      = "not sent"
	notConfirmed = "sent, not confirmed"
)

// grace is how long after its time Close waits for relays that are told to end.
const grace = 200 * time.Millisecond

// Close stops polling and ends the streams. Answers that are held are dropped
// unless flush is set, in which case those that were released are sent at once;
// answers under way get until the context ends. It returns what is not known to have
// arrived. A second call returns nil.
func (b *Inbox) Close(ctx context.Context, flush bool) []Loose {
	b.mu.Lock()
	if b.ended {
		b.mu.Unlock()
		return nil
	}
	b.ended = true
	var loose []Loose
	atClose := map[client.Ref]*flight{}
	for ref, f := range b.flights {
		switch {
		case f.state == Held && !(flush && f.free):
			loose = append(loose, b.looseOf(f, notSent))
			b.drop(f)
		case f.state != Done && f.state != TooLate && f.state != Refused:
			atClose[ref] = f
		}
	}
	if flush {
		close(b.flush)
	}
	b.publish()
	b.mu.Unlock()
	b.endPolls()

	done := make(chan struct{})
	go func() {
		b.polling.Wait()
		b.flying.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	b.endSends()
	select {
	case <-done:
	case <-time.After(grace):
	}
	return append(loose, b.finish(atClose)...)
}

// finish ends the snapshots and says what became of the answers that were under
// way when the inbox began to close.
func (b *Inbox) finish(flights map[client.Ref]*flight) (loose []Loose) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range flights {
		switch {
		case f.state == Done || f.state == TooLate:
		case f.state == Refused && f.err != nil:
			loose = append(loose, b.looseOf(f, notSent+": "+f.err.Error()))
		case !f.sent:
			loose = append(loose, b.looseOf(f, notSent))
		default:
			l := b.looseOf(f, notConfirmed)
			l.NotKnown = true
			loose = append(loose, l)
		}
	}
	slices.SortFunc(loose, func(x, y Loose) int { return compareRefs(x.Ref, y.Ref) })
	b.out = true
	close(b.changed)
	b.changed = make(chan struct{})
	return loose
}

func (b *Inbox) looseOf(f *flight, why string) Loose {
	l := Loose{Ref: f.ref, Why: why}
	if _, it := b.item(f.ref); it != nil {
		l.What = it.Ask.What().FitAs(it.Ask.Reads(), 60)
	} else if it := b.closed.Find(f.ref); it != nil {
		l.What = it.Ask.What().FitAs(it.Ask.Reads(), 60)
	}
	return l
}
