package ask

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/diff"
	"askbox/tui/keymap"
	"askbox/tui/page"
	"askbox/tui/theme"
)

// content writes the documents of an ask.
type content struct {
	*page.Builder
	keys *keymap.Map
	ask  *client.Ask
	all  []*client.Ask // what it stands for, where several are shown as one
}

// build makes the document of an ask, with what is to be compared above all else.
func (m Model) build(c comparison) *page.Document {
	b := &content{page.NewBuilder(true), m.keys, m.item.Ask, m.item.Together}
	b.compare(c)
	if len(b.all) > 0 {
		b.together()
	} else {
		b.asked()
	}
	b.about(m.group)
	return b.Document()
}

// asked adds all that a decision depends on.
func (b *content) asked() {
	a := b.ask
	if len(a.Extra) > 0 {
		b.Words(theme.Warn, false, "Look closely: the relay sent more than askbox knows. It is shown below.")
	}
	switch {
	case a.Unreadable != "":
		b.Words(theme.Warn, false, "This ask could not be read: "+a.Unreadable)
		b.Words(theme.Plain, false, "It cannot be answered here. This is what the relay sent:")
		b.Quote(page.Section{Gap: true}, text.New(string(a.Raw)))
	case a.Kind == client.Approval && a.Approval != nil:
		b.approval(a.Approval)
	case a.Kind == client.Question:
		must := asksOnceMore(a)
		for i := range a.Questions {
			b.question(i, must)
		}
	case a.Kind == client.Secret && a.Secret != nil:
		b.secret(a.Secret)
	case a.Kind == client.Paused:
		b.paused()
	default:
		b.unknown()
	}
	for i, p := range a.Extra {
		// A relay may act on what askbox does not know.
		if i == 0 {
			b.Add(page.Section{Words: "Also sent, not known to askbox:", Role: theme.Warn, Gap: true, Must: true})
		}
		b.Warn(text.Line, p.Key)
		b.Warn(p.Kind.Mode(), p.Text)
		b.Quote(page.Section{Label: "Member", Role: theme.Dim, Name: p.Key, Mode: p.Kind.Mode(), Must: true}, p.Text)
	}
	if a.Approval != nil {
		b.modes(a.Approval.Modes)
	}
}

// together adds several asks, one below the other, each with the session that asks.
func (b *content) together() {
	all := b.all
	b.Words(theme.Warn, false, client.Count(len(all), "ask")+" stand below, one after the other. One key answers all of them.")
	for i, a := range all {
		b.Add(page.Section{Label: strconv.Itoa(i+1) + " of " + strconv.Itoa(len(all)), Role: theme.Heading, Name: a.Session.Title, NameRole: theme.Strong, Person: true, Gap: true, Must: true})
		if !a.Session.Folder.Empty() {
			b.Add(page.Section{Label: "In folder", Role: theme.Dim, Name: a.Session.Folder, Must: true})
		}
		(&content{Builder: b.Builder, keys: b.keys, ask: a}).asked()
	}
}

func (b *content) secret(s *client.SecretAsk) {
	b.Add(page.Section{Label: "The agent asks for a secret named", Role: theme.Dim, Name: s.Name, NameRole: theme.Strong})
	if !s.Description.Empty() {
		b.Quote(page.Section{Label: "It says", Role: theme.Dim, Base: theme.Dim, Mode: text.Words, Gap: true}, s.Description)
	}
	b.Words(theme.Strong, true, "askbox takes no secrets. "+where(s))
	if b.ask.Session.Link != "" {
		b.Words(theme.Plain, false, b.keys.Spell("{link} opens the session."))
	}
}

// where says how a secret is given.
func where(s *client.SecretAsk) string {
	if s == nil || s.Where == "" {
		return "Give it where the session runs."
	}
	return s.Where
}

func (b *content) paused() {
	if b.ask.Status.Closed() {
		b.Words(theme.Strong, true, "This session was paused.")
		return
	}
	b.Words(theme.Strong, true, "This session is paused, and nothing is asked.")
	b.Words(theme.Plain, false, "It stands here until it runs again or is closed.")
}

func (b *content) unknown() {
	b.Add(page.Section{Label: "A kind of ask that this version does not know:", Role: theme.Heading, Name: b.ask.KindName, NameRole: theme.Strong})
	b.Words(theme.Plain, false, b.keys.Spell("It cannot be answered here. {as_sent} shows it as the relay sent it."))
	for _, f := range b.ask.Fields {
		b.part(f, page.Section{Label: dotted("Field", f.Note), Role: theme.Dim, Name: f.Key, Gap: true})
	}
}

// about adds what stands around the ask, below everything else. None of it has to
// be read before an answer.
func (b *content) about(g *inbox.Group) {
	a, gap := b.ask, true
	add := func(person bool, label string, t text.Text) {
		if !t.Empty() {
			b.Add(page.Section{Label: label, Role: theme.Dim, Name: t, NameRole: theme.Dim, Person: person, Gap: gap})
			gap = false
		}
	}
	if a.AskedBy != nil {
		add(true, "Asked on behalf of this session by", a.AskedBy.Title)
	}
	add(false, "The session's mode", a.Mode)
	add(false, "In folder", a.Session.Folder)
	if a.Session.Starter != client.StarterMe {
		add(true, "Started by", a.Session.StartedBy.Name)
	}
	add(true, "Started from", a.Session.Origin)
	add(true, "on relay", a.Session.OriginRelay)
	if g != nil && g.Via != "" {
		add(false, "Lives on the relay", text.New(g.Name))
	}
	if (a.Kind == client.Question || a.Approval != nil && a.Approval.Tool.Empty()) && a.KindName.Raw() != a.Kind.Name() {
		// Where the relay says with what something was asked, no words of an agent
		// can make it look like something else.
		add(false, "Asked through", a.KindName)
	}
	if len(b.all) == 0 {
		add(false, "Ask", text.New(a.ID))
	}
}

// aboutOf is what stands in the document and may change without the digest.
func aboutOf(a *client.Ask, g *inbox.Group) string {
	b := &content{Builder: page.NewBuilder(false), ask: a}
	b.about(g)
	return b.Document().String() + a.Unreadable
}

// asSent makes the document of the ask as the relay sent it.
func asSent(a *client.Ask) *page.Document {
	b := page.NewBuilder(true)
	if len(a.Raw) == 0 {
		b.Words(theme.Plain, false, "The relay's own words are not kept for this ask.")
		return b.Document()
	}
	raw := a.Raw
	var pretty bytes.Buffer
	if len(raw) <= client.MaxShown && json.Indent(&pretty, raw, "", "  ") == nil {
		raw = pretty.Bytes()
	}
	b.Quote(page.Section{Label: "As the relay sent it", Role: theme.Heading, Size: client.Count(len(a.Raw), "byte")}, text.New(string(raw)))
	return b.Document()
}

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
func (b *content) compare(c comparison) {
	if c.id == (pairing{}) {
		return
	}
	lines, more := diff.Between(b.plain(c.from), b.plain(c.to))
	if len(lines) == 0 {
		b.Words(theme.Warn, false, "Nothing that its text shows is different.")
		return
	}
	b.Add(page.Section{Words: c.words, Role: theme.Warn, Change: lines, Mode: c.to.Reads()})
	if more > 0 {
		b.Words(theme.Warn, false, client.Count(more, "more line")+" of this are left out here.")
	}
	b.Words(theme.Heading, true, c.below)
}

// plain writes all of an ask that a decision depends on as lines, to be compared.
func (b *content) plain(a *client.Ask) string {
	b = &content{Builder: page.NewBuilder(false), keys: b.keys, ask: a} // a warning is no part of what is asked
	b.asked()
	b.rules()
	var out strings.Builder
	out.WriteString(b.Document().String())
	if !a.Mode.Empty() {
		out.WriteString("The session's mode: " + strconv.Quote(a.Mode.Raw()) + "\n")
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

// dotted joins the program's words with dots.
func dotted(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " · ")
}
