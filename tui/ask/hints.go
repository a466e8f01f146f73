package ask

import (
	"strings"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/draw"
	"askbox/tui/theme"
)

// question says what the keys do in a question.
func (f *footer) question() {
	m := f.m
	if why := m.refuses(client.ActAnswer); why != "" {
		f.words(theme.Warn, strings.TrimPrefix(why, "Nothing was sent: "))
	} else if len(m.qs) > 0 {
		asked := m.item.Ask.Questions[m.q]
		keys := []hint{{"enter", "goes into the answer"}}
		if m.stage == inside {
			keys = []hint{{"space", "chooses"}, {"enter", m.enterWords()}, {"esc", "back"}}
		}
		if len(asked.Options) > 0 {
			keys = append(keys, hint{"1-9", "choose"})
		}
		if typed(asked) {
			keys = append(keys, hint{"t", "your words"})
		}
		f.hints(keys)
	}
	if m.stage != idle {
		return
	}
	var keys []hint
	cells, whole := 0, true
	for _, a := range m.closing() {
		keys = append(keys, hint{a.key, a.words})
		cells += a.width() + 2
		whole = whole && !a.off
	}
	if whole && cells <= f.width+3 && f.left() > 0 {
		f.hints(keys)
		return
	}
	for _, a := range m.closing() {
		if f.left() > 0 {
			f.out = append(f.out, a.draw(m.theme, f.width))
		}
	}
}

// hint is a key with what it does.
type hint struct{ key, words string }

// hints draws as many keys as fit on one line.
func (f *footer) hints(keys []hint) {
	t := f.m.theme
	var b strings.Builder
	cells := 0
	for _, h := range keys {
		w := text.Width(h.key) + 1 + text.Width(h.words)
		if cells > 0 {
			w += 3
		}
		if cells+w > f.width && cells > 0 {
			break
		}
		if cells > 0 {
			b.WriteString("   ")
		}
		cells += w
		t.Add(&b, theme.Key, h.key)
		b.WriteByte(' ')
		t.Add(&b, theme.Dim, h.words)
	}
	if cells > 0 {
		f.out = append(f.out, draw.Fill(b.String(), f.width))
	}
}

// enterWords says what enter does in the question in front.
func (m answer) enterWords() string {
	switch {
	case m.q < len(m.qs)-1:
		return "next question"
	case m.needsSummary():
		return "shows your answers"
	}
	return "sends"
}
