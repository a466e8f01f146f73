package list

// Click puts the cursor on the ask in a line of the pane, counted from 0. A line without
// one leaves it where it is.
func (m Model) Click(line int) Model {
	y := 0
	for i := range m.blocks {
		b := &m.blocks[i]
		if b.end() <= m.top || y >= m.height {
			continue
		}
		y++ // its heading, which stays in sight
		for at := b.at(max(m.top, b.start) + 1); at < len(b.items) && y < m.height; at++ {
			end := y + b.height(at) - max(m.top+1-b.line(at), 0)
			if line >= y && line < end {
				return m.jump(cursor{set: true, ref: b.items[at].Ask.Ref, block: i, at: at})
			}
			y = end
		}
	}
	return m
}
