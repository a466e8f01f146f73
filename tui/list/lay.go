package list

import (
	"cmp"
	"slices"

	"askbox/client/text"
)

// mostLines is how many lines what is asked may take beside the ask.
const mostLines = 4

// gutter is the cells of the line left of what an agent wrote, with its blank.
const gutter = 2

// lay gives each ask its lines: a second one for its session where that leaves room for
// every ask, and then more for those of which most is cut. So that rows do not jump, the
// second line comes back only where much is free; anew says that all of it is laid out
// anew anyhow.
func (m Model) lay(anew bool) Model {
	asks, room := m.Len(), m.height-len(m.blocks)
	if m.second = m.second && 2*asks <= room; anew || 2*asks <= room*3/4 {
		m.second = 2*asks <= room
	}
	each := 1
	if m.second {
		each = 2
	}
	for i := range m.blocks {
		m.blocks[i].each, m.blocks[i].heights = each, nil
	}
	if free := room - each*asks; m.beside && free > 0 {
		m.spread(free)
	}
	m.total = 0
	for i := range m.blocks {
		m.blocks[i].start = m.total
		m.total = m.blocks[i].end()
	}
	return m
}

// cut is an ask that does not fit into the lines that it has.
type cut struct {
	block, at int
	cells     int
}

// spread gives free lines to the asks that are cut, a line each in turn, the longest first.
func (m Model) spread(free int) {
	width := m.textWidth()
	var cuts []cut
	for i := range m.blocks {
		b := &m.blocks[i]
		b.heights = slices.Repeat([]int{b.each}, len(b.items))
		for at, it := range b.items {
			if cells := text.Width(it.Ask.Line(mostLines * width)); cells > width {
				cuts = append(cuts, cut{i, at, cells})
			}
		}
	}
	slices.SortStableFunc(cuts, func(a, b cut) int { return cmp.Compare(b.cells, a.cells) })
	for lines := 1; lines < mostLines && free > 0; lines++ {
		for _, c := range cuts {
			if c.cells > lines*width && free > 0 {
				m.blocks[c.block].heights[c.at]++
				free--
			}
		}
	}
}

// marksWidth is the cells for what the program says of an ask left of the gutter: the
// cursor, the age, the kind and, where an ask has one line, its state.
func (m Model) marksWidth() int {
	const cursor, age, kind = 1, 5, 5
	if m.second {
		return cursor + age + kind
	}
	return cursor + age + kind + m.stateWidth() + 1
}

// stateWidth is the cells of the state in a list of one line for an ask. It grows more
// slowly than the list, so that a wider one never shows less of what is asked.
func (m Model) stateWidth() int {
	const least, most, from, per = 5, 9, 50, 5
	return min(max(least+(m.width-from)/per, least), most)
}

// textWidth is the cells for what an agent wrote. Beside the ask a blank stays free.
func (m Model) textWidth() int {
	width := m.width - m.marksWidth() - gutter
	if m.beside {
		width--
	}
	return max(width, 1)
}
