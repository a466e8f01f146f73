package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
)

// build makes the answer that the flags describe. It returns *usageError where
// they do not say exactly one thing about this ask.
func (o *answerOptions) build(ask *client.Ask) (client.Answer, error) {
	answer := client.Answer{Mode: o.mode, Message: o.told}
	switch {
	case o.allow, o.mode != "" && !o.always && !o.deny && len(o.choose) == 0 && len(o.text) == 0:
		answer.Decision = client.Allow
	case o.always:
		answer.Decision = client.Always
	case o.deny:
		answer.Decision = client.Deny
	}
	decides := answer.Decision != client.NoDecision
	switch {
	case ask.Kind != client.Question && ask.Kind != client.Approval:
		// No answer fits such an ask; the check that follows says where it is answered.
		return answer, nil
	case decides && ask.Kind == client.Question:
		return answer, &usageError{"this ask is a question: answer it with --choose or --text"}
	case !decides && ask.Kind == client.Approval:
		return answer, &usageError{"this ask is an approval: answer it with --allow, --always or --deny"}
	case decides && o.hasMessage && o.told == "":
		return answer, &usageError{"the message is empty; leave --message out or write one"}
	case !decides && (o.hasMessage || o.mode != ""):
		return answer, &usageError{"--message and --mode go with a decision; answer a question in your own words with --text"}
	case decides:
		return answer, nil
	}
	var err error
	answer.Questions, err = o.questions(ask)
	return answer, err
}

// questions makes one entry for each question of the ask, in their order.
func (o *answerOptions) questions(ask *client.Ask) ([]client.QuestionAnswer, error) {
	answers := make([]client.QuestionAnswer, len(ask.Questions))
	chosen := make([][]int, len(ask.Questions))
	for i := range ask.Questions {
		answers[i].ID = ask.Questions[i].ID
	}
	for _, value := range o.choose {
		pick, err := choice(ask.Questions, value)
		if err != nil {
			return nil, err
		}
		if slices.Contains(chosen[pick.question], pick.option) {
			return nil, &usageError{fmt.Sprintf("--choose %s names an option that is chosen already", quoted(value))}
		}
		chosen[pick.question] = append(chosen[pick.question], pick.option)
	}
	for i, options := range chosen {
		// The relays want the choices in the order in which they were offered.
		slices.Sort(options)
		for _, option := range options {
			answers[i].Choices = append(answers[i].Choices, ask.Questions[i].Options[option].ID)
		}
	}
	for _, value := range o.text {
		i, own, err := ownText(ask.Questions, value)
		if err != nil {
			return nil, err
		}
		if answers[i].HasText {
			return nil, &usageError{fmt.Sprintf("--text is given twice for question %d", i+1)}
		}
		if own == "-" {
			if own, err = o.fromInput(); err != nil {
				return nil, err
			}
		}
		answers[i].Text, answers[i].HasText = own, true
	}
	return answers, nil
}

// choicePick is one option of one question, by their places.
type choicePick struct{ question, option int }

// choice finds the one option that a value of --choose can mean. All of its
// readings are tried, since a label may hold a = and may look like a number, and
// more than one result is an error.
func choice(questions []client.QuestionAsk, value string) (choicePick, error) {
	var picks []choicePick
	add := func(question int, label string) {
		for option := range questions[question].Options {
			pick := choicePick{question, option}
			if labelled(questions[question].Options[option].Label.Raw(), option, label) && !slices.Contains(picks, pick) {
				picks = append(picks, pick)
			}
		}
	}
	for question := range questions {
		add(question, value)
		for at, r := range value {
			if r == '=' && meant(questions, question, value[:at]) {
				add(question, value[at+1:])
			}
		}
	}
	switch len(picks) {
	case 1:
		return picks[0], nil
	case 0:
		return choicePick{}, &usageError{fmt.Sprintf("--choose %s is none of the options:\n%s", quoted(value), optionLines(questions))}
	}
	return choicePick{}, &usageError{fmt.Sprintf("--choose %s could mean several options; write QUESTION=NUMBER for one of:\n%s", quoted(value), optionLines(questions))}
}

// labelled reports whether a word is an option's label, exactly, or its number.
func labelled(label string, option int, word string) bool {
	return word == label || word == strconv.Itoa(option+1)
}

// meant reports whether a word names a question: by its number, its id or its heading.
func meant(questions []client.QuestionAsk, question int, word string) bool {
	q := &questions[question]
	return word != "" && (word == strconv.Itoa(question+1) || word == q.ID || word == q.Header.Raw())
}

// ownText splits a value of --text into the question and the words for it.
func ownText(questions []client.QuestionAsk, value string) (int, string, error) {
	before, after, split := strings.Cut(value, "=")
	found := -1
	for i := range questions {
		if split && meant(questions, i, before) {
			if found >= 0 {
				return 0, "", &usageError{fmt.Sprintf("--text %s names two questions; use the number", quoted(value))}
			}
			found = i
		}
	}
	switch {
	case found >= 0:
		return found, after, nil
	case len(questions) == 1:
		return 0, value, nil
	case len(questions) == 0:
		return 0, "", &usageError{"this ask has no question to answer"}
	}
	return 0, "", &usageError{fmt.Sprintf("--text %s does not say for which of the %d questions; write NUMBER=TEXT", quoted(value), len(questions))}
}

func quoted(value string) string { return text.New(value).Quoted(60) }

func optionLines(questions []client.QuestionAsk) string {
	var lines []string
	for i := range questions {
		for j := range questions[i].Options {
			lines = append(lines, fmt.Sprintf("  %d=%d  %s", i+1, j+1, questions[i].Options[j].Label.Fit(60)))
		}
	}
	return strings.Join(lines, "\n")
}
