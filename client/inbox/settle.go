package inbox

import (
	"errors"
	"time"

	"askbox/client"
)

// An answer whose reply was lost.
const (
	checkFor  = 2 * time.Minute // how long a relay is asked that does not say what became of it
	sendsMost = 3               // how often it is sent in all, while the relay says that the ask is open
)

// check learns what became of an answer whose reply was lost. While the relay says that
// the ask is open and is what was shown, the same answer is sent once more after each of
// the growing pauses; then the person decides.
func (b *Inbox) check(f *flight, ask *client.Ask, lost error) {
	b.locked(func() {
		b.turn(f, Checking, lost)
		b.publish()
	})
	until := time.Now().Add(checkFor)
	pause := newBackoff(time.Second, 15*time.Second)
	asked := false // whether it was asked by sending the same answer to a closed ask
	for first := true; b.sends.Err() == nil && !b.isOver(f); first = false {
		got, began, err := b.get(b.sends, f.relay, ask, sendLimit)
		if err == nil && !asked && f.unclear(got) {
			asked = true
			if b.askAgain(f, ask) {
				return
			}
		}
		if b.settled(f, ask, got, began, err) {
			return
		}
		wait := pauseOf(pause)
		if err == nil && !first && !ask.RunOut(b.relayNow(f.relay)) {
			if f.sends == sendsMost {
				b.giveUp(f, Refused, &StillOpen{f.sends, lost})
				return
			}
			got, again := b.give(f, ask)
			if decided(again) {
				b.conclude(f, ask, got, again)
				return
			}
			if uncertain(again) {
				lost = again
			}
			wait = max(wait, pauseFor(again))
			b.locked(func() {
				if !f.over() {
					b.turn(f, Checking, lost)
				}
				b.publish()
			})
		}
		if time.Now().After(until) {
			b.giveUp(f, NotKnown, lost)
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-f.stop: // the ask was told to be closed, or the answer is settled
		case <-b.sends.Done():
		}
		timer.Stop()
	}
}

// relayNow is the time by a relay's clock.
func (b *Inbox) relayNow(r *relay) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Now().Add(r.skew)
}

// pauseFor is how long a relay wants to be left alone.
func pauseFor(err error) time.Duration {
	var limited *client.RateLimited
	if errors.As(err, &limited) {
		return min(max(time.Until(limited.Until), 0), checkFor)
	}
	return 0
}

// unclear reports whether a closed ask may have closed with the answer of a flight, given
// by a person of whom nobody can say whether it was this one, on a relay that tells it
// where the same answer is sent again.
func (f *flight) unclear(ask *client.Ask) bool {
	r, ok := f.relay.Relay.(client.Repeater)
	return ok && r.Repeats() && !f.answer.Dismiss && fits(ask, f.answer) && ask.Closing != nil && ask.Closing.By.MaybeMe &&
		verdict(ask, f.answer) == NotKnown
}

// askAgain sends the answer to its closed ask once more, to learn whether it was this
// one that closed it. It reports whether that settles it.
func (b *Inbox) askAgain(f *flight, ask *client.Ask) bool {
	got, err := b.give(f, ask)
	var closed *client.Closed
	switch {
	case err == nil:
		b.confirmed(f, ask, retold(filled(got, ask), func(c *client.Closing) { c.By.Me, c.By.MaybeMe = true, false }))
	case errors.As(err, &closed) && closed.Ask != nil && closed.Ask.Status.Closed():
		b.end(f, ask, closed.Ask, TooLate)
	default:
		return false
	}
	return true
}

// decided reports whether another attempt settles the first one too. That the
// relay could not be reached, or takes nothing for a while, says nothing of it.
func decided(err error) bool {
	var (
		unreachable *client.Unreachable
		limited     *client.RateLimited
		refused     *client.TokenRefused
		not         *client.NotFound
		over        *client.Closed
	)
	if errors.As(err, &over) {
		// That it is gone may be what the first attempt did.
		return over.Ask != nil && over.Ask.Status.Closed() && over.Ask.Status != client.Gone
	}
	return !uncertain(err) && !errors.As(err, &unreachable) && !errors.As(err, &limited) &&
		!errors.As(err, &refused) && !errors.As(err, &not)
}

// settled folds in what the relay says of the ask, and reports whether that
// settles the answer.
func (b *Inbox) settled(f *flight, ask, got *client.Ask, began uint64, err error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.publish()
	var not *client.NotFound
	switch {
	case f.over():
		return true
	case errors.As(err, &not):
		got = ended(ask, client.Gone, goneWithOur)
	case err != nil:
		return false
	}
	if got.Status.Closed() {
		// The answer may be what closed it, so that a list which has it lags behind.
		began = b.tick()
	}
	b.fold(f.relay, news{asks: []*client.Ask{got}, single: true, began: began})
	if f.over() {
		return true
	}
	if it := b.closed.Find(f.ref); it != nil {
		// An event told of the end while the answer was on its way.
		now := b.judge(f, it.Ask, verdict(it.Ask, f.answer))
		b.edit(f.ref, func(it *Item) { it.Ask, it.Flight = now, f.view() })
		return true
	}
	if _, it := b.item(f.ref); it != nil && (it.Digest != f.digest || f.other != nil) {
		b.outcome(f, NotKnown, f.changed(it), it.Ask)
		return true
	}
	return false
}

func (b *Inbox) isOver(f *flight) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return f.over()
}

// giveUp ends the checking of what could not be settled.
func (b *Inbox) giveUp(f *flight, to FlightState, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !f.over() {
		b.outcome(f, to, why, b.lastSeen(f))
		b.publish()
	}
}

// conclude ends a flight with the relay's word.
func (b *Inbox) conclude(f *flight, ask, got *client.Ask, err error) {
	var (
		closed *client.Closed
		not    *client.NotFound
	)
	switch {
	case err == nil:
		b.confirmed(f, ask, got)
	case errors.As(err, &closed):
		b.beaten(f, ask, closed.Ask, closed.Why)
	case errors.As(err, &not):
		b.beaten(f, ask, nil, err.Error())
	default:
		b.refuse(f, err)
	}
}

// refuse ends a flight that the relay did not take, and lists the relay anew:
// what it refused may not be there any more as it was shown.
func (b *Inbox) refuse(f *flight, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch _, it := b.item(f.ref); {
	case f.over():
	case it == nil:
		b.tooLate(f)
	default:
		b.outcome(f, Refused, plain(err), b.lastSeen(f))
	}
	signal(f.relay.wake)
	b.publish()
}

// confirmed ends a flight that the relay took. What it says of the closed ask
// counts: where that is not this answer, the answer came too late.
func (b *Inbox) confirmed(f *flight, ask, got *client.Ask) {
	now := filled(got, ask)
	if !fits(now, f.answer) || alike(now, now.Closing, f.answer) == no {
		b.end(f, ask, now, TooLate)
		return
	}
	b.end(f, ask, retold(now, func(c *client.Closing) {
		if c.By.Type == client.ActorUnknown && c.By.Name.Empty() && c.By.ID == "" {
			c.By = client.Actor{Type: client.ActorUser, Me: true}
		}
		if len(c.Answer) == 0 {
			c.Decision, c.Answer = f.answer.Decision, ask.AnswerLines(f.answer)
		}
	}), Done)
}

// beaten ends a flight that found its ask closed, and learns how it closed.
func (b *Inbox) beaten(f *flight, ask, got *client.Ask, why string) {
	if got == nil || !got.Status.Closed() {
		read, _, err := b.get(b.sends, f.relay, ask, sendLimit)
		var not *client.NotFound
		switch {
		case err == nil && read.Status.Closed():
			got = read
		case err == nil:
			// The relay refuses the answer and has the ask open: its word is for later.
			b.refuse(f, errors.New("the relay did not take the answer and has the ask as open; read it and try again"))
			return
		case errors.As(err, &not) && why == "":
			b.locked(func() { got = f.relay.unlisted(ask) })
		default:
			got = ended(ask, client.Gone, why)
		}
	}
	to := TooLate
	b.locked(func() {
		if f.state == Checking {
			// What it was beaten by may be the first attempt of its own.
			to = verdict(filled(got, ask), f.answer)
		}
	})
	b.end(f, ask, got, to)
}

// end ends a flight together with its ask, of which the relay's reply told.
func (b *Inbox) end(f *flight, ask, got *client.Ask, to FlightState) {
	now := filled(got, ask)
	now.Ref = ask.Ref
	b.locked(func() {
		if f.over() {
			return
		}
		now = b.judge(f, now, to)
		b.fold(f.relay, news{asks: []*client.Ask{now}, single: true, began: b.tick()})
		// An event may have told of the end before the reply did.
		if it := b.closed.Find(f.ref); it != nil && (it.Ask.Status != now.Status || it.Ask.Closing != now.Closing) {
			b.edit(f.ref, func(it *Item) { it.Ask, it.Flight = now, f.view() })
		}
		b.publish()
	})
}
