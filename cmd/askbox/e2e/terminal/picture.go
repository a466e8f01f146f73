//go:build unix

package terminal

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// A cell of a picture, in pixels, and the room around the screen.
const (
	cellWidth, cellHeight = 8.4, 18.0
	margin                = 14.0
)

// Colours are those of a terminal's text that has no other, as #rrggbb.
type Colours struct{ Text, Background string }

func (c *Colours) text() color.Color       { return ansi.HexColor(c.Text) }
func (c *Colours) background() color.Color { return ansi.HexColor(c.Background) }

// The colours of a dark terminal and of a light one.
var (
	Dark  = Colours{Text: "#d6d9de", Background: "#16181d"}
	Light = Colours{Text: "#24292f", Background: "#ffffff"}
)

// Picture is the screen as it stands, as a part of an SVG.
func (t *Terminal) Picture(c Colours) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	for y := range t.screen.Height() {
		for x := 0; x < t.screen.Width(); {
			x += t.run(&b, c, x, y)
		}
	}
	return b.String()
}

// run draws the cells of a row that look alike, from x on, and returns how many they are.
func (t *Terminal) run(b *strings.Builder, c Colours, x, y int) int {
	first, n := t.cell(x, y), 0
	var text strings.Builder
	for x+n < t.screen.Width() {
		cell := t.cell(x+n, y)
		if n > 0 && !cell.Style.Equal(&first.Style) {
			break
		}
		text.WriteString(cell.Content)
		n += max(cell.Width, 1)
		if cell.Width > 1 {
			break // the next cell's place does not follow from how many letters there are
		}
	}
	fore, back := css(first.Style.Fg, c.Text), css(first.Style.Bg, "")
	if first.Style.Attrs&uv.AttrReverse != 0 {
		fore, back = css(first.Style.Bg, c.Background), css(first.Style.Fg, c.Text)
	}
	left, top := margin+float64(x)*cellWidth, margin+float64(y)*cellHeight
	if back != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`, left, top, float64(n)*cellWidth, cellHeight, back)
	}
	words := text.String()
	if strings.TrimSpace(words) == "" {
		return n
	}
	style := ""
	for attr, is := range map[uint8]string{uv.AttrBold: ` font-weight="bold"`, uv.AttrFaint: ` opacity="0.6"`, uv.AttrItalic: ` font-style="italic"`} {
		if first.Style.Attrs&attr != 0 {
			style += is
		}
	}
	if first.Style.Underline != 0 {
		style += ` text-decoration="underline"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" fill="%s"%s>%s</text>`,
		left, top+cellHeight*0.74, float64(n)*cellWidth, fore, style, html.EscapeString(words))
	return n
}

// cell returns a cell with a blank in it where it is empty.
func (t *Terminal) cell(x, y int) uv.Cell {
	cell := t.screen.CellAt(x, y)
	if cell == nil || cell.Width == 0 {
		return uv.EmptyCell
	}
	return *cell
}

// css returns a colour as SVG takes it.
func css(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// SVG makes one picture of several, each shown for so many seconds, one after the other
// and from the beginning again. A single one stands still.
func SVG(c Colours, width, height int, frames []string, seconds float64) string {
	w, h := 2*margin+float64(width)*cellWidth, 2*margin+float64(height)*cellHeight
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14" xml:space="preserve">`, w, h, w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`, c.Background)
	if len(frames) > 1 {
		share := 100 / float64(len(frames))
		fmt.Fprintf(&b, `<style>g{visibility:hidden;animation:f %.1fs step-end infinite}@keyframes f{0%%{visibility:visible}%.3f%%{visibility:hidden}}</style>`,
			seconds*float64(len(frames)), share)
	}
	for i, frame := range frames {
		if len(frames) > 1 {
			fmt.Fprintf(&b, `<g style="animation-delay:%.1fs">%s</g>`+"\n", seconds*float64(i), frame)
			continue
		}
		b.WriteString(frame + "\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}
