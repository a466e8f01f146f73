package inbox

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"askbox/client"
)

// verdict compares how an ask closed with an answer that may have closed it:
// Done, TooLate, or NotKnown where the relay does not tell enough.
func verdict(ask *client.Ask, answer client.Answer) FlightState {
	if ask.Status == client.Gone || ask.Closing != nil && ask.Closing.Untold {
		return NotKnown
	}
	if !fits(ask, answer) {
		return TooLate
	}
	c := ask.Closing
	if c == nil {
		return NotKnown
	}
	known := c.By.Type != client.ActorUnknown || c.By.ID != "" || !c.By.Name.Empty()
	if known && !c.By.Me && !c.By.MaybeMe {
		return TooLate
	}
	switch alike(ask, c, answer) {
	case yes:
		if c.By.MaybeMe {
			return NotKnown
		}
		return Done
	case no:
		return TooLate
	}
	if c.By.Me {
		return Done
	}
	return NotKnown
}

// ErrSame is why an answer is NotKnown of which all is known but whose it was: the
// agent got exactly what was to be sent.
var ErrSame = errors.New("it was answered with the same answer; the relay does not say whether it was yours")

// sameAnswer reports whether an ask closed with an answer, given by a person who may or
// may not be the one in front of this program.
func sameAnswer(ask *client.Ask, answer client.Answer) bool {
	return fits(ask, answer) && ask.Closing != nil && ask.Closing.By.MaybeMe && alike(ask, ask.Closing, answer) == yes
}

type tri int

const (
	maybe tri = iota
	yes
	no
)

// alike compares what an ask was answered with, where the relay tells, with an answer.
func alike(ask *client.Ask, c *client.Closing, answer client.Answer) tri {
	switch {
	case c.Given != nil:
		return compare(ask.Questions, *c.Given, answer)
	case answer.Dismiss:
		return yes
	}
	switch c.Decision {
	case client.NoDecision:
		return maybe
	case answer.Decision:
		return yes
	}
	if c.Ran && answer.Decision == client.Always {
		return maybe
	}
	return no
}

// fits reports whether an ask that closed in a way may have closed with an answer: what
// dismisses it may be a choice, too.
func fits(ask *client.Ask, answer client.Answer) bool {
	chosen := ask.Closing != nil && ask.Closing.Given != nil && len(ask.Closing.Given.Questions) > 0
	switch ask.Status {
	case client.Dismissed:
		return answer.Dismiss || chosen
	case client.Answered:
		return !answer.Dismiss
	}
	return false
}

// compare says whether what a relay tells of an answer is what was sent. Relays
// write down what they took in their own way, without blanks around it and with
// the choices in another order, and not all of them repeat every part: maybe is
// that nothing of it differs and something is not told.
func compare(asked []client.QuestionAsk, told, sent client.Answer) tri {
	switch chosen := len(told.Questions) > 0; {
	case told.Dismiss != sent.Dismiss && (sent.Dismiss || !chosen):
		return no
	case sent.Dismiss && chosen:
		told.Questions = nil // the choice that dismisses it
	}
	all := []tri{
		piece(told.Decision == client.NoDecision, told.Decision == sent.Decision),
		piece(told.Message == "", alikeText(told.Message, sent.Message)),
	}
	if sent.Mode != "" { // a relay may fill one in where none was given
		all = append(all, piece(told.Mode == "", told.Mode == sent.Mode))
	}
	if len(told.Questions) > 0 || len(sent.Questions) > 0 {
		all = append(all, compareQuestions(asked, byQuestion(told), byQuestion(sent)))
	}
	return worst(all)
}

func compareQuestions(asked []client.QuestionAsk, told, sent []client.QuestionAnswer) tri {
	if len(told) != len(sent) {
		return piece(len(told) == 0, false)
	}
	all := []tri{yes}
	for i, x := range told {
		y := sent[i]
		silent := x.Text == "" && len(x.Choices) == 0
		if q := slices.IndexFunc(asked, func(q client.QuestionAsk) bool { return q.ID == x.ID }); q >= 0 && x.ID == y.ID && alikeAs(&asked[q], x, y) {
			continue
		}
		choices := slices.Equal(slices.Sorted(slices.Values(x.Choices)), slices.Sorted(slices.Values(y.Choices)))
		all = append(all, piece(false, x.ID == y.ID), piece(silent, choices), piece(silent, alikeText(x.Text, y.Text)))
	}
	return worst(all)
}

// alikeAs reports whether a relay would write two answers to a question in the same
// way: as one line of what is chosen and typed, or as a number.
func alikeAs(q *client.QuestionAsk, x, y client.QuestionAnswer) bool {
	switch {
	case q.Joined != "":
		return alikeText(q.Line(x), q.Line(y))
	case q.Type == client.FieldNumber, q.Type == client.FieldInteger:
		n, bad := strconv.ParseFloat(x.Text, 64)
		m, worse := strconv.ParseFloat(y.Text, 64)
		return bad == nil && worse == nil && n == m
	}
	return false
}

// piece is the comparison of one part of an answer.
func piece(untold, alike bool) tri {
	switch {
	case alike:
		return yes
	case untold:
		return maybe
	}
	return no
}

func worst(all []tri) tri {
	switch {
	case slices.Contains(all, no):
		return no
	case slices.Contains(all, maybe):
		return maybe
	}
	return yes
}

func alikeText(told, sent string) bool {
	return slices.Equal(strings.Fields(told), strings.Fields(sent))
}

func byQuestion(a client.Answer) []client.QuestionAnswer {
	return slices.SortedFunc(slices.Values(a.Questions), func(x, y client.QuestionAnswer) int { return strings.Compare(x.ID, y.ID) })
}
