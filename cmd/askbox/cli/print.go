package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"askbox/client"
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
	if _, err := fmt.Fprintln(p.w, words); err != nil && p.err == nil {
		p.err = err
	}
}

// quote writes what a relay sent, whole, behind the gutter.
func (p *printer) quote(t text.Text, mode text.Mode) {
	p.rows(t, mode)
	p.warn(t)
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
		p.say("%s%s", mark, row)
	}
}

func (p *printer) warn(t text.Text) {
	for _, warning := range t.Warnings() {
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

func (p *printer) ask(ask *client.Ask, shown string) {
	p.head(ask, shown)
	switch {
	case ask.Unreadable != "":
		p.say("\nIt could not be read: %s. It cannot be answered here. As the relay sent it:", ask.Unreadable)
		p.quote(text.New(string(ask.Raw)), text.Exact)
	case ask.Approval != nil:
		p.approval(ask.Approval)
	case ask.Secret != nil:
		p.titled("Secret", ask.Secret.Name, text.Exact)
		p.titled("The agent says", ask.Secret.Description, text.Words)
		p.say("\n%s", ask.Secret.Where)
	}
	for i := range ask.Questions {
		p.question(&ask.Questions[i], i, len(ask.Questions))
	}
	p.parts(ask.Fields)
	p.closing(ask)
	if ask.Status == client.Open {
		p.offers(ask, shown)
	}
}

func (p *printer) head(ask *client.Ask, shown string) {
	words := []string{kindWord(ask)}
	if ask.Status != client.Open {
		words = append(words, ask.Status.String())
	} else if ask.Waits {
		words = append(words, "the session waits")
	}
	if ask.Urgent {
		words = append(words, "now")
	}
	p.say("%s", strings.Join(words, " · "))
	p.say("%s · %s", shown, p.since("opened", ask.Opened))
	switch {
	case ask.RunOut(p.now):
		p.say("%s", ask.ExpiredWords)
	case ask.Expires.IsZero() || ask.Status.Closed():
	case !ask.Expires.After(p.now):
		p.say("its time is over, the relay decides")
	default:
		p.say("expires in %s", strings.TrimSpace(humanize.RelTime(p.now, ask.Expires, "", "")))
	}
	if ask.Kind == client.Unknown && ask.Unreadable == "" {
		p.titled("The relay calls its kind", ask.KindName, text.Exact)
	}
	if (ask.Kind == client.Question || ask.Approval != nil && ask.Approval.Tool.Empty()) && ask.KindName.Raw() != ask.Kind.Name() {
		p.titled("Asked through", ask.KindName, text.Exact)
	}
	if ask.Status == client.StatusUnknown {
		p.titled("The relay calls its status", ask.StatusName, text.Exact)
	}
	started := [...]string{"", ", started by you", ", started by another person", ", started by an agent"}[ask.Session.Starter]
	p.titled("Session"+started, ask.Session.Title, text.Words)
	p.titled("Started from", ask.Session.Origin, text.Words)
	p.titled("In the folder", ask.Session.Folder, text.Exact)
	if ask.AskedBy != nil {
		p.titled("On behalf of it asks", ask.AskedBy.Title, text.Words)
	}
	if ask.Session.Link != "" {
		p.titled("Link", text.New(ask.Session.Link), text.Exact)
	}
	if ask.Session.Trouble != "" {
		p.say("\nThe session: %s", ask.Session.Trouble)
	}
}

// since says how long ago something happened; clocks differ, so never in the future.
func (p *printer) since(word string, t time.Time) string {
	switch {
	case t.IsZero():
		return word + " at a time that is not known"
	case p.now.Sub(t) < time.Second:
		return word + " just now"
	}
	return word + " " + humanize.RelTime(t, p.now, "ago", "")
}

func (p *printer) approval(a *client.ApprovalAsk) {
	p.titled("Tool", a.Tool, text.Exact)
	p.parts(a.Parts)
	if a.Excerpt != "" {
		p.say("\n%s", a.Excerpt)
	}
	for i, rule := range a.Always {
		if i == 0 {
			p.say("\nAlways would allow%s", scope(a.AlwaysScope))
		}
		p.quote(rule, text.Exact)
	}
	for _, mode := range a.Modes {
		p.say("\nMode %s · %s", text.New(mode.ID), sentence(mode.Label, mode.Effect, mode.Confirm))
		if !mode.Quoted.Empty() {
			p.quote(mode.Quoted, text.Words)
		}
	}
}

func scope(words string) string {
	if words == "" {
		return ""
	}
	return " (" + words + ")"
}

func sentence(parts ...string) string {
	var out []string
	for _, part := range parts {
		if part != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, ": ")
}

func (p *printer) parts(parts []client.Part) {
	for _, part := range parts {
		p.say("\n%s", sentence(partWord(part.Kind), part.Note))
		if !part.Path.Empty() {
			p.quote(part.Path, text.Exact)
		}
		if !part.Key.Empty() && part.Kind == client.PartField {
			p.quote(part.Key, text.Exact)
			p.say("is")
		}
		if part.Kind == client.PartArgs {
			p.args(part.Args)
			continue
		}
		mode := text.Exact
		if part.Kind == client.PartSays || part.Kind == client.PartPlan {
			mode = text.Words
		}
		p.quote(part.Text, mode)
	}
}

// args writes each argument with its number and in quotes, as the inbox does, so
// that an empty one is seen and none looks like two.
func (p *printer) args(args []text.Text) {
	for i, arg := range args {
		p.rows(text.New(fmt.Sprintf("%d %s", i+1, strconv.Quote(arg.Raw()))), text.Exact)
		p.warn(arg)
	}
}

func partWord(kind client.PartKind) string {
	return [...]string{"Command", "Arguments, one a line, in quotes", "Change of a file", "Plan", "Input", "The agent says"}[kind]
}

func (p *printer) question(q *client.QuestionAsk, i, of int) {
	heading := "Question"
	if of > 1 {
		heading = fmt.Sprintf("Question %d of %d", i+1, of)
	}
	if q.Optional {
		heading += " (may be left out)"
	}
	p.titled(heading, q.Text, text.Words)
	if !q.Header.Empty() {
		p.titled("Its heading", q.Header, text.Words)
	}
	p.titled("Detail", q.Detail, text.Words)
	if len(q.Options) > 0 {
		p.say("\n%s", choiceWords(q))
	}
	for j, option := range q.Options {
		number := fmt.Sprintf("%d", j+1)
		if q.Recommended == j+1 {
			number += " Recommended"
		}
		p.say("%s", sentence(number, option.Effect, option.Confirm))
		p.quote(option.Label, text.Words)
		if !option.Description.Empty() {
			p.quote(option.Description, text.Words)
		}
	}
	p.titled("Recommended", q.RecommendedText, text.Words)
	p.titled("Proposed answer", q.Default, text.Words)
}

func choiceWords(q *client.QuestionAsk) string {
	words := "Choose one"
	if q.Multi {
		words = "Choose one or more"
	}
	if q.OwnText && q.TextWithChoices {
		return words + ", with or without words of your own:"
	}
	if q.OwnText {
		return words + ", or answer in your own words:"
	}
	return words + ":"
}

func (p *printer) closing(ask *client.Ask) {
	c := ask.Closing
	if c == nil {
		return
	}
	p.say("\nClosed%s%s", closedBy(ask), closedAt(c, p))
	for _, line := range c.Answer {
		p.quote(line, text.Words)
	}
	if c.Note != "" {
		p.say("%s", c.Note)
	}
}

func closedAt(c *client.Closing, p *printer) string {
	if c.At.IsZero() {
		return ""
	}
	return ", " + p.since("", c.At)[1:]
}

// closedBy says who closed an ask, in one phrase with a space before it that is
// safe to print. It is empty where nobody did: an ask that expired or ended with its
// session was not closed by anyone.
func closedBy(ask *client.Ask) string {
	c, who := ask.Closing, ""
	switch {
	case c.By.Me:
		who = " by you"
	case !c.By.Name.Empty():
		who = " by " + c.By.Name.Fit(60)
	case c.By.Type != client.ActorUnknown:
		who = [...]string{"", " by another person", " by an agent", " by the relay"}[c.By.Type]
	case ask.Status == client.Answered || ask.Status == client.Dismissed || ask.Status == client.Declined:
		who = " by someone the relay does not name"
	}
	if !c.Surface.Empty() {
		who += " in " + c.Surface.Fit(30)
	}
	return who
}

// offers says what may be done with an ask and with which words.
func (p *printer) offers(ask *client.Ask, shown string) {
	var lines []string
	for i, flags := range [...]string{"answer %s --allow", "answer %s --always", "", "answer %s --deny", "",
		"answer %s --choose LABEL or --text TEXT", "dismiss %s", ""} {
		offer := ask.Offer(client.Action(i))
		if flags == "" || !offer.OK {
			continue
		}
		line := "  askbox " + fmt.Sprintf(flags, shown)
		if client.Action(i) == client.ActAllow && ask.Approval != nil && len(ask.Approval.Modes) > 0 {
			line += " [--mode MODE]"
		}
		if what := sentence(offer.Effect, offer.Confirm); what != "" {
			line += "  (" + what + ")"
		}
		lines = append(lines, line)
	}
	refused := map[string]bool{}
	for i := range actionNames {
		if why := ask.Offer(client.Action(i)).Why; why != "" && !refused[why] {
			refused[why] = true
			lines = append(lines, "  not here: "+why)
		}
	}
	if len(lines) > 0 {
		p.say("\nWhat can be done with it")
	}
	for _, line := range lines {
		p.say("%s", line)
	}
}
