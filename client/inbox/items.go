package inbox

import (
	"maps"

	"askbox/client"
)

// Items is a set of items by ref. It is a value that is never changed, so that
// snapshots share it: a change makes another one, which costs by what changes and
// not by what is in it.
type Items struct {
	base   map[client.Ref]*Item // shared
	recent map[client.Ref]*Item // what changed since base was made; nil: taken out
	count  int
}

// ItemsOf returns a set of some items, which are not to be changed afterwards.
func ItemsOf(items map[client.Ref]*Item) Items { return Items{base: items, count: len(items)} }

// Find returns the item of an ask, or nil.
func (s Items) Find(ref client.Ref) *Item {
	if it, ok := s.recent[ref]; ok {
		return it
	}
	return s.base[ref]
}

// Len returns how many there are.
func (s Items) Len() int { return s.count }

// with returns the set with changes, of which nil takes an item out.
func (s Items) with(changes map[client.Ref]*Item) Items {
	next := Items{base: s.base, count: s.count}
	for ref, it := range changes {
		switch was := s.Find(ref); {
		case was == nil && it != nil:
			next.count++
		case was != nil && it == nil:
			next.count--
		}
	}
	// A copy of what is recent now and then, and a new base after many of them.
	if len(s.recent)+len(changes) <= 32+len(s.base)/64 {
		next.recent = make(map[client.Ref]*Item, len(s.recent)+len(changes))
		maps.Copy(next.recent, s.recent)
		maps.Copy(next.recent, changes)
		return next
	}
	next.base = make(map[client.Ref]*Item, next.count)
	for _, from := range []map[client.Ref]*Item{s.base, s.recent, changes} {
		for ref, it := range from {
			if it == nil {
				delete(next.base, ref)
			} else {
				next.base[ref] = it
			}
		}
	}
	return next
}
