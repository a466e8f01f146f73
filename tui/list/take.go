package list

import (
	"askbox/client"
	"askbox/client/inbox"
)

// Take shows a snapshot. The cursor stays on its ask, and the ask on its row of
// the screen; an ask that is closed stays as long as the cursor is on it.
func (m Model) Take(s *inbox.Snapshot) Model {
	old, was := m.blocks, m.cursor
	row := m.cursorLine() - m.top
	_, under := m.Selected()
	m.blocks = make([]block, len(s.Groups))
	for i, g := range s.Groups {
		m.blocks[i] = m.block(g, find(old, i, g))
	}
	m = m.count()
	if was.set {
		m = m.restore(old, was, now(s, under))
		m = m.count()
		m = m.arrivals(old)
	} else if m.first() {
		m = m.begin()
	}
	if m.cursor.set && was.set {
		m.top = m.cursorLine() - row
		if !m.touched && m.cursorLine() < m.height {
			// Nobody has moved yet: what comes first stays in sight.
			m.top = 0
		}
	}
	return m.settle()
}

// Show sets the filter. The cursor stays where the ask passes it, and goes to
// the nearest ask before it where not.
func (m Model) Show(f client.Filter, s *inbox.Snapshot) Model {
	if f == m.filter {
		return m
	}
	was, old := m.cursor, m.blocks
	row := m.cursorLine() - m.top
	m.filter, m.above, m.cursor = f, nil, cursor{}
	m.blocks = make([]block, len(s.Groups))
	for i, g := range s.Groups {
		m.blocks[i] = m.block(g, nil)
	}
	m = m.count()
	if was.set {
		m = m.nearest(old, was)
		m.top = max(m.cursorLine()-row, 0)
		return m.settle()
	}
	return m.begin().settle()
}

// first reports whether the first ask there is stays the first one: every relay
// above it has been heard of. Until then the list has no cursor, because whichever
// relay happens to answer first would decide where it begins.
func (m Model) first() bool {
	for i := range m.blocks {
		if len(m.blocks[i].items) > 0 {
			return true
		}
		if !m.blocks[i].group.State.Asked {
			return m.touched
		}
	}
	return true
}

// begin puts the cursor on the first ask there is.
func (m Model) begin() Model {
	if i := m.firstFilled(); i >= 0 {
		m.cursor = cursor{set: true, block: i, ref: m.blocks[i].items[0].Ask.Ref}
	}
	return m
}

// nearest puts the cursor on the ask it was on, or else on the closest one that
// comes before it, or else on the first.
func (m Model) nearest(old []block, was cursor) Model {
	place := make(map[client.Ref]cursor, m.Len())
	for i := range m.blocks {
		for j, it := range m.blocks[i].items {
			place[it.Ask.Ref] = cursor{set: true, ref: it.Ask.Ref, block: i, at: j}
		}
	}
	for i := was.block; i >= 0; i-- {
		from := len(old[i].items) - 1
		if i == was.block {
			from = was.at
		}
		for j := from; j >= 0; j-- {
			if c, ok := place[old[i].items[j].Ask.Ref]; ok {
				m.cursor = c
				return m
			}
		}
	}
	return m.begin()
}

// block lays a group out, taking over what did not change.
func (m Model) block(g *inbox.Group, old *block) block {
	b := block{group: g}
	if old != nil && old.group.Version == g.Version {
		b.items, b.unreadable = old.items, old.unreadable
		return m.noted(b)
	}
	for _, it := range g.Items {
		if it.Ask.Unreadable != "" {
			b.unreadable++
		}
	}
	if m.filter == client.All {
		b.items = g.Items
		return m.noted(b)
	}
	for _, it := range g.Items {
		// What cannot be read cannot be known to be somebody's, so it shows everywhere.
		if m.filter.Passes(it.Ask) || it.Ask.Unreadable != "" {
			b.items = append(b.items, it)
		}
	}
	return m.noted(b)
}

// find returns the block that a group had before, or nil.
func find(old []block, i int, g *inbox.Group) *block {
	same := func(b *block) bool { return b.group.Name == g.Name && b.group.Via == g.Via }
	if i < len(old) && same(&old[i]) {
		return &old[i]
	}
	for j := range old {
		if same(&old[j]) {
			return &old[j]
		}
	}
	return nil
}

// restore finds the ask of the cursor again. Where it is not open any more, it
// is put back into its place.
func (m Model) restore(old []block, was cursor, it *inbox.Item) Model {
	g := old[was.block].group
	home := -1
	for i := range m.blocks {
		b := &m.blocks[i]
		if b.group.Name == g.Name && b.group.Via == g.Via {
			home = i
			if at, ok := index(b.items, was.ref, was.at); ok {
				m.cursor = cursor{set: true, ref: was.ref, block: i, at: at}
				if b.items[at] != it && it != nil && !contains(b.group.Items, was.ref) {
					m.replace(i, at, it)
				}
				return m
			}
		}
	}
	for i := range m.blocks {
		if at, ok := index(m.blocks[i].items, was.ref, 0); ok {
			m.cursor = cursor{set: true, ref: was.ref, block: i, at: at}
			return m
		}
	}
	if home < 0 {
		// Its relay is not there any more, which no running inbox does.
		m.cursor = cursor{}
		return m.begin()
	}
	return m.putBack(old[was.block].items, was, home, it)
}

// putBack inserts the closed ask of the cursor before the first of its old
// followers that is still there.
func (m Model) putBack(before []*inbox.Item, was cursor, home int, it *inbox.Item) Model {
	items := m.blocks[home].items
	place := make(map[client.Ref]int, len(items))
	for i, other := range items {
		place[other.Ask.Ref] = i
	}
	at := len(items)
	for _, follower := range before[was.at+1:] {
		if i, ok := place[follower.Ask.Ref]; ok {
			at = i
			break
		}
	}
	with := make([]*inbox.Item, 0, len(items)+1)
	with = append(append(append(with, items[:at]...), it), items[at:]...)
	m.blocks[home].items = with
	m.blocks[home] = m.noted(m.blocks[home])
	m.cursor = cursor{set: true, ref: was.ref, block: home, at: at}
	return m
}

// replace swaps an item without touching a slice that a snapshot may own.
func (m Model) replace(block, at int, it *inbox.Item) {
	items := append([]*inbox.Item(nil), m.blocks[block].items...)
	items[at] = it
	m.blocks[block].items = items
}

// now returns what a snapshot knows of an item: open, closed, or gone without a word.
func now(s *inbox.Snapshot, it *inbox.Item) *inbox.Item {
	if it == nil {
		return nil
	}
	if known := s.Find(it.Ask.Ref); known != nil {
		return known
	}
	if it.Ask.Status.Closed() {
		return it
	}
	return gone(it)
}

// gone returns a copy of an item that says that its ask is not listed any more.
func gone(it *inbox.Item) *inbox.Item {
	ask := *it.Ask
	ask.Status = client.Gone
	ask.Offers = client.Refused("it is not open any more; the relay does not say why")
	ask.Closing = &client.Closing{Note: "it is not open any more; the relay does not say why"}
	return &inbox.Item{Ask: &ask, Digest: it.Digest, Flight: it.Flight}
}

// index finds an ask in a list, looking first where it was.
func index(items []*inbox.Item, ref client.Ref, hint int) (int, bool) {
	if hint < len(items) && items[hint].Ask.Ref == ref {
		return hint, true
	}
	for i, it := range items {
		if it.Ask.Ref == ref {
			return i, true
		}
	}
	return 0, false
}

func contains(items []*inbox.Item, ref client.Ref) bool {
	_, ok := index(items, ref, 0)
	return ok
}
