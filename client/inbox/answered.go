package inbox

import (
	"context"
	"slices"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
)

// Times of the list of what was answered.
const (
	answeredFor   = 24 * time.Hour
	closedEvery   = time.Minute
	answeredAtAll = 5000 // entries; more are not held
)

// answered is what was closed in the last day, and where it is known from. All
// times in it are by this machine's clock.
type answered struct {
	listed map[string][]history.Entry   // by relay, as its listing of closed asks has it
	seen   map[client.Ref]history.Entry // closed while this program looked on
	here   []history.Entry              // from the history
	all    []history.Entry              // merged
	stale  bool                         // all has to be merged anew
}

// closedLoop reads what closed in the last day: once the relay has answered a
// poll, then each minute. It is apart from the polls, so that a long listing
// never delays them.
func (b *Inbox) closedLoop(r *relay) {
	if !b.rest(0, r.wakeClosed) {
		return
	}
	for {
		b.mu.Lock()
		ask := r.state.Reachable
		unknown := r.identity == ""
		b.mu.Unlock()
		if ask {
			if unknown {
				b.learnIdentity(r)
			}
			b.readClosed(r)
		}
		b.readHistory()
		b.locked(func() {
			b.mergeAnswered()
			b.publish()
		})
		if !b.rest(closedEvery, r.wakeClosed) {
			return
		}
	}
}

// learnIdentity asks a relay who it is, to find it again among paired ones.
func (b *Inbox) learnIdentity(r *relay) {
	ctx, cancel := context.WithTimeout(b.polls, sendLimit)
	defer cancel()
	var about client.About
	err := b.guard(r, func() (err error) {
		about, err = r.Relay.About(ctx)
		return err
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil && about.Identity != "" {
		r.identity = about.Identity
	}
}

// readClosed reads the relay's listing of closed asks. What could be read of it
// counts, and a failure leaves the list as it was.
func (b *Inbox) readClosed(r *relay) {
	b.mu.Lock()
	since := time.Now().Add(r.skew - answeredFor)
	began := b.tick()
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(b.polls, readLimit)
	defer cancel()
	var batch client.Batch
	err := b.guard(r, func() (err error) {
		batch, err = r.Relay.Closed(ctx, since)
		return err
	})
	if b.polls.Err() != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.log.Info("closed asks were not read", "relay", r.Name, "why", reason(err))
		if len(batch.Asks) == 0 {
			return
		}
	}
	var entries []history.Entry
	for _, a := range distinct(r.Name, batch.Asks) {
		if !a.Status.Closed() {
			continue
		}
		if before := b.closed.Find(a.Ref); before != nil {
			b.retell(before, a)
		} else if r.lookups[a.Ref] != nil && r.list.find(a.Ref) != nil {
			// The listing of open asks lacks it, and this is how it ended.
			b.fold(r, news{asks: []*client.Ask{a}, single: true, began: began})
		}
		if len(entries) < answeredAtAll {
			entries = append(entries, entry(a, r.skew))
		}
	}
	b.answered.list(r.Name, entries, err == nil && batch.Complete)
}

// readHistory reads what this and other askboxes on this machine answered.
func (b *Inbox) readHistory() {
	if b.opt.History == nil {
		return
	}
	entries, err := b.opt.History.Since(time.Now().Add(-answeredFor))
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.log.Warn("the history was not read", "why", err)
		return
	}
	b.answered.here = entries
	b.mergeAnswered()
	b.publish()
}

// list takes a relay's listing. One that is not whole adds to what was known.
func (a *answered) list(relay string, entries []history.Entry, whole bool) {
	if a.listed == nil {
		a.listed = map[string][]history.Entry{}
	}
	if !whole {
		known := map[client.Ref]bool{}
		for _, e := range entries {
			known[e.Ref] = true
		}
		for _, e := range a.listed[relay] {
			if !known[e.Ref] {
				entries = append(entries, e)
			}
		}
	}
	a.listed[relay] = entries
}

// closing takes an ask that closed while this program looked on. One that is
// just gone says nothing that belongs in a list of what was answered.
func (a *answered) closing(r *relay, ask *client.Ask) {
	if ask.Status == client.Gone {
		return
	}
	e := entry(ask, r.skew)
	if e.At.IsZero() {
		e.At = wall(time.Now())
	}
	a.see(e)
}

func (a *answered) see(e history.Entry) {
	if a.seen == nil {
		a.seen = map[client.Ref]history.Entry{}
	}
	a.seen[e.Ref] = e
	a.stale = true
}

// mergeAnswered puts the list together anew: each ask once, newest first, the
// last day only. The relay's own word on how an ask closed comes before what
// was seen here, and that it was answered here is kept with it.
func (b *Inbox) mergeAnswered() {
	a := &b.answered
	a.stale = false
	oldest := time.Now().Add(-answeredFor)
	byRef := map[client.Ref]history.Entry{}
	add := func(e history.Entry) {
		if !e.At.IsZero() && e.At.Before(oldest) {
			return
		}
		if known, ok := byRef[e.Ref]; ok {
			if known.Here && !e.Here {
				e = asAnswered(e, known)
			}
			e.Here = e.Here || known.Here
			e.ByMe = e.ByMe || known.ByMe && e.How == known.How
			if e.At.IsZero() {
				e.At = known.At
			}
			if len(e.With) == 0 && e.How == known.How {
				e.With = known.With
			}
		}
		byRef[e.Ref] = e
	}
	for _, e := range slices.Backward(a.here) { // the newest of an ask counts
		add(e)
	}
	for ref, e := range a.seen {
		if e.At.Before(oldest) {
			delete(a.seen, ref)
		}
		add(e)
	}
	for _, r := range b.relays {
		for _, e := range a.listed[r.Name] {
			add(e)
		}
	}
	all := make([]history.Entry, 0, len(byRef))
	for _, e := range byRef {
		all = append(all, e)
	}
	slices.SortFunc(all, laterFirst)
	if !slices.EqualFunc(all, a.all, sameEntry) {
		a.all, b.dirty = all, true
	}
}

// asAnswered returns what a relay tells of an ask that was answered here, with what
// was on the screen then, and what the relay has instead beside it.
func asAnswered(told, here history.Entry) history.Entry {
	is := told.What
	told.Kind, told.What, told.Session = here.Kind, here.What, here.Session
	switch {
	case !here.Shown.Empty() || !here.Told.Empty():
		told.Shown, told.Told, told.Note = here.Shown, here.Told, here.Note
	case !is.Empty() && !is.Equal(here.What) && told.How == here.How:
		told.Shown, told.Told, told.Note = here.What, is, Differ
	}
	return told
}

func laterFirst(x, y history.Entry) int {
	if c := y.At.Compare(x.At); c != 0 {
		return c
	}
	return compareRefs(x.Ref, y.Ref)
}

func sameEntry(x, y history.Entry) bool {
	return x.Ref == y.Ref && x.Kind == y.Kind && x.Waited == y.Waited && x.What == y.What &&
		x.Session == y.Session && x.How == y.How && x.By == y.By && x.ByMe == y.ByMe &&
		x.At.Equal(y.At) && slices.EqualFunc(x.With, y.With, text.Text.Equal) && x.Note == y.Note &&
		x.Shown.Equal(y.Shown) && x.Told.Equal(y.Told) && x.Here == y.Here
}

// entry returns what the list of answered asks says of a closed one. Its time is
// moved from the relay's clock to this machine's.
func entry(a *client.Ask, skew time.Duration) history.Entry {
	e := history.Entry{Ref: a.Ref, Kind: a.Kind, Waited: a.Waits, What: short(a.What()), Session: short(a.Session.Title), How: a.Status}
	if c := a.Closing; c != nil {
		e.By, e.ByMe, e.Note = short(c.By.Name), c.By.Me, c.Note
		for _, line := range c.Answer[:min(len(c.Answer), 50)] {
			e.With = append(e.With, short(line))
		}
		if !c.At.IsZero() {
			e.At = wall(c.At.Add(-skew))
		}
	}
	return e
}

// short bounds what the list of answered asks holds of a text, in bytes: the
// list is held in memory and written to disk, and a command can be megabytes.
func short(t text.Text) text.Text {
	const most = 2000
	raw := t.Raw()
	if len(raw) <= most {
		return t
	}
	return text.New(strings.ToValidUTF8(strings.Clone(raw[:most]), "") + "…")
}
