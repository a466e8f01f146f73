package ask

import (
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/draw"
	"askbox/tui/theme"
)

// What is larger than this is not laid out whole, and cannot be allowed.
const (
	maxBytes = 1 << 20 // of all sections together
	maxRows  = 20_000  // at the width of the pane
	// headBytes and tailBytes are what is still shown of a section that is larger.
	headBytes = 512 << 10
	tailBytes = 128 << 10
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
	beside  text.Text  // untrusted words right of the label where they fit, else below it
	words   []string   // the program's words, wrapped, instead of a body
	body    []text.Segment
	mode    text.Mode
	base    theme.Role // of what has no class
	must    bool       // it has to be on screen before an allow
	first   bool       // it holds what would be done: its first row stays visible
	follows bool       // it goes on the section that holds what would be done
	named   bool       // what stands beside the label says what would be done
	gap     bool       // an empty line stands above
	size    string     // bytes and lines where it is long
}

// document is the content of an ask for one digest. It is immutable.
type document struct {
	sections []section
	after    []section // below what the answer pane adds
	// off says in the program's words why it cannot be allowed; empty when it can.
	off string
}

type builder struct {
	doc  document
	left int // bytes that may still be laid out
}

func build(a *client.Ask) *document {
	b := &builder{left: maxBytes}
	switch {
	case a.Unreadable != "":
		b.unreadable(a)
	case a.Kind == client.Approval && a.Approval != nil:
		b.approval(a)
	case a.Kind == client.Question:
		// The answer pane shows the questions, because they are its fields.
	case a.Kind == client.Secret && a.Secret != nil:
		b.secret(a.Secret, a.Session.Link != "")
	default:
		b.unknown(a)
	}
	for _, p := range a.Extra {
		s := section{label: "The relay also sent", role: theme.Warn, beside: p.Key, must: true, gap: true}
		b.add(b.quote(s, p.Text))
	}
	b.about(a)
	return &b.doc
}

func (b *builder) add(s section) { b.doc.sections = append(b.doc.sections, s) }

// prose adds the program's words.
func (b *builder) prose(role theme.Role, gap bool, words ...string) {
	b.add(section{words: words, role: role, gap: gap})
}

// quote sets what an agent wrote as the body of a section, within what may still
// be laid out.
func (b *builder) quote(s section, t text.Text) section {
	raw := t.Raw()
	if n, lines := t.Size(); n > longBytes || lines > longLines {
		s.size = draw.Count(n, "byte") + " · " + draw.Count(lines, "line")
		if s.label == "" {
			s.label = s.title
		}
	}
	if len(raw) <= b.left {
		b.left -= len(raw)
		s.body = append(s.body, text.Segment{Raw: raw})
		return s
	}
	b.tooLarge()
	b.left = max(b.left-headBytes-tailBytes, headBytes)
	head, tail := ends(raw)
	s.body = append(s.body, text.Segment{Raw: head})
	cut := len(raw) - len(head) - len(tail)
	if cut > 0 {
		b.add(s)
		b.prose(theme.Warn, false, draw.Count(cut, "byte")+" are left out here.")
		s = section{body: []text.Segment{{Raw: tail}}, mode: s.mode, base: s.base, must: s.must, follows: s.first || s.follows}
	}
	return s
}

func (b *builder) tooLarge() {
	b.doc.off = "It is larger than 1 MiB and cannot be shown whole, so it cannot be allowed here. You can deny it."
}

// ends cuts a text that is too large into its first and last part, between lines
// or at least between characters.
func ends(raw string) (head, tail string) {
	if len(raw) <= headBytes+tailBytes {
		return raw, ""
	}
	return strings.ToValidUTF8(raw[:runeStart(raw, headBytes)], "�"), raw[runeStart(raw, len(raw)-tailBytes):]
}

func runeStart(s string, i int) int {
	for j := 0; j < 4 && i > 0 && s[i]&0xC0 == 0x80; j++ {
		i--
	}
	return i
}

func (b *builder) approval(a *client.Ask) {
	p := a.Approval
	b.warn(p)
	if p.Excerpt != "" {
		b.prose(theme.Warn, false, "An excerpt: "+p.Excerpt)
	}
	if !p.Tool.Empty() {
		b.add(section{label: "Tool", role: theme.Heading, beside: p.Tool, must: true})
	}
	shown := false
	for i, part := range p.Parts {
		if part.Kind != client.PartSays {
			shown = b.part(part, i == 0) || shown
		}
	}
	if !shown {
		b.prose(theme.Warn, false, "There is nothing to show: the relay sent nothing of what would be done.")
		if b.doc.off == "" {
			b.doc.off = "There is nothing to show of it, so it cannot be allowed here. You can deny it."
		}
	}
	if !a.Session.Folder.Empty() {
		b.add(section{label: "In folder", role: theme.Heading, beside: a.Session.Folder, must: true, gap: true})
	}
	for _, part := range p.Parts {
		if part.Kind == client.PartSays && !part.Text.Empty() {
			s := section{label: joined("The agent says", part.Note), role: theme.Heading, base: theme.Dim, mode: text.Words, must: true, gap: true}
			b.add(b.quote(s, part.Text))
		}
	}
}

// part adds one part of an approval's input and reports whether there was
// anything in it.
func (b *builder) part(p client.Part, leads bool) bool {
	s := section{role: theme.Heading, beside: p.Key, must: true, gap: !leads, first: b.noneFirst()}
	switch p.Kind {
	case client.PartCommand:
		s.label, s.title = "Command", "Command"
		if leads && p.Key.Empty() && p.Note == "" {
			// What stands right below the tool's name needs no heading of its own.
			s.label = ""
		}
		s.label = joined(s.label, p.Note)
		s = b.quote(s, p.Text)
	case client.PartArgs:
		s.label = joined("Arguments", p.Note, draw.Count(len(p.Args), "argument"))
		s = b.args(s, p.Args)
	case client.PartDiff:
		s = b.diff(s, p)
	case client.PartPlan:
		s.label, s.mode = joined("Plan", p.Note), text.Words
		s = b.quote(s, p.Text)
	case client.PartField, client.PartSays:
		s.label, s.title = joined("Input", p.Note), "Input"
		if leads && len(b.doc.sections) == 0 && p.Key.Empty() && p.Note == "" {
			// Of what has no tool and no key the words say all that there is to say.
			s.label = ""
		}
		s = b.quote(s, p.Text)
	}
	b.add(s)
	return !p.Text.Empty() || len(p.Args) > 0 || !p.Path.Empty()
}

// noneFirst reports whether no section leads yet.
func (b *builder) noneFirst() bool {
	for _, s := range b.doc.sections {
		if s.first {
			return false
		}
	}
	return true
}

// args lays arguments out one a line, each as a unit with its place, so that no
// blank and no line break inside one looks like a border between two.
func (b *builder) args(s section, args []text.Text) section {
	for i, a := range args {
		if len(a.Raw()) > b.left {
			b.tooLarge()
			head, _ := ends(a.Raw())
			a = text.New(head)
		}
		b.left -= min(len(a.Raw()), b.left)
		if i > 0 {
			s.body = append(s.body, text.Segment{Raw: "\n"})
		}
		s.body = append(s.body,
			text.Segment{Raw: strconv.Itoa(i+1) + " ", Class: int(theme.Dim)},
			text.Segment{Raw: strconv.Quote(a.Raw())})
	}
	return s
}

// warn puts what is unusual in any part above everything else.
func (b *builder) warn(p *client.ApprovalAsk) {
	seen := map[string]bool{}
	collect := func(ts ...text.Text) {
		for _, t := range ts {
			for _, w := range t.Warnings() {
				if !seen[w] {
					seen[w] = true
					b.prose(theme.Warn, false, "Look closely: "+w)
				}
			}
		}
	}
	collect(p.Tool)
	for _, part := range p.Parts {
		collect(part.Key, part.Path, part.Text)
		collect(part.Args...)
	}
}

func (b *builder) secret(s *client.SecretAsk, link bool) {
	b.add(section{label: "The agent asks for a secret named", role: theme.Heading, beside: s.Name})
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
	b.add(section{label: "A kind of ask that this version does not know:", role: theme.Heading, beside: a.KindName})
	b.prose(theme.Plain, false, "It cannot be answered here. v shows it as the relay sent it.")
	for _, f := range a.Fields {
		s := section{label: joined("Field", f.Note), role: theme.Heading, beside: f.Key, gap: true}
		if f.Kind == client.PartArgs {
			b.add(b.args(s, f.Args))
			continue
		}
		b.add(b.quote(s, f.Text))
	}
}

func (b *builder) unreadable(a *client.Ask) {
	b.prose(theme.Warn, false, "This ask could not be read: "+a.Unreadable)
	b.prose(theme.Plain, false, "It cannot be answered here. This is what the relay sent:")
	b.add(b.quote(section{gap: true}, text.New(string(a.Raw))))
}

// about adds what the program knows around the ask, below everything else.
func (b *builder) about(a *client.Ask) {
	gap := true
	add := func(label string, t text.Text) {
		if t.Empty() {
			return
		}
		b.doc.after = append(b.doc.after, section{label: label, role: theme.Dim, beside: t, base: theme.Dim, gap: gap})
		gap = false
	}
	if a.AskedBy != nil {
		add("Asked on behalf of this session by", a.AskedBy.Title)
	}
	if a.Kind != client.Approval {
		add("In folder", a.Session.Folder)
	}
	add("Started from", a.Session.Origin)
	add("on relay", a.Session.OriginRelay)
	if (a.Kind == client.Question || a.Approval != nil && a.Approval.Tool.Empty()) && a.KindName.Raw() != a.Kind.Name() {
		// Where the relay says with what something was asked, no words of an agent
		// can make it look like something else.
		add("Asked through", a.KindName)
	}
	add("The session's mode", a.Mode)
	add("Ask", text.New(a.ID))
}

// label joins the program's words above a section.
func joined(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " · ")
}
