package ask

import (
	"slices"
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/diff"
	"askbox/tui/page"
	"askbox/tui/theme"
)

// approval adds what would be done: what runs first, then what the agent says of it.
func (b *content) approval(p *client.ApprovalAsk) {
	b.Warn(text.Line, p.Tool)
	for _, part := range p.Parts {
		b.Warn(text.Line, part.Key, part.Path)
		b.Warn(part.Kind.Mode(), part.Text)
		b.Warn(text.Exact, part.Args...)
	}
	if p.Excerpt != "" {
		b.Words(theme.Warn, false, "An excerpt: "+p.Excerpt)
	}
	if !p.Tool.Empty() {
		b.Add(page.Section{Label: "Tool", Role: theme.Dim, Name: p.Tool, Must: true})
	}
	shown := false
	for i, part := range p.Parts {
		if part.Kind != client.PartSays {
			b.part(part, page.Section{Label: b.label(part, i == 0), Role: theme.Dim, Name: part.Key, Must: true, Gap: i > 0, First: !shown})
			shown = shown || holds(part)
		}
	}
	if !shown {
		b.Words(theme.Warn, false, "There is nothing to show: the relay sent nothing of what would be done.")
	}
	for _, part := range p.Parts {
		if part.Kind == client.PartSays && !part.Text.Empty() {
			b.Quote(page.Section{Label: dotted("The agent says", part.Note), Role: theme.Dim, Base: theme.Dim, Mode: text.Words, Must: true, Gap: strings.Contains(part.Text.Raw(), "\n"), Beside: true}, part.Text)
		}
	}
}

// holds reports whether there is anything in a part.
func holds(p client.Part) bool { return !p.Text.Empty() || len(p.Args) > 0 || !p.Path.Empty() }

// nothing reports whether an approval shows nothing of what would be done.
func nothing(a *client.Ask) bool {
	p := a.Approval
	return p != nil && a.Unreadable == "" && !slices.ContainsFunc(p.Parts, func(p client.Part) bool { return p.Kind != client.PartSays && holds(p) })
}

// label returns the heading of a part. What stands right below the tool's name, or has
// neither a tool nor a key, needs none of its own.
func (b *content) label(p client.Part, leads bool) string {
	plain := leads && p.Key.Empty() && p.Note == ""
	switch p.Kind {
	case client.PartCommand:
		if plain {
			return ""
		}
	case client.PartField:
		if plain && b.ask.Approval.Tool.Empty() {
			return ""
		}
	case client.PartArgs:
		return dotted(p.Kind.String(), p.Note, client.Count(len(p.Args), "argument"))
	}
	return dotted(p.Kind.String(), p.Note)
}

// part adds one part under a heading. What would be done is louder than all around it.
func (b *content) part(p client.Part, s page.Section) {
	s.Mode = p.Kind.Mode()
	if s.First {
		s.Base = theme.Strong
	}
	switch p.Kind {
	case client.PartCommand:
		s.Base = theme.Strong
	case client.PartPlan:
		s.Base = theme.Plain
	case client.PartArgs:
		b.args(s, p.Args)
		return
	case client.PartDiff:
		b.change(s, p)
		return
	}
	b.Quote(s, p.Text)
}

// change adds a change of a file: its path and the counts as the heading, then the lines.
// All counts come from the text that is shown.
func (b *content) change(s page.Section, p client.Part) {
	s.Base = theme.Plain
	s.Name, s.NameRole, s.Named = relative(p.Path, b.ask.Session.Folder), theme.Strong, !p.Path.Empty()
	label, raw := []string{p.Kind.String(), p.Note}, p.Text.Raw()
	var c diff.Change
	if len(raw) <= client.MaxShown {
		// The diff may name the file as the input does, or by where it is.
		c = diff.Read(raw, !p.Piece, p.Path.Raw(), s.Name.Raw(), strings.TrimSuffix(b.ask.Session.Folder.Raw(), "/")+"/"+p.Path.Raw())
		label = append(label, "+"+strconv.Itoa(c.Plus)+" -"+strconv.Itoa(c.Minus))
	}
	if !p.Key.Empty() {
		label = append(label, "input "+p.Key.String())
	}
	s.Label = dotted(label...)
	b.Change(s, raw, c)
}

// relative returns a path as it is seen from a folder that it lies in.
func relative(path, folder text.Text) text.Text {
	if rest, ok := strings.CutPrefix(path.Raw(), strings.TrimSuffix(folder.Raw(), "/")+"/"); ok && !folder.Empty() && rest != "" {
		return text.New(rest)
	}
	return path
}

// args adds arguments, one a line, each as a unit with its place, so that no blank and no
// line break inside one looks like a border between two.
func (b *content) args(s page.Section, args []text.Text) {
	var all []text.Segment
	for i, a := range args {
		if i > 0 {
			all = append(all, text.Segment{Raw: "\n"})
		}
		all = append(all, text.Segment{Raw: strconv.Itoa(i+1) + " ", Class: int(theme.Dim)}, text.Segment{Raw: strconv.Quote(a.Raw())})
	}
	b.Segments(s, all)
}

// modes adds the ways to carry out a plan. What they do is said by the program,
// because a label may say the opposite.
func (b *content) modes(modes []client.Mode) {
	if len(modes) == 0 {
		return
	}
	b.Words(theme.Heading, true, b.keys.Spell("How it may be carried out · a number chooses, {allow} allows"))
	for i, mode := range modes {
		indent := headWidth(len(modes))
		b.Add(page.Section{Words: mode.Title(), Indent: indent, At: place{kind: onMode, option: i}})
		b.below(indent, theme.Dim, mode.Effect)
		b.textBelow(indent, mode.Quoted, false)
	}
}

// below adds the program's words below something that is indented.
func (b *content) below(indent int, role theme.Role, words string) {
	if words != "" {
		b.Add(page.Section{Words: words, Role: role, Indent: indent})
	}
}

// textBelow adds what was sent below something that is indented.
func (b *content) textBelow(indent int, t text.Text, must bool) {
	if !t.Empty() {
		b.Quote(page.Section{Base: theme.Dim, Mode: text.Words, Indent: indent, Must: must}, t)
	}
}

// asksAlways makes the document of the exact rules that "always" would allow, below what
// they would have allowed this time.
func asksAlways(a *client.Ask) *page.Document {
	b := &content{Builder: page.NewBuilder(true), ask: a}
	if a.Approval == nil {
		return b.Document()
	}
	what, more := firstLines(a.What(), 3)
	if len(a.Approval.Parts) > 0 && a.Approval.Parts[0].Kind == client.PartDiff {
		what = relative(what, a.Session.Folder)
	}
	b.Quote(page.Section{Label: "What is asked now" + more, Role: theme.Dim, First: true, Mode: a.Reads(), Base: theme.Strong}, what)
	b.rules()
	return b.Document()
}

// firstLines returns the first lines of a text, and says how many more it has.
func firstLines(t text.Text, n int) (_ text.Text, more string) {
	const most = 300 // bytes
	raw := t.Raw()
	lines := strings.SplitAfterN(raw, "\n", n+1)
	if len(lines) > n {
		raw = strings.TrimSuffix(strings.Join(lines[:n], ""), "\n")
	}
	if len(raw) > most {
		raw = strings.ToValidUTF8(raw[:most], "")
	}
	if len(raw) == len(t.Raw()) {
		return t, ""
	}
	return text.New(raw), ", its beginning"
}

// rules adds the rules that "always" would allow, and what they cover.
func (b *content) rules() {
	p := b.ask.Approval
	if p == nil || len(p.Always) == 0 {
		return
	}
	words := "From now on this is allowed without asking:"
	if len(p.Always) > 1 {
		words = "From now on each of these is allowed without asking:"
	}
	b.Add(page.Section{Words: words, Role: theme.Warn, Must: true, Gap: true})
	covers := ""
	for _, r := range p.Always {
		b.Warn(text.Exact, r)
		b.Quote(page.Section{Must: true, Base: theme.Strong, Mode: text.Line}, r)
		switch {
		case r.Raw() == "*":
			covers = "“*” covers everything that is asked for " + p.Tool.Quoted(40) + "."
		case strings.Contains(r.Raw(), "*") && covers == "":
			covers = "Anything may stand where “*” stands."
		}
	}
	if covers != "" {
		b.Add(page.Section{Words: covers, Role: theme.Warn, Must: true})
	}
	if p.AlwaysScope != "" {
		b.Add(page.Section{Words: theme.Sentence(p.AlwaysScope), Must: true})
	}
}
