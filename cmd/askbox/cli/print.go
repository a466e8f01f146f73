package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"askbox/client/text"
)

// gutter stands left of everything that a relay sent, and nowhere else, so that
// no text of an agent can pass for the program's; turned marks a line that goes
// on from the one above.
const (
	gutter = "│ "
	turned = "┆ "
)

// unbroken is a width that no line reaches: in a pipe long lines stay whole.
const unbroken = 1 << 24

// goesOn is how far the second line of a sentence stands in.
const goesOn = 4

// printer writes asks in full.
type printer struct {
	w        io.Writer
	width    int
	terminal bool
	now      time.Time
	err      error // the first error of w
}

func (a *app) printer(now time.Time) *printer {
	return &printer{w: a.Out, width: a.Width, terminal: a.OutTerminal, now: now}
}

// say writes the program's own words, in a terminal broken between words. What
// goes on stands in, so that no name in it can begin a line.
func (p *printer) say(format string, args ...any) {
	words := fmt.Sprintf(format, args...)
	if lead, rest, ok := strings.Cut(words, "\n"); p.terminal && (!ok || lead == "") {
		if !ok {
			rest = words
		}
		wrapped := strings.ReplaceAll(ansi.Wordwrap(rest, max(p.width-goesOn, 20), ""), "\n", "\n"+strings.Repeat(" ", goesOn))
		words = strings.TrimSuffix(words, rest) + wrapped
	}
	p.line(words)
}

// line writes a line as it is: one that is to be copied.
func (p *printer) line(words string) {
	if _, err := fmt.Fprintln(p.w, words); err != nil && p.err == nil {
		p.err = err
	}
}

// quote writes what a relay sent, whole, behind the gutter.
func (p *printer) quote(t text.Text, mode text.Mode) {
	p.rows(t, mode)
	p.warn(t, mode)
}

func (p *printer) rows(t text.Text, mode text.Mode) {
	width := unbroken
	if p.terminal {
		width = max(p.width-text.Width(gutter), 20)
	}
	for _, row := range t.Rows(width, mode) {
		mark := gutter
		if row.Continued {
			mark = turned
		}
		p.line(mark + row.String())
	}
}

// name writes a name that a relay sent, behind the gutter and with marks for line
// breaks: where it ends is where the next row of the program begins.
func (p *printer) name(t text.Text) {
	width := unbroken
	if p.terminal {
		width = max(p.width-text.Width(gutter), 20)
	}
	rows := strings.Split(ansi.Hardwrap(t.String(), width, true), "\n")
	p.line(gutter + strings.Join(rows, "\n"+turned))
	p.warn(t, text.Words)
}

func (p *printer) warn(t text.Text, mode text.Mode) {
	for _, warning := range t.Warnings(mode) {
		p.say("Take care: %s", warning)
	}
}

// titled writes a heading of the program and below it what a relay sent.
func (p *printer) titled(heading string, t text.Text, mode text.Mode) {
	if t.Empty() {
		return
	}
	p.say("\n%s", heading)
	p.quote(t, mode)
}

// named writes a heading of the program and below it a name that a relay sent.
func (p *printer) named(heading string, t text.Text) {
	if t.Empty() {
		return
	}
	p.say("\n%s", heading)
	p.name(t)
}
