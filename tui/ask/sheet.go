package ask

import (
	"slices"
	"sort"

	"askbox/client"
	"askbox/client/inbox"
)

// view is one of the documents that the pane can show of an ask.
type view int

const (
	viewContent view = iota // what is asked
	viewRaw                 // the ask as the relay sent it
	viewRules               // the exact rules that "always" would allow
	views
)

// readable is the least width in cells at which rows count as read: below it
// the gutter takes the place of the text.
const readable = 20

// reading is what is shown of an ask and how much of it was read.
type reading struct {
	view  view
	pages [views]page
	about string // what the document depends on besides the digest
	turns int    // grows whenever the number of a row means another row than before
	// compared is what the document shows against each other.
	compared comparison
}

// page is one view: its rows, where it was scrolled to, and which were read.
type page struct {
	doc   *document
	lay   *layout
	order []stretch // the rows as they stand below each other now
	top   int
	seen  spans // of lay's rows
}

// stretch is a run of rows that stand below each other: rows of the layout, or
// painted ones of the answer.
type stretch struct {
	at       int // the number of its first row
	from, to int
	own      []string
}

func (s stretch) end() int { return s.at + s.to - s.from + len(s.own) }

// arrange puts the rows of the layout and those of the answer together. The rows
// of a detail that is folded stand nowhere.
func (l *layout) arrange(open func(q int) bool, own func(q int) []string) []stretch {
	var all []stretch
	from, at := 0, 0
	put := func(s stretch) {
		if s.at = at; s.end() > at {
			all, at = append(all, s), s.end()
		}
	}
	for q, end := range l.ends {
		if f := l.folds[q]; f.to > f.from && !open(q) {
			put(stretch{from: from, to: f.from})
			from = f.to
		}
		if rows := own(q); len(rows) > 0 {
			put(stretch{from: from, to: end})
			from = end
			put(stretch{own: rows})
		}
	}
	put(stretch{from: from, to: len(l.rows)})
	return all
}

// sameShape reports whether the numbers of the rows mean the same in both.
func sameShape(a, b []stretch) bool {
	return slices.EqualFunc(a, b, func(a, b stretch) bool {
		return a.at == b.at && a.from == b.from && a.to == b.to && len(a.own) == len(b.own)
	})
}

func (p *page) total() int {
	if len(p.order) == 0 {
		return 0
	}
	return p.order[len(p.order)-1].end()
}

// find returns the stretch that holds a row.
func (p *page) find(i int) *stretch {
	n := sort.Search(len(p.order), func(n int) bool { return p.order[n].end() > i })
	return &p.order[min(n, len(p.order)-1)]
}

// source is the row of the layout that stands at a place or, where the place is
// one of the answer's, the next one.
func (p *page) source(i int) int {
	n := sort.Search(len(p.order), func(n int) bool { return p.order[n].end() > i })
	for ; n < len(p.order); n++ {
		if s := p.order[n]; s.own == nil {
			return s.from + max(i-s.at, 0)
		}
	}
	return len(p.lay.rows)
}

// place is where a row of the layout stands or, where it is folded, would stand.
func (p *page) place(source int) int {
	for _, s := range p.order {
		if s.own == nil && source < s.to {
			return s.at + max(source-s.from, 0)
		}
	}
	return p.total()
}

// note counts rows as read.
func (p *page) note(from, to int) {
	for _, s := range p.order {
		if s.own == nil {
			p.seen = p.seen.add(s.from+max(from-s.at, 0), s.from+min(to-s.at, s.to-s.from))
		}
	}
}

// read reports whether all that has to be read was.
func (p *page) read() bool {
	return p.lay != nil && p.lay.left(p.seen) == 0
}

// open takes over which ask is shown. The same ref with the same digest keeps what
// was scrolled and read.
func (m Model) open(before *inbox.Item) Model {
	it := m.item
	about := aboutOf(it.Ask, m.group)
	c := m.comparison()
	switch {
	case before == nil || before.Ask.Ref != it.Ask.Ref || before.Digest != it.Digest || m.about != about || m.compares(c):
		m.reading = reading{about: about, turns: m.turns + 1, compared: c}
		m.pages[viewContent].doc = build(it.Ask, m.group, c)
	case before.Ask != it.Ask:
		// This view is drawn from what need not be part of the digest.
		m.pages[viewRaw] = page{top: m.pages[viewRaw].top}
	}
	return m
}

// aboutOf is what stands in the document and may change without the digest.
func aboutOf(a *client.Ask, g *inbox.Group) string {
	s := a.Session
	by, on := "", ""
	if a.AskedBy != nil {
		by = a.AskedBy.Title.Raw()
	}
	if g != nil && g.Via != "" {
		on = g.Name
	}
	return s.Folder.Raw() + "\x00" + s.StartedBy.Name.Raw() + "\x00" + s.Origin.Raw() + "\x00" + s.OriginRelay.Raw() + "\x00" + by + "\x00" + on + "\x00" + a.Unreadable
}

// look shows another view, from its start.
func (m Model) look(v view) Model {
	m.view = v
	m.turns++
	if v != viewContent {
		m.pages[v] = page{}
	}
	return m
}

// settle lays out what is shown where that is needed.
func (m Model) settle() Model {
	if m.item == nil || m.width <= 0 {
		return m
	}
	p := &m.pages[m.view]
	if p.doc == nil && m.view == viewRaw {
		p.doc = asSent(m.item.Ask)
	} else if p.doc == nil {
		p.doc = rules(m.item.Ask)
	}
	was := *p
	if p.lay == nil || p.lay.width != m.width {
		p.lay = lay(p.doc, m.width)
		m.turns++
	}
	p.order = p.lay.arrange(m.unfolded, m.fieldRows)
	if was.lay != nil && was.lay != p.lay {
		p.seen = carrySeen(was.lay, was.seen, p.lay)
		p.top = p.place(sameLine(was.lay, p.lay, was.source(was.top)))
	} else if !sameShape(was.order, p.order) {
		m.turns++
	}
	return m
}

// sameLine finds the row at another width where the same line of the text begins.
func sameLine(old, next *layout, at int) int {
	if at >= len(old.rows) {
		return len(next.rows)
	}
	want := old.rows[at].logical
	return sort.Search(len(next.rows), func(i int) bool { return next.rows[i].logical >= want })
}

func (m Model) page() page { return m.pages[m.view] }

// window says which rows are on screen and whether the first row of what would
// be done is pinned above them, because it is not among them: whoever may allow
// sees what.
func (m Model) window() (pinned bool, from, to int) { return m.windowAt(m.page().top) }

func (m Model) windowAt(top int) (pinned bool, from, to int) {
	p := m.page()
	total := p.total()
	to = min(top+m.body, total)
	if p.lay == nil || p.lay.first < 0 || m.body < 2 {
		return false, top, to
	}
	if first := p.place(p.lay.first); first >= top && first < to {
		return false, top, to
	}
	return true, top, min(top+m.body-1, total)
}

// lastTop is the top from which the last row is on screen.
func (m Model) lastTop() int {
	p := m.page()
	total := p.total()
	top := max(total-m.body, 0)
	if _, _, to := m.windowAt(top); to < total {
		top++
	}
	return top
}

// anchored reports whether the first row of what would be done is on screen.
func (m Model) anchored() bool {
	p := m.page()
	if p.lay == nil || m.body <= 0 || m.width < readable {
		return false
	}
	pinned, from, to := m.window()
	first := p.lay.first
	return pinned || first < 0 || p.place(first) >= from && p.place(first) < to
}

// scrollTo goes to a row.
func (m Model) scrollTo(top int) Model {
	if m.body <= 0 || m.page().lay == nil {
		return m
	}
	m.pages[m.view].top = min(max(top, 0), m.lastTop())
	return m
}

// scroll moves by rows.
func (m Model) scroll(rows int) Model { return m.scrollTo(m.page().top + rows) }

// step is a page: one row fewer than are on screen, and where there are hardly
// any, all of them.
func (m Model) step() int {
	pinned, from, to := m.window()
	rows := to - from
	if !pinned && rows > 3 {
		rows--
	}
	return max(rows, 1)
}

// scrollEnd goes to the end of what would be done and, from there or where all of
// the rest fits below it, to the last row.
func (m Model) scrollEnd() Model {
	p, last := m.page(), m.lastTop()
	if p.lay == nil || p.lay.last < 0 {
		return m.scrollTo(last)
	}
	end := p.place(p.lay.last)
	if _, from, _ := m.windowAt(last); from <= end {
		return m.scrollTo(last)
	}
	top := max(end+1-m.body, 0)
	if _, _, to := m.windowAt(top); to <= end {
		top++
	}
	if p.top >= top {
		return m.scrollTo(last)
	}
	return m.scrollTo(top)
}

// reveal scrolls so that rows, from included, to not, are on screen; where they do
// not all fit, the first ones are.
func (m Model) reveal(from, to int) Model {
	for range 3 {
		// Whether a row is pinned changes with the place, so this is done again
		// until it holds.
		_, a, b := m.window()
		switch {
		case from < a:
			m = m.scrollTo(from)
		case to > b && from > a:
			m = m.scrollTo(min(m.page().top+to-b, from))
		}
	}
	return m
}

// position says how much of the ask was not on screen yet, for the line below
// it. done says that all that has to be read was.
func (m Model) position() (words string, done bool) {
	p := m.page()
	total := p.total()
	if p.lay == nil || total == 0 {
		return "", true
	}
	_, from, to := m.window()
	above, below := p.lay.unseen(p.seen, p.source(from))
	rest := client.Count(total-to, "more row") + " below · pgdn"
	switch {
	case above > 0 && below > 0:
		return client.Count(above, "row") + " above, " + client.Number(below) + " below not read", false
	case above > 0:
		return client.Count(above, "row") + " above not read · pgup", false
	case below > 0:
		return rest, false
	case p.lay.needed > 0 && to < total:
		return "read to the end " + m.theme.Glyphs.Check + " · " + client.Count(total-to, "row") + " below", true
	case p.lay.needed > 0:
		return "read to the end " + m.theme.Glyphs.Check, true
	case to < total:
		return rest, true
	}
	return "", true
}
