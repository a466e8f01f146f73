package inbox

import (
	"cmp"
	"slices"
	"strings"

	"askbox/client"
)

// listing is what is known of the open asks of one relay. It is a value: fold
// makes the next one and leaves the one before as it was, so that snapshots can
// share its parts.
type listing struct {
	flat  []*Item            // all parts, one after the other
	index map[client.Ref]int // into flat
	parts []part             // the relay's own asks first, then each paired relay's
	// listed is the moment at which the newest whole listing began, and that of the
	// content of every open ask but those in seen: what came by an event, by reading
	// the ask alone or in a half list, and what the whole one lacks. What is told of
	// an ask by a reading that began before the moment of its content is old.
	listed uint64
	seen   map[client.Ref]uint64
	// shut holds the asks that closed, until a listing that began later and covers them
	// lacks them too: one that began before does not open the ask again.
	shut map[client.Ref]shut
	// told is the slice of asks that this listing was last found to be. A relay that
	// gives the very same one again has nothing new in it.
	told []*client.Ask
}

// shut is a closed ask, with the moment at which that was learnt.
type shut struct {
	at  uint64
	ask *client.Ask
}

// part is the asks of one relay, or of one that is reached through it.
type part struct {
	paired  client.Paired // its zero value for the relay's own
	items   []*Item       // newest first
	version uint64
}

// paired returns the paired relays after some news. Only a listing knows them.
func (l *listing) paired(n news) []client.Paired {
	if n.complete || len(n.paired) > 0 {
		return n.paired
	}
	var old []client.Paired
	for _, p := range l.parts[min(1, len(l.parts)):] {
		old = append(old, p.paired)
	}
	return old
}

// arrange lays the items out in parts, and takes over from the listing before
// what did not change.
func (l *listing) arrange(old listing, items []*Item, paired []client.Paired) {
	place := map[string]int{"": 0}
	l.parts = make([]part, 1, 1+len(paired))
	for _, p := range paired {
		if _, twice := place[p.ID]; !twice {
			place[p.ID] = len(l.parts)
			l.parts = append(l.parts, part{paired: p})
		}
	}
	for _, it := range items {
		i, known := place[it.Ask.Paired]
		if !known {
			i = len(l.parts)
			place[it.Ask.Paired] = i
			l.parts = append(l.parts, part{paired: unnamed(it.Ask.Paired)})
		}
		l.parts[i].items = append(l.parts[i].items, it)
	}
	l.index = make(map[client.Ref]int, len(items))
	l.flat = make([]*Item, 0, len(items))
	for i := range l.parts {
		p := &l.parts[i]
		slices.SortStableFunc(p.items, newestFirst)
		p.inherit(old)
		for _, it := range p.items {
			l.index[it.Ask.Ref] = len(l.flat)
			l.flat = append(l.flat, it)
		}
	}
}

// inherit takes the slice and the version of the same part in the listing before.
func (p *part) inherit(old listing) {
	for i := range old.parts {
		if q := &old.parts[i]; q.paired.ID == p.paired.ID {
			if p.version = q.version; slices.Equal(p.items, q.items) {
				p.items = q.items
				return
			}
			break
		}
	}
	if len(p.items) > 0 || p.version > 0 {
		p.version++
	}
}

// change replaces items by what edit makes of them. It returns the listing as it
// was where edit returns every item unchanged.
func (l listing) change(edit func(*Item) *Item) listing {
	var items []*Item
	for i, it := range l.flat {
		now := edit(it)
		if now != it && items == nil {
			items = slices.Clone(l.flat)
		}
		if items != nil {
			items[i] = now
		}
	}
	if items == nil {
		return l
	}
	l.flat, l.told = items, nil
	l.parts = slices.Clone(l.parts)
	at := 0
	for i := range l.parts {
		p := &l.parts[i]
		part := items[at : at+len(p.items) : at+len(p.items)]
		at += len(p.items)
		if !slices.Equal(part, p.items) {
			p.items, p.version = part, p.version+1
		}
	}
	return l
}

// find returns the open item of an ask, or nil.
func (l *listing) find(ref client.Ref) *Item {
	if i, ok := l.index[ref]; ok {
		return l.flat[i]
	}
	return nil
}

// set replaces one item.
func (l listing) set(it *Item) listing {
	i, ok := l.index[it.Ask.Ref]
	if !ok {
		return l
	}
	old := l.flat[i]
	return l.change(func(o *Item) *Item {
		if o == old {
			return it
		}
		return o
	})
}

// newestFirst orders asks by when they were opened; those that do not say come
// last, and ties are broken by what never changes, so that no row jumps.
func newestFirst(a, b *Item) int {
	if c := b.Ask.Opened.Compare(a.Ask.Opened); c != 0 {
		return c
	}
	return compareRefs(a.Ask.Ref, b.Ask.Ref)
}

func compareRefs(a, b client.Ref) int {
	return cmp.Or(strings.Compare(a.Relay, b.Relay), strings.Compare(a.Session, b.Session), strings.Compare(a.ID, b.ID))
}
