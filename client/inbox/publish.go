package inbox

import (
	"slices"
	"time"

	"askbox/client"
)

// publish makes a snapshot where something changed that can be seen, and wakes
// who waits for one. It is called with the lock held.
func (b *Inbox) publish() {
	groups := b.groups()
	last := b.latest
	if !b.dirty && !b.day.changed && slices.Equal(groups, last.Groups) {
		return
	}
	s := &Snapshot{Number: last.Number + 1, Taken: time.Now(), Groups: groups,
		Answered: last.Answered, Mine: b.day.mine, AnsweredSince: b.day.since, Closed: b.closed, Left: b.left, Notices: last.Notices, Precedents: b.precedents, open: make(map[string]Items, len(b.relays))}
	if b.dirty {
		s.Notices = slices.Clone(b.notices)
	}
	if b.day.changed {
		s.Answered, b.day.changed = slices.Clone(b.day.all), false
	}
	for _, r := range b.relays {
		s.open[r.Name] = r.list.items
	}
	b.dirty = false
	b.latest = s
	close(b.changed)
	b.changed = make(chan struct{})
}

// groups returns the groups of all relays. A paired relay that is configured as
// well has its group there, and none under the relay that it is paired with.
func (b *Inbox) groups() []*Group {
	all := make([]*Group, 0, max(len(b.latest.Groups), len(b.relays)))
	for _, r := range b.relays {
		all = append(all, r.regroup(func(p client.Paired, items []*Item) ([]*Item, bool) {
			items, shown := items, true
			if p.ID != "" {
				items, shown = b.onlyPaired(r, p, items)
			}
			if missed := b.missed(r, p.ID); len(missed) > 0 {
				return (&edit{in: missed}).apply(items), true
			}
			return items, shown
		})...)
	}
	return all
}

// missed returns the closed asks of a part of a relay that stay listed, see [relay].
func (b *Inbox) missed(r *relay, paired string) (items []*Item) {
	for _, ref := range r.missed {
		if it := b.closed.Find(ref); it != nil && it.Ask.Paired == paired {
			items = append(items, it)
		}
	}
	return items
}

// miss keeps a closed ask in its list whose answer from here is not known to have counted,
// until that was seen.
func (b *Inbox) miss(f *flight) {
	r := f.relay
	r.missed = slices.DeleteFunc(r.missed, func(ref client.Ref) bool { return ref == f.ref })
	if f.over() && f.state != Done && b.flights[f.ref] == f {
		r.missed = append(r.missed, f.ref)
	}
}

// onlyPaired returns the items of a paired relay that are not listed by a relay of
// the configuration which is the same one, and whether its group is shown. While
// the configured one does not answer, what only the pairing knows stays visible,
// because nothing that waits may be missing.
func (b *Inbox) onlyPaired(via *relay, p client.Paired, items []*Item) ([]*Item, bool) {
	var direct *relay
	for _, r := range b.relays {
		if r != via && p.Identity != "" && r.identity == p.Identity {
			direct = r
		}
	}
	if direct == nil {
		return items, true
	}
	var rest []*Item
	for _, it := range items {
		there := it.Ask.Ref
		there.Relay = direct.Name
		if it.Flight == nil && (direct.state.Reachable || direct.list.find(there) != nil) {
			continue
		}
		rest = append(rest, it)
	}
	return rest, len(rest) > 0
}

// keepClosed puts the item of a closed ask where the panes that still show it find it.
func (b *Inbox) keepClosed(it *Item) {
	ref := it.Ask.Ref
	changes := map[client.Ref]*Item{ref: it}
	if b.closed.Find(ref) == nil {
		b.closedOrder = append(b.closedOrder, ref)
	}
	for len(b.closedOrder) > maxClosed {
		oldest := b.closedOrder[0]
		changes[oldest] = nil
		if f := b.flights[oldest]; f != nil && f.over() {
			delete(b.flights, oldest)
			b.miss(f)
		}
		b.closedOrder = b.closedOrder[1:]
	}
	b.closed = b.closed.with(changes)
	b.dirty = true
}

// dropClosed forgets that an ask was closed, because it is open again.
func (b *Inbox) dropClosed(ref client.Ref) {
	if b.closed.Find(ref) == nil {
		return
	}
	b.closed = b.closed.with(map[client.Ref]*Item{ref: nil})
	b.closedOrder = slices.DeleteFunc(b.closedOrder, func(r client.Ref) bool { return r == ref })
	b.dirty = true
}

// edit replaces the item of an ask, open or closed, by a changed copy.
func (b *Inbox) edit(ref client.Ref, change func(*Item)) {
	if r, it := b.item(ref); it != nil {
		c := *it
		change(&c)
		r.list = r.list.set(&c)
		return
	}
	if it := b.closed.Find(ref); it != nil {
		c := *it
		change(&c)
		b.closed = b.closed.with(map[client.Ref]*Item{ref: &c})
		b.dirty = true
	}
}
