package list

import (
	"time"

	"askbox/client"
	"askbox/client/inbox"
)

// block is a group with the lines it takes: its heading, then its asks.
type block struct {
	group *inbox.Group
	// items are what is listed of the group, and the ask under the cursor, which stays
	// in its place when it is not open any more.
	items      []*inbox.Item
	open       int // of them; those that closed and were not seen yet are listed too
	unreadable int
	// unclaimed says why nobody can tell whose some asks are, which the filter does not
	// show for that; empty where there are none.
	unclaimed string
	needs     Needs
	each      int   // lines of an ask, where they are all alike
	heights   []int // lines of each; nil where they are all alike
	start     int   // its heading's line
}

func (b *block) height(at int) int {
	if b.heights == nil {
		return b.each
	}
	return b.heights[at]
}

// line is the first line of an ask.
func (b *block) line(at int) int {
	if b.heights == nil {
		return b.start + 1 + at*b.each
	}
	line := b.start + 1
	for _, h := range b.heights[:at] {
		line += h
	}
	return line
}

// at is the ask that a line belongs to.
func (b *block) at(line int) int {
	if b.heights == nil {
		return (line - b.start - 1) / b.each
	}
	at := 0
	for line -= b.start + 1; at < len(b.heights) && line >= b.heights[at]; at++ {
		line -= b.heights[at]
	}
	return at
}

func (b *block) end() int { return b.line(len(b.items)) }

// count counts what the heading and the header say of a group, at a moment by its relay's
// clock.
func (b *block) count(f client.Filter, now time.Time) {
	b.open = len(b.items)
	for _, it := range b.items {
		if it.Ask.Status.Closed() {
			b.open--
		}
	}
	for _, it := range b.group.Items {
		a := it.Ask
		if b.unclaimed == "" && !a.Status.Closed() {
			b.unclaimed = f.Unclaimed(a)
		}
		switch {
		case a.Unreadable != "":
			b.unreadable++
			continue
		case !Open(it):
			continue
		case a.Urgent:
			b.needs.Now++
		}
		if a.Waits {
			b.needs.Wait++
		}
		if end := a.Expires.Add(-b.group.Skew); !a.Expires.IsZero() && a.Expires.After(now) && (b.needs.Next.IsZero() || end.Before(b.needs.Next)) {
			b.needs.Next = end
		}
	}
}
