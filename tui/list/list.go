// Package list is the pane that shows the open asks, grouped by relay. Its
// cursor is bound to an ask and not to a row: nothing but a key moves it.
package list

import (
	"askbox/client"
	"askbox/client/inbox"
	"askbox/tui/theme"
)

// Model is the pane. It is a value: every method that changes something returns
// the changed one. The zero value is not usable; see New.
type Model struct {
	theme         *theme.Theme
	width, height int
	filter        client.Filter
	blocks        []block
	total         int // lines in all blocks
	top           int // the first line on the screen
	cursor        cursor
	touched       bool // a key has moved the cursor
	// above holds what arrived above the cursor and was not passed by it yet.
	above   map[client.Ref]bool
	query   string
	changed func(*inbox.Item) bool // see Mark
	// hits remembers for the query which asks match. It only ever holds what can be
	// found out again, so that sharing it between copies of the model is harmless.
	hits map[*client.Ask]bool
}

// cursor is the ask that the list stands on, and where it is in the blocks.
type cursor struct {
	set   bool
	ref   client.Ref
	block int
	at    int
}

// block is a group with the lines it takes: its heading, what there is to say
// about its relay, then its asks.
type block struct {
	group *inbox.Group
	// items are what the filter lets through, newest first, and the ask under the
	// cursor, which stays in its place when it is not open any more.
	items      []*inbox.Item
	unreadable int
	notes      []note // lines between the heading and the asks
	start      int    // its heading's line
}

func (b *block) lines() int { return 1 + len(b.notes) + len(b.items) }
func (b *block) first() int { return b.start + 1 + len(b.notes) }

// New returns an empty list that opens with a filter.
func New(t *theme.Theme, f client.Filter) Model {
	return Model{theme: t, filter: f}
}

// Resize gives the pane its size in cells.
func (m Model) Resize(width, height int) Model {
	row := m.cursorLine() - m.top
	m.width, m.height = max(width, 0), max(height, 0)
	blocks := make([]block, len(m.blocks))
	for i, b := range m.blocks {
		blocks[i] = m.noted(b)
	}
	m.blocks = blocks
	m = m.count()
	m.top = max(m.cursorLine()-row, 0)
	if row >= m.height {
		m.top += row - m.height + 1
	}
	return m.settle()
}

// Mark has the rows say of which asks the content changed since it was shown.
func (m Model) Mark(changed func(*inbox.Item) bool) Model {
	m.changed = changed
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
func (m Model) Filter() client.Filter { return m.filter }

// Above returns how many asks arrived above the cursor since it was last there.
func (m Model) Above() int { return len(m.above) }

// Len returns how many asks the filter lets through.
func (m Model) Len() int {
	n := 0
	for i := range m.blocks {
		n += len(m.blocks[i].items)
	}
	return n
}

func (m Model) cursorLine() int {
	if !m.cursor.set {
		return 0
	}
	return m.blocks[m.cursor.block].first() + m.cursor.at
}

// Move moves the cursor by rows; a large number goes to the first or last ask.
func (m Model) Move(rows int) Model {
	if !m.cursor.set && rows != 0 {
		m.touched = true
		return m.begin().settle()
	}
	if rows == 0 {
		return m
	}
	m.touched = true
	left := m.cursor
	c := m.step(left, rows)
	if c.block == left.block && c.at == left.at {
		if rows < 0 {
			m.top = 0
		}
		return m.settle().passed()
	}
	return m.jump(c)
}

// step walks from a place by a number of asks, over the borders of groups.
func (m Model) step(c cursor, rows int) cursor {
	for rows > 0 {
		room := len(m.blocks[c.block].items) - 1 - c.at
		if rows <= room {
			c.at += rows
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
		rows -= room + 1
		c.block, c.at = next, 0
	}
	for rows < 0 {
		if -rows <= c.at {
			c.at += rows
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
		rows += c.at + 1
		c.block, c.at = next, len(m.blocks[next].items)-1
	}
	c.ref = m.blocks[c.block].items[c.at].Ask.Ref
	return c
}

// jump puts the cursor on another ask. The one it leaves goes, if it is not
// open any more.
func (m Model) jump(to cursor) Model {
	left := m.cursor
	m.cursor = to
	if left.set && left.ref != to.ref {
		m = m.drop(left)
	}
	return m.settle().passed()
}

// drop removes an ask that was kept only because the cursor stood on it.
func (m Model) drop(c cursor) Model {
	b := &m.blocks[c.block]
	if c.at >= len(b.items) || keep(b.group, b.items[c.at], m.filter) {
		return m
	}
	items := make([]*inbox.Item, 0, len(b.items)-1)
	items = append(append(items, b.items[:c.at]...), b.items[c.at+1:]...)
	blocks := append([]block(nil), m.blocks...)
	blocks[c.block].items = items
	blocks[c.block] = m.noted(blocks[c.block])
	m.blocks = blocks
	if m.cursor.block == c.block && m.cursor.at > c.at {
		m.cursor.at--
	}
	line := m.blocks[c.block].first() + c.at
	if line < m.top {
		m.top--
	}
	return m.count()
}

// keep reports whether an item is there in its own right: in the group's list,
// and let through by the filter.
func keep(g *inbox.Group, it *inbox.Item, f client.Filter) bool {
	if !f.Passes(it.Ask) {
		return false
	}
	for _, other := range g.Items {
		if other == it || other.Ask.Ref == it.Ask.Ref {
			return true
		}
	}
	return false
}

// count numbers the lines again.
func (m Model) count() Model {
	line := 0
	for i := range m.blocks {
		m.blocks[i].start = line
		line += m.blocks[i].lines()
	}
	m.total = line
	return m
}

// settle keeps the window inside the list and the cursor inside the window.
func (m Model) settle() Model {
	if m.cursor.set {
		line, b := m.cursorLine(), &m.blocks[m.cursor.block]
		if line >= m.top+m.height {
			m.top = line - m.height + 1
		}
		// The row at the top belongs to the group's heading while that is scrolled away.
		head := line - 1
		if m.cursor.at == 0 {
			head = b.start
			if line-head >= m.height {
				head = line - max(m.height-1, 0)
			}
			if m.cursor.block == 0 || m.firstFilled() == m.cursor.block {
				if line < m.height {
					head = 0
				}
			}
		}
		if m.top > head {
			m.top = max(head, 0)
		}
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
	line := m.cursorLine()
	left := map[client.Ref]bool{}
	for i := range m.blocks {
		b := &m.blocks[i]
		for j, it := range b.items {
			at := b.first() + j
			if at >= line || at > m.top {
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
