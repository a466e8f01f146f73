package inbox

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
)

// quieter is a double whose events tell of all but the second ask, which is all that it
// lists after the first time.
type quieter struct{ *streaming }

func (q quieter) Open(ctx context.Context) (client.Batch, error) {
	b, err := q.streaming.Open(ctx)
	second := func(a *client.Ask) bool { return a.ID == ask(2).ID }
	opens, _, _ := q.count()
	if b.Untold = true; opens > 1 {
		b.Covers = second
		b.Asks = slices.DeleteFunc(b.Asks, func(a *client.Ask) bool { return !second(a) })
	}
	return b, err
}

// TestWhatNoEventTells is asked for as often as without events, and what is left out of
// the listing stays.
func TestWhatNoEventTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreaming(ask(1), ask(2))
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			after(10 * time.Second)
			opens, _, _ := s.count()
			s.set(func(d *double) { d.asks = d.asks[:1] })
			after(20 * time.Second)
			if now, _, _ := s.count(); now-opens < 9 || now-opens > 12 {
				t.Errorf("%d polls in 20 s", now-opens)
			}
			if st := b.Latest().Groups[0].State; !st.Live || st.Partial != "" || !st.Reachable {
				t.Errorf("state: %+v", st)
			}
			if !isOpen(b, ask(1)) || isOpen(b, ask(2)) {
				t.Errorf("the first is open: %v, the second: %v", isOpen(b, ask(1)), isOpen(b, ask(2)))
			}
		}, quieter{s})
	})
}
