package client

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func validateQuestions(ask *Ask, answer Answer) error {
	switch {
	case answer.Decision != NoDecision:
		return invalid("decision", "a question takes answers and no decision")
	case answer.Mode != "":
		return invalid("mode", "goes with the approval of a plan only")
	}
	if err := offered(ask, ActAnswer, "answers", "this question cannot be answered here"); err != nil {
		return err
	}
	switch {
	case answer.Message != "":
		return invalid("message", "a question takes no message; type it as an answer")
	case len(ask.Questions) == 0:
		return invalid("answers", "the ask holds no question that could be answered")
	case len(answer.Questions) != len(ask.Questions):
		return invalid("answers", fmt.Sprintf("has %d entries for %d questions; each needs one",
			len(answer.Questions), len(ask.Questions)))
	}
	empty := true
	for i := range ask.Questions {
		if err := validateQuestion(i, &ask.Questions[i], answer.Questions[i]); err != nil {
			return err
		}
		empty = empty && answer.Questions[i].Empty()
	}
	if empty {
		return invalid("answers", "nothing is chosen and nothing is typed")
	}
	return nil
}

func validateQuestion(i int, q *QuestionAsk, a QuestionAnswer) error {
	switch {
	case a.ID != q.ID:
		return invalid(field(i, "questionId"), "is not the id of this question")
	case a.Text != "" && !a.HasText:
		return invalid(field(i, "text"), "is set and not marked as typed, so it would not be sent")
	case !a.Empty():
	case q.Optional:
		return nil
	case q.Typed() && len(q.Options) == 0:
		return invalid(field(i, "text"), "is required")
	default:
		return invalid(field(i, "choices"), "an option has to be chosen"+orTyped(q))
	}
	if err := validateChoices(i, q, a); err != nil {
		return err
	}
	if err := validateText(i, q, a); err != nil {
		return err
	}
	return validateJoined(i, q, a)
}

func validateChoices(i int, q *QuestionAsk, a QuestionAnswer) error {
	if len(a.Choices) > 1 && !q.Multi {
		return invalid(field(i, "choices"), "only one option can be chosen")
	}
	for n, id := range a.Choices {
		switch {
		case !slices.ContainsFunc(q.Options, func(o Option) bool { return o.ID == id }):
			return invalid(field(i, "choices"), "names an option that is not offered")
		case twice(q.Options, id):
			return invalid(field(i, "choices"), "two options are sent as the same words, so no answer could tell them apart"+orOwn(q))
		case id == "":
			return invalid(field(i, "choices"), "this option has nothing that could be sent")
		case slices.Contains(a.Choices[:n], id):
			return invalid(field(i, "choices"), "names an option twice")
		}
	}
	return nil
}

// twice reports whether an id is that of more than one option.
func twice(options []Option, id string) bool {
	n := 0
	for _, o := range options {
		if o.ID == id {
			n++
		}
	}
	return n > 1
}

func validateText(i int, q *QuestionAsk, a QuestionAnswer) error {
	if !a.HasText {
		return nil
	}
	at := field(i, "text")
	switch {
	case !q.Typed():
		return invalid(at, "an answer of one's own is not offered; choose an option")
	case len(a.Choices) > 0 && !q.TextWithChoices:
		return invalid(at, "either choose an option or type an answer, not both")
	case !utf8.ValidString(a.Text):
		return invalid(at, notText)
	case blank(a.Text):
		return invalid(at, "is empty; type an answer"+orLeft(q))
	}
	if n := utf8.RuneCountInString(a.Text); q.MaxText > 0 && n > q.MaxText {
		return invalid(at, fmt.Sprintf("has %d characters; at most %d fit", n, q.MaxText))
	}
	switch {
	case q.Type == FieldNumber && !isNumber(a.Text):
		return invalid(at, "is not a number; write it like 12 or -0.5")
	case q.Type == FieldInteger && !isInteger(a.Text):
		return invalid(at, "is not a whole number; write it like 12 or -5")
	}
	return nil
}

// Typed reports whether an answer may be typed.
func (q *QuestionAsk) Typed() bool {
	return q.OwnText || q.Type == FieldText || q.Type == FieldNumber || q.Type == FieldInteger
}

func orTyped(q *QuestionAsk) string {
	if q.Typed() {
		return ", or an answer typed"
	}
	return ""
}

func orLeft(q *QuestionAsk) string {
	if q.Optional {
		return " or leave the field out"
	}
	return ""
}

// isNumber takes what JSON calls a number, so that it arrives with the digits
// that were typed. Go's own parser would take "inf" and "0x1p-2" too.
func isNumber(s string) bool {
	if s == "" || strings.Trim(s, "0123456789+-.eE") != "" || !json.Valid([]byte(s)) {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func isInteger(s string) bool {
	if !isNumber(s) {
		return false
	}
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

// ReadsAs reports whether a relay might take a text for one of its words: the
// same letters once spaces, punctuation at the ends, invisible characters, the
// case and the full-width forms are set aside. Adapters use it for relays that
// tell an approval from a denial by the text alone.
func ReadsAs(text, word string) bool {
	return strings.EqualFold(plain(text), plain(word))
}

func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case invisible(r), unicode.Is(unicode.Mn, r):
			return -1
		case r >= 0xff01 && r <= 0xff5e:
			return r - 0xfee0
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s)
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsControl(r) })
	return strings.Join(strings.Fields(s), " ")
}

// blank reports whether a text holds nothing that could be read.
func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !invisible(r)
	}) < 0
}

// invisible reports whether a character draws nothing, by its properties in
// Unicode. The Braille blank is the one that draws nothing without having one.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == 0x2800
}
