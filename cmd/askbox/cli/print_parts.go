package cli

import (
	"fmt"
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
)

func (p *printer) approval(a *client.ApprovalAsk) {
	p.titled("Tool", a.Tool, text.Line)
	p.parts(a.Parts)
	if a.Excerpt != "" {
		p.say("\n%s", a.Excerpt)
	}
	for i, rule := range a.Always {
		if i == 0 {
			p.say("\nAlways would allow%s", scope(a.AlwaysScope))
		}
		p.quote(rule, text.Line)
	}
	for _, mode := range a.Modes {
		p.say("\nMode %s · %s", text.New(mode.ID).Quoted(60), sentence(mode.Label, mode.Effect, mode.Confirm))
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

// parts writes the parts of an input that hold anything. A key and a path take one
// row each, and what they name begins below a word of the program.
func (p *printer) parts(parts []client.Part) {
	for _, part := range parts {
		if vacant(part) {
			continue
		}
		p.say("\n%s", sentence(part.Kind.String(), part.Note))
		if !part.Path.Empty() {
			p.quote(part.Path, text.Line)
		}
		p.key(part)
		if part.Kind == client.PartArgs {
			p.args(part.Args)
			continue
		}
		p.quote(part.Text, part.Kind.Mode())
	}
}

// vacant reports whether a part would be a heading over nothing.
func vacant(part client.Part) bool {
	return part.Text.Empty() && part.Path.Empty() && len(part.Args) == 0 && (part.Kind == client.PartSays || part.Key.Empty()) && part.Note == ""
}

func (p *printer) key(part client.Part) {
	if part.Key.Empty() || part.Kind != client.PartField && part.Kind != client.PartArgs {
		return
	}
	p.quote(part.Key, text.Line)
	if part.Text.Empty() && len(part.Args) == 0 {
		p.say("is empty")
		return
	}
	p.say("is")
}

// extra writes what the relay sent beside what askbox knows.
func (p *printer) extra(parts []client.Part) {
	if len(parts) > 0 {
		p.say("\nTake care: the relay sent this as well, and askbox does not know what it does")
	}
	for _, part := range parts {
		p.key(part)
		p.quote(part.Text, text.Exact)
	}
}

// args writes each argument with its number and in quotes, as the inbox does, so
// that an empty one is seen and none looks like two.
func (p *printer) args(args []text.Text) {
	for i, arg := range args {
		p.rows(text.New(fmt.Sprintf("%d %s", i+1, strconv.Quote(arg.Raw()))), text.Exact)
		p.warn(arg, text.Exact)
	}
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
	p.named("Its heading", q.Header)
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
		p.name(option.Label)
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
