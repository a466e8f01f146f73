package ask

import (
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/diff"
	"askbox/tui/theme"
)

// comparison is two contents of one ask that are shown against each other; the
// zero one is none.
type comparison struct {
	id       pairing
	words    string // what they are, in the program's words
	below    string // what stands below them
	from, to *client.Ask
}

// pairing tells comparisons apart.
type pairing struct {
	was, is string      // digests
	told    *client.Ask // or what a relay told
}

// comparison is what there is to compare of the ask shown: what the person knows of
// it with what it has become, or with what the relay says that it carried out.
func (m Model) comparison() comparison {
	if f := m.item.Flight; f != nil && f.Differs != nil {
		return comparison{
			id: pairing{told: f.Differs}, from: m.item.Ask, to: f.Differs,
			words: "What you saw (-) and what the relay says that it did (+):",
			below: "What you saw:",
		}
	}
	if !m.owed() {
		return comparison{}
	}
	was := m.known[m.item.Ask.Ref]
	return comparison{
		id: pairing{was: was.digest, is: m.item.Digest}, from: was.ask, to: m.item.Ask,
		words: "What it was (-) and what it is now (+):",
		below: "All of it, as it is now:",
	}
}

// compares reports whether there is something to compare that does not stand in the
// document yet. What stands there stays: its change may be acknowledged by now, and
// the rows that were read keep their numbers.
func (m Model) compares(c comparison) bool {
	return c.id != m.compared.id && (c.id != (pairing{}) || m.compared.id.told != nil)
}

// compare adds what an ask was against what it is.
func (b *builder) compare(c comparison) {
	if c.id == (pairing{}) {
		return
	}
	body, more := diff.Between(plain(c.from), plain(c.to))
	if len(body) == 0 {
		b.prose(theme.Warn, false, "Nothing that its text shows is different.")
		return
	}
	b.add(section{words: []string{c.words}, role: theme.Warn, body: body, mode: c.to.Reads()})
	if more > 0 {
		b.prose(theme.Warn, false, client.Count(more, "more line")+" of this are left out here.")
	}
	b.prose(theme.Heading, true, c.below)
}

// plain writes all of an ask that a decision depends on as lines, to be compared.
func plain(a *client.Ask) string {
	b := newBuilder(a)
	b.warned = nil // a warning is the program's word, and no part of what is asked
	b.content(a)
	all := b.doc.sections
	if a.Approval != nil && len(a.Approval.Always) > 0 {
		all = append(all, rules(a).sections...)
	}
	var out strings.Builder
	for _, s := range all {
		head := s.label
		if !s.name.Empty() {
			head = strings.TrimSpace(head + " " + name(s.name))
		}
		for _, w := range append([]string{head}, s.words...) {
			if w != "" {
				out.WriteString(w + "\n")
			}
		}
		for _, p := range s.body {
			out.WriteString(p.Raw)
		}
		if len(s.body) > 0 {
			out.WriteByte('\n')
		}
	}
	if !a.Mode.Empty() {
		out.WriteString("The session's mode: " + name(a.Mode) + "\n")
	}
	if a.Waits {
		out.WriteString("The session waits.\n")
	}
	for act := client.ActAllow; act <= client.ActDismissMessage; act++ {
		switch o := a.Offer(act); {
		case o.OK:
			out.WriteString(dotted("Here: "+act.String(), o.Effect, o.Confirm) + "\n")
		case o.Why != "":
			out.WriteString("Not here: " + act.String() + " · " + o.Why + "\n")
		}
	}
	return out.String()
}

// name is what was sent as a name, as one line.
func name(t text.Text) string {
	if strings.Contains(t.Raw(), "\n") {
		return strconv.Quote(t.Raw())
	}
	return t.Raw()
}
