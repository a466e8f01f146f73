package ask

import (
	"reflect"
	"strings"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/text"
	"askbox/tui/draw"
	"askbox/tui/theme"
)

// View draws exactly height lines of exactly width cells.
func (p Model) View() string {
	if p.width <= 0 || p.height <= 0 {
		return ""
	}
	lines := make([]string, 0, p.height)
	if p.item == nil {
		lines = append(lines, draw.Line(p.theme, theme.Dim, text.Cut("No ask is selected.", p.width), p.width))
	} else {
		lines = append(lines, p.head()...)
		lines = append(lines, p.detail.Body()...)
		lines = append(lines, p.rule())
		lines = append(lines, p.footer()...)
	}
	for len(lines) < p.height {
		lines = append(lines, draw.Blank(p.width))
	}
	return strings.Join(lines[:p.height], "\n")
}

func (p Model) footer() []string {
	// It is drawn with the room that it was laid out with, because what is said
	// depends on that.
	lines := p.answer.Footer(p.width, max(p.room, 1), p.reading(Gate{}))
	for len(lines) < p.foot {
		lines = append(lines, draw.Blank(p.width))
	}
	return lines[:p.foot]
}

// rule draws the line between the ask and its keys. It says how much of the ask
// was read, and which view of it is shown.
func (p Model) rule() string {
	words, done := p.detail.Position()
	role := theme.Warn
	if done {
		role = theme.Good
	}
	switch p.detail.View() {
	case viewRaw:
		words, role = dotted(words, "v goes back"), theme.Dim
	case viewRules:
		words = dotted("always", words)
	}
	line := p.theme.Glyphs.Rule
	if words == "" {
		return draw.Line(p.theme, theme.Border, strings.Repeat(line, p.width), p.width)
	}
	words = text.Cut(words, max(p.width-4, 0))
	rest := max(p.width-text.Width(words)-4, 0)
	return draw.Fill(p.theme.Paint(theme.Border, line+" ")+p.theme.Paint(role, words)+
		p.theme.Paint(theme.Border, " "+strings.Repeat(line, rest+1)), p.width)
}

func dotted(a, b string) string {
	if a == "" {
		return b
	}
	return a + " · " + b
}

// keep saves the draft where it changed. The store writes in the background.
func (p Model) keep() Model {
	d := p.answer.Draft()
	if reflect.DeepEqual(d, p.kept) {
		return p
	}
	if p.drafts != nil {
		p.drafts.Save(p.item.Ask.Ref, d)
	}
	p.kept = d
	return p
}

func (p Model) load(ref client.Ref) (drafts.Draft, bool) {
	if p.drafts == nil {
		return drafts.Draft{}, false
	}
	return p.drafts.Load(ref)
}

func (p Model) remove(ref client.Ref) {
	if p.drafts != nil {
		p.drafts.Remove(ref)
	}
}
