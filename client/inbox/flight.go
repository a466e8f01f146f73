package inbox

import (
	"context"
	"errors"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// flight is one answer on its way. Its fields below ask are guarded by the lock
// of the inbox.
type flight struct {
	ref    client.Ref
	relay  *relay
	digest string
	answer client.Answer
	let    chan struct{} // closed when it may be sent, see Release
	stop   chan struct{} // closed when it is taken back, or needs no more doing

	state FlightState
	err   error
	at    time.Time
	until time.Time
	free  bool // let is closed
	sent  bool // it may have reached the relay
}

// view is the flight as snapshots show it.
func (f *flight) view() *Flight {
	return &Flight{State: f.state, Answer: f.answer, Until: f.until, Err: f.err, At: f.at}
}

// over reports whether nothing more happens to it by itself.
func (f *flight) over() bool { return f.state >= Done }

// fly takes an answer through its states. It is the only one that sends it.
func (b *Inbox) fly(f *flight) {
	if !b.hold(f) {
		return
	}
	ask := b.confirm(f)
	if ask == nil {
		return
	}
	got, err := b.give(f, ask)
	if uncertain(got, err) {
		b.check(f, ask, err)
		return
	}
	b.conclude(f, ask, got, err)
}

// confirm makes sure, right before an answer is sent, that what it answers is
// still what was shown. Where the newest list is too old to tell, the ask is read
// again, and nothing is sent when that fails. It returns nil when nothing is to be sent.
func (b *Inbox) confirm(f *flight) *client.Ask {
	var ask *client.Ask
	old := false
	b.locked(func() {
		if ask = b.unchanged(f); ask != nil {
			old = b.outdated(f.relay, ask)
		}
		b.publish()
	})
	if ask == nil || !old {
		return ask
	}
	got, began, err := b.get(b.sends, f.relay, ask)
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.publish()
	var not *client.NotFound
	switch {
	case errors.As(err, &not):
		b.fold(f.relay, news{asks: []*client.Ask{ended(ask, client.Gone, gone)}, single: true, began: began})
	case b.sends.Err() != nil:
		return nil
	case err != nil:
		if b.unchanged(f) != nil { // its time may have run out meanwhile
			b.turn(f, Refused, plain(err))
		}
		return nil
	default:
		b.fold(f.relay, news{asks: []*client.Ask{got}, single: true, began: began})
	}
	return b.unchanged(f)
}

// unchanged returns the ask of a flight as it is now where it is open and still
// what was shown. Otherwise it ends the flight.
func (b *Inbox) unchanged(f *flight) *client.Ask {
	if f.over() {
		return nil
	}
	_, it := b.item(f.ref)
	switch {
	case it == nil:
		b.tooLate(f)
		return nil
	case it.Digest != f.digest:
		b.turn(f, Refused, &Changed{Item: it})
		return nil
	case it.Ask.RunOut(time.Now().Add(f.relay.skew)):
		b.turn(f, TooLate, &client.Closed{Why: it.Ask.ExpiredWords + "; nothing was sent"})
		return nil
	}
	return it.Ask
}

// tooLate ends a flight whose ask is closed.
func (b *Inbox) tooLate(f *flight) {
	closed := &client.Closed{Why: "the ask is not open any more"}
	if it := b.closed[f.ref]; it != nil {
		closed = &client.Closed{Ask: it.Ask}
	}
	b.turn(f, TooLate, closed)
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

// give sends the answer. From here on it may have counted.
func (b *Inbox) give(f *flight, ask *client.Ask) (got *client.Ask, err error) {
	b.mu.Lock()
	f.sent = true
	if f.answer.Decision == client.Always && ask.Approval != nil {
		f.relay.rule = rule{at: time.Now(), ref: f.ref, tool: ask.Approval.Tool.Raw()}
	}
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(b.sends, sendLimit)
	defer cancel()
	err = b.guard(f.relay, func() (err error) {
		got, err = f.relay.Relay.Answer(ctx, ask, f.answer)
		return err
	})
	var closed *client.Closed
	switch {
	case err == nil && got != nil && another(got, ask):
		// What it says of another ask says nothing of this one.
		return nil, &client.Uncertain{Err: &client.Failed{Why: "its reply is about another ask"}}
	case errors.As(err, &closed) && closed.Ask != nil && another(closed.Ask, ask):
		return nil, &client.Closed{Why: closed.Why}
	}
	return got, err
}

// uncertain reports whether it is not known, after an attempt to send, if the
// answer counted. Only the errors that say that it did not are trusted.
func uncertain(got *client.Ask, err error) bool {
	if err == nil {
		return got == nil || !got.Status.Closed()
	}
	var (
		closed      *client.Closed
		unreachable *client.Unreachable
		refused     *client.TokenRefused
		allowed     *client.NotAllowed
		invalid     *client.InvalidAnswer
		elsewhere   *client.Elsewhere
		limited     *client.RateLimited
		not         *client.NotFound
		failed      *client.Failed
		lost        *client.Uncertain
	)
	switch {
	case errors.As(err, &lost):
		return true
	case errors.As(err, &failed):
		return failed.Status == 0 || failed.Status >= 500
	}
	return !errors.As(err, &closed) && !errors.As(err, &unreachable) && !errors.As(err, &refused) &&
		!errors.As(err, &allowed) && !errors.As(err, &invalid) && !errors.As(err, &elsewhere) &&
		!errors.As(err, &limited) && !errors.As(err, &not)
}

// plain returns an error that can be shown: those of the domain as they are, and
// any other with its text made safe.
func plain(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return &client.Unreachable{Reason: "no answer in time", Err: err}
	}
	if safe := text.Sentence(err.Error()); safe != err.Error() {
		return &shown{safe: safe, err: err}
	}
	return err
}

type shown struct {
	safe string
	err  error
}

func (e *shown) Error() string { return e.safe }
func (e *shown) Unwrap() error { return e.err }

// safeName returns a name from the configuration, safe to print.
func safeName(name string) string { return text.New(name).String() }
