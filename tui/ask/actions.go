package ask

import (
	"strings"

	"askbox/client"
	"askbox/client/text"
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

// actions draws the keys that decide, each beside what it does: with the one beside
// it that does the same with words, one a line, or in a few words, whatever fits.
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
	if off := f.m.off(); off != "" && a.Kind == client.Approval {
		f.words(theme.Warn, off)
	}
	all := append(f.deciding(), f.m.ending()...)
	if !f.pairs(all) && !f.list(all) {
		f.compact(all)
	}
}

// readFirst stands beside an allow that the ask has to be read for.
const readFirst = " · read on first"

// deciding lists what lets something be done.
func (f *footer) deciding() []action {
	m := f.m
	a := m.item.Ask
	if a.Kind != client.Approval || a.Approval == nil || m.off() != "" {
		return nil
	}
	allow := m.action(client.ActAllow)
	allow.words = actionWords(client.ActAllow) + m.modeWords(client.ActAllow, false) + strings.TrimPrefix(allow.words, actionWords(client.ActAllow))
	allow.short += m.modeWords(client.ActAllow, true)
	if !allow.off && !f.read {
		allow.words += readFirst
	}
	always := m.withWords(client.ActAlways, client.ActAllow)
	if n := len(a.Approval.Always); n > 0 && !always.off {
		always.words, always.rule = "always:", a.Approval.Always[0]
		if n > 1 {
			always.words, always.rule = "always: "+theme.Count(n, "rule"), text.Text{}
		}
	} else if !always.off {
		always.key = ""
	}
	return offered(allow, always, m.withWords(client.ActAllowMessage, client.ActAllow))
}

// modeWords name the mode that an allow sends, of an ask that has any: no mode goes
// out that the key does not name.
func (m Model) modeWords(act client.Action, short bool) string {
	a := m.item.Ask.Approval
	switch {
	case a == nil || len(a.Modes) == 0 || !approving(act) || act == client.ActAlways:
		return ""
	case m.mode > 0 && short:
		return ": " + modeName(a.Modes[m.mode-1])
	case m.mode > 0:
		return " · mode: " + modeName(a.Modes[m.mode-1])
	case short:
		return ", no mode"
	}
	return " · sends no mode, the relay decides"
}

// ending lists what ends the ask without anything being done.
func (m Model) ending() []action {
	var out []action
	if m.item.Ask.Kind == client.Approval {
		out = append(out, m.action(client.ActDeny), m.withWords(client.ActDenyReason, client.ActDeny))
	}
	if x := m.action(client.ActDismiss); !x.off || !m.item.Ask.Offer(client.ActDeny).OK {
		out = append(out, x)
	}
	if x := m.withWords(client.ActDismissMessage, client.ActDismiss); !x.off {
		x.short = ""
		out = append(out, x)
	}
	return offered(out...)
}

func offered(all ...action) []action {
	var out []action
	for _, a := range all {
		if a.key != "" {
			out = append(out, a)
		}
	}
	return out
}

// action describes one action; its key is empty where there is no such action.
func (m Model) action(act client.Action) action {
	o := m.item.Ask.Offer(act)
	a := action{key: m.keyOf(act), words: actionWords(act), short: shortWords[act]}
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
func (m Model) withWords(act, plain client.Action) action {
	a := m.action(act)
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
		w += 3 + text.Width(a.rule.FitAs(text.Exact, 40))
	}
	return w
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
	if room -= text.Width(words) + 3; !a.rule.Empty() && room >= min(5, text.Width(a.rule.FitAs(text.Exact, 40))) {
		b.WriteByte(' ')
		t.Add(&b, theme.Gutter, t.Glyphs.Gutter)
		b.WriteByte(' ')
		b.WriteString(a.rule.FitAs(text.Exact, room))
	}
	return theme.Fill(b.String(), width)
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
		for i, l := range theme.Wrap(a.words, max(f.width-3, 1)) {
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
		f.out = append(f.out, theme.Fill(b.String(), f.width))
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
