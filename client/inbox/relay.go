package inbox

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"

	"askbox/client"
	"askbox/client/text"
)

// Times of polling.
const (
	livePoll        = 6 * time.Second  // at least between polls while a stream of events lives
	readLimit       = 60 * time.Second // for one reading, all its pages included
	sendLimit       = 30 * time.Second // for one answer
	nudgeGap        = 500 * time.Millisecond
	longestWait     = 10 * time.Minute        // however long a relay wants to be left alone
	slowFirst       = 10 * time.Second        // after a token was refused, or could not be had
	shortestSilence = 1500 * time.Millisecond // before it is said that a reading takes long
	longestSilence  = 6 * time.Second         // before it is said that a reading takes long
	slowLast        = 2 * time.Minute         // while that stays so
	lookupsAtOnce   = 4                       // asks that are read one by one at the same time
)

// relay is what the inbox keeps of one configured relay. Its fields below the
// channels are guarded by the lock of the inbox.
type relay struct {
	Source
	wake       chan struct{} // the user asks for a poll
	nudge      chan struct{} // an event does
	wakeClosed chan struct{}
	wakeWatch  chan struct{}
	reads      chan struct{} // a semaphore for lookups

	list    listing
	groups  []*Group // as last published
	state   State
	skew    time.Duration
	backoff *backoff.ExponentialBackOff
	slow    *backoff.ExponentialBackOff // where the token is at fault
	heard   uint64                      // the moment of the newest event
	// whole is when the last whole listing was asked for, by the wall clock, and before
	// when the one before it was.
	whole, before time.Time
	ended         time.Time // when the last reading ended
	polling       uint64    // the moment before the reading that is under way; 0 when none is
	quiet         time.Time // until when the relay wants no events to cause polls
	identity      string
	untold        bool // not everything is in its events
	lookups       map[client.Ref]*lookup
	pausing       map[string]bool // sessions that are being paused or resumed
	// tells is that its last listing of closed asks was whole, and closedUpto when that was
	// asked for, by this machine's clock.
	tells      bool
	closedUpto time.Time
	// missed are the closed asks that stay listed, because an answer given here did not
	// count and the person may not have seen that.
	missed []client.Ref
}

func newRelay(s Source) *relay {
	r := &relay{Source: s, wake: make(chan struct{}, 1), nudge: make(chan struct{}, 1),
		wakeClosed: make(chan struct{}, 1), wakeWatch: make(chan struct{}, 1),
		reads: make(chan struct{}, lookupsAtOnce), backoff: newBackoff(2*time.Second, 60*time.Second),
		slow:    newBackoff(slowFirst, slowLast),
		lookups: map[client.Ref]*lookup{}, pausing: map[string]bool{}}
	return r
}

func newBackoff(first, last time.Duration) *backoff.ExponentialBackOff {
	return &backoff.ExponentialBackOff{InitialInterval: first, MaxInterval: last, Multiplier: 2, RandomizationFactor: 0.2}
}

// pauseOf returns the next wait of a backoff within its bounds.
func pauseOf(b *backoff.ExponentialBackOff) time.Duration {
	return min(max(b.NextBackOff(), b.InitialInterval), b.MaxInterval)
}

// pollLoop asks one relay again and again, on its own clock. There is never a
// second poll beside one that has not ended.
func (b *Inbox) pollLoop(r *relay) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		anew := false
		select {
		case <-b.polls.Done():
			return
		case <-timer.C:
		case <-r.wake:
			anew = true
		case <-r.nudge:
			if wait := b.tooSoon(r); wait > 0 {
				timer.Reset(wait)
				continue
			}
		}
		timer.Reset(b.poll(r, anew))
	}
}

// tooSoon says how long to wait before an event may cause a poll, so that a
// flood of events is not passed on to the relay as a flood of polls.
func (b *Inbox) tooSoon(r *relay) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(time.Until(r.ended.Add(nudgeGap)), time.Until(r.quiet))
}

// poll reads a relay once and returns how long to wait for the next time. What somebody
// asked for is read anew.
func (b *Inbox) poll(r *relay, anew bool) time.Duration {
	b.mu.Lock()
	if r.state.Asked && !r.state.Reachable {
		r.state.Asking = true
		b.publish()
	}
	began, start := b.tick(), time.Now()
	silent := time.AfterFunc(b.patience(r), func() { b.silent(r, began) })
	r.polling = began
	b.mu.Unlock()
	defer silent.Stop()

	ctx, cancel := context.WithTimeout(b.polls, readLimit)
	defer cancel()
	if anew {
		ctx = client.Anew(ctx)
	}
	var batch client.Batch
	err := b.guard(r, func() (err error) {
		batch, err = r.Relay.Open(ctx)
		return err
	})
	if b.polls.Err() != nil {
		return livePoll
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	wait := b.listing(r, batch, err, began, start)
	b.publish()
	return wait
}

// listing takes a listing of open asks, and returns when the next one is due.
func (b *Inbox) listing(r *relay, batch client.Batch, err error, began uint64, start time.Time) time.Duration {
	r.polling = 0
	wait := b.polled(r, batch, err, start)
	if err == nil || len(batch.Asks) > 0 || batch.Covers != nil {
		b.fold(r, news{asks: batch.Asks, complete: batch.Complete && err == nil, covers: batch.Covers, paired: batch.Paired, began: began})
	}
	return wait
}

// patience is how long a relay may take for a reading before that is said: that of a
// few polls, or more where it is always slow. It is called with the lock held.
func (b *Inbox) patience(r *relay) time.Duration {
	return max(min(2*b.opt.Poll, longestSilence), shortestSilence, 2*r.state.Latency)
}

// silent says of a relay that has not answered a reading so far since when that is so.
func (b *Inbox) silent(r *relay, began uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.polling == began && r.state.Reachable {
		r.state.Partial = "it has not answered since " + r.ended.Local().Format("15:04:05")
		b.publish()
	}
}

// polled takes down how a reading went.
func (b *Inbox) polled(r *relay, batch client.Batch, err error, start time.Time) time.Duration {
	now := time.Now()
	was := r.state
	r.ended, r.quiet = now, time.Time{}
	s := State{Asked: true, Reachable: true, Seen: was.Seen, Live: was.Live, Latency: now.Sub(start), Partial: batch.Partial}
	r.untold = batch.Untold
	wait := b.interval(r)
	wait = max(wait-s.Latency, wait/4)
	switch {
	case err == nil:
		r.backoff.Reset()
		r.slow.Reset()
		if batch.Complete {
			s.Seen = wall(now)
			if batch.Covers == nil {
				r.whole, r.before = wall(start), r.whole
			}
		} else if s.Partial == "" {
			s.Partial = "the relay did not list everything"
		}
	case ofTheToken(err):
		s.Reachable, wait = false, b.afterToken(r, err)
	default:
		wait = r.after(err, now)
		if s.Reachable = len(batch.Asks) > 0; s.Reachable && s.Partial == "" {
			s.Partial = reason(err)
		}
	}
	if err != nil {
		s.Trouble, s.Reason = client.Trouble(err)
		b.log.Info("a relay was not read", "relay", r.Name, "why", reason(err), "error", cause(err))
	}
	if !s.Reachable {
		// When it was seen says of a relay that is down what its list is.
		s.Partial = ""
	}
	s.Next = wall(now.Add(wait))
	r.state = s
	if !was.Asked && !slices.ContainsFunc(b.relays, func(r *relay) bool { return !r.state.Asked }) {
		close(b.listed)
	}
	r.measure(batch.Now, now)
	if s.Reachable && !was.Reachable {
		signal(r.wakeClosed)
		if was.Asked {
			signal(r.wakeWatch)
		}
	}
	return wait
}

// interval is how often a relay is asked while all is well: rarely where its events tell
// of everything.
func (b *Inbox) interval(r *relay) time.Duration {
	if r.state.Live && !r.untold {
		return max(b.opt.Poll, livePoll)
	}
	return b.opt.Poll
}

// ofTheToken reports whether a failure is one of the token: it was refused, or could
// not be had.
func ofTheToken(err error) bool {
	var refused *client.TokenRefused
	var none *client.NoToken
	return errors.As(err, &refused) || errors.As(err, &none)
}

// afterToken returns how long to wait after such a failure. It is asked again by itself,
// since a token is renewed and a server has its bad minutes, and slowly, since servers
// count those who come with a wrong token.
func (b *Inbox) afterToken(r *relay, err error) time.Duration {
	var none *client.NoToken
	if errors.As(err, &none) && none.Waiting {
		return b.opt.Poll
	}
	return pauseOf(r.slow)
}

// after returns how long to wait after a failure: what the relay wants, within
// reason, or a growing time of our own.
func (r *relay) after(err error, now time.Time) time.Duration {
	wait := pauseOf(r.backoff)
	var limited *client.RateLimited
	if errors.As(err, &limited) && limited.Until.After(now) {
		wait = min(max(limited.Until.Sub(now), nudgeGap), longestWait)
		r.quiet = now.Add(wait)
	}
	return wait
}

// measure learns the relay's clock. Its clock counts in seconds, so that small
// differences are noise; without this every poll would shift every age a little.
func (r *relay) measure(theirs, ours time.Time) {
	if theirs.IsZero() {
		return
	}
	const noise = 1500 * time.Millisecond
	skew := theirs.Sub(ours).Round(time.Second / 10)
	if (skew - r.skew).Abs() > noise {
		r.skew = skew
	}
}

// guard runs code of a relay. A panic in it costs that relay a failure and
// nobody else anything.
func (b *Inbox) guard(r *relay, run func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			b.log.Error("the code for a relay panicked", "relay", r.Name,
				"panic", text.New(fmt.Sprint(p)).String(), "stack", text.New(string(debug.Stack())).String())
			err = &broken{}
		}
	}()
	return run()
}

// broken is a fault of askbox itself, or of its code for this kind of relay.
type broken struct{}

func (*broken) Error() string { return "askbox could not handle this relay's reply; the log says more" }

// reason says in short why a reading failed. What the relay said is left whole, so that
// it can be told apart.
func reason(err error) string {
	var unreachable *client.Unreachable
	_, said := client.Apart(err)
	switch {
	case errors.As(err, &unreachable):
		return unreachable.Reason
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case !said.Empty():
		return err.Error()
	}
	return text.Cut(text.Sentence(err.Error()), 200)
}

// cause returns what an error was made of, for the log.
func cause(err error) string {
	var unreachable *client.Unreachable
	if errors.As(err, &unreachable) && unreachable.Err != nil {
		return text.Sentence(unreachable.Err.Error())
	}
	return text.Sentence(err.Error())
}
