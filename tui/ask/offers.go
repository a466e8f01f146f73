package ask

import (
	"slices"
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/theme"
)

// The keys that decide stand in one of two layouts: a row for each verb, in which every key
// has its place whatever else is offered, or all of them on as few lines as they take.

// verbs are what can be done with an ask: by itself, with words, and from now on.
var verbs = [][]client.Action{
	{client.ActAllow, client.ActAllowMessage, client.ActAlways},
	{client.ActDeny, client.ActDenyReason},
	{client.ActDismiss, client.ActDismissMessage},
}

// The words beside the keys in their places, by the room that there is.
var (
	longWords  = map[client.Action]string{client.ActAllowMessage: "with a message", client.ActAlways: "always", client.ActDenyReason: "with a reason", client.ActDismissMessage: "with a message"}
	shortWords = map[client.Action]string{client.ActAllowMessage: "+message", client.ActAlways: "always", client.ActDenyReason: "+reason", client.ActDismissMessage: "+message"}
)

// offered are the verbs that have a row of keys.
func (m Model) offered() [][]client.Action {
	var out [][]client.Action
	for i, acts := range verbs {
		if i < 2 && m.item.Ask.Kind != client.Approval {
			continue
		}
		for _, act := range acts {
			if m.named(act) {
				out = append(out, acts)
				break
			}
		}
	}
	return out
}

// named reports whether an action has a place among the keys: where it is offered, and where
// it is worth a word why it is not. The key says why it does nothing in any case.
func (m Model) named(act client.Action) bool {
	a := m.item.Ask
	o := a.Offer(act)
	switch {
	case approving(act) && (a.Approval == nil || m.off() != ""):
		return false
	case act == client.ActAlways && o.OK:
		return len(a.Approval.Always) > 0
	case o.OK:
		return true
	case act == client.ActAllow || act == client.ActDeny:
		return o.Why != ""
	}
	return act == client.ActDismiss && o.Why != "" && !a.Offer(client.ActDeny).OK
}

// offers draws the keys that decide, and what they do.
func (f *footer) offers() {
	rows := f.m.offered()
	need := len(rows)
	if f.m.hasModes() {
		need++ // for the mode, which has to be named
	}
	if f.left() < need {
		f.line(rows)
		return
	}
	spare := f.left() - len(rows)
	for _, acts := range rows {
		lines := f.row(acts, spare)
		f.out = append(f.out, lines...)
		spare -= len(lines) - 1
	}
	if said := f.m.precedents[f.m.same].String(); said != "" && f.left() > 0 {
		f.one(theme.Dim, said)
	}
}

// row draws the keys of a verb, and behind or below them what they do, in as many lines more
// as there are to spare: the rule of always where the line holds all of it, the program's words
// where they fit.
func (f *footer) row(acts []client.Action, spare int) []string {
	l, does := f.placed(acts), f.m.does(acts)
	var below []string
	rule, count := f.m.alwaysRule(acts)
	switch {
	case count > 1:
		does = append([]string{client.Count(count, "rule")}, does...)
	case count == 1 && (rule.FitAs(text.Exact, l.Left()-3) == rule.FitAs(text.Exact, 400) || spare == 0):
		f.quote(l, rule)
	case count == 1:
		below = append(below, f.quote(theme.NewLine(f.m.theme, f.width).Space(2), rule))
	}
	said := dotted(does...)
	if said != "" && count != 1 && text.Width(said)+theme.Between <= l.Left() {
		l.Add(theme.Dim, " "+f.m.theme.Glyphs.Dot+" "+said)
		said = ""
	}
	for i, part := range theme.Wrap(said, max(f.width-3, 1)) {
		below = slices.Insert(below, i, theme.OneLine(f.m.theme, theme.Dim, theme.Blank(3)+part, f.width))
	}
	if len(below) > spare {
		if below = below[:spare]; spare > 0 {
			below[spare-1] = theme.Fill(strings.TrimRight(below[spare-1], " ")+" …", f.width)
		}
	}
	return append([]string{l.String()}, below...)
}

// placed draws the keys of a verb, each in its place, with what they are called.
func (f *footer) placed(acts []client.Action) *theme.Line {
	m, l := f.m, theme.NewLine(f.m.theme, f.width)
	words, places, gap := longWords, [...]int{0, 13, 34}, "  "
	if f.width < 60 {
		words, places, gap = shortWords, [...]int{0, 10, 22}, " "
	}
	for i, act := range acts {
		if !m.named(act) {
			continue
		}
		says := words[act]
		if i == 0 || !m.named(acts[0]) {
			says = act.String()
		}
		role, keyRole := theme.Plain, theme.Key
		if m.dimmed(act) {
			role, keyRole = theme.Dim, theme.Dim
		}
		used := f.width - l.Left()
		l.Space(max(places[i]-used, min(used, 1))) // the name of a key may be a long one
		l.Add(keyRole, m.keyOf(act)).Add(role, gap+says)
	}
	return l
}

// quote puts what was sent behind the gutter, last on a line.
func (f *footer) quote(l *theme.Line, sent text.Text) string {
	l.Space(1).Add(theme.Gutter, f.m.theme.Glyphs.Gutter).Space(1)
	return l.Add(theme.Plain, sent.FitAs(text.Exact, max(l.Left(), 1))).String()
}

// alwaysRule returns the rule of always, and how many there are; none where it has no place.
func (m Model) alwaysRule(acts []client.Action) (rule text.Text, count int) {
	if acts[len(acts)-1] != client.ActAlways || !m.named(client.ActAlways) {
		return rule, 0
	}
	always := m.item.Ask.Approval.Always
	return always[0], len(always)
}

// dimmed reports whether a key does nothing now: what it does is not offered, or the ask
// has to be read first.
func (m Model) dimmed(act client.Action) bool {
	return !m.item.Ask.Offer(act).OK || approving(act) && !m.read()
}

// does says what the actions of a verb do beyond their names, each once.
func (m Model) does(acts []client.Action) []string {
	var all []string
	if m.hasModes() && approving(acts[0]) {
		all = append(all, m.modeWords(acts[0], false))
	}
	plain := m.item.Ask.Offer(acts[0])
	same := true
	for _, act := range acts {
		same = same && (!m.named(act) || m.item.Ask.Offer(act).Effect == plain.Effect)
	}
	for i, act := range acts {
		o, key := m.item.Ask.Offer(act), ""
		if i > 0 || !same {
			key = m.keyOf(act) + ": "
		}
		switch {
		case !m.named(act), i > 0 && o.OK == plain.OK && o.Effect == plain.Effect && o.Why == plain.Why:
		case !o.OK:
			all = append(all, key+"not here: "+o.Why)
		case o.Effect != "":
			all = append(all, key+o.Effect)
		}
	}
	return all
}

// line puts the keys on as few lines as they take, those of a verb together: in low windows
// each line counts.
func (f *footer) line(rows [][]client.Action) {
	var hints []hint
	for _, acts := range rows {
		h := hint{words: acts[0].String() + f.m.modeWords(acts[0], true)}
		for _, act := range acts {
			if f.m.named(act) && f.m.item.Ask.Offer(act).OK {
				h.key = strings.TrimSpace(h.key + " " + f.m.keyOf(act))
			}
		}
		if h.key != "" {
			hints = append(hints, h)
		}
	}
	f.out = append(f.out, f.keys(hints, 3, f.width)...)
}

func (m Model) hasModes() bool {
	a := m.item.Ask.Approval
	return a != nil && len(a.Modes) > 0
}

// modeWords name the mode that an allow sends, of an ask that has any: no mode goes
// out that the key does not name.
func (m Model) modeWords(act client.Action, short bool) string {
	switch {
	case !m.hasModes() || !approving(act) || act == client.ActAlways:
		return ""
	case m.mode > 0 && short:
		return ": " + m.item.Ask.Approval.Modes[m.mode-1].Title()
	case m.mode > 0:
		return "mode: " + m.item.Ask.Approval.Modes[m.mode-1].Title()
	case short:
		return ", no mode"
	}
	return "sends no mode, the relay decides"
}

// hint is a key with what it does in few words.
type hint struct{ key, words string }

// keys draws hints one after the other, on as many lines of width cells as they take.
func (f *footer) keys(hints []hint, gap, width int) []string {
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
		l.Add(theme.Key, h.key).Add(theme.Dim, " "+h.words)
	}
	if l != nil {
		lines = append(lines, theme.Fill(l.String(), f.width))
	}
	return lines
}

// hints draws as many keys as fit on one line.
func (f *footer) hints(width int, keys ...hint) {
	lines := f.keys(keys, 3, width)
	f.out = append(f.out, lines[:min(len(lines), 1)]...)
}
