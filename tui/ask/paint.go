package ask

import (
	"strconv"
	"strings"

	"askbox/client/text"
	"askbox/tui/theme"
)

// layout shares the height out: who asks, at the top, then what must not be
// missed, then what is asked, then a rule that says how much was read, then the
// keys. What is asked always keeps the rows that it needs to show what would be done.
func (m Model) layout() Model {
	if m.width <= 0 || m.height <= 0 {
		m.body = 0
		return m
	}
	head := len(m.head())
	body := 5
	switch {
	case m.height < 10:
		body = 2
	case m.height < 16:
		body = 3
	}
	m.room = max(m.height-head-1-min(body, max(m.height-head-3, 1)), 1)
	if m.height < 16 && m.stage == idle && m.item != nil && m.item.Flight == nil && !m.item.Ask.Status.Closed() {
		// In a low window the rows of the ask are worth more than long words for its keys.
		most := 4
		if m.height < 10 {
			most = 2
		}
		m.room = min(m.room, most)
	}
	// The keys do not move while somebody reads: they have the lines that they need
	// whether the ask is read to its end or not.
	m = m.settle()
	m.foot = max(len(m.footer(m.room, false)), len(m.footer(m.room, true)))
	before := m.body
	m.body = max(m.height-head-1-m.foot, 0)
	if m = m.scroll(0); m.body != before {
		m = m.toCursor()
	}
	return m
}

// toCursor scrolls to the place of the cursor, where there is one.
func (m Model) toCursor() Model {
	if from, to := m.cursorRows(); to > from && m.view == viewContent && m.body > 0 {
		return m.reveal(from, to)
	}
	return m
}

// View draws exactly height lines of exactly width cells.
func (m Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	lines := make([]string, 0, m.height+1)
	if m.item == nil {
		lines = append(lines, theme.OneLine(m.theme, theme.Dim, "No ask is selected.", m.width))
	} else {
		lines = append(lines, m.head()...)
		lines = append(lines, m.rows()...)
		// The rows beside them count as read once the frame is drawn, so that the rule
		// and the keys do not blink with every ask that comes on the screen.
		drawn := m.Confirm(m.OnScreen())
		drawn.known = m.known
		lines = append(lines, drawn.rule())
		keys := drawn.footer(max(m.room, 1), drawn.read())
		lines = append(lines, keys[:min(len(keys), m.foot)]...)
	}
	for len(lines) < m.height {
		lines = append(lines, theme.Blank(m.width))
	}
	return strings.Join(lines[:m.height], "\n")
}

// rule draws the line between the ask and its keys. It says how much of the ask
// was read, and which view of it is shown.
func (m Model) rule() string {
	words, done := m.position()
	role := theme.Warn
	if done {
		role = theme.Good
	}
	switch m.view {
	case viewRaw:
		words, role = dotted(words, "v goes back"), theme.Dim
	case viewRules:
		words = dotted("always", words)
	}
	glyph := m.theme.Glyphs.Rule
	if words == "" {
		return theme.OneLine(m.theme, theme.Border, strings.Repeat(glyph, m.width), m.width)
	}
	words = text.Cut(words, max(m.width-4, 0))
	rest := max(m.width-text.Width(words)-4, 0)
	return theme.Fill(m.theme.Paint(theme.Border, glyph+" ")+m.theme.Paint(role, words)+
		m.theme.Paint(theme.Border, " "+strings.Repeat(glyph, rest+1)), m.width)
}

// rows draws the rows of the ask that are on the screen.
func (m Model) rows() []string {
	out := make([]string, 0, m.body)
	if p := m.page(); p.lay != nil && m.body > 0 {
		pinned, from, to := m.window()
		if pinned {
			out = append(out, m.pin(&p.lay.rows[p.lay.first]))
		}
		for i := from; i < to; i++ {
			s := p.find(i)
			if s.own != nil {
				out = append(out, theme.Fill(s.own[i-s.at], m.width))
				continue
			}
			out = append(out, m.row(&p.lay.rows[s.from+i-s.at]))
		}
	}
	for len(out) < m.body {
		out = append(out, theme.Blank(m.width))
	}
	return out
}

// row draws one row to exactly width cells.
func (m Model) row(r *row) string {
	if r.at.kind == nowhere && r.words == "" && r.quoted {
		return theme.Quoted(m.theme, r.quote, r.indent, m.width, r.base)
	}
	t := m.theme
	var b strings.Builder
	if r.leads {
		m.controls(&b, r)
	} else {
		b.WriteString(theme.Blank(r.indent))
	}
	words, role, base := r.words, r.role, r.base
	switch r.at.kind {
	case onDetail:
		words += " · → unfolds"
		if m.unfolded(r.at.question) {
			words = r.words + " · → folds"
		}
	case onOption, onMode:
		if m.ticked(r.at) {
			role, base = theme.Selected, theme.Selected
		}
	}
	t.Add(&b, role, words)
	if r.size != "" {
		t.Add(&b, theme.Dim, " "+t.Glyphs.Dot+" "+r.size)
	}
	if r.quoted {
		if words != "" {
			b.WriteByte(' ')
		}
		theme.AddGutter(&b, t, r.quote.Continued)
		theme.AddPieces(&b, t, r.quote, base)
	}
	return theme.Fill(b.String(), m.width)
}

// controls draws what the program has before something that can be chosen: its
// cursor, the key that chooses it, and whether it is chosen.
func (m Model) controls(b *strings.Builder, r *row) {
	t := m.theme
	if here, ok := m.here(); ok && m.stage != idle && here == r.at {
		t.Add(b, theme.Cursor, t.Glyphs.Cursor)
		b.WriteByte(' ')
	} else {
		b.WriteString("  ")
	}
	key := "t"
	switch r.at.kind {
	case onDetail:
		sign := "+ "
		if m.unfolded(r.at.question) {
			sign = "- "
		}
		t.Add(b, r.role, sign)
		return
	case onOption, onMode:
		// A number has the cells that the widest one in its question needs.
		key = strconv.Itoa(r.at.option + 1)
		key = strings.Repeat(" ", max(r.indent-4-tickWidth-len(key), 0)) + key
	}
	role := theme.Dim
	if m.ticked(r.at) {
		role = theme.Accent
	}
	t.Add(b, theme.Key, key)
	b.WriteByte(' ')
	t.Add(b, role, m.tick(r.at))
	b.WriteByte(' ')
}

// tick is the mark of whether something is chosen.
func (m Model) tick(at place) string {
	g, on := m.theme.Glyphs, m.ticked(at)
	several := at.kind == onOption && m.item.Ask.Questions[at.question].Multi ||
		at.kind == onText && m.item.Ask.Questions[at.question].TextWithChoices
	switch {
	case several && on:
		return g.Ticked
	case several:
		return g.Unticked
	case on:
		return g.Chosen
	}
	return g.Unchosen
}

// pin draws the first row of what would be done for when it is scrolled away,
// with an arrow that says that it is not where it stands.
func (m Model) pin(r *row) string {
	var b strings.Builder
	m.theme.Add(&b, theme.Dim, m.theme.Glyphs.Above+" ")
	theme.AddGutter(&b, m.theme, r.quote.Continued)
	theme.AddPieces(&b, m.theme, r.quote, theme.Strong)
	return theme.Fill(b.String(), m.width)
}

// fieldRows draws what is typed for a question, below it, and why its answer was
// not taken.
func (m Model) fieldRows(i int) []string {
	if i >= len(m.qs) {
		return nil
	}
	t := m.theme
	asked, q := &m.item.Ask.Questions[i], &m.qs[i]
	editing := m.stage == typing && m.field == ownField && i == m.q
	var out []string
	if q.text.Value != "" && !m.ticked(place{kind: onText, question: i}) {
		out = append(out, theme.OneLine(t, theme.Dim, theme.Blank(4)+"kept, but not part of the answer:", m.width))
	}
	if editing || q.text.Value != "" {
		out = append(out, q.text.Draw(t, 4, m.width, 8, editing)...)
	}
	if n := asked.MaxText; n > 0 && (editing || q.text.Value != "" && q.text.Count() > n) {
		out = append(out, theme.Fill(theme.Blank(4)+counter(t, q.text.Count(), n), m.width))
	}
	if proposed(asked) && q.text.Value != asked.Default.Raw() {
		out = append(out, theme.OneLine(t, theme.Dim, "Proposed by the form:", m.width))
		for _, r := range asked.Default.Rows(max(m.width-theme.GutterWidth, 1), text.Words) {
			out = append(out, theme.Quoted(t, r, 0, m.width, theme.Plain))
		}
	}
	if m.fault.question == i+1 {
		out = append(out, m.fault.lines(t, m.width)...)
	}
	return out
}

// cursorRows are the rows of the place of the cursor, from included, to not.
func (m Model) cursorRows() (from, to int) {
	here, ok := m.here()
	p := &m.pages[viewContent]
	if !ok || p.lay == nil || m.stage == idle {
		return 0, 0
	}
	first, last := p.lay.rowsOf(here)
	if last <= first {
		return 0, 0
	}
	from, to = p.place(first), p.place(last-1)+1
	if here.kind == onText || m.stage == typing && m.field == ownField {
		to += len(m.fieldRows(here.question))
	}
	return from, to
}
