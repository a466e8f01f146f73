// Package list is the pane that shows the open asks, grouped by relay. Its
// cursor is bound to an ask and not to a row: nothing but a key moves it.
package list

import (
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/tui/theme"
)

// Model is the pane. It is a value: every method that changes something returns
// the changed one. The zero value is not usable; see New.
type Model struct {
	theme         *theme.Theme
	width, height int
	beside        bool // the ask stands beside the list
	only          only // which asks are listed, and in which order
	taken         time.Time
	blocks        []block
	second        bool // each ask has a second line, for its session
	total         int  // lines in all blocks
	top           int  // the first line on the screen
	cursor        cursor
	chosen        place      // what a key moved to last
	toured        client.Ref // where Needed went last
	touched       bool       // a key has moved the cursor
	// above holds what arrived above the cursor and was not passed by it yet.
	above map[client.Ref]bool
	marks Marks
}

// Marks are what the list does not know of an ask by itself.
type Marks struct {
	// Changed says that the content of an ask is not the one that was shown.
	Changed func(*inbox.Item) bool
	// Draft says that an answer to an ask was begun.
	Draft func(client.Ref) bool
	// Marked says that an ask is to be answered together with others.
	Marked func(client.Ref) bool
	// Away says that the keys go elsewhere, so that the list is drawn quietly.
	Away bool
}

// cursor is the ask that the list stands on, and where it is in the blocks.
type cursor struct {
	set   bool
	ref   client.Ref
	block int
	at    int
}

// place is an ask with its row on the screen, to go back to when it is listed again.
type place struct {
	ref client.Ref
	row int
}

// New returns an empty list that opens with a filter.
func New(t *theme.Theme, f client.Filter) Model {
	return Model{theme: t, only: only{filter: f}}
}

// Resize gives the pane its size in cells. Beside the ask there is less room for a line,
// so that what is asked may take several.
func (m Model) Resize(width, height int, beside bool) Model {
	row := m.row()
	m.width, m.height, m.beside = max(width, 0), max(height, 0), beside
	m.blocks = append([]block(nil), m.blocks...)
	m = m.lay(true)
	m.top = max(m.cursorLine()-min(row, max(m.height-1, 0)), 0)
	return m.settle()
}

// Mark has the rows say what the list does not know by itself.
func (m Model) Mark(marks Marks) Model {
	m.marks = marks
	return m
}

// Selected returns the ask under the cursor with its group, nil where the list
// is empty.
func (m Model) Selected() (*inbox.Group, *inbox.Item) {
	if !m.cursor.set {
		return nil, nil
	}
	b := &m.blocks[m.cursor.block]
	return b.group, b.items[m.cursor.at]
}

// Filter returns the filter that the list shows.
func (m Model) Filter() client.Filter { return m.only.filter }

// Above returns how many asks arrived above the cursor since it was last there.
func (m Model) Above() int { return len(m.above) }

// Len returns how many asks are listed.
func (m Model) Len() int {
	n := 0
	for i := range m.blocks {
		n += len(m.blocks[i].items)
	}
	return n
}

// Listed returns all asks that are listed.
func (m Model) Listed() (all []*inbox.Item) {
	for i := range m.blocks {
		all = append(all, m.blocks[i].items...)
	}
	return all
}

func (m Model) cursorLine() int {
	if !m.cursor.set {
		return 0
	}
	return m.blocks[m.cursor.block].line(m.cursor.at)
}

// row is the cursor's row on the screen.
func (m Model) row() int { return m.cursorLine() - m.top }

// Move moves the cursor by asks; a large number goes to the first or last one.
func (m Model) Move(by int) Model {
	if !m.cursor.set && by != 0 {
		m.touched = true
		return m.begin().settle()
	}
	if by == 0 {
		return m
	}
	c := m.step(m.cursor, by)
	if c == m.cursor {
		if by < 0 {
			m.top = 0
		}
		m.touched = true
		return m.settle().passed()
	}
	return m.jump(c)
}

// Page returns how many asks a page has.
func (m Model) Page() int {
	lines := 1
	if m.second {
		lines = 2
	}
	return max((m.height-1)/lines, 1)
}

// step walks from a place by a number of asks, over the borders of groups.
func (m Model) step(c cursor, by int) cursor {
	for by > 0 {
		room := len(m.blocks[c.block].items) - 1 - c.at
		if by <= room {
			c.at += by
			break
		}
		next := c.block + 1
		for next < len(m.blocks) && len(m.blocks[next].items) == 0 {
			next++
		}
		if next == len(m.blocks) {
			c.at += room
			break
		}
		by -= room + 1
		c.block, c.at = next, 0
	}
	for by < 0 {
		if -by <= c.at {
			c.at += by
			break
		}
		next := c.block - 1
		for next >= 0 && len(m.blocks[next].items) == 0 {
			next--
		}
		if next < 0 {
			c.at = 0
			break
		}
		by += c.at + 1
		c.block, c.at = next, len(m.blocks[next].items)-1
	}
	c.ref = m.blocks[c.block].items[c.at].Ask.Ref
	return c
}

// jump puts the cursor on another ask, because of a key. The one it leaves goes, if it is
// not open any more.
func (m Model) jump(to cursor) Model {
	left := m.cursor
	m.cursor, m.touched = to, true
	if left.set && left.ref != to.ref {
		m = m.drop(left)
	}
	m = m.settle().passed()
	m.chosen = place{m.cursor.ref, m.row()}
	return m
}

// drop removes an ask that was kept only because the cursor stood on it.
func (m Model) drop(c cursor) Model {
	b := &m.blocks[c.block]
	if c.at >= len(b.items) || m.kept(b.group, b.items[c.at]) {
		return m
	}
	above := b.line(c.at) < m.top
	lines := m.total
	items := make([]*inbox.Item, 0, len(b.items)-1)
	items = append(append(items, b.items[:c.at]...), b.items[c.at+1:]...)
	m.blocks = append([]block(nil), m.blocks...)
	m.blocks[c.block].items = items
	if m.cursor.block == c.block && m.cursor.at > c.at {
		m.cursor.at--
	}
	if m = m.lay(false); above {
		m.top += m.total - lines
	}
	return m
}

// kept reports whether an item is there in its own right: in the group's list,
// and let through by what narrows it.
func (m Model) kept(g *inbox.Group, it *inbox.Item) bool {
	return m.passes(g, it) && contains(g.Items, it.Ask.Ref)
}

// settle keeps the window inside the list and the cursor inside the window.
func (m Model) settle() Model {
	if m.cursor.set {
		b := &m.blocks[m.cursor.block]
		line := b.line(m.cursor.at)
		if end := line + b.height(m.cursor.at); end > m.top+m.height {
			m.top = min(end-m.height, line)
		}
		// The row at the top belongs to the group's heading while that is scrolled away.
		head := line - 1
		if m.cursor.at == 0 {
			head = b.start
			if m.firstFilled() == m.cursor.block && line < m.height {
				head = 0
			}
		}
		m.top = min(m.top, max(head, 0))
	}
	m.top = max(min(m.top, m.total-m.height), 0)
	return m
}

func (m Model) firstFilled() int {
	for i := range m.blocks {
		if len(m.blocks[i].items) > 0 {
			return i
		}
	}
	return -1
}

// passed forgets the arrivals that the cursor has reached or that are in sight.
func (m Model) passed() Model {
	if len(m.above) == 0 {
		return m
	}
	left := map[client.Ref]bool{}
	for i := range m.blocks {
		b := &m.blocks[i]
		for j, it := range b.items {
			if line := b.line(j); line >= m.cursorLine() || line > m.top {
				m.above = left
				return m
			}
			if m.above[it.Ask.Ref] {
				left[it.Ask.Ref] = true
			}
		}
	}
	m.above = left
	return m
}
