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
	relisted []*client.Ask // told to be closed before, and listed since all the same
	reopened []client.Ref  // told to be closed before, and told to be open since
}

// closed is an ask that closed, and the item that it was; nil when it was not open here.
type closed struct {
	item  *Item
	ask   *client.Ask
	again bool // it was told before
}

// fold returns the listing after some news. It is a pure function: items that
// did not change keep their pointers, and parts without a change their slices.
func fold(l listing, n news) (listing, outcome) {
	if n.whole() && n.began < l.listed {
		// It sets no moment that holds for every ask, as one that is read in parts.
		n.covers = func(*client.Ask) bool { return true }
	}
	if l.unchanged(n) {
		l.told, l.listed = n.asks, n.began
		return l, outcome{}
	}
	asks := distinct(n.relay, n.asks)
	f := folding{n: n, items: make(map[client.Ref]*Item, len(l.flat)+len(asks)),
		listed: make(map[client.Ref]bool, len(asks)), before: l.listed, seen: maps.Clone(l.seen), shut: maps.Clone(l.shut)}
	for _, it := range l.flat {
		f.items[it.Ask.Ref] = it
	}
	for _, a := range asks {
		f.take(a)
	}
	paired := l.paired(n)
	if n.complete || n.covers != nil {
		f.sweep(l, paired)
	}
	next := listing{listed: l.listed, seen: f.seen, shut: f.shut}
	if n.whole() {
		next.listed = n.began
	}
	next.arrange(l, f.ordered(l), paired)
	return next, f.out
}

// unchanged is the way of nearly every poll: as many asks as before, each like
// the one before, and nothing else to keep in mind.
func (l *listing) unchanged(n news) bool {
	if !n.whole() || len(n.asks) != len(l.flat) || len(l.seen) > 0 || len(l.shut) > 0 || len(l.parts) == 0 {
		return false
	}
	if !slices.EqualFunc(l.paired(n), l.parts[1:], func(p client.Paired, q part) bool { return samePaired(p, q.paired) }) {
		return false
	}
	if identical(n.asks, l.told) {
		return true
	}
	met := make([]bool, len(l.flat))
	for _, a := range n.asks {
		if a == nil {
			return false
		}
		i, ok := l.index[a.Ref]
		if !ok || met[i] || !same(a, l.flat[i].Ask) {
			return false
		}
		met[i] = true
	}
	return true
}

type folding struct {
	n      news
	items  map[client.Ref]*Item
	listed map[client.Ref]bool
	before uint64 // listing.listed, so far
	fresh  []*Item
	seen   map[client.Ref]uint64
	shut   map[client.Ref]shut
	out    outcome
}

// take folds one ask in.
func (f *folding) take(a *client.Ask) {
	f.listed[a.Ref] = true
	old := f.items[a.Ref]
	if old != nil && f.n.began < f.moment(a.Ref) {
		if old.Flight != nil && !a.Status.Closed() {
			f.out.older = append(f.out.older, a)
		}
		return
	}
	if a.Status.Closed() {
		f.out.closed = append(f.out.closed, closed{item: old, ask: a, again: old == nil && f.shut[a.Ref].ask != nil})
		delete(f.items, a.Ref)
		delete(f.seen, a.Ref)
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
		delete(f.seen, a.Ref)
	} else {
		put(&f.seen, a.Ref, f.n.began)
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
		f.fresh = append(f.fresh, it)
	}
	f.items[a.Ref] = it
}

// moment returns when the reading began that brought the content of an open ask.
func (f *folding) moment(ref client.Ref) uint64 {
	if at, ok := f.seen[ref]; ok {
		return at
	}
	return f.before
}

// sweep finds what a listing covers and lacks. An ask on a paired relay that does
// not answer is not missing: nobody was asked about it. The missing stay listed
// until the relay has been asked how they closed.
func (f *folding) sweep(l listing, paired []client.Paired) {
	silent := map[string]bool{}
	for _, p := range paired {
		silent[p.ID] = !p.Reachable
	}
	for _, it := range l.flat {
		ref := it.Ask.Ref
		if f.listed[ref] || f.items[ref] == nil {
			continue
		}
		at := f.moment(ref)
		if f.n.whole() { // whose moment is not that of this ask's content
			put(&f.seen, ref, at)
		}
		if at > f.n.began || it.Ask.Paired != "" && silent[it.Ask.Paired] || !f.n.covered(it.Ask) {
			continue
		}
		f.out.missing = append(f.out.missing, it)
	}
	maps.DeleteFunc(f.shut, func(ref client.Ref, s shut) bool {
		return s.at < f.n.began && !f.listed[ref] && f.n.covered(s.ask)
	})
}

// ordered returns the items in the order of the listing before, new ones last,
// so that sorting them finds little to do.
func (f *folding) ordered(l listing) []*Item {
	all := make([]*Item, 0, len(f.items))
	for _, it := range l.flat {
		if now := f.items[it.Ask.Ref]; now != nil {
			all = append(all, now)
		}
	}
	for _, it := range f.fresh {
		if f.items[it.Ask.Ref] == it {
			all = append(all, it)
		}
	}
	return all
}

// distinct returns the asks with one for each ref: where a relay lists an ask
// twice, the later one counts. Items that cannot be read often have no id that
// tells them apart; each of them is kept under one that no relay uses, and that its
// content gives, so that another part of the relay does not take it for its own.
func distinct(relay string, asks []*client.Ask) []*client.Ask {
	at := make(map[client.Ref]int, len(asks))
	out := make([]*client.Ask, 0, len(asks))
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
	return out
}

func put[V any](m *map[client.Ref]V, ref client.Ref, v V) {
	if *m == nil {
		*m = map[client.Ref]V{}
	}
	(*m)[ref] = v
}
