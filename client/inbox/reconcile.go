package inbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"askbox/client"
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
	open    bool      // here
	seen    time.Time // when a whole list that had it was asked for, where it is open here
	running bool
	failed  int
	next    time.Time
}

// fold folds news of a relay into the state, and does what follows from them. It
// is called with the lock held.
func (b *Inbox) fold(r *relay, n news) {
	n.relay, n.ended = r.Name, b.tick()
	next, out := fold(r.list, n)
	if !n.single && len(out.opened) > 0 && r.heard < r.list.listed && !r.untold {
		// The stream told nothing since the listing before, though something opened: it
		// slows no poll until it tells something again.
		r.state.Live = false
	}
	r.list = next
	for _, ref := range out.reopened {
		b.reopen(ref)
	}
	for _, it := range out.opened {
		b.reopen(it.Ask.Ref)
		b.askedAgain(it.Ask)
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
	if believed := b.resolve(r, &n, &out); len(believed) > 0 {
		b.fold(r, news{asks: believed, single: true, began: b.tick()})
		signal(r.wakeClosed)
	}
}

// resolve asks a relay for each ask of which a listing says another thing than is
// known here: how those closed that it lacks, and whether those are open after all
// that closed and that it has. It returns the asks about which the relay is not asked,
// or was often enough, as the listing has them: nothing that waits may be missing.
func (b *Inbox) resolve(r *relay, n *news, out *outcome) (believed []*client.Ask) {
	now := make(map[client.Ref]*lookup, len(out.missing)+len(out.relisted))
	running := 0
	for ref, l := range r.lookups {
		if !n.covered(l.ask) {
			now[ref] = l
		}
		if l.running && l.open {
			running++
		}
	}
	resolve := func(a *client.Ask, open bool) {
		l := r.lookups[a.Ref]
		if l == nil || l.open != open {
			l = &lookup{open: open, seen: r.listedLast(n)}
		}
		l.ask, now[a.Ref] = a, l
		switch {
		case l.running, time.Now().Before(l.next), open && b.settles(a.Ref):
		case open && (a.Unreadable != "" || l.failed >= lookupTries || running >= maxLookups):
			believed = append(believed, r.unlisted(a))
		case !open && l.failed >= lookupTries:
			believed = append(believed, a)
		default:
			l.running = true
			if open {
				running++
			}
			b.background(&b.polling, func() { b.lookUp(r, a, l) })
		}
	}
	for _, it := range out.missing {
		resolve(it.Ask, true)
	}
	for _, a := range out.relisted {
		resolve(a, false)
	}
	r.lookups = now
	return believed
}

// listedLast is when the last whole listing before some news was asked for.
func (r *relay) listedLast(n *news) time.Time {
	if n.whole() {
		return r.before
	}
	return r.whole
}

// reopen takes the relay's word that an ask is open after all.
func (b *Inbox) reopen(ref client.Ref) {
	if it := b.closed.Find(ref); it != nil && it.Flight != nil && it.Flight.State == Done {
		b.notice(ref, fmt.Sprintf("%s is open again: the relay says so, though it confirmed your answer", ref))
	} else if it != nil {
		b.notice(ref, fmt.Sprintf("%s is open again: the relay says so, though it was closed before", ref))
	}
	b.dropClosed(ref)
	b.day.reopened(ref)
	if f := b.flights[ref]; f != nil && f.over() {
		delete(b.flights, ref)
		b.miss(f)
	} else if f != nil {
		b.show(f)
	}
}

// settles reports whether an answer is under way that learns by itself how the ask closed.
func (b *Inbox) settles(ref client.Ref) bool {
	f := b.flights[ref]
	return f != nil && (f.state == Sending || f.state == Checking)
}

// lookUp reads one missing ask, a few of a relay at a time.
func (b *Inbox) lookUp(r *relay, ask *client.Ask, l *lookup) {
	select {
	case r.reads <- struct{}{}:
		defer func() { <-r.reads }()
	case <-b.polls.Done():
		return
	}
	got, began, err := b.get(b.polls, r, ask, sendLimit)
	b.mu.Lock()
	defer b.mu.Unlock()
	l.running, l.next = false, time.Now().Add(lookupAgain)
	if b.polls.Err() != nil {
		return
	}
	var not *client.NotFound
	switch {
	case errors.As(err, &not):
		b.fold(r, news{asks: []*client.Ask{r.unlisted(ask)}, single: true, began: began})
	case err != nil:
		l.failed, l.next = l.failed+1, time.Time{}
	default:
		b.fold(r, news{asks: []*client.Ask{got}, single: true, began: began})
	}
	b.publish()
}

// get reads one ask within a limit of time. The moment is that before the relay was
// asked.
func (b *Inbox) get(parent context.Context, r *relay, ask *client.Ask, limit time.Duration) (got *client.Ask, began uint64, err error) {
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
