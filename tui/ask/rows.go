package ask

import (
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/draw"
	"askbox/tui/theme"
)

// Row is one row that stands below what is asked.
type tailRow struct {
	Line string // painted, exactly as wide as the pane
	Must bool   // it has to be on screen before what is asked about once more is sent
	Key  int    // tells rows apart at one width
}

// rows collects what the answer adds to the document.
type rows struct {
	m        answer
	width    int
	out      []tailRow
	must     bool // a choice is asked about once more, so the questions have to be read
	key      int  // grows with every row that could be there, shown or not
	from, to int  // the rows of the place of the cursor
}

// Rows lays out the questions with their options, or a plan's modes, and says
// which rows the cursor is on, from included, to not; both 0: on none.
func (m answer) Rows(width int) (out []tailRow, from, to int) {
	if m.item == nil || width <= 0 {
		return nil, 0, 0
	}
	r := &rows{m: m, width: width}
	a := m.item.Ask
	switch {
	case a.Kind == client.Question:
		r.must = asksOnceMore(a)
		for i := range m.qs {
			r.question(i)
		}
	case a.Approval != nil && len(a.Approval.Modes) > 0:
		r.modes(a.Approval.Modes)
	}
	return r.out, r.from, r.to
}

func asksOnceMore(a *client.Ask) bool {
	for _, q := range a.Questions {
		for _, o := range q.Options {
			if o.Confirm != "" {
				return true
			}
		}
	}
	return a.Offer(client.ActAnswer).Confirm != ""
}

func (r *rows) line(l string)                   { r.out = append(r.out, tailRow{Line: l}) }
func (r *rows) words(role theme.Role, s string) { r.indented(0, role, s) }

func (r *rows) indented(indent int, role theme.Role, s string) {
	for _, l := range draw.Wrap(s, max(r.width-indent, 1)) {
		r.line(draw.Fill(draw.Blank(indent)+r.m.theme.Paint(role, l), r.width))
	}
}

// quoted adds untrusted text behind the gutter, whole.
func (r *rows) quoted(t text.Text, indent int, base theme.Role, must bool) {
	for _, row := range t.Rows(max(r.width-indent-draw.GutterWidth, 1), text.Words) {
		r.key++
		r.out = append(r.out, tailRow{Line: draw.Quoted(r.m.theme, row, indent, r.width, base), Must: must, Key: r.key})
	}
}

func (r *rows) question(i int) {
	m, t := r.m, r.m.theme
	asked := m.item.Ask.Questions[i]
	if i > 0 {
		r.line(draw.Blank(r.width))
	}
	r.words(theme.Heading, m.questionTitle(i))
	for _, w := range append(asked.Text.Warnings(), asked.Detail.Warnings()...) {
		r.words(theme.Warn, "Look closely: "+w)
	}
	if !asked.Header.Empty() {
		r.quoted(asked.Header, 0, theme.Strong, r.must)
	}
	r.quoted(asked.Text, 0, theme.Plain, r.must)
	r.detail(i)
	if len(asked.Options) > 0 {
		r.line(draw.Blank(r.width))
	}
	for o := range asked.Options {
		r.option(i, o)
	}
	if !asked.RecommendedText.Empty() {
		r.words(theme.Accent, "Recommended, in the agent's words:")
		r.quoted(asked.RecommendedText, 0, theme.Plain, false)
	}
	if r.proposes(i) {
		r.line(label(t, "Proposed", asked.Default, r.width))
	}
	if typed(asked) {
		r.ownText(i)
	}
	if m.fault.question == i && m.fault.words != "" {
		r.words(theme.Danger, m.fault.words)
	}
}

// proposes reports whether what the form proposes is not to be seen in the field
// or beside an option.
func (r *rows) proposes(i int) bool {
	asked := r.m.item.Ask.Questions[i]
	for _, o := range asked.Options {
		if o.ID == asked.Default.Raw() {
			return false
		}
	}
	return !asked.Default.Empty() && r.m.qs[i].text.value != asked.Default.Raw()
}

// questionTitle says what is wanted: which question of how many, and how it may be answered.
func (m answer) questionTitle(i int) string {
	q := m.item.Ask.Questions[i]
	var parts []string
	if len(m.qs) > 1 {
		parts = append(parts, "Question "+strconv.Itoa(i+1)+" of "+strconv.Itoa(len(m.qs)))
	}
	switch {
	case q.Type == client.FieldNumber:
		parts = append(parts, "a number")
	case q.Type == client.FieldInteger:
		parts = append(parts, "a whole number")
	case q.Type == client.FieldText || len(q.Options) == 0:
		parts = append(parts, "in your own words")
	case q.Multi:
		parts = append(parts, "choose any of "+strconv.Itoa(len(q.Options)))
	default:
		parts = append(parts, "choose one of "+strconv.Itoa(len(q.Options)))
	}
	if q.Optional {
		parts = append(parts, "may be left out")
	} else if q.Type != client.FieldChoice {
		parts = append(parts, "required")
	}
	s := strings.Join(parts, " · ")
	return strings.ToUpper(s[:1]) + s[1:]
}

func (r *rows) detail(i int) {
	m := r.m
	d := m.item.Ask.Questions[i].Detail
	if d.Empty() {
		return
	}
	here := r.at(i, place{kind: onDetail})
	_, lines := d.Size()
	word := "+ more from the agent, " + draw.Count(lines, "line") + " · → unfolds"
	if m.qs[i].open {
		word = "- more from the agent · → folds"
	}
	start := len(r.out)
	r.line(draw.Fill(r.cursor(here)+m.theme.Paint(theme.Accent, text.Cut(word, max(r.width-2, 1))), r.width))
	r.mark(here, start)
	if m.qs[i].open {
		r.quoted(d, 0, theme.Plain, r.must)
	} else {
		r.key += len(d.Rows(max(r.width-draw.GutterWidth, 1), text.Words))
	}
}

// at reports whether the cursor is on a place.
func (r *rows) at(i int, p place) bool {
	here, ok := r.m.here()
	return ok && r.m.stage != idle && i == r.m.q && here == p
}

func (r *rows) cursor(here bool) string {
	if !here {
		return "  "
	}
	return r.m.theme.Paint(theme.Cursor, r.m.theme.Glyphs.Cursor) + " "
}

// mark notes the rows since start as those of the cursor.
func (r *rows) mark(here bool, start int) {
	if here {
		r.from, r.to = start, len(r.out)
	}
}

// option draws one option: the program's cursor, number and tick, then the gutter,
// then the agent's label. So a label that is empty, the same as another one, or
// drawn like a button is still one option with a number of its own.
func (r *rows) option(i, o int) {
	m, t := r.m, r.m.theme
	asked := m.item.Ask.Questions[i]
	opt := asked.Options[o]
	here := r.at(i, place{onOption, o})
	start := len(r.out)
	number := strconv.Itoa(o + 1)
	digits := len(strconv.Itoa(len(asked.Options)))
	tick, ticked := r.tick(i, o)
	head := 2 + digits + 1 + text.Width(tick) + 1
	role := theme.Plain
	if ticked {
		role = theme.Selected
	}
	labels := opt.Label.Rows(max(r.width-head-draw.GutterWidth, 1), text.Words)
	if opt.Label.Empty() {
		labels = []text.Row{{}}
	}
	for n, row := range labels {
		line := draw.Quoted(t, row, 0, max(r.width-head, 0), role)
		if n > 0 {
			r.line(draw.Fill(draw.Blank(head)+line, r.width))
			continue
		}
		lead := r.cursor(here) + t.Paint(theme.Key, strings.Repeat(" ", digits-len(number))+number) + " " + paintTick(t, tick, ticked) + " "
		if opt.Label.Empty() {
			line = t.Paint(theme.Dim, "no label")
		}
		r.line(draw.Fill(lead+line, r.width))
	}
	r.quotedDim(opt.Description, head)
	if opt.Effect != "" {
		r.indented(head, theme.Strong, "does: "+opt.Effect)
	}
	if asked.Recommended == o+1 {
		r.indented(head, theme.Accent, "Recommended by the agent")
	}
	if id := asked.Default.Raw(); id != "" && id == opt.ID {
		r.indented(head, theme.Dim, "Proposed by the form")
	}
	r.mark(here, start)
}

func (r *rows) quotedDim(t text.Text, indent int) {
	if !t.Empty() {
		r.quoted(t, indent, theme.Dim, false)
	}
}

func (r *rows) tick(i, o int) (glyph string, ticked bool) {
	g := r.m.theme.Glyphs
	ticked = r.m.ticked(i, o)
	switch {
	case r.m.item.Ask.Questions[i].Multi && ticked:
		return g.Ticked, true
	case r.m.item.Ask.Questions[i].Multi:
		return g.Unticked, false
	case ticked:
		return g.Chosen, true
	}
	return g.Unchosen, false
}

func paintTick(t *theme.Theme, glyph string, on bool) string {
	if on {
		return t.Paint(theme.Accent, glyph)
	}
	return t.Paint(theme.Dim, glyph)
}

const loggedWords = "sent and logged as plain text"

// ownText draws the field of a question. It says where the words go, because a
// question may ask for what nobody should type into it.
func (r *rows) ownText(i int) {
	m, t := r.m, r.m.theme
	asked := m.item.Ask.Questions[i]
	q := m.qs[i]
	editing := m.stage == typing && m.field == ownField && i == m.q
	here := r.at(i, place{kind: onText})
	start := len(r.out)
	glyphs := t.Glyphs
	tick := glyphs.Unchosen
	if asked.TextWithChoices {
		tick = glyphs.Unticked
	}
	on := q.own && q.text.value != ""
	if on && asked.TextWithChoices {
		tick = glyphs.Ticked
	} else if on {
		tick = glyphs.Chosen
	}
	words := "your own words"
	switch {
	case len(asked.Options) == 0:
		words = "your answer"
	case asked.TextWithChoices:
		words = "your own words besides"
	}
	lead := r.cursor(here) + t.Paint(theme.Key, "t") + " " + paintTick(t, tick, on) + " "
	head := 2 + 2 + text.Width(tick) + 1
	if head+text.Width(words)+3+len(loggedWords) <= r.width {
		r.line(draw.Fill(lead+t.Paint(theme.Plain, words)+t.Paint(theme.Dim, " · "+loggedWords), r.width))
	} else {
		r.line(draw.Fill(lead+t.Paint(theme.Plain, words), r.width))
		r.indented(4, theme.Dim, loggedWords)
	}
	if q.text.value != "" && !on {
		r.indented(4, theme.Dim, "kept, but not part of the answer:")
	}
	if editing || q.text.value != "" {
		for _, l := range q.text.draw(t, 4, r.width, 8, editing) {
			r.line(l)
		}
	}
	if n := asked.MaxText; n > 0 && (editing || q.text.count() > n) {
		r.line(draw.Fill(draw.Blank(4)+counter(t, q.text.count(), n), r.width))
	}
	r.mark(here || editing, start)
}

// modes draws the ways to carry out a plan. What they do is said by the program,
// because a label may say the opposite.
func (r *rows) modes(modes []client.Mode) {
	t := r.m.theme
	r.line(draw.Blank(r.width))
	r.words(theme.Heading, "How it may be carried out · a number chooses, a allows")
	for i, mode := range modes {
		on := r.m.mode == i+1
		tick, role := t.Glyphs.Unchosen, theme.Plain
		if on {
			tick, role = t.Glyphs.Chosen, theme.Selected
		}
		lead := "  " + t.Paint(theme.Key, strconv.Itoa(i+1)) + " " + paintTick(t, tick, on) + " "
		words := mode.Label
		if words == "" {
			words = "mode " + text.New(mode.ID).String()
		}
		head := 2 + len(strconv.Itoa(i+1)) + 1 + text.Width(tick) + 1
		r.line(draw.Fill(lead+t.Paint(role, text.Cut(words, max(r.width-head, 1))), r.width))
		if mode.Effect != "" {
			r.indented(head, theme.Dim, mode.Effect)
		}
		r.quotedDim(mode.Quoted, head)
	}
}

// label draws the program's word and, behind the gutter, what was sent.
func label(t *theme.Theme, word string, quoted text.Text, width int) string {
	room := max(width-text.Width(word)-3, 1)
	return draw.Fill(t.Paint(theme.Dim, word)+" "+t.Paint(theme.Gutter, t.Glyphs.Gutter)+" "+quoted.Fit(room), width)
}
