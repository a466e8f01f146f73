package inbox

import (
	"fmt"
	"hash/crc32"
	"maps"
	"slices"

	"askbox/client"
)

// news is what one reading, or a run of events, says of a relay. Moments are
// the inbox's own counter, because two things can happen in one tick of a clock.
type news struct {
	relay  string
	asks   []*client.Ask
	single bool // asks that were read one by one or came by events, not a listing
	// complete and covers are those of [client.Batch].
	complete bool
	covers   func(*client.Ask) bool
	paired   []client.Paired
	began    uint64 // the moment before the reading began
	ended    uint64
}

// whole reports whether no open ask is missing in it.
func (n *news) whole() bool { return n.complete && n.covers == nil }

// covered reports whether an ask that is not in it is not open.
func (n *news) covered(a *client.Ask) bool {
	if n.covers != nil {
		return n.covers(a)
	}
	return n.complete
}

// outcome is what a fold found out beyond the next listing.
type outcome struct {
	opened   []*Item
	missing  []*Item // open so far, and not in a listing that covers it
	closed   []closed
	changed  []*Item       // open before with another digest
	older    []*client.Ask // read before the newest content was, of asks with an answer
	relisted []*client.Ask // closed, and listed since all the same
	reopened []client.Ref  // closed, and read as open since
}

// closed is an ask that closed, and the item that it was; nil when it was not open here.
type closed struct {
	item  *Item
	ask   *client.Ask
	known bool // to be closed, before
}

// fold returns the listing after some news. It is a pure function: items that
// did not change keep their pointers, and parts without a change their slices.
func fold(l listing, n news) (listing, outcome) {
	if n.whole() && n.began < l.listed {
		// It sets no moment that holds for every ask, as one that is read in parts.
		n.covers = func(*client.Ask) bool { return true }
	}
	if l.unchanged(n) {
		l.listed = n.began
		return l, outcome{}
	}
	return l.next(n)
}

// next returns the listing after some news that change it.
func (l listing) next(n news) (listing, outcome) {
	f := folding{n: n, before: &l, changes: map[client.Ref]*Item{}, moments: maps.Clone(l.moments), shut: maps.Clone(l.shut)}
	asks, listed := distinct(n.relay, n.asks)
	if n.complete || n.covers != nil {
		f.listed = listed
	}
	for _, a := range asks {
		f.take(a)
	}
	paired := l.paired(n)
	if f.listed != nil {
		f.sweep(paired)
	}
	f.forget()
	next := l.change(f.changes, paired)
	next.moments, next.shut, next.source = f.moments, f.shut, nil
	if n.whole() {
		next.listed = n.began
		if len(f.moments)+len(f.shut) == 0 {
			next.source = n.asks
		}
	}
	return next, f.out
}

// unchanged is the way of nearly every poll: each ask like the one before.
func (l *listing) unchanged(n news) bool {
	return n.whole() && l.source != nil && (identical(n.asks, l.source) || slices.EqualFunc(n.asks, l.source, same)) &&
		slices.EqualFunc(l.paired(n), l.parts[1:], func(p client.Paired, q part) bool { return samePaired(p, q.paired) })
}

// folding is a fold under way.
type folding struct {
	n       news
	before  *listing
	changes map[client.Ref]*Item // as for [listing.change]
	listed  map[client.Ref]int   // the refs of n; nil where nothing can be missing
	moments map[client.Ref]uint64
	shut    map[client.Ref]shut
	out     outcome
}

// take folds one ask in.
func (f *folding) take(a *client.Ask) {
	old := f.before.find(a.Ref)
	if old != nil && f.n.began < f.moment(a.Ref) {
		if old.Flight != nil && !a.Status.Closed() {
			f.out.older = append(f.out.older, a)
		}
		return
	}
	if a.Status.Closed() {
		f.out.closed = append(f.out.closed, closed{item: old, ask: a, known: old == nil && f.shut[a.Ref].ask != nil})
		if old != nil {
			f.changes[a.Ref] = nil
		}
		delete(f.moments, a.Ref)
		if old != nil {
			a = old.Ask // an event may not say where it was listed
		}
		put(&f.shut, a.Ref, shut{f.n.ended, a})
		return
	}
	if s, was := f.shut[a.Ref]; was {
		if f.n.began <= s.at {
			return
		}
		if !f.n.single && a.Unreadable == "" {
			// Lists lag behind. Whether it is open after all is asked for.
			f.out.relisted = append(f.out.relisted, a)
			return
		}
		delete(f.shut, a.Ref)
		f.out.reopened = append(f.out.reopened, a.Ref)
	}
	if f.n.whole() {
		delete(f.moments, a.Ref)
	} else {
		put(&f.moments, a.Ref, f.n.began)
	}
	if old != nil && same(old.Ask, a) {
		return
	}
	it := &Item{Ask: a, Digest: a.Digest()}
	if old != nil {
		it.Flight, it.Pausing = old.Flight, old.Pausing
		if it.Digest != old.Digest {
			f.out.changed = append(f.out.changed, it)
		}
	} else {
		f.out.opened = append(f.out.opened, it)
	}
	f.changes[a.Ref] = it
}

// moment returns when the reading began that brought the content of an open ask.
func (f *folding) moment(ref client.Ref) uint64 {
	if at, ok := f.moments[ref]; ok {
		return at
	}
	return f.before.listed
}

// sweep finds what a listing covers and lacks. An ask on a paired relay that does
// not answer is not missing: nobody was asked about it. The missing stay listed
// until the relay has been asked how they closed.
func (f *folding) sweep(paired []client.Paired) {
	silent := map[string]bool{}
	for _, p := range paired {
		silent[p.ID] = !p.Reachable
	}
	f.before.each(func(it *Item) {
		ref := it.Ask.Ref
		if _, there := f.listed[ref]; there {
			return
		}
		at := f.moment(ref)
		if f.n.whole() { // whose moment is not that of this ask's content
			put(&f.moments, ref, at)
		}
		if at <= f.n.began && !(it.Ask.Paired != "" && silent[it.Ask.Paired]) && f.n.covered(it.Ask) {
			f.out.missing = append(f.out.missing, it)
		}
	})
	maps.DeleteFunc(f.shut, func(ref client.Ref, s shut) bool {
		_, there := f.listed[ref]
		return !there && s.at < f.n.began && f.n.covered(s.ask)
	})
}

// mostShut is how many closed asks are held of a relay whose listings never cover them;
// twice as many before the oldest are dropped.
const mostShut = 2000

// forget drops the oldest of the closed asks that no listing tells of.
func (f *folding) forget() {
	if len(f.shut) <= 2*mostShut {
		return
	}
	at := make([]uint64, 0, len(f.shut))
	for _, s := range f.shut {
		at = append(at, s.at)
	}
	slices.Sort(at)
	oldest := at[len(at)-mostShut]
	maps.DeleteFunc(f.shut, func(_ client.Ref, s shut) bool { return s.at < oldest })
}

// distinct returns the asks with one for each ref, and the place of each: where a
// relay lists an ask twice, the later one counts. Items that cannot be read often have
// no id that tells them apart; each of them is kept under one that no relay uses, and
// that its content gives, so that another part of the relay does not take it for its
// own.
func distinct(relay string, asks []*client.Ask) (out []*client.Ask, at map[client.Ref]int) {
	at = make(map[client.Ref]int, len(asks))
	out = make([]*client.Ask, 0, len(asks))
	for _, a := range asks {
		if a == nil {
			continue
		}
		if a.Relay != relay {
			c := *a
			c.Relay = relay
			a = &c
		}
		if a.Unreadable != "" {
			if i, twice := at[a.Ref]; a.ID == "" || twice && out[i].Unreadable == "" {
				c := *a
				c.ID = fmt.Sprintf("%s (unreadable %08x)", a.ID, crc32.ChecksumIEEE(a.Raw))
				for _, twice = at[c.Ref]; twice; _, twice = at[c.Ref] {
					c.ID += "+"
				}
				a = &c
			}
		}
		if i, twice := at[a.Ref]; twice {
			out[i] = a
			continue
		}
		at[a.Ref] = len(out)
		out = append(out, a)
	}
	return out, at
}

func put[V any](m *map[client.Ref]V, ref client.Ref, v V) {
	if *m == nil {
		*m = map[client.Ref]V{}
	}
	(*m)[ref] = v
}
