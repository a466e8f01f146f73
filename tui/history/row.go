package history

import (
	"strings"
	"time"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/text"
	"askbox/tui/theme"
)

// The cells of what the program says in a row. Who did it gives way first.
const (
	whenWidth = 6
	didWidth  = 12
	byWidth   = 7
	wide      = 60 // from where on there is room for who did it
)

// row is one entry on one line: when, what was done and by whom, then what others wrote.
func (m Model) row(i int, now time.Time) string {
	e := m.shown[i]
	l := theme.NewLine(m.theme, m.width)
	if i == m.at {
		l.Add(theme.Cursor, m.theme.Glyphs.Cursor)
	} else {
		l.Space(1)
	}
	l.Room(theme.Dim, when(e.At, now), whenWidth).Room(role(e), did(e), didWidth)
	if m.width >= wide {
		by := ""
		if e.ByMe {
			by = "by you"
		}
		l.Room(theme.Plain, by, byWidth)
	}
	// What others wrote stands right of the gutter, their names as well: somebody
	// may be called "by you".
	l.Add(theme.Gutter, m.theme.Glyphs.Gutter).Space(1)
	l.Add(theme.Plain, what(e, max(l.Left(), 1)))
	for _, t := range []text.Text{e.By, e.Session, text.New(e.Ref.Relay)} {
		const least = 8
		if t.Empty() || e.ByMe && t.Equal(e.By) || l.Left() < least+2 {
			continue
		}
		l.Space(2).Add(theme.Dim, t.Ends(text.Title, min(l.Left(), 30), 14))
	}
	line := l.String()
	if i == m.at {
		line = m.theme.Repaint(theme.Bar, line)
	}
	return m.theme.Find(line, m.query)
}

// did says in one word what became of an ask: the same one, in the same place, at every
// width. That an allow was for always stands below.
func did(e *history.Entry) string {
	if e.How == client.Open && e.Tried != nil {
		return map[history.End]string{history.NotSent: "not sent", history.Refused: "not taken", history.TooLate: "too late", history.NotKnown: "not known"}[e.Tried.End]
	}
	word, _, _ := strings.Cut(e.Did(), ",")
	return word
}

func role(e *history.Entry) theme.Role {
	switch {
	case e.How == client.Open:
		return theme.Danger
	case e.How != client.Answered:
		return theme.Plain
	case e.Answer.Decision == client.Deny:
		return theme.Danger
	case e.Answer.Decision != client.NoDecision:
		return theme.Good
	}
	return theme.Accent
}

// what is what was asked on one line. Of a question the first line is enough; a
// command shows its line breaks, because they are part of what ran.
func what(e *history.Entry, width int) string {
	first, _, more := strings.Cut(e.What.Raw(), "\n")
	if !more || first == "" || width < 2 || e.Kind != client.Question {
		return e.What.Ends(reads(e), width, width/2)
	}
	return strings.TrimSuffix(text.New(first).FitAs(reads(e), width-1), "…") + "…"
}

// reads says how what was asked is to be read. Of an approval the history keeps no more
// than the line that says what would be done, so that it is read as a command.
func reads(e *history.Entry) text.Mode {
	if e.Kind == client.Approval {
		return text.Exact
	}
	return text.Words
}

// when is the time of day, or that the relay does not tell.
func when(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	s := theme.Clock(t, now)
	return s[max(len(s)-5, 0):]
}
