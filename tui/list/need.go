package list

import (
	"cmp"
	"slices"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/tui/theme"
)

// Needs says how much needs the person.
type Needs struct {
	Wait int // asks for which a session stands still
	Now  int // asks of which an agent says that they are urgent
	// Next is when the next of them runs out, by this machine's clock; zero: none does.
	Next time.Time
}

// Needs counts what needs the person on all relays, whatever the list shows of it.
func (m Model) Needs() (all Needs) {
	for i := range m.blocks {
		n := m.blocks[i].needs
		all.Wait, all.Now = all.Wait+n.Wait, all.Now+n.Now
		if all.Next.IsZero() || !n.Next.IsZero() && n.Next.Before(all.Next) {
			all.Next = n.Next
		}
	}
	return all
}

// Open reports whether an ask wants an answer of the person: it is open, it could be
// read, and no answer to it is under way.
func Open(it *inbox.Item) bool {
	return it.Ask.Status == client.Open && it.Ask.Unreadable == "" && it.Ask.Kind != client.Paused && (it.Flight == nil || it.Flight.State == inbox.Refused)
}

// The ranks of need, the most needy first.
const (
	waitsNow = iota // a session waits for it, and it is urgent or runs out soon
	waits
	soon // no session waits for it, and it is urgent or runs out soon
	goesOn
	notHere // nothing can be done about it here
	answered
)

// rank says how much an ask needs the person, at a moment by its relay's clock.
func rank(it *inbox.Item, now time.Time) int {
	_, runsOut := theme.Left(it.Ask.Expires, now)
	offers := it.Ask.AllOffers()
	hurry := it.Ask.Urgent || runsOut && !it.Ask.RunOut(now)
	switch {
	case !Open(it) || it.Ask.RunOut(now):
		return answered
	case !slices.ContainsFunc(offers[:], func(o client.Offer) bool { return o.OK }):
		return notHere
	case it.Ask.Waits && hurry:
		return waitsNow
	case it.Ask.Waits:
		return waits
	case hurry:
		return soon
	}
	return goesOn
}

// spot is a place in the list with what orders it by need.
type spot struct {
	cursor
	rank   int
	opened time.Time
}

func (s spot) compare(o spot) int {
	return cmp.Or(cmp.Compare(s.rank, o.rank), s.opened.Compare(o.opened), cmp.Compare(s.block, o.block), cmp.Compare(s.at, o.at))
}

// Needed goes to the ask that needs the person most, and from there to the next one, or the
// one before, around the ends: those first for which a session waits, of these the urgent
// ones and those that run out soon, and then what has waited longest. found is false where
// no other one does.
func (m Model) Needed(forward bool) (_ Model, found bool) {
	var spots []spot
	for i := range m.blocks {
		b := &m.blocks[i]
		for at, it := range b.items {
			if r := rank(it, m.taken.Add(b.group.Skew)); r != answered {
				spots = append(spots, spot{cursor{true, it.Ask.Ref, i, at}, r, it.Ask.Opened.Add(-b.group.Skew)})
			}
		}
	}
	slices.SortFunc(spots, spot.compare)
	here := slices.IndexFunc(spots, func(s spot) bool { return m.cursor.set && s.ref == m.cursor.ref })
	if len(spots) == 0 || len(spots) == 1 && here == 0 {
		return m, false
	}
	to := here + 1
	switch {
	case !forward:
		to = max(here, 0) - 1 + len(spots)
	case here > 0 && m.cursor.ref != m.toured:
		to = 0 // a key moved elsewhere meanwhile
	}
	m = m.jump(spots[to%len(spots)].cursor)
	m.toured = m.cursor.ref
	return m, true
}
