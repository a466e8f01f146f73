package client

import (
	"strings"
	"testing"

	"askbox/client/text"
)

// What is asked about once more is the same wherever the answer is given.
func TestWhatIsAskedAboutOnceMore(t *testing.T) {
	ask := &Ask{
		Approval:  &ApprovalAsk{Modes: []Mode{{ID: "auto"}, {ID: "all", Confirm: "It asks for nothing."}}},
		Questions: []QuestionAsk{{Options: []Option{{ID: "yes"}, {ID: "no", Confirm: "It stops."}}}},
	}
	ask.Offers = Offered()
	ask.Offers[ActDismiss].Confirm = "The turn ends."
	excerpt := &Ask{Approval: &ApprovalAsk{Excerpt: "500 of 900 bytes"}}
	for _, c := range []struct {
		ask    *Ask
		answer Answer
		want   string
	}{
		{ask, Answer{Decision: Allow}, ""},
		{ask, Answer{Decision: Allow, Mode: "auto"}, ""},
		{ask, Answer{Decision: Allow, Mode: "all"}, "It asks for nothing."},
		{ask, Answer{Decision: Deny}, ""},
		{ask, Answer{Dismiss: true}, "The turn ends."},
		{ask, Answer{Questions: []QuestionAnswer{{Choices: []string{"yes"}}}}, ""},
		{ask, Answer{Questions: []QuestionAnswer{{Choices: []string{"yes", "no"}}}}, "It stops."},
		{excerpt, Answer{Decision: Deny}, ""},
		{excerpt, Answer{Decision: Always}, "Only an excerpt is shown. This allows what is not shown as well."},
	} {
		if got := c.ask.Confirm(c.answer); got != c.want {
			t.Errorf("%+v: %q", c.answer, got)
		}
	}
}

// What no screen shows whole is not allowed, whichever part of it is too large.
func TestTooLargeToBeShown(t *testing.T) {
	big, long := text.New(strings.Repeat("x", MaxShown/2+1)), text.New(strings.Repeat("x\n", MaxRows/2))
	for name, c := range map[string]struct {
		ask  *Ask
		want string
	}{
		"small":     {&Ask{Approval: &ApprovalAsk{Parts: []Part{{Text: text.New("ls")}}}}, ""},
		"one half":  {&Ask{Approval: &ApprovalAsk{Parts: []Part{{Text: big}}}}, ""},
		"both":      {&Ask{Approval: &ApprovalAsk{Parts: []Part{{Text: big}, {Kind: PartArgs, Args: []text.Text{big}}}}}, "1 MiB"},
		"beside":    {&Ask{Approval: &ApprovalAsk{Parts: []Part{{Text: big}}}, Extra: []Part{{Text: big}}}, "1 MiB"},
		"long":      {&Ask{Approval: &ApprovalAsk{Parts: []Part{{Text: long}, {Text: long}}}}, "20,000 rows"},
		"the rules": {&Ask{Approval: &ApprovalAsk{Always: []text.Text{long, long}}}, "20,000 rows"},
	} {
		if got := c.ask.TooLarge(80); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if wide := (&Ask{Approval: &ApprovalAsk{Parts: []Part{{Text: big}}}}); wide.TooLarge(20) == "" {
		t.Error("524,289 characters fit into 20,000 rows of 20")
	}
}
