package page

import "slices"

// span is a range of rows, from included, to not.
type span struct{ from, to int }

// spans are ranges that neither touch nor overlap, in order. A value is never
// changed: add returns another one, because the panes are handed around by value.
type spans []span

func (s spans) add(from, to int) spans {
	if from >= to {
		return s
	}
	for _, x := range s {
		if x.from <= from && to <= x.to {
			return s
		}
	}
	out := make(spans, 0, len(s)+1)
	for _, x := range s {
		if x.to < from || x.from > to {
			out = append(out, x)
			continue
		}
		from, to = min(from, x.from), max(to, x.to)
	}
	out = append(out, span{from, to})
	slices.SortFunc(out, func(a, b span) int { return a.from - b.from })
	return out
}

func (s spans) has(i int) bool {
	for _, x := range s {
		if x.from <= i && i < x.to {
			return true
		}
	}
	return false
}

// unseen counts the rows that have to be seen and were not, above and from a row
// on. It looks at spans and not at rows, because every frame asks.
func (l *layout) unseen(seen spans, from int) (above, below int) {
	from = min(max(from, 0), len(l.rows))
	above, below = l.needs(0, from), l.needs(from, len(l.rows))
	for _, x := range seen {
		above -= l.needs(x.from, min(x.to, from))
		below -= l.needs(max(x.from, from), x.to)
	}
	return above, below
}

// needs counts the rows that have to be seen in a range.
func (l *layout) needs(from, to int) int {
	if from >= to {
		return 0
	}
	return l.must[to] - l.must[from]
}

// carrySeen takes what was seen at one width over to another: a line of the text
// counts as seen there when all of its rows were seen here. A line that was seen
// in part has to be seen again.
func carrySeen(old *layout, seen spans, next *layout) spans {
	if old.lines != next.lines {
		return nil
	}
	part := make([]bool, old.lines+1)
	for i, r := range old.rows {
		if !seen.has(i) {
			part[r.line], part[max(r.line, r.also)] = true, true
		}
	}
	var out spans
	from := 0
	for i, r := range next.rows {
		if part[r.line] || part[max(r.line, r.also)] {
			out = out.add(from, i)
			from = i + 1
		}
	}
	return out.add(from, len(next.rows))
}
