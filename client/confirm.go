package client

import (
	"strings"

	"askbox/client/text"
)

// What is larger than this is not shown whole, and cannot be allowed.
const (
	MaxShown = 1 << 20 // bytes of an ask
	MaxRows  = 20_000  // rows at the width where it is shown
)

// Approves reports whether an answer lets something be done.
func (a Answer) Approves() bool { return a.Decision == Allow || a.Decision == Always }

// Confirm says in the program's words what a person is asked about once more before
// an answer is sent. Empty: nothing.
func (a *Ask) Confirm(answer Answer) string {
	words := []string{a.Offer(answer.Action()).Confirm}
	if ap := a.Approval; ap != nil && answer.Approves() {
		for _, mode := range ap.Modes {
			if mode.ID == answer.Mode && answer.Mode != "" {
				words = append(words, mode.Confirm)
			}
		}
		if ap.Excerpt != "" {
			words = append(words, "Only an excerpt is shown. This allows what is not shown as well.")
		}
	}
	for i, given := range answer.Questions {
		for _, id := range given.Choices {
			if option := a.option(i, id); option != nil {
				words = append(words, option.Confirm)
			}
		}
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

func (a *Ask) option(question int, id string) *Option {
	if question >= len(a.Questions) {
		return nil
	}
	options := a.Questions[question].Options
	for i := range options {
		if options[i].ID == id {
			return &options[i]
		}
	}
	return nil
}

// Label returns what a choice of a question is called: its option's label, and the id
// itself where there is no such option.
func (a *Ask) Label(question int, id string) text.Text {
	if option := a.option(question, id); option != nil {
		return option.Label
	}
	return text.New(id)
}

// TooLarge says in the program's words why an ask cannot be shown whole in rows of a
// width, and so not be allowed. Empty: it can. What is beyond the limits is not looked at.
func (a *Ask) TooLarge(width int) string {
	size, rows := 0, 0
	for _, t := range a.texts() {
		if size += len(t.Raw()); size > MaxShown {
			return Approval.TooLarge(TooManyBytes)
		}
	}
	for _, t := range a.texts() {
		for range t.Seq(width, text.Exact) {
			if rows++; rows > MaxRows {
				return Approval.TooLarge(TooManyRows)
			}
		}
	}
	return ""
}

// How an ask is too large.
const (
	TooManyBytes = "larger than 1 MiB"
	TooManyRows  = "longer than 20,000 rows"
)

// TooLarge says that an ask of this kind which is too large cannot be shown whole, and
// what is left to do with it.
func (k Kind) TooLarge(large string) string {
	if k == Approval {
		return "It is " + large + " and cannot be shown whole, so it cannot be allowed here. You can deny it."
	}
	return "It is " + large + " and cannot be shown whole, so it cannot be answered here. You can dismiss it."
}

// texts returns what has to be read of an approval.
func (a *Ask) texts() []text.Text {
	var out []text.Text
	parts := a.Extra
	if a.Approval != nil {
		out = append(append(out, a.Approval.Tool), a.Approval.Always...)
		parts = append(parts[:len(parts):len(parts)], a.Approval.Parts...)
	}
	for _, p := range parts {
		out = append(append(out, p.Key, p.Path, p.Text), p.Args...)
	}
	return out
}
