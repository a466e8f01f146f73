package ask

import (
	"slices"
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/theme"
)

// action is a key of the footer with what it does.
type action struct {
	act   client.Action
	key   string    // empty: there is no such action
	words string    // the program's
	rule  text.Text // what "always" would allow, right of the words
	off   bool      // it says why not
	alone bool      // the words are the action's name and nothing else
	short string    // for where there is little room; empty: left out there
}

// plainOf is, for an action with a message, the one without.
var plainOf = map[client.Action]client.Action{
	client.ActAllowMessage: client.ActAllow, client.ActDenyReason: client.ActDeny, client.ActDismissMessage: client.ActDismiss,
}

var shortWords = map[client.Action]string{
	client.ActAllow: "allow", client.ActAlways: "always", client.ActAllowMessage: "+message",
	client.ActDeny: "deny", client.ActDenyReason: "+reason", client.ActDismiss: "dismiss",
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
	allow := m.action(client.ActAllow, m.modeWords(client.ActAllow, false))
	allow.short += m.modeWords(client.ActAllow, true)
	if !allow.off && !f.read {
		allow.words += readFirst
	}
	always := m.withWords(client.ActAlways, client.ActAllow)
	if n := len(a.Approval.Always); n > 0 && !always.off {
		always.words, always.rule = "always:", a.Approval.Always[0]
		if n > 1 {
			always.words, always.rule = "always: "+client.Count(n, "rule"), text.Text{}
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
		return ": " + a.Modes[m.mode-1].Title()
	case m.mode > 0:
		return " · mode: " + a.Modes[m.mode-1].Title()
	case short:
		return ", no mode"
	}
	return " · sends no mode, the relay decides"
}

// ending lists what ends the ask without anything being done.
func (m Model) ending() []action {
	var out []action
	if m.item.Ask.Kind == client.Approval {
		out = append(out, m.action(client.ActDeny, ""), m.withWords(client.ActDenyReason, client.ActDeny))
	}
	if x := m.action(client.ActDismiss, ""); !x.off || !m.item.Ask.Offer(client.ActDeny).OK {
		out = append(out, x)
	}
	if x := m.withWords(client.ActDismissMessage, client.ActDismiss); !x.off {
		out = append(out, x)
	}
	return offered(out...)
}

func offered(all ...action) []action {
	return slices.DeleteFunc(all, func(a action) bool { return a.key == "" })
}

// action describes one action by its name, with more words behind that.
func (m Model) action(act client.Action, more string) action {
	o := m.item.Ask.Offer(act)
	a := action{act: act, key: m.keyOf(act), words: act.String() + more, short: shortWords[act]}
	switch {
	case !o.OK && o.Why == "":
		return action{off: true}
	case !o.OK:
		a.off = true
		a.words += " · not here: " + o.Why
	case o.Effect != "":
		a.words += " · " + o.Effect
	}
	a.alone = a.words == act.String()
	return a
}

// withWords describes an action that is another one with words besides. What it
// does is said once, beside the plain one, where both do the same.
func (m Model) withWords(act, plain client.Action) action {
	a := m.action(act, "")
	o, p := m.item.Ask.Offer(act), m.item.Ask.Offer(plain)
	switch {
	case !o.OK && (p.OK || act != plain && o.Why == p.Why):
		// The key says why when it is pressed; a line of its own is not worth it.
		return action{off: true}
	case o.OK && o.Effect == p.Effect:
		a.words, a.alone = act.String(), true
	}
	return a
}

// ruleWidth is how much of a rule has to stand beside its key.
const ruleWidth = 40

func (a action) width() int {
	w := len(a.key) + 2 + text.Width(a.words)
	if !a.rule.Empty() {
		w += 1 + theme.GutterWidth + text.Width(a.rule.FitAs(text.Exact, ruleWidth))
	}
	return w
}

// draw paints an action into width cells. An untrusted rule stands last, behind
// the gutter, and is cut with a mark: A shows it in full.
func (a action) draw(t *theme.Theme, width int) string {
	role, keyRole := theme.Plain, theme.Key
	if a.off {
		role, keyRole = theme.Dim, theme.Dim
	}
	l := theme.NewLine(t, width).Add(keyRole, a.key).Space(2).Add(role, a.words)
	if room := l.Left() - 1 - theme.GutterWidth; !a.rule.Empty() && room >= min(5, text.Width(a.rule.FitAs(text.Exact, ruleWidth))) {
		l.Space(1).Add(theme.Gutter, t.Glyphs.Gutter).Space(1).Add(theme.Plain, a.rule.FitAs(text.Exact, room))
	}
	return l.String()
}

// pair is an action with the one beside it that does the same with a message.
type pair struct {
	plain, with action
	together    bool // both stand on one line
	wide        int  // the most cells that the plain one takes, whatever was read
}

// paired puts the actions together, in the order of the plain ones.
func paired(all []action) []pair {
	var rows []pair
	for _, a := range all {
		plain, ok := plainOf[a.act]
		i := slices.IndexFunc(rows, func(p pair) bool { return p.plain.act == plain && !p.plain.off })
		if ok && i >= 0 && a.alone && !a.off {
			rows[i].with = a
			continue
		}
		rows = append(rows, pair{plain: a})
	}
	return rows
}

// align chooses the rows that stand together, so that what is beside stands in one
// column, and returns where that is. The widest ones are given up first.
func align(rows []pair, width int) (first int) {
	for i := range rows {
		rows[i].together = rows[i].with.key != ""
	}
	for {
		first, widest, fits := 0, -1, true
		for i, p := range rows {
			if p.together && p.wide > first {
				first, widest = p.wide, i
			}
		}
		for _, p := range rows {
			fits = fits && (!p.together || first+3+p.with.width() <= width)
		}
		if fits {
			return first
		}
		rows[widest].together = false
	}
}

// pairs draws each action with its companion beside it, where that saves a line: fewer
// lines of keys leave more of them to the ask. nil: it saves none.
func (f *footer) pairs(all []action) []string {
	rows := paired(all)
	for i, p := range rows {
		rows[i].wide = p.plain.width()
		if p.plain.act == client.ActAllow && f.read {
			// The keys stay where they are when the ask has been read.
			rows[i].wide += text.Width(readFirst)
		}
	}
	first := align(rows, f.width)
	var lines []string
	for _, p := range rows {
		switch {
		case max(p.plain.width(), p.with.width()) > f.width && p.plain.rule.Empty():
			return nil
		case p.together:
			lines = append(lines, theme.Fill(p.plain.draw(f.m.theme, first)+"   "+p.with.draw(f.m.theme, f.width-first-3), f.width))
		case p.with.key != "":
			lines = append(lines, p.plain.draw(f.m.theme, f.width), p.with.draw(f.m.theme, f.width))
		default:
			lines = append(lines, p.plain.draw(f.m.theme, f.width))
		}
	}
	if len(lines) == len(all) {
		return nil
	}
	return lines
}

// list draws each action on a line of its own or, with long words, on several.
func (f *footer) list(all []action) []string {
	var whole, cut []string
	for _, a := range all {
		cut = append(cut, a.draw(f.m.theme, f.width))
		if a.width() <= f.width || !a.rule.Empty() {
			whole = append(whole, cut[len(cut)-1])
			continue
		}
		for _, words := range theme.Wrap(a.words, max(f.width-3, 1)) {
			a.words = words
			whole = append(whole, a.draw(f.m.theme, f.width))
			a.key = strings.Repeat(" ", len(a.key))
		}
	}
	if len(whole) <= f.left() {
		return whole
	}
	return cut
}

// short puts the keys with a word each on as few lines as there are and, in the lowest
// windows, those of a verb together: there each line counts.
func (f *footer) short(all []action) {
	if f.room <= 2 {
		verbs := make([]hint, 3)
		for i, plain := range []client.Action{client.ActAllow, client.ActDeny, client.ActDismiss} {
			verbs[i].words = plain.String() + f.m.modeWords(plain, true)
		}
		for _, a := range all {
			i := 0
			switch a.act {
			case client.ActDeny, client.ActDenyReason:
				i = 1
			case client.ActDismiss, client.ActDismissMessage:
				i = 2
			}
			if !a.off {
				verbs[i].key = strings.TrimSpace(verbs[i].key + " " + a.key)
			}
		}
		verbs = slices.DeleteFunc(verbs, func(h hint) bool { return h.key == "" })
		if lines := f.keys(verbs, theme.Dim, 3, f.width); len(lines) == 1 {
			f.out = append(f.out, lines...)
			return
		}
	}
	var keys []hint
	for _, a := range all {
		if a.short != "" && !a.off {
			keys = append(keys, hint{a.key, a.short})
		}
	}
	f.out = append(f.out, f.keys(keys, theme.Plain, 2, f.width)...)
}

// hint is a key with what it does in few words.
type hint struct{ key, words string }

// keys draws hints one after the other, on as many lines of width cells as they take.
func (f *footer) keys(hints []hint, role theme.Role, gap, width int) []string {
	var lines []string
	var l *theme.Line
	for _, h := range hints {
		if w := text.Width(h.key) + 1 + text.Width(h.words); l == nil || l.Left() < gap+w {
			if l != nil {
				lines = append(lines, theme.Fill(l.String(), f.width))
			}
			l = theme.NewLine(f.m.theme, width)
		} else {
			l.Space(gap)
		}
		l.Add(theme.Key, h.key).Add(role, " "+h.words)
	}
	if l != nil {
		lines = append(lines, theme.Fill(l.String(), f.width))
	}
	return lines
}
