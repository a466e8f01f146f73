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
	parts []part // the relay's own asks first, then each paired relay's
	items Items  // of all parts
	// listed is the moment at which the newest whole listing began, and that of the
	// content of every open ask but those in moments: what came by an event, by reading
	// the ask alone or in a listing that was not whole, and what the whole one lacks.
	// What a reading that began before the moment of its content says of an ask is old.
	listed  uint64
	moments map[client.Ref]uint64
	// shut holds the asks that closed, until a listing that began later and covers them
	// lacks them too: one that began before does not open the ask again.
	shut map[client.Ref]shut
	// source is the asks that this listing was made of, where that is all there is to
	// it: the same asks once more bring nothing new.
	source []*client.Ask
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
	counts  [3]int        // of items, by the filter that lets them through
	version uint64
}

// find returns the open item of an ask, or nil.
func (l *listing) find(ref client.Ref) *Item { return l.items.Find(ref) }

// each calls f with every open item.
func (l *listing) each(f func(*Item)) {
	for i := range l.parts {
		for _, it := range l.parts[i].items {
			f(it)
		}
	}
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

// change returns the listing with some items put in, replaced or, where nil, taken
// out. Parts without a change keep their slices.
func (l listing) change(changes map[client.Ref]*Item, paired []client.Paired) listing {
	edits := map[string]*edit{}
	in := func(paired string) *edit {
		if edits[paired] == nil {
			edits[paired] = &edit{}
		}
		return edits[paired]
	}
	for ref, now := range changes {
		if old := l.find(ref); old != nil {
			e := in(old.Ask.Paired)
			e.out = append(e.out, old)
		}
		if now != nil {
			e := in(now.Ask.Paired)
			e.in = append(e.in, now)
		}
	}
	l.parts = l.arrange(edits, paired)
	for i := range l.parts {
		p := &l.parts[i]
		if e := edits[p.paired.ID]; e != nil {
			p.items, p.version = e.apply(p.items), p.version+1
			in, out := count(e.in), count(e.out)
			for i := range p.counts {
				p.counts[i] += in[i] - out[i]
			}
		}
	}
	if len(changes) > 0 {
		l.items = l.items.with(changes)
	}
	return l
}

// arrange returns the parts, each with the items it had so far: the relay's own, the
// paired relays in their order, and those that are known by their asks alone.
func (l *listing) arrange(edits map[string]*edit, paired []client.Paired) []part {
	before := make(map[string]part, len(l.parts))
	for _, p := range l.parts {
		before[p.paired.ID] = p
	}
	parts := make([]part, 0, 1+len(paired))
	placed := make(map[string]bool, 1+len(paired))
	place := func(p client.Paired) {
		if !placed[p.ID] {
			placed[p.ID] = true
			old := before[p.ID]
			parts = append(parts, part{paired: p, items: old.items, counts: old.counts, version: old.version})
		}
	}
	place(client.Paired{})
	for _, p := range paired {
		place(p)
	}
	for _, p := range l.parts {
		if e := edits[p.paired.ID]; len(p.items) > 0 && (e == nil || len(e.out) < len(p.items)+len(e.in)) {
			place(unnamed(p.paired.ID))
		}
	}
	var fresh []string
	for id, e := range edits {
		if !placed[id] && len(e.in) > 0 {
			fresh = append(fresh, id)
		}
	}
	slices.Sort(fresh)
	for _, id := range fresh {
		place(unnamed(id))
	}
	return parts
}

// edit is what changes in one part.
type edit struct{ out, in []*Item }

// apply returns items, newest first, without those that go out and with those that
// come in. What lies between two changes is copied as a whole.
func (e *edit) apply(items []*Item) []*Item {
	slices.SortFunc(e.out, newestFirst)
	slices.SortFunc(e.in, newestFirst)
	kept := items
	if len(e.out) > 0 {
		kept = make([]*Item, 0, len(items))
		for _, it := range e.out {
			i, _ := slices.BinarySearchFunc(items, it, newestFirst)
			kept, items = append(kept, items[:i]...), items[i+1:]
		}
		kept = append(kept, items...)
	}
	if len(e.in) == 0 {
		return kept
	}
	all := make([]*Item, 0, len(kept)+len(e.in))
	for _, it := range e.in {
		i, _ := slices.BinarySearchFunc(kept, it, newestFirst)
		all, kept = append(append(all, kept[:i]...), it), kept[i:]
	}
	return append(all, kept...)
}

// set replaces one item.
func (l listing) set(it *Item) listing {
	if l.find(it.Ask.Ref) == nil {
		return l
	}
	return l.change(map[client.Ref]*Item{it.Ask.Ref: it}, l.paired(news{}))
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
