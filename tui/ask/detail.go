// Package detail shows an ask in full: who asks, exactly what is asked, what the
// agent says about it, and how much of it has been on screen.
package ask

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/draw"
	"askbox/tui/theme"
)

// view is one of the documents that the pane can show of an ask.
type view int

// The views.
const (
	viewContent view = iota // what is asked
	viewRaw                 // the ask as the relay sent it
	viewRules               // the exact rules that "always" would allow
	views
)

// readable is the least width in cells at which rows count as read: below it
// the gutter takes the place of the text.
const readable = 20

// tailRow is one row that the answer pane adds below what is asked.
type Row struct {
	Line string // painted, exactly as wide as the pane
	// Must says that an allow wants it to have been on screen. Key tells such
	// rows apart for as long as the width stays the same.
	Must bool
	Key  int
}

// detail is the pane. It is a plain value: methods return the changed one.
type detail struct {
	theme         *theme.Theme
	width, height int // of the body

	group *inbox.Group
	item  *inbox.Item
	now   time.Time
	about string // what the document depends on besides the digest
	view  view
	pages [views]page
	tail  []tailRow
	read  map[int]bool // keys of the tail's rows that were seen; never changed in place
	turns int          // grows whenever a row's number means another row than before
}

// page is one view with where it was scrolled to and what was seen of it.
type page struct {
	doc  *document
	lay  *layout
	top  int
	seen spans
}

// New returns an empty pane.
func newDetail(t *theme.Theme) detail { return detail{theme: t} }

// Show sets the ask; it nil: there is none. The same ref with the same digest
// keeps what was scrolled and read.
func (m detail) Show(g *inbox.Group, it *inbox.Item, now time.Time) detail {
	before := m.item
	m.group, m.item, m.now = g, it, now
	if it == nil {
		m.pages, m.view, m.tail, m.read, m.about = [views]page{}, viewContent, nil, nil, ""
		m.turns++
		return m
	}
	about := aboutOf(it.Ask)
	if before == nil || before.Ask.Ref != it.Ask.Ref || before.Digest != it.Digest || m.about != about {
		m.pages, m.view, m.tail, m.read, m.about = [views]page{}, viewContent, nil, nil, about
		m.turns++
		m.pages[viewContent].doc = build(it.Ask)
	} else if before.Ask != it.Ask {
		// The other views are drawn from what need not be part of the digest.
		m.pages[viewRaw] = page{top: m.pages[viewRaw].top}
	}
	return m.settle()
}

// aboutOf is what stands in the document and may change without the digest.
func aboutOf(a *client.Ask) string {
	s := a.Session
	by := ""
	if a.AskedBy != nil {
		by = a.AskedBy.Title.Raw()
	}
	return s.Folder.Raw() + "\x00" + s.Origin.Raw() + "\x00" + s.OriginRelay.Raw() + "\x00" + by + "\x00" + a.Unreadable
}

// Resize sets the size of the body in cells. With no height nothing is on the screen.
func (m detail) Resize(width, height int) detail {
	if m.width != width && !m.Read() {
		m.read = nil
	}
	m.width, m.height = width, height
	return m.settle()
}

// Tail sets the rows that the answer pane adds below what is asked.
func (m detail) Tail(rows []tailRow) detail {
	if !sameRows(m.tail, rows) {
		m.turns++
	}
	m.tail = rows
	return m.settle()
}

// Open shows another view, from its start.
func (m detail) Open(v view) detail {
	m.view = v
	m.turns++
	if v != viewContent {
		m.pages[v] = page{}
	}
	return m.settle()
}

// view returns the view that is shown.
func (m detail) View() view { return m.view }

// settle lays out what is shown where that is needed, and keeps the place in range.
func (m detail) settle() detail {
	if m.item == nil || m.width <= 0 {
		return m
	}
	p := m.pages[m.view]
	if p.doc == nil {
		p.doc = m.document()
	}
	if p.lay == nil || p.lay.width != m.width {
		next := lay(p.doc, m.width)
		if p.lay != nil {
			p.seen = carrySeen(p.lay, p.seen, next)
			p.top = placeAt(p.lay, next, p.top)
		}
		p.lay = next
		m.turns++
	}
	m.pages[m.view] = p
	if m.height > 0 {
		p.top = min(max(p.top, 0), m.last())
		m.pages[m.view] = p
	}
	return m
}

// sameRows reports whether the rows that have to be read are the same ones.
func sameRows(a, b []tailRow) bool {
	return slices.EqualFunc(a, b, func(a, b tailRow) bool { return a.Must == b.Must && a.Key == b.Key })
}

// onScreen returns the rows that the next frame shows, from included, to not.
func (m detail) onScreen() (from, to int) {
	if m.item == nil || m.page().lay == nil || m.width < readable || m.height <= 0 {
		return 0, 0
	}
	_, from, to = m.window()
	return from, to
}

// note counts rows as seen.
func (m detail) note(from, to int) detail {
	p := m.page()
	if p.lay == nil {
		return m
	}
	p.seen = p.seen.add(from, min(to, len(p.lay.lines)))
	m.pages[m.view] = p
	return m.noteTail(from, to)
}

func (m detail) noteTail(from, to int) detail {
	if m.view != viewContent {
		return m
	}
	own := len(m.pages[viewContent].lay.lines)
	fresh := map[int]bool(nil)
	for i := max(from-own, 0); i < min(to-own, len(m.tail)); i++ {
		if r := m.tail[i]; r.Must && !m.read[r.Key] {
			if fresh == nil {
				fresh = make(map[int]bool, len(m.read)+1)
				for k := range m.read {
					fresh[k] = true
				}
			}
			fresh[r.Key] = true
		}
	}
	if fresh != nil {
		m.read = fresh
	}
	return m
}

// place finds the line at another width where the same line of the text begins.
func placeAt(old, next *layout, top int) int {
	if top >= len(old.lines) {
		return top - len(old.lines) + len(next.lines)
	}
	want := old.lines[top].logical
	for i, l := range next.lines {
		if l.logical >= want {
			return i
		}
	}
	return 0
}

// document builds what another view shows.
func (m detail) document() *document {
	b := &builder{left: maxBytes}
	a := m.item.Ask
	switch m.view {
	case viewRaw:
		raw := text.New(pretty(a.Raw))
		s := section{label: "As the relay sent it", role: theme.Heading, size: draw.Count(len(a.Raw), "byte")}
		if len(a.Raw) == 0 {
			b.prose(theme.Plain, false, "The relay's own words are not kept for this ask.")
			break
		}
		b.add(b.quote(s, raw))
	case viewRules:
		b.rules(a.Approval)
	default:
		return build(a)
	}
	return &b.doc
}

func (b *builder) rules(p *client.ApprovalAsk) {
	if p == nil {
		return
	}
	words := "From now on this is allowed without asking:"
	if len(p.Always) > 1 {
		words = "From now on each of these is allowed without asking:"
	}
	b.add(section{words: []string{words}, role: theme.Warn, must: true})
	for i, r := range p.Always {
		for _, w := range r.Warnings() {
			b.add(section{words: []string{"Look closely: " + w}, role: theme.Warn, must: true})
		}
		b.add(b.quote(section{title: "The rule", must: true, first: i == 0, base: theme.Strong}, r))
	}
	if p.AlwaysScope != "" {
		b.add(section{words: []string{draw.Sentence(p.AlwaysScope)}, role: theme.Plain, must: true, gap: true})
	}
}

func pretty(raw []byte) string {
	var b bytes.Buffer
	if len(raw) > maxBytes || json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// Read reports whether every row that an allow depends on has been on screen
// with this content.
func (m detail) Read() bool {
	if m.item == nil || !m.seenAll(viewContent) {
		return false
	}
	for _, r := range m.tail {
		if r.Must && !m.read[r.Key] {
			return false
		}
	}
	return true
}

// RulesRead reports whether the rules of "always" are shown and were seen to the end.
func (m detail) RulesRead() bool {
	p := m.pages[viewRules]
	return m.view == viewRules && p.doc != nil && p.doc.off == "" && m.seenAll(viewRules)
}

func (m detail) seenAll(v view) bool {
	p := m.pages[v]
	if p.lay == nil {
		return false
	}
	above, below := p.lay.unseen(p.seen, 0)
	return above+below == 0
}

// Off says in the program's words why the ask cannot be allowed here at all;
// empty when it can.
func (m detail) Off() string {
	if l := m.pages[viewContent].lay; l != nil {
		return l.off
	}
	return ""
}
