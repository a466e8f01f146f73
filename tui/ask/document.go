package ask

import (
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/theme"
)

// What is larger than this is not laid out whole, and can only be denied.
const (
	maxBytes = client.MaxShown // of all sections together
	maxRows  = client.MaxRows  // at the width of the pane
	// headBytes, tailBytes, headLines and tailLines are what is still shown at the
	// most of a text that is larger.
	headBytes, headLines = 512 << 10, maxRows * 3 / 4
	tailBytes, tailLines = 128 << 10, maxRows / 5
	// longBytes and longLines are from where on a section's size is told.
	longBytes = 1000
	longLines = 15
)

// section is a stretch of the document: a line of the program's words, then
// what was sent, behind the gutter.
type section struct {
	label   string     // the program's words
	title   string     // stands in for an empty label where the section is long
	role    theme.Role // of the label
	name    text.Text  // what was sent as one: right of the label where it fits, else below it
	person  bool       // the name is a person's or in a person's words, and no path or key
	words   []string   // the program's words, wrapped, instead of a body
	body    []text.Segment
	mode    text.Mode
	base    theme.Role // of what has no class
	indent  int        // cells left of all of it
	size    string     // bytes and lines where it is long
	must    bool       // it has to be read before an allow
	first   bool       // it holds what would be done: its first row stays visible
	follows bool       // it goes on the section that holds what would be done
	named   bool       // the name says what would be done
	gap     bool       // an empty line stands above
	at      place      // what the cursor of the answer can stand on
	folded  bool       // shown only while the detail of its question is unfolded
}

// document is the content of an ask for one digest. It is immutable.
type document struct {
	kind     client.Kind
	sections []section
	// ends are, by question, how many sections stand above its end, where what is
	// typed goes.
	ends []int
	// off says in the program's words why it cannot be allowed; empty when it can.
	off string
}

type builder struct {
	doc    document
	left   int             // bytes that may still be laid out
	warned map[string]bool // what was warned of; nil: nothing is
}

func newBuilder(a *client.Ask) *builder {
	return &builder{doc: document{kind: a.Kind}, left: maxBytes, warned: map[string]bool{}}
}

// build makes the document of an ask, with what is to be compared above all else.
func build(a *client.Ask, g *inbox.Group, c comparison) *document {
	b := newBuilder(a)
	b.compare(c)
	b.content(a)
	b.about(a, g)
	return &b.doc
}

func (b *builder) content(a *client.Ask) {
	b.extraWarning(a.Extra)
	switch {
	case a.Unreadable != "":
		b.prose(theme.Warn, false, "This ask could not be read: "+a.Unreadable)
		b.prose(theme.Plain, false, "It cannot be answered here. This is what the relay sent:")
		b.add(b.quote(section{gap: true}, text.New(string(a.Raw))))
	case a.Kind == client.Approval && a.Approval != nil:
		b.approval(a)
	case a.Kind == client.Question:
		b.questions(a)
	case a.Kind == client.Secret && a.Secret != nil:
		b.secret(a.Secret, a.Session.Link != "")
	default:
		b.unknown(a)
	}
	b.extra(a.Extra)
	if a.Approval != nil {
		b.modes(a.Approval.Modes)
	}
}

func (b *builder) add(s section) {
	if len(b.doc.sections) >= maxRows {
		b.tooLarge(client.TooManyRows)
		return
	}
	b.doc.sections = append(b.doc.sections, s)
}

// prose adds the program's words.
func (b *builder) prose(role theme.Role, gap bool, words ...string) {
	b.add(section{words: words, role: role, gap: gap})
}

// quote sets what was sent as the body of a section, within what may still be laid out.
func (b *builder) quote(s section, t text.Text) section {
	raw := t.Raw()
	n, lines := t.Size()
	if n > longBytes || lines > longLines {
		s.size = client.Count(n, "byte") + " · " + client.Count(lines, "line")
		if s.label == "" {
			s.label = s.title
		}
	}
	switch {
	case n > b.left:
		b.tooLarge(client.TooManyBytes)
	case lines > maxRows:
		b.tooLarge(client.TooManyRows)
	default:
		b.left -= n
		s.body = append(s.body, text.Segment{Raw: raw})
		return s
	}
	head, tail := ends(raw, b.left)
	b.left = max(b.left-len(head)-len(tail), 0)
	s.body = append(s.body, text.Segment{Raw: head})
	if cut := n - len(head) - len(tail); cut > 0 {
		b.add(s)
		b.prose(theme.Warn, false, client.Count(cut, "byte")+" are left out here.")
		s = section{body: []text.Segment{{Raw: tail}}, mode: s.mode, base: s.base, must: s.must, indent: s.indent, follows: s.first || s.follows, folded: s.folded}
	}
	return s
}

// tooLarge notes that not all of it is shown, so that nothing may come of it.
func (b *builder) tooLarge(how string) {
	if b.doc.off == "" {
		b.doc.off = b.doc.kind.TooLarge(how)
	}
}

// ends cuts a text that is too large into its first and last part, of which the
// first takes at most half of what is left.
func ends(raw string, left int) (head, tail string) {
	to := runeStart(raw, min(len(raw), headBytes, max(left/2, longBytes)))
	to = min(to, behindLines(raw, headLines))
	from := runeStart(raw, max(to, len(raw)-min(tailBytes, max(left/8, longBytes))))
	for lines := strings.Count(raw[from:], "\n"); lines > tailLines; lines-- {
		from += strings.IndexByte(raw[from:], '\n') + 1
	}
	return strings.ToValidUTF8(raw[:to], "�"), raw[from:]
}

// behindLines is where a text goes on after its first n lines.
func behindLines(raw string, n int) int {
	at := 0
	for ; n > 0; n-- {
		i := strings.IndexByte(raw[at:], '\n')
		if i < 0 {
			return len(raw)
		}
		at += i + 1
	}
	return at
}

func runeStart(s string, i int) int {
	for j := 0; j < 4 && i > 0 && i < len(s) && s[i]&0xC0 == 0x80; j++ {
		i--
	}
	return i
}

// warn puts what is unusual in any of the texts, read as mode says, above what follows.
func (b *builder) warn(mode text.Mode, ts ...text.Text) {
	if b.warned == nil {
		return
	}
	for _, t := range ts {
		for _, w := range t.Warnings(mode) {
			if !b.warned[w] {
				b.warned[w] = true
				b.prose(theme.Warn, false, "Look closely: "+w)
			}
		}
	}
}

// extraWarning says above everything else that there is more than askbox knows.
func (b *builder) extraWarning(parts []client.Part) {
	if len(parts) > 0 {
		b.prose(theme.Warn, false, "Look closely: the relay sent more than askbox knows. It is shown below.")
	}
}

// extra shows what the relay sent beside what is known, because it may act on it.
func (b *builder) extra(parts []client.Part) {
	for i, p := range parts {
		if i == 0 {
			b.add(section{words: []string{"Also sent, not known to askbox:"}, role: theme.Warn, gap: true, must: true})
		}
		b.warn(text.Line, p.Key)
		b.warn(p.Kind.Mode(), p.Text)
		b.add(b.quote(section{label: "Member", role: theme.Heading, name: p.Key, mode: p.Kind.Mode(), must: true}, p.Text))
	}
}

func (b *builder) secret(s *client.SecretAsk, link bool) {
	b.add(section{label: "The agent asks for a secret named", role: theme.Heading, name: s.Name})
	if !s.Description.Empty() {
		b.add(b.quote(section{label: "It says", role: theme.Heading, base: theme.Dim, mode: text.Words, gap: true}, s.Description))
	}
	where := s.Where
	if where == "" {
		where = "Give it where the session runs."
	}
	b.prose(theme.Strong, true, "askbox takes no secrets. "+where)
	if link {
		b.prose(theme.Plain, false, "o opens the session.")
	}
}

func (b *builder) unknown(a *client.Ask) {
	b.add(section{label: "A kind of ask that this version does not know:", role: theme.Heading, name: a.KindName})
	b.prose(theme.Plain, false, "It cannot be answered here. v shows it as the relay sent it.")
	for _, f := range a.Fields {
		s := section{label: dotted("Field", f.Note), role: theme.Heading, name: f.Key, gap: true}
		if f.Kind == client.PartArgs {
			b.add(b.args(s, f.Args))
			continue
		}
		s.mode = f.Kind.Mode()
		b.add(b.quote(s, f.Text))
	}
}

// args lays arguments out one a line, each as a unit with its place, so that no
// blank and no line break inside one looks like a border between two.
func (b *builder) args(s section, args []text.Text) section {
	for i, a := range args {
		raw := a.Raw()
		if len(raw) > b.left || i > maxRows {
			b.tooLarge(client.TooManyBytes)
			raw, _ = ends(raw, b.left)
		}
		b.left -= min(len(raw), b.left)
		if i > 0 {
			s.body = append(s.body, text.Segment{Raw: "\n"})
		}
		s.body = append(s.body,
			text.Segment{Raw: strconv.Itoa(i+1) + " ", Class: int(theme.Dim)},
			text.Segment{Raw: strconv.Quote(raw)})
		if i > maxRows {
			break
		}
	}
	return s
}

// about adds what stands around the ask, below everything else. None of it has to
// be read before an answer.
func (b *builder) about(a *client.Ask, g *inbox.Group) {
	gap := true
	read := func(person bool, label string, t text.Text) {
		if t.Empty() {
			return
		}
		b.add(section{label: label, role: theme.Dim, name: t, person: person, base: theme.Dim, gap: gap})
		gap = false
	}
	add := func(label string, t text.Text) { read(false, label, t) }
	if a.AskedBy != nil {
		read(true, "Asked on behalf of this session by", a.AskedBy.Title)
	}
	add("The session's mode", a.Mode)
	add("In folder", a.Session.Folder)
	if a.Session.Starter != client.StarterMe {
		read(true, "Started by", a.Session.StartedBy.Name)
	}
	read(true, "Started from", a.Session.Origin)
	read(true, "on relay", a.Session.OriginRelay)
	if g != nil && g.Via != "" {
		add("Lives on the relay", text.New(g.Name))
	}
	if (a.Kind == client.Question || a.Approval != nil && a.Approval.Tool.Empty()) && a.KindName.Raw() != a.Kind.Name() {
		// Where the relay says with what something was asked, no words of an agent
		// can make it look like something else.
		add("Asked through", a.KindName)
	}
	add("Ask", text.New(a.ID))
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
