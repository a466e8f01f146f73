package list

// Seek moves the cursor to the next match (forward) or the previous one, around the ends
// of the list; with stay, not from where it is. It returns which match that is, from 1,
// among how many; 0 of 0 where there is none.
func (m Model) Seek(forward, stay bool) (_ Model, at, of int) {
	if of = m.Len(); of == 0 || m.only.query.empty() {
		return m, 0, 0
	}
	if !m.cursor.set {
		m = m.begin()
	}
	for i := range m.blocks[:m.cursor.block] {
		at += len(m.blocks[i].items)
	}
	at += m.cursor.at
	from := at
	switch {
	case stay:
	case forward:
		at = (at + 1) % of
	default:
		at = (at + of - 1) % of
	}
	return m.jump(m.step(m.cursor, at-from)), at + 1, of
}
