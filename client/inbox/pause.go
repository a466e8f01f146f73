package inbox

import (
	"context"
	"errors"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// pauseLimit is how long a pause or resume is followed to its end.
const pauseLimit = 2 * time.Minute

// The words while a pause or resume is under way.
const (
	pausing  = "pausing the session"
	resuming = "resuming the session"
)

// pause begins to pause or resume a session. It is called with the lock held.
func (b *Inbox) pause(ref client.Ref, resume bool) error {
	if b.ended {
		return errClosing
	}
	r, it := b.item(ref)
	if it == nil {
		return &client.Closed{Why: "the ask is not open any more"}
	}
	p, ok := r.Relay.(client.Pauser)
	switch s := it.Ask.Session; {
	case !ok:
		return errors.New("this relay cannot pause a session")
	case r.pausing[ref.Session]:
		return errors.New("a pause or resume of this session is already under way")
	case resume && !s.CanResume:
		return errors.New("this session cannot be resumed here")
	case !resume && !s.CanPause:
		return errors.New("this session cannot be paused here")
	}
	words := pausing
	if s := it.Ask.Session; resume {
		words = resuming
	} else if s.PauseEffect != "" {
		words += ": " + s.PauseEffect
	}
	r.pausing[ref.Session] = true
	b.say(r, ref.Session, words)
	b.publish()
	ask := it.Ask
	b.background(&b.polling, func() { b.followPause(r, p, ask, resume) })
	return nil
}

func (b *Inbox) followPause(r *relay, p client.Pauser, ask *client.Ask, resume bool) {
	ctx, cancel := context.WithTimeout(b.polls, pauseLimit)
	defer cancel()
	var came string
	err := b.guard(r, func() (err error) {
		came, err = p.Pause(ctx, ask, resume)
		return err
	})
	if b.polls.Err() != nil {
		return
	}
	if err != nil {
		came = text.Sentence(err.Error())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(r.pausing, ask.Ref.Session)
	b.say(r, ask.Ref.Session, came)
	signal(r.wake) // the session is another one now, and its asks may offer other things
	b.publish()
}

// say puts words about a pause on all open asks of a session.
func (b *Inbox) say(r *relay, session string, words string) {
	changes := map[client.Ref]*Item{}
	r.list.each(func(it *Item) {
		if it.Ask.Ref.Session == session && it.Pausing != words {
			c := *it
			c.Pausing = words
			changes[c.Ask.Ref] = &c
		}
	})
	if len(changes) > 0 {
		r.list = r.list.change(changes, r.list.paired(news{}))
	}
}
