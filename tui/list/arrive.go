package list

import (
	"askbox/client"
	"askbox/client/inbox"
)

// arrivals adds to above what came in above the cursor, and drops from it what
// has closed since.
func (m Model) arrivals(old []block) Model {
	if !m.cursor.set {
		m.above = nil
		return m
	}
	above := map[client.Ref]bool{}
	for i := 0; i <= m.cursor.block; i++ {
		b := &m.blocks[i]
		before := find(old, i, b.group)
		end := len(b.items)
		if i == m.cursor.block {
			end = m.cursor.at
		}
		// What a relay lists when it is read for the first time is not new.
		if before != nil && before.group.State.Asked && before.group.Version != b.group.Version {
			for _, i := range Arrived(before.items, b.items) {
				if i < end {
					above[b.items[i].Ask.Ref] = true
				}
			}
		}
		if len(m.above) > 0 {
			for _, it := range b.items[:end] {
				if m.above[it.Ask.Ref] {
					above[it.Ask.Ref] = true
				}
			}
		}
	}
	m.above = above
	return m
}

// Arrived returns the places in items of what was not in before. What both have
// in common at their ends is skipped first, because between two polls hardly
// anything changes.
func Arrived(before, items []*inbox.Item) []int {
	head := 0
	for head < len(before) && head < len(items) && before[head].Ask.Ref == items[head].Ask.Ref {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(items)-head &&
		before[len(before)-1-tail].Ask.Ref == items[len(items)-1-tail].Ask.Ref {
		tail++
	}
	if head == len(items)-tail {
		return nil
	}
	known := make(map[client.Ref]bool, len(before)-head-tail)
	for _, it := range before[head : len(before)-tail] {
		known[it.Ask.Ref] = true
	}
	var at []int
	for i := head; i < len(items)-tail; i++ {
		if !known[items[i].Ask.Ref] {
			at = append(at, i)
		}
	}
	return at
}
