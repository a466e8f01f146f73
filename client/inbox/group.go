package inbox

import (
	"slices"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// samePaired reports whether two listings say the same of a paired relay, apart
// from the moment at which it was last seen while it answers.
func samePaired(a, b client.Paired) bool {
	if a.Reachable && b.Reachable {
		a.Seen, b.Seen = time.Time{}, time.Time{}
	}
	seen := a.Seen.Equal(b.Seen)
	a.Seen, b.Seen = time.Time{}, time.Time{}
	return seen && a == b
}

// unnamed stands for a paired relay that asks name and no listing has.
func unnamed(id string) client.Paired {
	return client.Paired{ID: id, Name: text.New(id), Reachable: true}
}

// looksLike reports whether two states are drawn alike. When a relay answers,
// nobody sees when it was last asked or will be next.
func (s State) looksLike(t State) bool {
	if s.Reachable && t.Reachable {
		s.Seen, t.Seen = time.Time{}, time.Time{}
		s.Next, t.Next = time.Time{}, time.Time{}
	}
	s.Latency, t.Latency = 0, 0
	return s == t
}

// regroup returns the groups of a relay, its own first. Groups without a change
// are those of before. shown returns the items that a group shows, and whether it is shown.
func (r *relay) regroup(shown func(client.Paired, []*Item) ([]*Item, bool)) []*Group {
	if r.asBefore() {
		return r.groups
	}
	groups := make([]*Group, 0, max(1, len(r.list.parts)))
	names := r.pairedNames()
	items, _ := shown(client.Paired{}, r.own().items)
	groups = append(groups, r.reuse(&Group{Name: r.Name, Kind: r.Kind, State: r.state, Skew: r.skew, Insecure: r.Insecure}, r.own(), items))
	for i := 1; i < len(r.list.parts); i++ {
		p := &r.list.parts[i]
		items, any := shown(p.paired, p.items)
		if !any {
			continue
		}
		g := &Group{Name: names[i], Kind: r.Kind, Via: r.Name, State: r.through(p.paired), Skew: r.skew, Insecure: r.Insecure}
		groups = append(groups, r.reuse(g, p, items))
	}
	r.groups = groups
	return groups
}

// asBefore is the way of nearly every poll: a relay through which no other one is
// reached has the same asks as before, and does as it did.
func (r *relay) asBefore() bool {
	if len(r.groups) != 1 || len(r.list.parts) > 1 || len(r.missed) > 0 {
		return false
	}
	g, items := r.groups[0], r.own().items
	return (len(items)+len(g.Items) == 0 || identical(items, g.Items)) && g.State.looksLike(r.state) && g.Skew == r.skew
}

// pairedNames names the parts of a relay that are reached through it. A paired
// relay chooses its name itself, and two groups of one name would be taken for
// each other, by people and by the list: those get their id beside it, all of
// them, so that no name depends on the order in which they are listed.
func (r *relay) pairedNames() []string {
	names := make([]string, len(r.list.parts))
	count := map[string]int{}
	for i := 1; i < len(names); i++ {
		p := r.list.parts[i].paired
		names[i] = p.Name.String()
		if p.Name.Empty() {
			names[i] = text.New(p.ID).String()
		}
		count[names[i]]++
	}
	for i := 1; i < len(names); i++ {
		if count[names[i]] > 1 {
			names[i] += " (" + text.New(r.list.parts[i].paired.ID).String() + ")"
		}
	}
	return names
}

// own is the part of the relay's own asks.
func (r *relay) own() *part {
	if len(r.list.parts) == 0 {
		return &part{}
	}
	return &r.list.parts[0]
}

// reuse gives a group its items, and returns the group of before where it looks the same.
func (r *relay) reuse(g *Group, p *part, items []*Item) *Group {
	g.Items, g.Version = items, p.version
	for _, old := range r.groups {
		if old.Name != g.Name || old.Via != g.Via || old.paired != p.paired.ID {
			continue
		}
		if !identical(old.Items, items) && !slices.Equal(old.Items, items) {
			// What is hidden of a part changes without the part's own version.
			g.Version = max(g.Version, old.Version+1)
			break
		}
		g.Items, g.Version = old.Items, old.Version
		if old.State.looksLike(g.State) && old.Skew == g.Skew && old.Kind == g.Kind {
			return old
		}
		break
	}
	g.paired = p.paired.ID
	g.counts, g.counted = p.counts, true
	if !identical(g.Items, p.items) { // some are hidden, or closed
		g.counts = count(g.Items)
	}
	return g
}

// through says how a relay does that is reached through this one.
func (r *relay) through(p client.Paired) State {
	s := State{Asked: true, Reachable: p.Reachable, Reason: p.Reason.String(), Seen: p.Seen}
	if !p.Reachable {
		s.Trouble = client.Unreached
	}
	if !r.state.Reachable {
		s.Reachable, s.Trouble, s.Next = false, client.Unreached, r.state.Next
		s.Reason = "it is reached through " + r.Name + ", which does not answer"
	}
	return s
}

func count(items []*Item) (n [3]int) {
	for _, it := range items {
		for f := range n {
			if !it.Ask.Status.Closed() && client.Filter(f).Passes(it.Ask) {
				n[f]++
			}
		}
	}
	return n
}
