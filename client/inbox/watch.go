package inbox

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"askbox/client"
)

// arrived is an event with the moment at which it arrived.
type arrived struct {
	client.Event
	at uint64
}

// gather is how long events are gathered before they are folded in together.
const gather = 15 * time.Millisecond

// watchLoop follows a relay's stream of events, and starts it again when it ends.
func (b *Inbox) watchLoop(r *relay, w client.Watcher) {
	pause := newBackoff(2*time.Second, 60*time.Second)
	for b.polls.Err() == nil {
		select { // a signal from before says nothing about this try
		case <-r.wakeWatch:
		default:
		}
		lived, err := b.watch(r, w)
		if lived {
			pause.Reset()
		}
		wait := pauseOf(pause)
		switch {
		case err == nil && !lived:
			// There is no stream. Only the user, or the relay coming back as another
			// version, changes that.
			wait = 0
		case ofTheToken(err):
			wait = max(wait, slowFirst)
		}
		if !b.rest(wait, r.wakeWatch) {
			return
		}
	}
}

// rest waits for a time, or without an end when it is 0, or for a signal. It
// reports whether the inbox still polls.
func (b *Inbox) rest(wait time.Duration, woken <-chan struct{}) bool {
	var over <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-b.polls.Done():
		return false
	case <-over:
	case <-woken:
	}
	return true
}

// watch follows the stream once, and reports whether it ever lived.
func (b *Inbox) watch(r *relay, w client.Watcher) (bool, error) {
	var lived atomic.Bool
	ctx, cancel := context.WithCancel(b.polls)
	events := make(chan arrived, 256)
	var done sync.WaitGroup
	b.background(&done, func() { b.drain(ctx, r, events) })
	err := b.guard(r, func() error {
		return w.Watch(ctx, func(e client.Event) {
			at := b.tick()
			lived.Store(true)
			b.locked(func() { r.heard = at })
			b.live(r, true)
			select {
			case events <- arrived{e, at}:
			case <-ctx.Done():
			}
		})
	})
	cancel()
	done.Wait()
	b.live(r, false)
	if err != nil && b.polls.Err() == nil {
		b.log.Info("a stream of events ended", "relay", r.Name, "why", reason(err))
	}
	return lived.Load(), err
}

// live takes down whether a stream tells what happens. When it begins or ends the relay
// is listed again, because what happened in between is in no event.
func (b *Inbox) live(r *relay, live bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.state.Live == live || b.ended {
		return
	}
	r.state.Live = live
	signal(r.nudge)
	b.publish()
}

// drain folds events in, those that come close together at once.
func (b *Inbox) drain(ctx context.Context, r *relay, events <-chan arrived) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-events:
			batch := []arrived{e}
			timer.Reset(gather)
			for open := true; open; {
				select {
				case <-ctx.Done():
					open = false
				case <-timer.C:
					open = false
				case e := <-events:
					batch = append(batch, e)
					open = len(batch) < 1000
				}
			}
			b.tell(r, batch)
		}
	}
}

// tell folds a run of events in, at once those between which no other reading
// began. An ask that opened and closed within them is told of as closed.
func (b *Inbox) tell(r *relay, events []arrived) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var asks []*client.Ask
	for i, e := range events {
		if a := r.placed(e.Opened); a != nil {
			asks = append(asks, a)
			// Of a run of them only the last one stays, which may be as it was shown.
			b.outrun(client.Ref{Relay: r.Name, Session: a.Ref.Session, ID: a.ID}, a, e.at)
		} else if e.Opened != nil {
			signal(r.nudge)
		}
		if e.Closed != nil {
			asks = append(asks, asClosed(e.Closed))
		}
		if e.List {
			signal(r.nudge)
		}
		after := e.After != client.AfterUnknown
		if last := i == len(events)-1; len(asks) > 0 && (last || after || events[i+1].at != e.at+1) {
			b.fold(r, news{asks: asks, single: true, began: e.at})
			asks = nil
		}
		if after {
			b.became(r.Name, e.Session, e.After, nil)
		}
	}
	b.publish()
}

// placed returns an ask that an event told of in its session: where the event has
// only the id of that, as other asks have it. It returns nil where none does, because
// an ask without its session would pass the wrong filters.
func (r *relay) placed(a *client.Ask) *client.Ask {
	if a == nil || a.Session != (client.Session{ID: a.Session.ID}) {
		return a
	}
	var placed *client.Ask
	r.list.each(func(it *Item) {
		if placed == nil && it.Ask.Session.ID == a.Session.ID && it.Ask.Paired == a.Paired {
			c := *a
			c.Session = it.Ask.Session
			placed = &c
		}
	})
	return placed
}

// asClosed returns an ask whose end an event tells of with a status that says so.
func asClosed(a *client.Ask) *client.Ask {
	if a.Status.Closed() {
		return a
	}
	c := *a
	c.Status = client.Gone
	return &c
}
