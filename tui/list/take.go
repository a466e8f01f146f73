package list

import (
	"askbox/client"
	"askbox/client/inbox"
)

// Take shows a snapshot. The cursor stays on its ask, and the ask on its row of
// the screen; an ask that is closed stays as long as the cursor is on it.
func (m Model) Take(s *inbox.Snapshot) Model {
	old, was, row := m.blocks, m.cursor, m.row()
	_, under := m.Selected()
	m.taken = s.Taken
	m.blocks = make([]block, len(s.Groups))
	for i, g := range s.Groups {
		m.blocks[i] = m.block(g, find(old, i, g))
	}
	if was.set {
		m = m.restore(old, was, now(s, under)).arrivals(old)
	} else if m.first() {
		m = m.begin()
	}
	m = m.lay(len(old) == 0)
	if m.cursor.set && was.set {
		m.top = m.cursorLine() - row
		if !m.touched && m.cursorLine() < m.height {
			// Nobody has moved yet: what comes first stays in sight.
			m.top = 0
		}
	}
	return m.settle().passed()
}

// Show sets the filter.
func (m Model) Show(f client.Filter) Model {
	o := m.only
	o.filter = f
	return m.narrow(o, false)
}

// Search narrows the list to what matches; empty shows all again. The cursor goes to the
// first match from where it was.
func (m Model) Search(typed string) Model {
	o := m.only
	o.query = parse(typed)
	return m.narrow(o, true)
}

// ByNeed orders the asks of each group by need, or by age again.
func (m Model) ByNeed(byNeed bool) Model {
	o := m.only
	o.byNeed = byNeed
	return m.narrow(o, false)
}

// OrderedByNeed reports whether the asks are ordered by need.
func (m Model) OrderedByNeed() bool { return m.only.byNeed }

// Query returns what the list is narrowed to, in lower case.
func (m Model) Query() string { return m.only.query.typed }

// Words returns the words that are searched for, in lower case, to be marked where they stand.
func (m Model) Words() string { return m.only.query.words }

// narrow lists other asks. The cursor stays on the ask that a key moved to last, on its
// row, where that is listed, or goes to the nearest one.
func (m Model) narrow(o only, forward bool) Model {
	old, was, row := m.blocks, m.cursor, m.row()
	m.only, m.above, m.cursor = o, nil, cursor{}
	m.blocks = make([]block, len(old))
	for i := range old {
		m.blocks[i] = m.block(old[i].group, nil)
	}
	m = m.lay(true)
	switch {
	case m.find(m.chosen.ref):
		if !was.set || was.ref != m.chosen.ref {
			row = m.chosen.row
		}
	case was.set:
		m = m.nearest(old, was, forward)
	default:
		m = m.begin()
	}
	m.top = max(m.cursorLine()-row, 0)
	return m.settle()
}

// find puts the cursor on an ask, where it is listed.
func (m *Model) find(ref client.Ref) bool {
	for i := range m.blocks {
		if at, ok := index(m.blocks[i].items, ref, 0); ok {
			m.cursor = cursor{set: true, ref: ref, block: i, at: at}
			return true
		}
	}
	return false
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
		if m.chosen.ref == (client.Ref{}) {
			m.chosen = place{m.cursor.ref, m.row()}
		}
	}
	return m
}

// nearest puts the cursor on the ask it was on, or else on the closest one before it, or
// with forward behind it, or else on the first.
func (m Model) nearest(old []block, was cursor, forward bool) Model {
	listed := make(map[client.Ref]cursor, m.Len())
	for i := range m.blocks {
		for j, it := range m.blocks[i].items {
			listed[it.Ask.Ref] = cursor{set: true, ref: it.Ask.Ref, block: i, at: j}
		}
	}
	by := -1
	if forward {
		by = 1
	}
	for i, at := was.block, was.at; ; {
		if c, ok := listed[old[i].items[at].Ask.Ref]; ok {
			m.cursor = c
			return m
		}
		for at += by; at < 0 || at >= len(old[i].items); {
			if i += by; i < 0 || i == len(old) {
				return m.begin()
			}
			if at = 0; !forward {
				at = len(old[i].items) - 1
			}
		}
	}
}

// block is a group with what is listed of it, taking over what did not change.
func (m Model) block(g *inbox.Group, old *block) block {
	b := block{group: g}
	var before []*inbox.Item
	if old != nil {
		if old.group.Version == g.Version {
			b.items, b.open, b.unreadable, b.needs = old.items, old.open, old.unreadable, old.needs
			b.unclaimed = old.unclaimed
			return b
		}
		before = old.items
	}
	b.items = m.listed(g, before)
	b.count(m.only.filter, m.taken.Add(g.Skew))
	return b
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
	if m.find(was.ref) {
		return m
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
