package inbox

import (
	"context"
	"errors"
	"time"

	"askbox/client"
)

// Looking at an ask once more before an answer to it is sent.
const (
	lookLimit = 10 * time.Second      // for one reading
	lookFor   = 20 * time.Second      // for all of them; then nothing is sent
	lookAhead = 50 * time.Millisecond // at most, before the end of the hold
)

// Unread means that an ask could not be read once more before an answer to it was to
// be sent. Nothing was sent.
type Unread struct {
	Err error
	// Again says that it is tried again; the answer is still held.
	Again bool
}

func (e *Unread) Error() string {
	if e.Again {
		return "the ask is read once more before the answer is sent, and could not be so far: " + reason(e.Err)
	}
	return "the ask could not be read once more right before: " + reason(e.Err)
}
func (e *Unread) Unwrap() error { return e.Err }

// ready waits while an answer is held, looks at its ask once more where it has to
// be, and marks the answer as on its way. It returns the ask that is answered, or
// nil when nothing is to be sent.
func (b *Inbox) ready(f *flight) *client.Ask {
	select {
	case <-f.let:
	case <-f.stop:
		return nil
	}
	if !b.hold(f, b.early(f)) || !b.look(f) || !b.hold(f, 0) {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	ask := b.unchanged(f)
	if ask != nil {
		f.sent = true
		b.turn(f, Sending, nil)
	}
	b.publish()
	return ask
}

// hold waits until some time before the answer can be taken back no more, and
// reports whether it is still to be sent.
func (b *Inbox) hold(f *flight, early time.Duration) bool {
	timer := time.NewTimer(time.Until(f.until) - early)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-b.flush:
	case <-f.stop:
		return false
	}
	return true
}

// early is how long before the end of the hold an ask is read once more: as late
// as a reading takes, because what changes after it is not seen.
func (b *Inbox) early(f *flight) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return min(f.relay.state.Latency, lookAhead, b.opt.Undo/2)
}

// look reads the ask once more before what allows something is sent, or where the
// newest list is too old to tell. A reading that fails is tried again for a while.
// It reports whether the ask is still open and what was shown.
func (b *Inbox) look(f *flight) bool {
	var ask *client.Ask
	needed := false
	b.locked(func() {
		if ask = b.unchanged(f); ask != nil {
			needed = b.opt.Look || approving(f.answer) || b.outdated(f.relay, ask)
		}
		b.publish()
	})
	if ask == nil || !needed {
		return ask != nil
	}
	ctx, cancel := context.WithTimeout(b.sends, lookFor)
	defer cancel()
	go func() { // a reading for an answer that was taken back is for nothing
		select {
		case <-f.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	pause := newBackoff(time.Second, 5*time.Second)
	for {
		got, began, err := b.get(ctx, f.relay, ask, lookLimit)
		wait := pauseOf(pause)
		if done, good := b.looked(f, ask, got, began, err, again(ctx, err, &wait)); done {
			return good
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return false // it was taken back, or the inbox has closed
		}
	}
}

// approving reports whether an answer lets an agent do something, or tells it what to.
func approving(a client.Answer) bool {
	return a.Approves() || len(a.Questions) > 0
}

// again reports whether a reading that failed is tried again, and when.
func again(ctx context.Context, err error, wait *time.Duration) bool {
	var (
		unreachable *client.Unreachable
		limited     *client.RateLimited
		failed      *client.Failed
		not         *client.NotRelay
	)
	switch {
	case errors.As(err, &limited):
		*wait = max(*wait, time.Until(limited.Until))
	case errors.As(err, &failed):
		if failed.Status > 0 && failed.Status < 500 {
			return false
		}
	case !errors.As(err, &unreachable) && !errors.As(err, &not) && !errors.Is(err, context.DeadlineExceeded):
		return false
	}
	until, _ := ctx.Deadline()
	return time.Now().Add(*wait).Before(until)
}

// looked takes down what a reading of an ask before its answer gave. It reports
// whether that was the last one, and whether the answer may be sent.
func (b *Inbox) looked(f *flight, ask, got *client.Ask, began uint64, err error, again bool) (done, good bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.publish()
	var not *client.NotFound
	switch {
	case b.flights[f.ref] != f || f.over() || b.sends.Err() != nil:
		return true, false
	case errors.As(err, &not):
		got = f.relay.unlisted(ask)
	case err != nil:
		if b.unchanged(f) == nil { // its time may have run out meanwhile
			return true, false
		}
		// A relay that its polls do not reach either is not waited for: the keys come
		// back, with the reason.
		unread := &Unread{Err: plain(err), Again: again && b.started && f.relay.state.Reachable}
		if unread.Again {
			b.turn(f, Held, unread)
			return false, false
		}
		b.outcome(f, Refused, unread, f.shown)
		return true, false
	}
	b.fold(f.relay, news{asks: []*client.Ask{got}, single: true, began: began})
	if b.unchanged(f) == nil {
		return true, false
	}
	if f.err != nil {
		b.turn(f, Held, nil)
	}
	return true, true
}

// unchanged returns the ask of a flight as it is now where it is open and still
// what was shown. Otherwise it ends the flight.
func (b *Inbox) unchanged(f *flight) *client.Ask {
	if b.flights[f.ref] != f || f.over() {
		return nil
	}
	_, it := b.item(f.ref)
	switch {
	case it == nil:
		b.tooLate(f)
		return nil
	case it.Digest != f.digest:
		b.outcome(f, Refused, f.changed(it), it.Ask)
		return nil
	case it.Ask.RunOut(time.Now().Add(f.relay.skew)):
		b.outcome(f, TooLate, &client.Closed{Why: it.Ask.ExpiredWords + "; nothing was sent"}, it.Ask)
		return nil
	}
	return it.Ask
}

// tooLate ends a flight whose ask is closed.
func (b *Inbox) tooLate(f *flight) {
	if it := b.closed.Find(f.ref); it != nil {
		b.outcome(f, TooLate, &client.Closed{Ask: it.Ask}, it.Ask)
		return
	}
	b.outcome(f, TooLate, &client.Closed{Why: "the ask is not open any more"}, f.shown)
}

// outdated reports whether what is known of an open ask is too old to answer it
// unseen: no whole list for a few polls, a list that lacks it, a relay in between
// that does not answer, or a moment of expiry that has passed.
func (b *Inbox) outdated(r *relay, ask *client.Ask) bool {
	few := min(max(3*b.interval(r), 6*time.Second), 60*time.Second)
	now := wall(time.Now())
	if !r.state.Reachable || r.whole.IsZero() || now.Sub(r.whole) > few || r.lookups[ask.Ref] != nil {
		return true
	}
	for _, p := range r.list.parts {
		if ask.Paired != "" && p.paired.ID == ask.Paired && !p.paired.Reachable {
			return true
		}
	}
	return !ask.Expires.IsZero() && !now.Add(r.skew).Before(ask.Expires)
}
