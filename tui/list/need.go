package list

import (
	"askbox/client"
	"askbox/client/inbox"
)

// Needs reports whether an ask wants an answer of the person: it is open, it could be
// read, and no answer to it is under way.
func Needs(it *inbox.Item) bool {
	return it.Ask.Status == client.Open && it.Ask.Unreadable == "" && (it.Flight == nil || it.Flight.State == inbox.Refused)
}

// Needed goes to the next ask that needs the person, or to the one before, around the
// ends of the list. found is false where no other one does.
func (m Model) Needed(forward bool) (_ Model, found bool) {
	if !m.cursor.set {
		return m, false
	}
	by := 1
	if !forward {
		by = -1
	}
	c := m.cursor
	for range m.Len() - 1 {
		if to := m.step(c, by); to.ref != c.ref {
			c = to
		} else if forward {
			c = m.step(c, -m.Len())
		} else {
			c = m.step(c, m.Len())
		}
		if Needs(m.blocks[c.block].items[c.at]) {
			m.touched = true
			return m.jump(c), true
		}
	}
	return m, false
}
