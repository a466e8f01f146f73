package ask

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/diff"
	"askbox/tui/theme"
)

func (b *builder) approval(a *client.Ask) {
	p := a.Approval
	b.warn(text.Line, p.Tool)
	for _, part := range p.Parts {
		b.warn(text.Line, part.Key, part.Path)
		b.warn(part.Kind.Mode(), part.Text)
		b.warn(text.Exact, part.Args...)
	}
	if p.Excerpt != "" {
		b.prose(theme.Warn, false, "An excerpt: "+p.Excerpt)
	}
	if !p.Tool.Empty() {
		b.add(section{label: "Tool", role: theme.Heading, name: p.Tool, must: true})
	}
	shown := false
	for i, part := range p.Parts {
		if part.Kind != client.PartSays {
			shown = b.part(part, i == 0, shown) || shown
		}
	}
	if !shown {
		b.prose(theme.Warn, false, "There is nothing to show: the relay sent nothing of what would be done.")
		if b.doc.off == "" {
			b.doc.off = "There is nothing to show of it, so it cannot be allowed here. You can deny it."
		}
	}
	for _, part := range p.Parts {
		if part.Kind == client.PartSays && !part.Text.Empty() {
			s := section{label: dotted("The agent says", part.Note), role: theme.Heading, base: theme.Dim, mode: text.Words, must: true, gap: true}
			b.add(b.quote(s, part.Text))
		}
	}
}

// part adds one part of an approval's input and reports whether there was
// anything in it.
func (b *builder) part(p client.Part, leads, shown bool) bool {
	s := section{role: theme.Heading, name: p.Key, mode: p.Kind.Mode(), must: true, gap: !leads, first: !shown}
	switch p.Kind {
	case client.PartCommand:
		s.label, s.title = "Command", "Command"
		if leads && p.Key.Empty() && p.Note == "" {
			// What stands right below the tool's name needs no heading of its own.
			s.label = ""
		}
		s.label = dotted(s.label, p.Note)
		s = b.quote(s, p.Text)
	case client.PartArgs:
		s.label = dotted("Arguments", p.Note, client.Count(len(p.Args), "argument"))
		s = b.args(s, p.Args)
	case client.PartDiff:
		s = b.diff(s, p)
	case client.PartPlan:
		s.label = dotted("Plan", p.Note)
		s = b.quote(s, p.Text)
	case client.PartField, client.PartSays:
		s.label, s.title = dotted("Input", p.Note), "Input"
		if leads && len(b.doc.sections) == 0 && p.Key.Empty() && p.Note == "" {
			// Of what has no tool and no key the words say all that there is to say.
			s.label = ""
		}
		s = b.quote(s, p.Text)
	}
	b.add(s)
	return !p.Text.Empty() || len(p.Args) > 0 || !p.Path.Empty()
}

// diff adds a change of a file: its path and the counts as the heading, then the lines in
// colour. All counts come from the text that is shown.
func (b *builder) diff(s section, p client.Part) section {
	raw := p.Text.Raw()
	s = b.quote(s, p.Text)
	s.name, s.named = p.Path, !p.Path.Empty()
	plus, minus, notes := diff.Summary(raw)
	if p.Note != "" && !slices.Contains(notes, p.Note) {
		notes = append([]string{p.Note}, notes...)
	}
	s.label = dotted("Change", "+"+strconv.Itoa(plus)+" -"+strconv.Itoa(minus), strings.Join(notes, ", "))
	if len(s.body) == 1 && s.body[0].Raw == raw {
		// The line end of the last line ends the diff and begins no line.
		s.body = diff.Paint(strings.TrimSuffix(raw, "\n"), p.Path.Raw())
	}
	if !p.Key.Empty() {
		s.label = dotted(s.label, "input "+p.Key.String())
	}
	return s
}

// modes adds the ways to carry out a plan. What they do is said by the program,
// because a label may say the opposite.
func (b *builder) modes(modes []client.Mode) {
	if len(modes) == 0 {
		return
	}
	b.prose(theme.Heading, true, "How it may be carried out · a number chooses, a allows")
	for i, mode := range modes {
		head := 2 + len(strconv.Itoa(i+1)) + 1 + tickWidth + 1
		b.add(section{words: []string{mode.Title()}, indent: head, at: place{kind: onMode, option: i}})
		b.wordsBelow(head, theme.Dim, mode.Effect)
		b.textBelow(head, mode.Quoted, false)
	}
}

// wordsBelow adds the program's words below something that is indented.
func (b *builder) wordsBelow(indent int, role theme.Role, words string) {
	if words != "" {
		b.add(section{words: []string{words}, role: role, indent: indent})
	}
}

// textBelow adds what was sent below something that is indented.
func (b *builder) textBelow(indent int, t text.Text, must bool) {
	if !t.Empty() {
		b.add(b.quote(section{base: theme.Dim, mode: text.Words, indent: indent, must: must}, t))
	}
}

// rules makes the document of the exact rules that "always" would allow.
func rules(a *client.Ask) *document {
	b := newBuilder(a)
	p := a.Approval
	if p == nil {
		return &b.doc
	}
	words := "From now on this is allowed without asking:"
	if len(p.Always) > 1 {
		words = "From now on each of these is allowed without asking:"
	}
	b.add(section{words: []string{words}, role: theme.Warn, must: true})
	for i, r := range p.Always {
		b.warn(text.Exact, r)
		b.add(b.quote(section{title: "The rule", must: true, first: i == 0, base: theme.Strong}, r))
	}
	if p.AlwaysScope != "" {
		b.add(section{words: []string{theme.Sentence(p.AlwaysScope)}, must: true, gap: true})
	}
	return &b.doc
}

// asSent makes the document of the ask as the relay sent it.
func asSent(a *client.Ask) *document {
	b := newBuilder(a)
	if len(a.Raw) == 0 {
		b.prose(theme.Plain, false, "The relay's own words are not kept for this ask.")
		return &b.doc
	}
	raw := a.Raw
	var pretty bytes.Buffer
	if len(raw) <= maxBytes && json.Indent(&pretty, raw, "", "  ") == nil {
		raw = pretty.Bytes()
	}
	s := b.quote(section{label: "As the relay sent it", role: theme.Heading}, text.New(string(raw)))
	if s.size == "" {
		s.size = client.Count(len(a.Raw), "byte")
	}
	b.add(s)
	return &b.doc
}
