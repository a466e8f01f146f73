package list

import (
	"strings"

	"askbox/client"
	"askbox/client/inbox"
)

// searched is how much of one field is looked at, in bytes. A longer one costs
// time, and nobody searches for what is that far inside a command.
const searched = 16 << 10

// Search sets what is searched for; empty ends the search. Upper and lower case
// are the same.
func (m Model) Search(query string) Model {
	m.query = strings.ToLower(query)
	m.hits = map[*client.Ask]bool{}
	return m
}

// Query returns what is searched for, in lower case.
func (m Model) Query() string { return m.query }

// Seek moves the cursor to the next match (forward) or the previous one, around
// the ends of the list. With stay, the ask under the cursor counts as well. It
// returns which match that is, from 1, among how many; 0 of 0 where there is none.
func (m Model) Seek(forward, stay bool) (_ Model, at, of int) {
	if !m.cursor.set {
		m = m.begin()
	}
	if m.query == "" || !m.cursor.set {
		return m, 0, 0
	}
	var found []cursor
	current := -1 // the last match that is not after the cursor
	on := false
	for i := range m.blocks {
		b := &m.blocks[i]
		for j, it := range b.items {
			if !m.hit(b, it) {
				continue
			}
			c := cursor{set: true, ref: it.Ask.Ref, block: i, at: j}
			found = append(found, c)
			if i < m.cursor.block || (i == m.cursor.block && j <= m.cursor.at) {
				current = len(found) - 1
				on = i == m.cursor.block && j == m.cursor.at
			}
		}
	}
	if len(found) == 0 {
		return m, 0, 0
	}
	next := current + 1
	switch {
	case on && stay:
		next = current
	case !forward && on:
		next = current - 1
	case !forward:
		next = current
	}
	next = (next + len(found)) % len(found)
	m.touched = true
	return m.jump(found[next]), next + 1, len(found)
}

// hit reports whether an ask matches the search.
func (m Model) hit(b *block, it *inbox.Item) bool {
	if m.query == "" {
		return false
	}
	if hit, ok := m.hits[it.Ask]; ok {
		return hit
	}
	hit := m.matches(b.group.Name) || m.matches(it.Ask.What().Raw()) || m.matches(it.Ask.Session.Title.Raw()) ||
		(it.Ask.Approval != nil && m.matches(it.Ask.Approval.Tool.Raw()))
	m.hits[it.Ask] = hit
	return hit
}

func (m Model) matches(s string) bool {
	if len(s) > searched {
		s = s[:searched]
	}
	return strings.Contains(strings.ToLower(s), m.query)
}
