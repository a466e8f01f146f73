package inbox

import (
	"errors"
	"fmt"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
)

// outcome ends a flight, with its ask as it is shown: it stands in the history as an
// answer or as an attempt, and what did not count is said. It is called with the lock held.
func (b *Inbox) outcome(f *flight, to FlightState, err error, ask *client.Ask) {
	again := f.state == to
	b.turn(f, to, err)
	e := b.remember(f, ask)
	if to != Done && !again {
		b.notice(f.ref, f.missedWords(ask))
	}
	b.background(&b.flying, func() { b.write(e) })
}

// remember puts what was answered here, or was tried, into the list of the last day.
func (b *Inbox) remember(f *flight, ask *client.Ask) *history.Entry {
	if f.state != Done {
		e := f.attempted(ask)
		b.day.learn(e, fromAttempt)
		return e
	}
	e := f.entry(ask)
	e.Here, e.ByMe, e.At = true, true, wall(f.at)
	if f.differs == nil && f.answer.Decision != client.NoDecision {
		e.Answer.Decision, e.Same = f.answer.Decision, f.shown.Sameness(f.relay.Kind)
	}
	b.day.learn(e, fromHere)
	return e
}

// attempted is how an answer stands in the history that is not known to have counted.
func (f *flight) attempted(ask *client.Ask) *history.Entry {
	e := f.entry(ask)
	e.What, e.Tried = history.Short(f.shown.What()), f.attempt()
	if !ask.Status.Closed() || e.At.IsZero() {
		e.At = wall(f.at)
	}
	return e
}

func (f *flight) entry(ask *client.Ask) *history.Entry {
	e := entry(ask, f.relay.skew)
	if f.differs != nil {
		here, there := f.shown.Difference(f.differs)
		e.Shown, e.Told = history.Short(here), history.Short(there)
		e.Note = joinWords(e.Note, Differ)
	}
	return e
}

// attempt is an answer that is not known to have counted, as the history keeps it.
func (f *flight) attempt() *history.Attempt {
	t := &history.Attempt{Answer: history.AnswerTo(f.shown, f.answer), At: wall(f.at), End: history.NotSent}
	switch {
	case f.state == TooLate:
		t.End = history.TooLate
	case f.state == Refused && f.sent:
		t.End = history.Refused
	case f.state != Refused && f.sent:
		t.End = history.NotKnown
	}
	var closed *client.Closed
	if f.err != nil && (!errors.As(f.err, &closed) || closed.Ask == nil) {
		t.Why, t.Said = client.Apart(f.err)
	}
	return t
}

// missedWords says of an answer that did not count, or is not known to have, how that came.
func (f *flight) missedWords(ask *client.Ask) string {
	act := f.answer.Action().String()
	what := ask.What().Quoted(60)
	why, said := client.Apart(f.err)
	if !said.Empty() {
		why += "; it says " + said.Quoted(60)
	}
	switch f.state {
	case TooLate:
		if ask.Status.Closed() {
			why = "it was " + ask.EndedBy()
		}
		return fmt.Sprintf("Too late, your answer (%s) did not count: %s · %s", act, why, what)
	case Refused:
		if !f.sent {
			return fmt.Sprintf("Nothing was sent (%s): %s · %s", act, why, what)
		}
		return fmt.Sprintf("Your answer (%s) was not taken: %s · %s", act, why, what)
	}
	return fmt.Sprintf("Not known whether your answer (%s) arrived: %s", act, what)
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
		b.notice(client.Ref{}, "What became of an answer could not be written to the history: "+text.Cut(text.Sentence(err.Error()), 200))
		b.publish()
		return
	}
	b.readHistory()
}

// lastSeen returns the ask of a flight as it is known now.
func (b *Inbox) lastSeen(f *flight) *client.Ask {
	if _, it := b.item(f.ref); it != nil {
		return it.Ask
	}
	if it := b.closed.Find(f.ref); it != nil {
		return it.Ask
	}
	return f.shown
}

// closedUnder settles a flight whose ask is told to be closed while the answer is
// on its way, and returns the ask as it is shown. It is called with the lock held,
// before the item shows the flight.
func (b *Inbox) closedUnder(f *flight, ask *client.Ask) *client.Ask {
	var open *StillOpen
	switch {
	case f.state == Held:
		return b.judge(f, ask, TooLate)
	case f.state == Checking && f.unclear(ask):
		// The answer itself learns whose it was.
	case f.state == Checking, f.state == NotKnown, f.state == Refused && errors.As(f.err, &open):
		if ask.Closing != nil && ask.Closing.Untold {
			ask = ended(ask, client.Gone, goneWithOur)
		}
		return b.judge(f, ask, verdict(ask, f.answer))
	}
	return ask
}

// judge ends a flight whose ask is closed with what that means for it, and returns the
// ask as it is shown.
func (b *Inbox) judge(f *flight, ask *client.Ask, to FlightState) *client.Ask {
	was, err := f.state, f.err
	switch {
	case to == Done:
		err = nil
	case to == TooLate:
		err = &client.Closed{Ask: ask}
	case sameAnswer(ask, f.answer):
		err = ErrSame
	}
	if to != TooLate {
		ask = b.asShown(f, ask)
	}
	b.outcome(f, to, err, ask)
	if was == Held || was == Checking {
		close(f.stop)
	}
	return ask
}

// joinWords puts two remarks of the program into one.
func joinWords(first, second string) string {
	if first == "" {
		return second
	}
	return first + "; " + second
}
