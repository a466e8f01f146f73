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
	shown  *client.Ask // what had the digest
	began  uint64      // the moment at which it was given
	answer client.Answer
	let    chan struct{} // closed when it may be sent, see Release
	stop   chan struct{} // closed when it is taken back, or needs no more doing

	state FlightState
	err   error
	at    time.Time
	until time.Time
	free  bool // let is closed
	sent  bool // it may have reached the relay
	sends int  // how often it was sent
	// other is the ask as it was told with another content since the answer was
	// sent; differs is the same once it is known that the answer counted for it.
	other, differs *client.Ask
}

// view is the flight as snapshots show it.
func (f *flight) view() *Flight {
	return &Flight{State: f.state, Answer: f.answer, Until: f.until, Err: f.err, At: f.at, Sends: f.sends, Differs: f.differs}
}

// over reports whether nothing more happens to it by itself.
func (f *flight) over() bool { return f.state.Over() }

// fly takes an answer through its states. It is the only one that sends it.
func (b *Inbox) fly(f *flight) {
	ask := b.ready(f)
	if ask == nil {
		return
	}
	got, err := b.give(f, ask)
	if uncertain(err) {
		b.check(f, ask, err)
		return
	}
	b.conclude(f, ask, got, err)
}

// give sends the answer. From here on it may have counted.
func (b *Inbox) give(f *flight, ask *client.Ask) (got *client.Ask, err error) {
	b.locked(func() { f.sends++ })
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
	case err == nil && (got == nil || !got.Status.Closed()):
		return nil, &client.Uncertain{Err: &client.Failed{Why: "its reply does not say that the ask is closed"}}
	case errors.As(err, &closed) && closed.Ask != nil && another(closed.Ask, ask):
		return nil, &client.Closed{Why: closed.Why}
	}
	return got, err
}

// uncertain reports whether it is not known, after an attempt to send, if the
// answer counted. Only the errors that say that it did not are trusted.
func uncertain(err error) bool {
	if err == nil {
		return false
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
