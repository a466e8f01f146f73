package inbox

import (
	"context"
	"maps"
	"slices"
	"time"

	"askbox/client"
	"askbox/client/history"
)

// closedEvery is how often the closed asks of a relay are listed, and closedAgain how far
// a listing goes back before the one before it: clocks differ, and listings lag behind.
const (
	closedEvery = time.Minute
	closedAgain = 5 * time.Minute
)

// openFirst is how long the listing of closed asks waits for the first listings of
// open ones, which a person waits for.
const openFirst = 3 * time.Second

// closedLoop reads what closed in the last day: once the relay has answered a
// poll, then each minute. It is apart from the polls, so that a long listing
// never delays them.
func (b *Inbox) closedLoop(r *relay) {
	if !b.rest(0, r.wakeClosed) || !b.rest(openFirst, b.listed) {
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
		b.locked(b.publish)
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
	skew, now := r.skew, time.Now()
	since := now.Add(-answeredFor)
	if r.tells && r.closedUpto.After(since) {
		since = r.closedUpto.Add(-closedAgain)
	}
	began := b.tick()
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(b.polls, readLimit)
	defer cancel()
	var batch client.Batch
	err := b.guard(r, func() (err error) {
		batch, err = r.Relay.Closed(ctx, since.Add(skew))
		return err
	})
	if b.polls.Err() != nil {
		return
	}
	if err != nil {
		b.log.Info("closed asks were not read", "relay", r.Name, "why", reason(err))
	}
	asks := closedOf(r.Name, batch)
	entries := make([]*history.Entry, 0, min(len(asks), heldMost))
	for _, a := range asks[:min(len(asks), heldMost)] {
		entries = append(entries, entry(a, skew))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range asks {
		if before := b.closed.Find(a.Ref); before != nil {
			b.amend(before, a)
		} else if r.lookups[a.Ref] != nil && r.list.find(a.Ref) != nil {
			// The listing of open asks lacks it, and this is how it ended.
			b.fold(r, news{asks: []*client.Ask{a}, single: true, began: began})
		}
	}
	if len(asks) > len(entries) {
		b.day.lose(entries[len(entries)-1].At)
	}
	for _, e := range entries {
		b.day.learn(e, fromListing)
	}
	if r.tells = err == nil && batch.Complete; r.tells {
		r.closedUpto = now
	}
}

// closedOf returns the closed asks of a listing, each once.
func closedOf(relay string, batch client.Batch) []*client.Ask {
	asks, _ := distinct(relay, batch.Asks)
	return slices.DeleteFunc(asks, func(a *client.Ask) bool { return !a.Status.Closed() })
}

// Told is what a relay told of the asks that closed on it.
type Told struct {
	Relay string
	Batch client.Batch
	At    time.Time // when, by this machine's clock
}

// Answered puts together what this machine's history has and what relays told of the asks
// that closed since a moment: each once and newest first, as an inbox does for the last day.
func Answered(since time.Time, kept []history.Entry, told []Told) []*history.Entry {
	d := day{whole: since}
	d.keep(kept)
	for _, t := range told {
		var r relay
		r.measure(t.Batch.Now, t.At)
		for _, a := range closedOf(t.Relay, t.Batch) {
			d.learn(entry(a, r.skew), fromListing)
		}
	}
	return d.all
}

// dayLoop reads the history of this machine, and lets go of what is a day old.
func (b *Inbox) dayLoop() {
	b.readLeft()
	for {
		b.keepSeen()
		b.readHistory()
		b.locked(func() {
			b.day.expire()
			b.publish()
		})
		if !b.rest(closedEvery, nil) {
			return
		}
	}
}

// readLeft reads what the last run left to be said.
func (b *Inbox) readLeft() {
	if b.opt.History == nil {
		return
	}
	left, err := b.opt.History.Left()
	if err != nil {
		b.log.Warn("what the last run left was not read", "why", err)
	}
	b.locked(func() {
		b.left, b.dirty = left, b.dirty || len(left) > 0
		b.publish()
	})
}

// readHistory reads what this and other askboxes on this machine answered.
func (b *Inbox) readHistory() {
	if b.opt.History == nil {
		return
	}
	read, err := b.opt.History.Fresh(time.Now().Add(-answeredFor))
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.log.Warn("the history was not read", "why", err)
		return
	}
	defer b.publish()
	b.day.keep(read.Entries)
	if made := b.opt.History.Precedents(); !maps.Equal(made, b.precedents) {
		b.precedents, b.dirty = made, true
	}
	if !read.Since.IsZero() {
		b.day.lose(read.Since)
	}
	if read.LeftOut > b.leftOut {
		b.leftOut = read.LeftOut
		b.notice(client.Ref{}, client.Count(read.LeftOut, "line")+" of the history cannot be an entry and was left out: it is too long.")
	}
}

// keep takes what the history has, newest first.
func (d *day) keep(entries []history.Entry) {
	for i := len(entries) - 1; i >= 0; i-- { // the newest of an ask counts
		from := fromHistory
		if entries[i].Tried != nil {
			from = fromAttempt
		}
		d.learn(&entries[i], from)
	}
}

// closedHere takes down an ask that closed while this program looked on, in whatever way.
func (b *Inbox) closedHere(r *relay, ask *client.Ask) {
	e := entry(ask, r.skew)
	if e.At.IsZero() {
		e.At = wall(time.Now())
	}
	b.day.learn(e, fromHere)
	if b.opt.History != nil && b.flights[e.Ref] == nil { // an attempt is written as such
		b.seen = append(b.seen[max(0, len(b.seen)-mostSeen+1):], e)
	}
}

// mostSeen is how many asks are written to the history at once that closed while this
// program looked on.
const mostSeen = 500

// keepSeen writes those to the history that their relay will not tell of any more, for
// the next start.
func (b *Inbox) keepSeen() {
	var entries []history.Entry
	b.locked(func() {
		for _, e := range b.seen {
			if r := b.relay(e.Ref.Relay); r != nil && !r.tells {
				entries = append(entries, *e)
			}
		}
		b.seen = nil
	})
	if len(entries) == 0 {
		return
	}
	if err := b.opt.History.Append(entries...); err != nil {
		b.log.Warn("what was seen was not written to the history", "why", err)
	}
}

// entry returns what the list of answered asks says of a closed one. Its time is
// moved from the relay's clock to this machine's.
func entry(a *client.Ask, skew time.Duration) *history.Entry {
	e := &history.Entry{Ref: a.Ref, Kind: a.Kind, Waited: a.Waits, What: history.Short(a.What()), Session: history.Short(a.Session.Title), How: a.Status}
	c := a.Closing
	if c == nil {
		return e
	}
	e.By, e.ByMe, e.ByType, e.Note = history.Short(c.By.Name), c.By.Me, c.By.Type, c.Note
	e.Surface, e.After, e.With = history.Short(c.Surface), c.After, history.ShortLines(c.Answer)
	if c.Given != nil {
		e.Answer = history.AnswerTo(a, *c.Given)
	}
	if c.Decision != client.NoDecision {
		e.Answer.Decision = c.Decision
	}
	if !c.At.IsZero() {
		e.At = wall(c.At.Add(-skew))
	}
	return e
}
