package inbox

import (
	"time"

	"askbox/client"
)

// Words for asks that end without the relay saying why.
const (
	gone        = "it is not open any more; the relay does not say why"
	goneWithOur = "it is not open any more; the relay does not say whether your answer did it"
)

// ended returns a copy of an ask that is over, with the program's words for how.
func ended(ask *client.Ask, how client.Status, note string) *client.Ask {
	c := *ask
	c.Status, c.Closing = how, &client.Closing{Note: note}
	return &c
}

// lookedOn is how long before its end an ask was last listed as open where it is taken
// to have stayed so until then.
const lookedOn = 30 * time.Second

// unlisted returns an ask as it is once its relay does not list it any more, and does
// not say how it closed. One whose time is over for good expired, where it was seen open
// until about then: an answer may have come first. It is called with the lock held.
func (r *relay) unlisted(ask *client.Ask) *client.Ask {
	seen := r.whole
	if l := r.lookups[ask.Ref]; l != nil && l.open {
		seen = l.seen
	}
	switch {
	case !ask.RunOut(time.Now().Add(r.skew)):
		return ended(ask, client.Gone, gone)
	case seen.IsZero() || ask.Expires.Sub(seen.Add(r.skew)) > lookedOn:
		return ended(ask, client.Gone, "it is not open any more: "+ask.ExpiredWords+", unless somebody answered it before")
	}
	over := ended(ask, client.Expired, ask.ExpiredWords)
	over.Closing.At, over.Closing.Untold = ask.Expires, true
	return over
}

// filled returns a closed ask with what the open one knew and the relay did not
// repeat when it said how it ended.
func filled(ask, open *client.Ask) *client.Ask {
	c := *ask
	if open != nil {
		if bare(&c) {
			asks(&c, open)
		}
		if c.Session.Title.Empty() && c.Session.Starter == client.StarterUnknown {
			c.Session = open.Session
		}
		c.Waits = c.Waits || open.Waits
		if c.AskedBy == nil {
			c.AskedBy = open.AskedBy
		}
		if c.Paired == "" {
			c.Paired = open.Paired
		}
		if c.Private == nil {
			c.Private = open.Private
		}
	}
	if c.Closing == nil {
		c.Closing = &client.Closing{}
	}
	return &c
}

// bare reports whether a telling of an ask leaves out what it asks for.
func bare(a *client.Ask) bool {
	return a.Approval == nil && len(a.Questions) == 0 && a.Secret == nil && len(a.Fields) == 0 && a.Unreadable == ""
}

// close moves an ask from the open ones to the closed ones, and settles what was
// on its way to it.
func (b *Inbox) close(r *relay, c closed) {
	ref := c.ask.Ref
	var open *client.Ask
	it := &Item{}
	if c.item != nil {
		open = c.item.Ask
		*it = *c.item
	} else if before := b.closed.Find(ref); before != nil {
		// It is known to be closed; what comes now may say more.
		b.amend(before, c.ask)
		return
	} else if c.known || bare(c.ask) {
		return // nobody has seen it
	}
	it.Ask = filled(c.ask, open)
	it.Digest, it.Pausing = it.Ask.Digest(), ""
	if f := b.flights[ref]; f != nil {
		f.compare(it.Ask)
		it.Ask = b.closedUnder(f, it.Ask)
	}
	if it.Flight = nil; b.flights[ref] != nil {
		it.Flight = b.flights[ref].view()
	}
	if c.item != nil {
		b.keepClosed(it)
	}
	if it.Flight == nil || it.Flight.State != Done {
		b.closedHere(r, it.Ask)
	}
}

// asks lets an ask ask for what another one does.
func asks(a, of *client.Ask) {
	a.Kind, a.KindName, a.Unreadable = of.Kind, of.KindName, of.Unreadable
	a.Approval, a.Questions, a.Secret, a.Fields, a.Extra = of.Approval, of.Questions, of.Secret, of.Fields, of.Extra
	a.Waits, a.Opened, a.Expires, a.ExpiredWords = of.Waits, of.Opened, of.Expires, of.ExpiredWords
}

// amend takes a better word on how an ask closed, on what came after, and what it says of
// the content.
func (b *Inbox) amend(before *Item, ask *client.Ask) {
	now, f := before.Ask, b.flights[ask.Ref]
	switch {
	case before.Ask.Status == client.Gone && ask.Status != client.Gone:
		now = filled(ask, before.Ask)
		if f != nil && f.state == NotKnown && !now.Closing.Untold {
			now = b.judge(f, now, verdict(now, f.answer))
		}
	case ask.Closing != nil && ask.Closing.After > before.Ask.Closing.After:
		now = retold(now, func(c *client.Closing) { c.After = ask.Closing.After })
	}
	differs := false
	if f != nil && f.differs == nil && (f.state == Done || f.state == NotKnown) && verdict(ask, f.answer) != TooLate {
		if f.compare(ask); f.other != nil || now.Status != before.Ask.Status {
			now = b.asShown(f, now)
		}
		differs = f.differs != nil
	}
	if now == before.Ask {
		return
	}
	b.edit(ask.Ref, func(it *Item) {
		it.Ask = now
		if f != nil {
			it.Flight = f.view()
		}
	})
	if differs && f.state == Done {
		b.outcome(f, Done, nil, now)
	}
}

// askedAgain takes down for the answers from here that the session asks something more.
func (b *Inbox) askedAgain(ask *client.Ask) {
	b.became(ask.Relay, ask.Ref.Session, client.AfterAskedAgain, func(shown *client.Ask, c *client.Closing) bool {
		return sameAt(shown.AskedBy, ask.AskedBy) && ask.Opened.After(c.At) && !c.At.IsZero()
	})
}

// became takes down for the answers from here to asks of a session that fit what its
// agent did since. What was told first counts: the rest follows from other things.
func (b *Inbox) became(relay, session string, what client.After, fits func(shown *client.Ask, c *client.Closing) bool) {
	for ref, f := range b.flights {
		if f.state != Done || ref.Relay != relay || ref.Session != session {
			continue
		}
		it := b.closed.Find(ref)
		if it == nil || it.Ask.Closing.After != client.AfterUnknown || fits != nil && !fits(f.shown, it.Ask.Closing) {
			continue
		}
		now := retold(it.Ask, func(c *client.Closing) { c.After = what })
		b.edit(ref, func(it *Item) { it.Ask = now })
		b.day.after(ref, what)
	}
}

// retold returns a copy of a closed ask whose end is told in another way.
func retold(ask *client.Ask, change func(*client.Closing)) *client.Ask {
	now, c := *ask, *ask.Closing
	change(&c)
	now.Closing = &c
	return &now
}
