package ask

import (
	"strconv"
	"strings"

	"askbox/client/text"
	"askbox/tui/page"
	"askbox/tui/theme"
)

// layout shares the height out: who asks, at the top, then what must not be
// missed, then what is asked, then a rule that says how much was read, then the
// keys. What is asked always keeps the rows that it needs to show what would be done.
func (m Model) layout() Model {
	if m.width <= 0 || m.height <= 0 || m.item == nil {
		m.body = 0 // no row is on the screen
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
	if m.height < 16 && m.stage == idle && m.item.Flight == nil && !m.item.Ask.Status.Closed() {
		// In a low window the rows of the ask are worth more than long words for its keys.
		most := 4
		if m.height < 10 {
			most = 2
		}
		m.room = min(m.room, most)
	}
	m = m.fit() // whether it is too large is said among the keys
	m.foot = len(m.footer(m.room))
	before := m.body
	m.body = max(m.height-head-1-m.foot, 0)
	m = m.fit()
	m.pages[m.view] = m.pages[m.view].Scroll(0)
	if m.body != before {
		m = m.toCursor()
	}
	return m
}

// fit lays out what is shown where that is needed.
func (m Model) fit() Model {
	p := &m.pages[m.view]
	switch {
	case p.Shows():
	case m.view == viewRaw:
		*p = p.At(asSent(m.item.Ask))
	case m.view == viewRules:
		*p = page.New(asksAlways(m.item.Ask))
	}
	moved := false
	if *p, moved = p.Fit(m.width, m.body, func(fold int) bool { return m.unfolded(fold - 1) }); moved {
		m.turns++
	}
	return m
}

// toCursor scrolls to the place of the cursor, where there is one.
func (m Model) toCursor() Model {
	if m.here.kind != nowhere && m.stage != idle && m.view == viewContent {
		m.pages[viewContent] = m.pages[viewContent].Reveal(m.here)
	}
	return m
}

// View draws exactly height lines of exactly width cells. The keys stand right below what
// they decide, where it is short, and do not move while somebody reads.
func (m Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	lines := make([]string, 0, m.height+1)
	if m.item == nil {
		lines = append(lines, theme.OneLine(m.theme, theme.Dim, "No ask is selected.", m.width))
	} else {
		lines = append(lines, m.head()...)
		lines = append(lines, m.pages[m.view].Draw(m.theme, m.width, m.controls)...)
		// The rows beside them count as read once the frame is drawn, so that the rule
		// and the keys do not blink with every ask that comes on the screen.
		drawn := m.Confirm(m.OnScreen())
		drawn.known = m.known
		lines = append(lines, drawn.rule())
		keys := drawn.footer(max(m.room, 1))
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
		words, role = dotted(words, m.keys.Spell("{as_sent} goes back")), theme.Dim
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

// position says how much of what is shown was not on screen yet, and which keys go on.
func (m Model) position() (words string, done bool) {
	keys := m.keys.Spell("{tick}, {line_down}")
	switch {
	case m.view == viewRaw:
		keys = ""
	case m.stage != idle:
		keys = m.keys.Spell("{page_down}")
	}
	return m.pages[m.view].Position(keys, m.theme.Glyphs.Check)
}

// controls returns what the program has on the rows of a place: its cursor, the key that
// chooses it, whether it is chosen, and what was typed.
func (m Model) controls(of any) page.Controls {
	at, t := of.(place), m.theme
	c := page.Controls{Chosen: (at.kind == onOption || at.kind == onMode) && m.ticked(at)}
	var b strings.Builder
	if m.stage != idle && m.here == at {
		t.Add(&b, theme.Cursor, t.Glyphs.Cursor)
		b.WriteByte(' ')
	} else {
		b.WriteString("  ")
	}
	key := m.keys.Spell("{type}")
	switch at.kind {
	case onDetail:
		sign, does := "+ ", " · → unfolds"
		if m.unfolded(at.question) {
			sign, does = "- ", " · → folds"
		}
		t.Add(&b, theme.Accent, sign)
		c.Before, c.After = b.String(), t.Paint(theme.Accent, does)
		return c
	case onText:
		c.After = m.typedBeside(at)
	case onOption:
		// A number has the cells that the widest one in its question needs.
		digits := len(strconv.Itoa(len(m.item.Ask.Questions[at.question].Options)))
		key = strconv.Itoa(at.option + 1)
		key = strings.Repeat(" ", digits-len(key)) + key
	case onMode:
		key = strconv.Itoa(at.option + 1)
	}
	role := theme.Dim
	if m.ticked(at) {
		role = theme.Accent
	}
	t.Add(&b, theme.Key, key)
	b.WriteByte(' ')
	t.Add(&b, role, m.tick(at))
	b.WriteByte(' ')
	c.Before = b.String()
	return c
}

// typedBeside draws the beginning of what was typed for a question, behind its field's name.
// The words of the question in front stand whole among the keys.
func (m Model) typedBeside(at place) string {
	words := m.qs[at.question].text.Value
	if words == "" || m.q == at.question && m.stage != summing {
		return ""
	}
	return " " + m.theme.Paint(theme.Accent, "┃ ") + m.theme.Paint(theme.Plain, text.New(words).FitAs(text.Typed, max(m.width-64, 10)))
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
