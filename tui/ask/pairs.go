package ask

import (
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/theme"
)

// companion is, for an action that is another one with words besides, that one.
var companion = map[string]client.Action{
	actionWords(client.ActAllowMessage):   client.ActAllow,
	actionWords(client.ActDenyReason):     client.ActDeny,
	actionWords(client.ActDismissMessage): client.ActDismiss,
}

// pair is an action with the one beside it that does the same with words.
type pair struct {
	plain, with action
	together    bool // both stand on one line
	wide        int  // the most cells that the plain one takes, whatever was read
}

// pairs draws each action with its companion beside it where both fit, and reports
// whether that saves a line: fewer lines of keys leave more of them to the ask.
func (f *footer) pairs(all []action) bool {
	rows := f.m.paired(all)
	for i := range rows {
		rows[i].wide = rows[i].plain.width()
		if rows[i].plain.key == f.m.keyOf(client.ActAllow) && f.read {
			// The keys stay where they are when the ask has been read.
			rows[i].wide += text.Width(readFirst)
		}
	}
	first := align(rows, f.width)
	lines := 0
	for _, p := range rows {
		lines++
		if p.with.key != "" && !p.together {
			lines++
		}
		if max(p.plain.width(), p.with.width()) > f.width && p.plain.rule.Empty() {
			return false
		}
	}
	if lines == len(all) || lines > f.left() {
		return false
	}
	t := f.m.theme
	for _, p := range rows {
		if p.together {
			f.out = append(f.out, theme.Fill(p.plain.draw(t, first)+"   "+p.with.draw(t, f.width-first-3), f.width))
			continue
		}
		f.out = append(f.out, p.plain.draw(t, f.width))
		if p.with.key != "" {
			f.out = append(f.out, p.with.draw(t, f.width))
		}
	}
	return true
}

// verbs puts all keys on one line, those of a verb together, and reports whether
// that fits: the lowest windows have a few rows for the ask, and each one counts.
func (f *footer) verbs(all []action) bool {
	var allow, deny, dismiss hint
	for _, a := range all {
		to := &allow
		switch a.key {
		case f.m.keyOf(client.ActDeny), f.m.keyOf(client.ActDenyReason):
			to = &deny
		case f.m.keyOf(client.ActDismiss), f.m.keyOf(client.ActDismissMessage):
			to = &dismiss
		}
		if !a.off {
			to.key = strings.TrimSpace(to.key + " " + a.key)
		}
	}
	allow.words, deny.words, dismiss.words = "allow"+f.m.modeWords(client.ActAllow, true), "deny", "dismiss"
	var hints []hint
	cells := 0
	for _, h := range []hint{allow, deny, dismiss} {
		if h.key != "" {
			hints = append(hints, h)
			cells += h.width() + 3
		}
	}
	if len(hints) == 0 || cells-3 > f.width {
		return false
	}
	f.hints(hints)
	return true
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

// paired puts the actions together, in the order of the plain ones.
func (m Model) paired(all []action) []pair {
	var rows []pair
	at := map[client.Action]int{}
	for _, a := range all {
		plain, ok := companion[a.words]
		i, there := at[plain]
		if ok && there && !a.off {
			rows[i].with = a
			continue
		}
		for _, act := range companion {
			if !a.off && m.keyOf(act) == a.key {
				at[act] = len(rows)
			}
		}
		rows = append(rows, pair{plain: a})
	}
	return rows
}
