package list

import (
	"strings"

	"askbox/client"
	"askbox/client/inbox"
)

// Line says in one line what an ask that is listed asks, and what tells it from the others.
func (m Model) Line(it *inbox.Item, width int) string {
	for other, like := range m.alikes(width) {
		if other.Ask.Ref == it.Ask.Ref {
			return it.Ask.LineFrom(width, like.bytes)
		}
	}
	return it.Ask.Line(width)
}

// alike says what an ask has in common with another one in sight, which would be cut to the
// very same row.
type alike struct {
	bytes int  // of what is asked
	whole bool // all of it
}

// alikes compares the asks in sight. The rows of those that begin alike show what comes after
// that, in turn until they differ; what asks the very same is told apart by its session.
func (m Model) alikes(width int) map[*inbox.Item]alike {
	var seen []*inbox.Item
	for i := range m.blocks {
		b := &m.blocks[i]
		if b.end() <= m.top || b.start >= m.top+m.height {
			continue
		}
		for at := b.at(max(m.top, b.start) + 1); at < len(b.items) && b.line(at) < m.top+m.height; at++ {
			seen = append(seen, b.items[at])
		}
	}
	like := map[*inbox.Item]alike{}
	const rounds = 3
	for range rounds {
		rows := map[string][]*inbox.Item{}
		for _, it := range seen {
			row := kindOf(it.Ask) + it.Ask.LineFrom(width, like[it].bytes)
			rows[row] = append(rows[row], it)
		}
		again := false
		for _, same := range rows {
			again = differ(same, like) || again
		}
		if !again {
			break
		}
	}
	for _, it := range seen {
		like[it] = m.found(it.Ask, like[it])
	}
	return like
}

// found has a row show where the words stand that are searched for.
func (m Model) found(a *client.Ask, like alike) alike {
	words := m.only.query.words
	row, _ := a.Row()
	at := strings.Index(strings.ToLower(row.Raw()), words)
	if words != "" && at > 0 && !strings.Contains(strings.ToLower(a.LineFrom(m.textWidth(), like.bytes)), words) {
		like.bytes = at
	}
	return like
}

// differ notes up to where asks with the same row say the same. It reports whether that is
// further than before.
func differ(same []*inbox.Item, like map[*inbox.Item]alike) (further bool) {
	if len(same) < 2 {
		return false
	}
	first, _ := same[0].Ask.Row()
	common, whole := len(first.Raw()), true
	for _, it := range same[1:] {
		t, _ := it.Ask.Row()
		n := commonBytes(first.Raw()[:common], t.Raw())
		whole = whole && n == len(first.Raw()) && n == len(t.Raw())
		common = n
	}
	for _, it := range same {
		was := like[it]
		like[it] = alike{bytes: common, whole: whole}
		if whole {
			like[it] = alike{bytes: was.bytes, whole: true}
		}
		further = further || !whole && common > was.bytes
	}
	return further
}

func commonBytes(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
