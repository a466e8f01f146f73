package inbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"askbox/client"
)

// Words for asks that end without the relay saying why.
const (
	gone        = "it is not open any more; the relay does not say why"
	goneWithOur = "it is not open any more; the relay does not say whether your answer did it"
)

// Looking for how missing asks closed.
const (
	maxLookups  = 64 // at once; what is missing beyond is not asked for one by one
	lookupTries = 3
	lookupAgain = 30 * time.Second // where the relay lists an ask as closed and reads it as open
)

// lookup is an ask that is open here and missing in a listing, or closed here and
// listed all the same: the relay is asked for it alone.
type lookup struct {
	ask     *client.Ask
	open    bool // here
	running bool
	failed  int
	next    time.Time
}

// fold folds news of a relay into the state, and does what follows from them. It
// is called with the lock held.
func (b *Inbox) fold(r *relay, n news) {
	n.relay, n.ended = r.Name, b.tick()
	next, out := fold(r.list, n)
	r.list = next
	for _, ref := range out.reopened {
		b.reopen(ref)
	}
	for _, it := range out.opened {
		b.reopen(it.Ask.Ref)
	}
	for _, c := range out.closed {
		b.close(r, c)
	}
	for _, it := range out.changed {
		b.changedUnder(b.flights[it.Ask.Ref], it)
	}
	for _, a := range out.older {
		b.outrun(a.Ref, a, n.began)
	}
	if n.single {
		return
	}
	now := make(map[client.Ref]*lookup, len(out.missing)+len(out.relisted))
	for ref, l := range r.lookups {
		if !n.covered(l.ask) {
			now[ref] = l
		}
	}
	believed := append(b.missing(r, now, out.missing), b.relisted(r, now, out.relisted)...)
	r.lookups = now
	if len(believed) > 0 {
		b.fold(r, news{asks: believed, single: true, began: b.tick()})
		signal(r.wakeClosed)
	}
}

// relisted asks for each ask that a listing has although it closed, whether it is
// open after all. It returns those of which nobody can say: the list is believed,
// because nothing that waits may be missing.
func (b *Inbox) relisted(r *relay, now map[client.Ref]*lookup, listed []*client.Ask) (believed []*client.Ask) {
	for _, a := range listed {
		l := r.lookup(now, a, false)
		switch {
		case l.running, time.Now().Before(l.next):
		case l.failed >= lookupTries:
			believed = append(believed, a)
		default:
			b.startLookup(r, l)
		}
	}
	return believed
}

// lookup returns what is known of the lookups of an ask, and keeps it.
func (r *relay) lookup(now map[client.Ref]*lookup, ask *client.Ask, open bool) *lookup {
	l := r.lookups[ask.Ref]
	if l == nil || l.open != open {
		l = &lookup{open: open}
	}
	l.ask = ask
	now[ask.Ref] = l
	return l
}

func (b *Inbox) startLookup(r *relay, l *lookup) {
	l.running = true
	ask := l.ask
	b.background(&b.polling, func() { b.lookUp(r, ask, l) })
}

// reopen takes the relay's word that an ask is open after all.
func (b *Inbox) reopen(ref client.Ref) {
	if it := b.closed.Find(ref); it != nil && it.Flight != nil && it.Flight.State == Done {
		b.notice(fmt.Sprintf("%s is open again: the relay says so, though it confirmed your answer", ref))
	} else if it != nil {
		b.notice(fmt.Sprintf("%s is open again: the relay says so, though it was closed before", ref))
	}
	b.dropClosed(ref)
	if f := b.flights[ref]; f != nil && f.over() {
		delete(b.flights, ref)
	} else if f != nil {
		b.show(f)
	}
}

// missing asks the relay how the asks closed that a listing lacks. It returns those
// that it is not asked about, as closed in a way that nobody says.
func (b *Inbox) missing(r *relay, now map[client.Ref]*lookup, items []*Item) (believed []*client.Ask) {
	running := 0
	for _, l := range r.lookups {
		if l.running {
			running++
		}
	}
	for _, it := range items {
		l := r.lookup(now, it.Ask, true)
		switch {
		case l.running, b.settles(it.Ask.Ref), time.Now().Before(l.next):
		case it.Ask.Unreadable != "", l.failed >= lookupTries, running >= maxLookups:
			believed = append(believed, ended(it.Ask, client.Gone, gone))
		default:
			running++
			b.startLookup(r, l)
		}
	}
	return believed
}

// settles reports whether an answer is under way that learns by itself how the ask closed.
func (b *Inbox) settles(ref client.Ref) bool {
	f := b.flights[ref]
	return f != nil && (f.state == Sending || f.state == Checking)
}

// lookUp reads one missing ask, a few of a relay at a time.
func (b *Inbox) lookUp(r *relay, ask *client.Ask, l *lookup) {
	select {
	case r.aside <- struct{}{}:
		defer func() { <-r.aside }()
	case <-b.polls.Done():
		return
	}
	got, began, err := b.get(b.polls, r, ask)
	b.mu.Lock()
	defer b.mu.Unlock()
	l.running, l.next = false, time.Now().Add(lookupAgain)
	if b.polls.Err() != nil {
		return
	}
	var not *client.NotFound
	switch {
	case errors.As(err, &not):
		b.fold(r, news{asks: []*client.Ask{ended(ask, client.Gone, gone)}, single: true, began: began})
	case err != nil:
		l.failed, l.next = l.failed+1, time.Time{}
	default:
		b.fold(r, news{asks: []*client.Ask{got}, single: true, began: began})
	}
	b.publish()
}

// get reads one ask. The moment is that before the relay was asked.
func (b *Inbox) get(ctx context.Context, r *relay, ask *client.Ask) (got *client.Ask, began uint64, err error) {
	return b.read(ctx, r, ask, sendLimit)
}

// read is get with a limit of time.
func (b *Inbox) read(parent context.Context, r *relay, ask *client.Ask, limit time.Duration) (got *client.Ask, began uint64, err error) {
	began = b.tick()
	ctx, cancel := context.WithTimeout(parent, limit)
	defer cancel()
	err = b.guard(r, func() (err error) {
		got, err = r.Relay.Get(ctx, ask)
		return err
	})
	if err == nil && got == nil {
		err = &client.NotFound{}
	}
	if err == nil && another(got, ask) {
		return nil, began, &client.Failed{Why: "it gave another ask than the one that was asked for"}
	}
	if got != nil && got.Ref != ask.Ref {
		c := *got
		c.Ref = ask.Ref
		got = &c
	}
	return got, began, err
}

// another reports whether a relay told of another ask than it was asked about.
// The name of the relay is the configuration's, and no word of the relay.
func another(got, ask *client.Ask) bool {
	return got.ID != ask.ID || got.Ref.Session != ask.Ref.Session
}

// ended returns a copy of an ask that is over, with the program's words for how.
func ended(ask *client.Ask, how client.Status, note string) *client.Ask {
	c := *ask
	c.Status, c.Closing = how, &client.Closing{Note: note}
	return &c
}

// filled returns a closed ask with what the open one knew and the relay did not
// repeat when it told of the end.
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
		// It was told of before; what is told now may say more.
		b.retell(before, c.ask)
		return
	} else if c.again || bare(c.ask) {
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

// retell takes a better word on how an ask closed, and what is told of its content.
func (b *Inbox) retell(before *Item, ask *client.Ask) {
	now, f := before.Ask, b.flights[ask.Ref]
	if before.Ask.Status == client.Gone && ask.Status != client.Gone {
		now = filled(ask, before.Ask)
	}
	differs := false
	if f != nil && f.differs == nil && (f.state == Done || f.state == NotKnown) && verdict(ask, f.answer) != TooLate {
		if f.compare(ask); f.other != nil || now != before.Ask {
			now = b.asShown(f, now)
		}
		differs = f.differs != nil
	}
	if now == before.Ask {
		return
	}
	b.edit(ask.Ref, func(it *Item) { it.Ask = now })
	if differs {
		b.show(f)
	}
	if differs && f.state == Done {
		e := b.remember(f, now)
		b.background(&b.flying, func() { b.write(e) })
	}
}
