package tui

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/frames"
	"askbox/tui/list"
	"askbox/tui/theme"
)

func itoa(n int) string { return strconv.Itoa(n) }

func clock(t, now time.Time) string { return theme.Clock(t, now) }

func firstRune(s string) (rune, int) { return utf8.DecodeRuneInString(s) }

// View returns the frame with its number, see package frames.
func (m model) View() string {
	return m.frames.Stamp(m.draw(), frames.Size{Width: m.width, Height: m.height}, m.seen())
}

// draw draws the frame: exactly height lines, each exactly width cells.
func (m model) draw() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	if m.small() {
		return strings.Join(m.tooSmall(), "\n")
	}
	var b strings.Builder
	b.Grow(m.width * m.height * 2)
	b.WriteString(m.header())
	body, bottom := m.bodyLines(), m.bottom()
	for _, line := range append(body[:m.height-1-len(bottom)], bottom...) {
		b.WriteByte('\n')
		b.WriteString(line)
	}
	return b.String()
}

// tooSmall says so, on however little room there is.
func (m model) tooSmall() []string {
	says := []string{"askbox needs a window", "of 40 by 10 or more.", m.counted(client.All) + " open. q quits."}
	lines := make([]string, m.height)
	for i := range lines {
		l := theme.NewLine(m.theme, m.width)
		if i < len(says) {
			l.Add(theme.Plain, says[i])
		}
		lines[i] = l.String()
	}
	return lines
}

func (m model) bodyLines() []string {
	switch {
	case m.screen == screenHistory:
		return m.history.View(m.now)
	case m.screen == screenHelp:
		return m.help.view()
	case m.screen == screenQuit:
		return m.quitView()
	case m.wide():
		return m.sideBySide()
	case m.opened:
		return m.indented(strings.Split(m.ask.View(), "\n"))
	}
	return m.listLines()
}

// marks are what the list does not know of its asks by itself.
func (m model) marks() list.Marks {
	marks := list.Marks{Changed: m.ask.Changed, Away: m.wide() && m.ask.Focused()}
	if m.drafts != nil {
		marks.Draft = func(ref client.Ref) bool {
			_, begun := m.drafts.Load(ref)
			return begun
		}
	}
	return marks
}

func (m model) listLines() []string {
	return m.list.Mark(m.marks()).View(m.now)
}

// indented puts lines of the pane below the names of the header.
func (m model) indented(lines []string) []string {
	if m.margin() == 0 {
		return lines
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

func (m model) sideBySide() []string {
	left, right := m.listLines(), strings.Split(m.ask.View(), "\n")
	if m.nothing() != "" {
		right = m.nothingLines(m.paneWidth())
	}
	divider := m.theme.Paint(theme.Border, m.theme.Glyphs.Divider)
	lines := make([]string, len(left))
	for i := range left {
		lines[i] = left[i] + divider + " " + right[i]
	}
	return lines
}

// header names the filters with their counts, what calls for the person, and what holds
// for the whole screen. What is left out first where there is little room stands last.
func (m model) header() string {
	l := theme.NewLine(m.theme, m.width).Space(1)
	roomy := m.width >= 60
	if roomy {
		l.Add(theme.Strong, "askbox").Space(3)
	}
	for f := client.All; f <= client.Agents; f++ {
		s := f.String() + " " + m.counted(f)
		switch {
		case f == m.list.Filter():
			l.Add(theme.Accent, "["+s+"]")
		case roomy:
			l.Space(1).Add(theme.Dim, s).Space(1)
		default:
			l.Add(theme.Dim, s)
		}
		l.Space(1)
	}
	m.standing(l)
	m.calling(l)
	h := m.keymap.History.Help().Key
	for _, says := range []string{" answered in the last day ", " last day ", " "} {
		if says += m.lastDay(); l.Left() > len(h)+len(says)+1 {
			l.Space(l.Left()-len(h)-len(says)-1).Add(theme.Key, h).Add(theme.Dim, says)
			break
		}
	}
	return l.String()
}

// lastDay is how many asks this person answered or dismissed in the last day.
func (m model) lastDay() string {
	if !m.snapshot.AnsweredSince.IsZero() {
		return itoa(m.snapshot.Mine) + "+"
	}
	return itoa(m.snapshot.Mine)
}

// calling says how much calls for the person, as far as there is room.
func (m model) calling(l *theme.Line) {
	n := m.list.Needs()
	add := func(role theme.Role, says string) {
		if l.Left() > text.Width(says) {
			l.Add(role, says).Space(min(2, l.Left()-1))
		}
	}
	if n.Now > 0 {
		add(theme.Urgent, itoa(n.Now)+" now")
	}
	if n.Wait > 0 {
		add(theme.Strong, itoa(n.Wait)+" wait")
	}
	if left, ok := theme.Left(n.Next, m.now); ok && n.Next.After(m.now) {
		add(theme.Warn, "next out "+left)
	}
	if m.list.OrderedByNeed() {
		add(theme.Dim, "by need")
	}
	if q := m.list.Query(); q != "" {
		add(theme.Accent, "/"+text.New(q).Fit(20)+" "+itoa(m.list.Len()))
	}
}

// counted is how many asks are open under a filter, with a mark where the list of a
// relay may not be whole.
func (m model) counted(f client.Filter) string {
	if m.partial {
		return itoa(m.counts[f]) + "+"
	}
	return itoa(m.counts[f])
}

// standing is what must be in sight on every screen.
func (m model) standing(l *theme.Line) {
	if m.demo {
		l.Space(1).Add(theme.Good, "demo").Space(1)
	}
	insecure := 0
	name := ""
	for _, g := range m.snapshot.Groups {
		if g.Insecure && g.Via == "" {
			insecure++
			name = g.Name
		}
	}
	switch {
	case insecure == 1 && l.Left() >= 24+len(name):
		l.Space(1).Add(theme.Warn, "insecure: "+text.Cut(name, 20)).Space(2)
	case insecure > 0:
		l.Add(theme.Warn, "insecure").Space(1)
	}
	if len(m.relays) > 0 && l.Left() >= 40 {
		l.Space(1).Add(theme.Warn, "only "+text.New(strings.Join(m.relays, ", ")).Fit(20))
	}
}

// footer shows the keys that do something now.
func (m model) footer() string {
	l := theme.NewLine(m.theme, m.width).Space(1)
	last := m.keymap.Help
	rest := text.Width(last.Help().Key) + 1 + text.Width(last.Help().Desc)
	seen := map[string]bool{}
	for _, b := range m.footerKeys() {
		k, desc := b.Help().Key, m.keymap.Short(b)
		if seen[k] {
			continue
		}
		seen[k] = true
		w := text.Width(k) + 1 + text.Width(desc)
		if w+2+rest > l.Left() {
			break
		}
		l.Add(theme.Key, k).Space(1).Add(theme.Dim, desc).Space(2)
	}
	if m.helps() {
		l.Add(theme.Key, last.Help().Key).Space(1).Add(theme.Dim, last.Help().Desc)
	}
	return l.String()
}

// helps reports whether ? shows the help here: in a text it is a letter, and the
// question whether to quit wants an answer first.
func (m model) helps() bool {
	return m.prompt == 0 && m.screen != screenQuit && !(m.askVisible() && m.ask.Typing())
}

// short is a binding with fewer words, for the footer.
func short(b key.Binding, keys, desc string) key.Binding {
	if keys == "" {
		keys = b.Help().Key
	}
	return key.NewBinding(key.WithKeys(b.Keys()...), key.WithHelp(keys, desc))
}

func (m model) footerKeys() []key.Binding {
	k := m.keymap
	move := short(k.Up, "↑↓", "move")
	switch {
	case m.prompt != 0:
		return []key.Binding{short(k.Enter, "", map[rune]string{'/': "find", ':': "do it"}[m.prompt]), short(k.Back, "", "give up")}
	case m.screen == screenQuit:
		return []key.Binding{move, short(k.Enter, "", "do it"), short(k.Back, "", "stay")}
	case m.screen != screenInbox:
		return []key.Binding{short(k.Quit, "", "back"), move, short(k.PageDown, "pgup pgdn", "page"), short(k.Interrupt, "", "quit")}
	case m.askVisible() && (m.ask.Typing() || m.ask.Focused()):
		return m.answering()
	}
	var keys []key.Binding
	if m.listVisible() {
		keys = append(keys, move)
	}
	if m.opened && !m.wide() {
		keys = append(keys, short(k.Back, k.Back.Help().Key+" "+k.Quit.Help().Key, "back"))
	}
	if !m.askVisible() && m.list.Len() > 0 {
		keys = append(keys, short(k.Enter, "", "open"))
	}
	if ref, held := m.lastHeld(); held && (!m.askVisible() || ref != m.shown.ref) {
		keys = append(keys, short(k.Undo, "", "take back"))
	}
	if m.list.Query() != "" && m.listVisible() {
		keys = append(keys, short(k.SearchNext, "n N", "matches"))
	}
	if m.askVisible() {
		keys = append(keys, m.ask.Looks()...)
	}
	if m.listVisible() {
		keys = append(keys, short(k.NextFilter, "", "filter"), short(k.Search, "", "search"))
	}
	keys = append(keys, short(k.Refresh, "", "ask now"))
	if m.opened && !m.wide() {
		return append(keys, short(k.NextAsk, "", "next ask"), short(k.Interrupt, "", "quit"))
	}
	return append(keys, short(k.Quit, "", "quit"))
}

// answering lists the keys while an answer is given. The pane shows what they do
// beside the answer, so here they stand only where it has no line left for them.
func (m model) answering() []key.Binding {
	if !m.ask.Hinted() {
		return m.ask.Keys()
	}
	k := m.keymap
	read := short(k.PageDown, "pgup pgdn", "read the ask")
	switch {
	case m.ask.Typing():
		return []key.Binding{read, short(k.Interrupt, "", "quit")}
	case !m.ask.Answering():
		// The ask as the relay sent it, which has nothing to answer in it.
		return []key.Binding{short(k.Back, "", "back"), read, k.Copy}
	}
	return []key.Binding{short(k.Up, "↑↓", "move"), read, short(k.Quit, "", "back")}
}
