package inbox

import (
	"errors"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
)

// checkFor is how long the relay is asked what became of an answer whose reply was lost.
const checkFor = 2 * time.Minute

// check learns what became of an answer whose reply was lost. While the ask is
// still open the same answer is sent once more, and only once.
func (b *Inbox) check(f *flight, ask *client.Ask, lost error) {
	b.locked(func() {
		b.turn(f, Checking, lost)
		b.publish()
	})
	until := time.Now().Add(checkFor)
	pause := newBackoff(time.Second, 15*time.Second)
	resend := true
	for b.sends.Err() == nil && !b.isOver(f) {
		got, began, err := b.get(b.sends, f.relay, ask, sendLimit)
		if b.settled(f, ask, got, began, err) {
			return
		}
		if err == nil && resend {
			resend = false
			got, err := b.give(f, ask)
			if decided(got, err) {
				b.conclude(f, ask, got, err)
				return
			}
		}
		if time.Now().After(until) {
			b.giveUp(f, lost)
			return
		}
		timer := time.NewTimer(pauseOf(pause))
		select {
		case <-timer.C:
		case <-f.stop: // the ask was told to be closed, or the answer is settled
		case <-b.sends.Done():
		}
		timer.Stop()
	}
}

// decided reports whether the second attempt settles the first one too. That the
// relay could not be reached, or takes nothing for a while, says nothing of it.
func decided(got *client.Ask, err error) bool {
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
	return !uncertain(got, err) && !errors.As(err, &unreachable) && !errors.As(err, &limited) &&
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
		now := b.judge(f, it.Ask)
		b.edit(f.ref, func(it *Item) { it.Ask = now })
		b.show(f)
		return true
	}
	if _, it := b.item(f.ref); it != nil && (it.Digest != f.digest || f.other != nil) {
		b.turn(f, NotKnown, f.changed(it))
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
func (b *Inbox) giveUp(f *flight, lost error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !f.over() {
		b.turn(f, NotKnown, lost)
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
		b.turn(f, Refused, plain(err))
	}
	signal(f.relay.wake)
	b.publish()
}

// confirmed ends a flight that the relay took. What it says of the closed ask
// counts: where that is not this answer, the answer came too late.
func (b *Inbox) confirmed(f *flight, ask, got *client.Ask) {
	now := filled(got, ask)
	now.Ref = ask.Ref
	if !fits(now.Status, f.answer) || alike(now, now.Closing, f.answer) == no {
		b.end(f, now, TooLate)
		return
	}
	c := *now.Closing
	if c.By.Type == client.ActorUnknown && c.By.Name.Empty() && c.By.ID == "" {
		c.By = client.Actor{Type: client.ActorUser, Me: true}
	}
	if len(c.Answer) == 0 {
		c.Decision, c.Answer = f.answer.Decision, ask.AnswerLines(f.answer)
	}
	now.Closing = &c
	b.end(f, now, Done)
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
	now := filled(got, ask)
	now.Ref = ask.Ref
	to := TooLate
	b.locked(func() {
		if f.state == Checking {
			// What it was beaten by may be the first attempt of its own.
			to = verdict(now, f.answer)
		}
	})
	b.end(f, now, to)
}

// end ends a flight together with its ask, and writes down what was answered here.
func (b *Inbox) end(f *flight, now *client.Ask, to FlightState) {
	var e *history.Entry
	b.locked(func() {
		if f.over() {
			return
		}
		var err error
		switch {
		case to == TooLate:
			err = &client.Closed{Ask: now}
		case to == NotKnown && sameAnswer(now, f.answer):
			err = ErrSame
		case to == NotKnown:
			err = f.err
		}
		if to == Done || to == NotKnown {
			now = b.asShown(f, now)
		}
		b.turn(f, to, err)
		b.fold(f.relay, news{asks: []*client.Ask{now}, single: true, began: b.tick()})
		// An event may have told of the end before the reply did.
		if it := b.closed.Find(f.ref); it != nil && it.Ask.Status != now.Status || it != nil && it.Ask.Closing != now.Closing {
			b.edit(f.ref, func(it *Item) { it.Ask, it.Flight = now, f.view() })
		}
		if to == Done {
			e = b.remember(f, now)
		}
		b.publish()
	})
	if e != nil {
		b.write(e)
	}
}

// remember puts what was answered here into the list of the last day at once.
func (b *Inbox) remember(f *flight, ask *client.Ask) *history.Entry {
	e := entry(ask, f.relay.skew)
	if f.differs != nil {
		here, there := f.shown.Difference(f.differs)
		e.Shown, e.Told = history.Short(here), history.Short(there)
		e.Note = strings.TrimPrefix(e.Note+"; "+Differ, "; ")
	}
	e.Here, e.ByMe, e.At = true, true, wall(f.at)
	b.day.learn(e, fromHere)
	return e
}

// write puts what was answered here on disk. It is called without the lock,
// because disks wait.
func (b *Inbox) write(e *history.Entry) {
	if b.opt.History == nil {
		return
	}
	if err := b.opt.History.Append(*e); err != nil {
		b.log.Error("the history was not written", "why", err)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.notice("The answer arrived, but it could not be written to the history: " + text.Cut(text.Sentence(err.Error()), 200))
		b.publish()
	}
}

// closedUnder settles a flight whose ask is told to be closed while the answer is
// on its way, and returns the ask as it is shown. It is called with the lock held,
// before the item shows the flight.
func (b *Inbox) closedUnder(f *flight, ask *client.Ask) *client.Ask {
	switch f.state {
	case Held:
		close(f.stop)
		f.state, f.err, f.at = TooLate, &client.Closed{Ask: ask}, time.Now()
	case Checking, NotKnown:
		if ask.Closing != nil && ask.Closing.Untold {
			ask = ended(ask, client.Gone, goneWithOur)
		}
		return b.judge(f, ask)
	case Refused:
		delete(b.flights, f.ref)
	}
	return ask
}

// judge says what a closed ask means for an answer whose reply was lost, and
// returns the ask as it is shown.
func (b *Inbox) judge(f *flight, ask *client.Ask) *client.Ask {
	was, says := f.state, verdict(ask, f.answer)
	if says != TooLate {
		ask = b.asShown(f, ask)
	}
	switch says {
	case Done:
		f.state, f.err, f.at = Done, nil, time.Now()
		e := b.remember(f, ask)
		b.background(&b.flying, func() { b.write(e) })
	case TooLate:
		f.state, f.err, f.at = TooLate, &client.Closed{Ask: ask}, time.Now()
	default:
		f.state, f.at = NotKnown, time.Now()
		if sameAnswer(ask, f.answer) {
			f.err = ErrSame
		}
	}
	if was == Checking {
		close(f.stop)
	}
	return ask
}
