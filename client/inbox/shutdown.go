package inbox

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/history"
)

// Loose is an answer whose outcome is not known when the inbox closes.
type Loose struct {
	Ref  client.Ref
	What string // safe: what was asked, short
	Why  string // "not sent", "sent, not confirmed"
	// NotKnown says that it may have counted.
	NotKnown bool

	attempt *history.Entry
}

// Words for loose answers.
const (
	notSent      = "not sent"
	notConfirmed = "sent, not confirmed"
)

// Leave keeps answers for the next start to say that were lost with the end of this run,
// and that nobody was there to be told of.
func (b *Inbox) Leave(loose []Loose) error {
	var attempts []history.Entry
	for _, l := range loose {
		attempts = append(attempts, *l.attempt)
	}
	if b.opt.History == nil || len(attempts) == 0 {
		return nil
	}
	return b.opt.History.Leave(attempts...)
}

// Seen drops what the last run left to be said (Snapshot.Left), because it was seen.
func (b *Inbox) Seen() {
	b.mu.Lock()
	left := b.left
	b.left, b.dirty = nil, true
	b.publish()
	b.mu.Unlock()
	if b.opt.History != nil && len(left) > 0 {
		if err := b.opt.History.Seen(left); err != nil {
			b.log.Error("what was seen is said again", "why", err)
		}
	}
}

// LeftWords says which answers the last run left without an end, safe to print.
func LeftWords(left []history.Entry) string {
	var words []string
	for _, e := range left {
		words = append(words, fmt.Sprintf("%s, %s: %s", e.Tried.Answer.Action(), leftEnds[e.Tried.End], e.What.Quoted(40)))
	}
	if most := 5; len(words) > most {
		words = append(words[:most], fmt.Sprintf("and %d more", len(words)-most))
	}
	return "When askbox last ended, " + client.Count(len(left), "answer") + " had not been confirmed: " + strings.Join(words, "; ")
}

var leftEnds = map[history.End]string{history.NotSent: notSent, history.NotKnown: notConfirmed}

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
	b.background(&b.flying, b.keepSeen)

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
	ask := b.lastSeen(f)
	return Loose{Ref: f.ref, Why: why, What: ask.What().FitAs(ask.Reads(), 60), attempt: f.attempted(ask)}
}
