package list

import (
	"cmp"
	"slices"
	"strings"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// only is what narrows the list, and its order.
type only struct {
	filter client.Filter
	query  query
	byNeed bool
}

// passes reports whether an ask is listed. What cannot be read cannot be known to be
// somebody's, so it passes every filter.
func (m Model) passes(g *inbox.Group, it *inbox.Item) bool {
	return (m.only.filter.Passes(it.Ask) || it.Ask.Unreadable != "") && m.matches(g, it)
}

// listed returns what is listed of a group. Whatever was listed before keeps its order.
func (m Model) listed(g *inbox.Group, before []*inbox.Item) []*inbox.Item {
	items := g.Items
	if m.only.filter != client.All || !m.only.query.empty() {
		items = nil
		for _, it := range g.Items {
			if m.passes(g, it) {
				items = append(items, it)
			}
		}
	}
	if !m.only.byNeed || len(items) == 0 {
		return items
	}
	return m.ordered(g, items, before)
}

// ordered puts asks in the order of need. Those that were there keep their places among
// each other, so that no row moves because time passes.
func (m Model) ordered(g *inbox.Group, items, before []*inbox.Item) []*inbox.Item {
	now := make(map[client.Ref]*inbox.Item, len(items))
	for _, it := range items {
		now[it.Ask.Ref] = it
	}
	var out []*inbox.Item
	for _, it := range before {
		if same := now[it.Ask.Ref]; same != nil {
			out = append(out, same)
			delete(now, it.Ask.Ref)
		}
	}
	for _, it := range items {
		if now[it.Ask.Ref] == nil {
			continue
		}
		at := slices.IndexFunc(out, func(other *inbox.Item) bool { return m.compare(g, it, other) < 0 })
		if at < 0 {
			at = len(out)
		}
		out = slices.Insert(out, at, it)
	}
	return out
}

// query is what is searched for: words that have to stand in an ask, and what it has to be.
type query struct {
	typed  string // in lower case
	words  string
	is     []string // waits, now, soon, draft
	kinds  []string // run, edit, plan, tool, ask, key
	relays []string
}

// The words before a colon that narrow the list by something else than what stands in it.
const (
	byIs    = "is:"
	byKind  = "kind:"
	byRelay = "relay:"
)

// parse takes what is typed apart. Upper and lower case are the same.
func parse(typed string) query {
	q := query{typed: strings.ToLower(typed)}
	var words []string
	for _, word := range strings.Fields(q.typed) {
		if s, ok := strings.CutPrefix(word, byIs); ok {
			q.is = append(q.is, s)
		} else if s, ok := strings.CutPrefix(word, byKind); ok {
			q.kinds = append(q.kinds, s)
		} else if s, ok := strings.CutPrefix(word, byRelay); ok {
			q.relays = append(q.relays, s)
		} else {
			words = append(words, word)
		}
	}
	q.words = strings.Join(words, " ")
	return q
}

func (q query) empty() bool {
	return q.words == "" && len(q.is)+len(q.kinds)+len(q.relays) == 0
}

// matches reports whether an ask is what is searched for.
func (m Model) matches(g *inbox.Group, it *inbox.Item) bool {
	q, word := m.only.query, strings.ToLower(kindOf(it.Ask))
	every := func(wanted []string, has func(string) bool) bool {
		return !slices.ContainsFunc(wanted, func(w string) bool { return !has(w) })
	}
	return every(q.kinds, func(w string) bool { return strings.HasPrefix(word, w) || strings.HasPrefix(it.Ask.Kind.Name(), w) }) &&
		every(q.relays, func(w string) bool { return strings.Contains(strings.ToLower(g.Name), w) }) &&
		every(q.is, func(w string) bool { return m.is(g, it, w) }) &&
		(q.words == "" || q.in(text.New(g.Name)) || slices.ContainsFunc(said(it.Ask), q.in))
}

// said is all that is looked through in an ask.
func said(a *client.Ask) []text.Text {
	all := []text.Text{a.What(), a.Session.Title, a.Session.Folder}
	if a.Approval != nil {
		all = append(all, a.Approval.Tool)
		for _, p := range a.Approval.Parts {
			all = append(append(all, p.Path, p.Text), p.Args...)
		}
	}
	for _, q := range a.Questions {
		all = append(all, q.Text)
		for _, o := range q.Options {
			all = append(all, o.Label)
		}
	}
	return all
}

// is reports whether an ask is what a word says, of which not every letter may be typed yet.
func (m Model) is(g *inbox.Group, it *inbox.Item, word string) bool {
	_, soon := theme.Left(it.Ask.Expires, m.taken.Add(g.Skew))
	for name, is := range map[string]bool{
		"waits": it.Ask.Waits, "now": it.Ask.Urgent, "soon": soon,
		"draft": m.marks.Draft != nil && m.marks.Draft(it.Ask.Ref),
	} {
		if is && strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// searched is how much of one field is looked at, in bytes. A longer one costs
// time, and nobody searches for what is that far inside a command.
const searched = 16 << 10

func (q query) in(t text.Text) bool {
	s := t.Raw()
	if len(s) > searched {
		s = s[:searched]
	}
	return strings.Contains(strings.ToLower(s), q.words)
}

// compare orders two asks of a group by need, then by age, the one that waits longest first.
func (m Model) compare(g *inbox.Group, a, b *inbox.Item) int {
	now := m.taken.Add(g.Skew)
	return cmp.Or(cmp.Compare(rank(a, now), rank(b, now)), a.Ask.Opened.Compare(b.Ask.Opened))
}
