package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/inbox"
	"askbox/client/text"
)

// patience is how long a relay is asked what became of an answer that it did not confirm.
const patience = 30 * time.Second

// notKnown means that an answer was sent and that nobody can say whether it counted.
type notKnown struct {
	shown string
	err   error // may be nil
}

func (e *notKnown) Error() string {
	words := e.shown + ": not known whether it arrived"
	if lost := (*client.Uncertain)(nil); errors.As(e.err, &lost) && errors.Unwrap(e.err) == lost.Err {
		words += ": " + lost.Err.Error()
	} else if e.err != nil {
		words += ": " + e.err.Error()
	}
	return words + "; look with askbox show " + argument(e.shown) + " before you answer it again"
}
func (e *notKnown) Unwrap() error { return e.err }

// send has an inbox of its own send an answer, and returns the ask with what came of it.
// Once the answer is on its way, ctrl+c does not end the wait: it may count, and the
// person has to be told.
func (a *app) send(ctx context.Context, found target, answer client.Answer, how sending) (*inbox.Item, error) {
	name, ref := found.relay.config.Name, found.ask.Ref
	store, noHistory := a.openHistory()
	box := inbox.New(inbox.Options{History: store, Look: how.digest != "",
		Sources: []inbox.Source{{Name: name, Kind: found.relay.config.Type, Relay: found.relay}}})
	box.Learn(name, found.batch)
	if err := box.Send(ref, found.ask.Digest(), answer); err != nil {
		return nil, err
	}
	it := a.await(ctx, box, ref)
	limit := time.Second // for the history
	if !it.Flight.State.Over() {
		limit = 0
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	if err := box.Leave(box.Close(closing, false)); err != nil {
		noHistory = err
	}
	for _, n := range box.Latest().Notices {
		if n.Ref == (client.Ref{}) {
			a.note("%s", n.Text)
		}
	}
	if noHistory != nil {
		a.note("What came of the answer could not be written to the history: %s", text.Sentence(noHistory.Error()))
	}
	return it, nil
}

// openHistory opens the history for what is answered here.
func (a *app) openHistory() (*history.Store, error) {
	dir, err := stateDir()
	if err != nil {
		return nil, err
	}
	return history.Open(dir)
}

// await waits until an answer has come to its end, or for as long as makes sense.
func (a *app) await(ctx context.Context, box *inbox.Inbox, ref client.Ref) *inbox.Item {
	going, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	release := context.AfterFunc(ctx, func() {
		if _, back := box.Undo(ref); back {
			stop()
		}
	})
	defer release()
	it, checking := box.Latest().Find(ref), false
	for after := uint64(0); ; {
		s, err := box.Next(going, after)
		if err != nil {
			return it
		}
		after = s.Number
		if now := s.Find(ref); now != nil && now.Flight != nil {
			it = now
		}
		switch it.Flight.State {
		case inbox.Checking:
			if !checking {
				checking = true
				a.note("The answer is not confirmed. Asking %s what it knows.", ref.Relay)
				defer time.AfterFunc(a.patience, stop).Stop()
			}
		case inbox.Held, inbox.Sending:
		default:
			return it
		}
	}
}

// came tells what came of an answer. It returns an error where it is not known to have counted.
func (a *app) came(found target, shown string, it *inbox.Item) error {
	f := it.Flight
	var (
		changed *inbox.Changed
		open    *inbox.StillOpen
		looked  *inbox.Unread
	)
	switch {
	case f.State == inbox.Done:
		return a.confirm(found, shown, it)
	case f.State == inbox.Held:
		return fmt.Errorf("%s: nothing was sent, because askbox was interrupted", shown)
	case f.State == inbox.TooLate && it.Ask.Status.Closed():
		return &client.Closed{Ask: it.Ask, Why: closedWords(shown, it.Ask)}
	case f.State == inbox.TooLate:
		return fmt.Errorf("%s: %w", shown, f.Err)
	case errors.As(f.Err, &changed) && !changed.Sent:
		return notRead(shown)
	case errors.As(f.Err, &looked):
		return fmt.Errorf("%s could not be read once more, so nothing was sent: %w", shown, &unread{found.relay.config.Name, looked.Err})
	case f.State == inbox.Refused && !errors.As(f.Err, &open):
		return fmt.Errorf("%s: %w", shown, f.Err)
	}
	return &notKnown{shown, f.Err}
}

// closedWords says of an ask that is closed how it closed.
func closedWords(shown string, ask *client.Ask) string {
	words := fmt.Sprintf("%s was already closed and took nothing: %s", shown, ask.EndedBy())
	if c := ask.Closing; c != nil {
		if by, _ := ask.ClosedBy(); by != "" && !c.At.IsZero() {
			words += " at " + c.At.Local().Format("15:04:05")
		}
		for _, line := range c.Answer {
			words += ", " + line.Quoted(80)
		}
	}
	return words
}

// confirm says what the relay confirmed.
func (a *app) confirm(found target, shown string, it *inbox.Item) error {
	answer := it.Flight.Answer
	if it.Flight.Differs != nil {
		return a.differs(it.Ask, it.Flight.Differs, shown, answer)
	}
	p := a.printer(a.now())
	p.say("%s: %s, and %s confirmed it.", shown, answer.Done(), found.relay.config.Name)
	if ask := found.ask; ask.Approval != nil {
		p.quote(ask.What(), text.Exact)
	}
	if c := it.Ask.Closing; c != nil && c.Note != "" && c.Note != found.ask.Offer(answer.Action()).Effect {
		p.say("%s", c.Note)
	}
	return p.err
}

// differs says that the relay took an answer for something else than what was read.
func (a *app) differs(read, taken *client.Ask, shown string, answer client.Answer) error {
	p := a.printer(a.now())
	p.w = a.Err
	p.say("askbox: TAKE CARE: %s was %s, but %s.", shown, answer.Done(), inbox.Differ)
	here, there := read.Difference(taken)
	p.say("What was read:")
	p.quote(here, text.Exact)
	p.say("What the relay says was answered:")
	p.quote(there, text.Exact)
	return &told{errors.New(inbox.Differ)}
}
