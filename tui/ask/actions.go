package ask

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/draw"
	"askbox/tui/theme"
)

// action is one line of what may be done with the ask.
type action struct {
	key   string
	words string    // the program's
	rule  text.Text // what "always" would allow, right of the words
	off   bool      // it says why not
	short string    // for where there is little room; empty: left out there
}

// actions draws the keys that decide, each beside what it does. They stand in two
// columns, in one, or in a few words, whatever fits.
func (f *footer) actions() {
	f.notes(2)
	a := f.m.item.Ask
	if why := f.m.blocked(); why != "" {
		f.words(theme.Dim, why)
		if a.RunOut(f.m.relayNow()) && f.left() > 0 {
			f.one(theme.Dim, "The relay has not said yet how it closed.")
		}
		return
	}
	if a.Kind == client.Question {
		f.question()
		return
	}
	if f.gate.Off != "" && a.Kind == client.Approval {
		f.words(theme.Warn, f.gate.Off)
	}
	left, right := f.m.deciding(f.gate), f.m.closing()
	all := append(append([]action{}, left...), right...)
	if f.columns(left, right, true) || f.pairs(all) || f.columns(left, right, false) || f.list(all) {
		return
	}
	f.compact(all)
}

// readFirst stands beside an allow that the ask has to be read for.
const readFirst = " · read on first"

// deciding lists what lets something be done.
func (m answer) deciding(g reading) []action {
	a := m.item.Ask
	if a.Kind != client.Approval || a.Approval == nil || g.Off != "" {
		return nil
	}
	var out []action
	allow := m.action(client.ActAllow, m.keys.Allow)
	if m.mode > 0 {
		label := a.Approval.Modes[m.mode-1].Label
		if label == "" {
			label = text.New(a.Approval.Modes[m.mode-1].ID).String()
		}
		allow.words += " · mode: " + label
	}
	if !allow.off && !g.Read {
		allow.words += readFirst
	}
	out = append(out, allow)
	always := m.withWords(client.ActAlways, client.ActAllow, m.keys.Always)
	if n := len(a.Approval.Always); n > 0 && !always.off {
		always.words, always.rule = "always:", a.Approval.Always[0]
		if n > 1 {
			always.words, always.rule = "always: "+draw.Count(n, "rule"), text.Text{}
		}
	} else if !always.off {
		always.key = ""
	}
	out = append(out, always, m.withWords(client.ActAllowMessage, client.ActAllow, m.keys.AllowMessage))
	return offered(out)
}

// closing lists what ends the ask without anything being done.
func (m answer) closing() []action {
	var out []action
	if m.item.Ask.Kind == client.Approval {
		out = append(out, m.action(client.ActDeny, m.keys.Deny), m.withWords(client.ActDenyReason, client.ActDeny, m.keys.DenyReason))
	}
	if x := m.action(client.ActDismiss, m.keys.Dismiss); !x.off || !m.item.Ask.Offer(client.ActDeny).OK {
		out = append(out, x)
	}
	if x := m.withWords(client.ActDismissMessage, client.ActDismiss, m.keys.DismissMessage); !x.off {
		x.short = ""
		out = append(out, x)
	}
	return offered(out)
}

func offered(all []action) []action {
	var out []action
	for _, a := range all {
		if a.key != "" {
			out = append(out, a)
		}
	}
	return out
}

// action describes one action; its key is empty where there is no such action.
func (m answer) action(act client.Action, b key.Binding) action {
	o := m.item.Ask.Offer(act)
	a := action{key: b.Help().Key, words: actionWords(act), short: shortWords[act]}
	switch {
	case !o.OK && o.Why == "":
		return action{off: true}
	case !o.OK:
		a.off = true
		a.words += " · not here: " + o.Why
	case o.Effect != "":
		a.words += " · " + o.Effect
	}
	return a
}

// withWords describes an action that is another one with words besides. What it
// does is said once, beside the plain one, where both do the same.
func (m answer) withWords(act, plain client.Action, b key.Binding) action {
	a := m.action(act, b)
	o, p := m.item.Ask.Offer(act), m.item.Ask.Offer(plain)
	switch {
	case !o.OK && (p.OK || act != plain && o.Why == p.Why):
		// The key says why when it is pressed; a line of its own is not worth it.
		return action{off: true}
	case o.OK && o.Effect == p.Effect:
		a.words = actionWords(act)
	}
	return a
}

var shortWords = map[client.Action]string{
	client.ActAllow: "allow", client.ActAlways: "always", client.ActAllowMessage: "+message",
	client.ActDeny: "deny", client.ActDenyReason: "+reason", client.ActDismiss: "dismiss",
}

func (a action) width() int {
	w := len(a.key) + 2 + text.Width(a.words)
	if !a.rule.Empty() {
		w += 3 + text.Width(a.rule.Fit(40))
	}
	return w
}

// least is the cells that an action needs at the least: its words whole, and
// enough of a rule to know it by.
func (a action) least() int {
	return len(a.key) + 2 + text.Width(a.words) + min(a.width()-len(a.key)-2-text.Width(a.words), 16)
}

// draw paints an action into width cells. An untrusted rule stands last, behind
// the gutter, and is cut with a mark: A shows it in full.
func (a action) draw(t *theme.Theme, width int) string {
	var b strings.Builder
	role, keyRole := theme.Plain, theme.Key
	if a.off {
		role, keyRole = theme.Dim, theme.Dim
	}
	t.Add(&b, keyRole, a.key)
	b.WriteString("  ")
	room := width - len(a.key) - 2
	words := text.Cut(a.words, max(room, 1))
	t.Add(&b, role, words)
	if room -= text.Width(words) + 3; !a.rule.Empty() && room >= min(5, text.Width(a.rule.Fit(40))) {
		b.WriteByte(' ')
		t.Add(&b, theme.Gutter, t.Glyphs.Gutter)
		b.WriteByte(' ')
		b.WriteString(a.rule.Fit(room))
	}
	return draw.Fill(b.String(), width)
}

// columns draws two columns and reports whether they fit; whole: also the rule of
// an always.
func (f *footer) columns(left, right []action, whole bool) bool {
	n := max(len(left), len(right))
	if n > f.left() || len(left) == 0 || len(right) == 0 || f.width < 56 {
		return false
	}
	wide, least, need := 0, 0, 0
	for _, a := range left {
		wide, least = max(wide, a.width()), max(least, a.least())
	}
	for _, a := range right {
		need = max(need, a.width())
	}
	half := min(max(f.width/2, wide+2), f.width-need)
	if half < least+2 || whole && half < wide+2 {
		return false
	}
	for i := range n {
		l, r := draw.Blank(half), draw.Blank(f.width-half)
		if i < len(left) {
			l = left[i].draw(f.m.theme, half-2) + "  "
		}
		if i < len(right) {
			r = right[i].draw(f.m.theme, f.width-half)
		}
		f.out = append(f.out, l+r)
	}
	return true
}

// list draws one action a line and reports whether they fit.
func (f *footer) list(all []action) bool {
	if len(all) > f.left() {
		return false
	}
	for _, a := range all {
		if a.width() > f.width && len(f.wrapped(all)) <= f.left() {
			f.out = append(f.out, f.wrapped(all)...)
			return true
		}
	}
	for _, a := range all {
		f.out = append(f.out, a.draw(f.m.theme, f.width))
	}
	return true
}

// wrapped draws the actions with long words on several lines each.
func (f *footer) wrapped(all []action) []string {
	var out []string
	for _, a := range all {
		if a.width() <= f.width || !a.rule.Empty() {
			out = append(out, a.draw(f.m.theme, f.width))
			continue
		}
		for i, l := range draw.Wrap(a.words, max(f.width-3, 1)) {
			part := a
			part.words = l
			if i > 0 {
				part.key = strings.Repeat(" ", len(a.key))
			}
			out = append(out, part.draw(f.m.theme, f.width))
		}
	}
	return out
}

// compact puts the keys with a word each on as few lines as there are.
func (f *footer) compact(all []action) {
	if f.room <= 2 && f.verbs(all) {
		return
	}
	t := f.m.theme
	var b strings.Builder
	cells := 0
	flush := func() {
		f.out = append(f.out, draw.Fill(b.String(), f.width))
		b.Reset()
		cells = 0
	}
	for _, a := range all {
		if a.short == "" || a.off {
			continue
		}
		w := len(a.key) + 1 + text.Width(a.short)
		if cells > 0 && cells+2+w > f.width {
			flush()
		}
		if cells > 0 {
			b.WriteString("  ")
			cells += 2
		}
		t.Add(&b, theme.Key, a.key)
		b.WriteByte(' ')
		b.WriteString(a.short)
		cells += w
	}
	if cells > 0 {
		flush()
	}
}

func renamed(b key.Binding, does string) key.Binding {
	return key.NewBinding(key.WithKeys(b.Keys()...), key.WithHelp(b.Help().Key, does))
}

// Hinted reports whether a footer of room lines says what the keys do. A message
// takes its lines first: without them nobody could write one.
func (m answer) Hinted(room int) bool {
	return m.stage != typing || m.field == ownField || room > 2
}

// Keys lists the bindings that do something now.
func (m answer) Keys() []key.Binding {
	k := m.keys
	if m.item == nil {
		return nil
	}
	if m.stage == typing {
		enter := "sends"
		if m.field == ownField {
			enter = m.enterWords()
		}
		return []key.Binding{renamed(k.Enter, enter), renamed(k.Back, "keeps it"), k.NewLine, k.Editor}
	}
	if m.blocked() != "" {
		if m.item.Flight != nil && !m.item.Ask.Status.Closed() {
			return []key.Binding{k.Undo}
		}
		return nil
	}
	var out []key.Binding
	add := func(act client.Action, b key.Binding) {
		if m.refuses(act) == "" {
			out = append(out, b)
		}
	}
	add(client.ActAllow, k.Allow)
	add(client.ActAlways, k.Always)
	add(client.ActAllowMessage, k.AllowMessage)
	add(client.ActDeny, k.Deny)
	add(client.ActDenyReason, k.DenyReason)
	if m.refuses(client.ActAnswer) == "" {
		out = append(out, k.Enter, k.Choose, k.Tick, k.Type)
	}
	add(client.ActDismiss, k.Dismiss)
	add(client.ActDismissMessage, k.DismissMessage)
	return out
}
