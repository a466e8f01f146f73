package list

import (
	"time"

	"askbox/tui/theme"
)

// View returns the lines of the pane: exactly its height, each exactly its
// width. Only what is in sight is laid out.
func (m Model) View(now time.Time) []string {
	lines := make([]string, 0, m.height)
	like := m.alikes(m.textWidth())
	for i := range m.blocks {
		b := &m.blocks[i]
		if b.end() <= m.top || len(lines) >= m.height {
			continue
		}
		// The heading stays in sight while the asks under it are scrolled.
		lines = append(lines, m.heading(b, now))
		for at := b.at(max(m.top, b.start) + 1); at < len(b.items) && len(lines) < m.height; at++ {
			rows := m.rows(b, at, like[b.items[at]], now)
			lines = append(lines, rows[max(m.top+1-b.line(at), 0):]...)
		}
	}
	lines = lines[:min(len(lines), m.height)]
	notes := m.notes(now)
	if free := m.height - len(lines); len(notes) >= free {
		notes = nil
	}
	for len(lines) < m.height-len(notes) {
		lines = append(lines, theme.Blank(m.width))
	}
	return append(lines, notes...)
}
