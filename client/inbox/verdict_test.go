package inbox

import (
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/text"
)

// What an ask was answered with is read from the value, never from the words that tell
// people of it: those may be anything that an agent or another program wrote.
func TestWordsDecideNothing(t *testing.T) {
	for name, tc := range map[string]struct {
		decision client.Decision
		words    string
		answer   client.Answer
		want     FlightState
	}{
		"the same, in odd words":   {client.Deny, "allowed, always", client.Answer{Decision: client.Deny}, Done},
		"another, in the same":     {client.Allow, "denied", client.Answer{Decision: client.Deny}, TooLate},
		"once is not always":       {client.Allow, "allowed", client.Answer{Decision: client.Always}, TooLate},
		"words without a decision": {client.NoDecision, "denied", client.Answer{Decision: client.Deny}, NotKnown},
		"what ran may be always":   {client.Allow, "ran", client.Answer{Decision: client.Always}, NotKnown},
		"what ran was no denial":   {client.Allow, "ran", client.Answer{Decision: client.Deny}, TooLate},
		"what ran was allowed":     {client.Allow, "ran", client.Answer{Decision: client.Allow}, Done},
	} {
		closed := &client.Ask{Kind: client.Approval, Status: client.Answered,
			Closing: &client.Closing{Decision: tc.decision, Answer: []text.Text{text.New(tc.words)}, Ran: strings.Contains(name, "what ran")}}
		if got := verdict(closed, tc.answer); got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

// TestCompareAsTheRelayWrites an answer: on one line, or as a number.
func TestCompareAsTheRelayWrites(t *testing.T) {
	line := client.QuestionAsk{ID: "q", Joined: ", ", Options: []client.Option{{ID: "A"}, {ID: "B"}}}
	number := client.QuestionAsk{ID: "q", Type: client.FieldNumber}
	chosen := func(ids ...string) client.QuestionAnswer { return client.QuestionAnswer{ID: "q", Choices: ids} }
	typed := func(s string) client.QuestionAnswer { return client.QuestionAnswer{ID: "q", Text: s, HasText: true} }
	for name, c := range map[string]struct {
		ask        client.QuestionAsk
		told, sent client.QuestionAnswer
		want       tri
	}{
		"two choices read as words": {line, typed("A, B"), chosen("B", "A"), yes},
		"a choice less":             {line, typed("A"), chosen("A", "B"), no},
		"other words":               {line, typed("A, C"), chosen("A", "B"), no},
		"a number in another form":  {number, typed("7"), typed("7.0"), yes},
		"another number":            {number, typed("7"), typed("8"), no},
		"no number":                 {number, typed("x"), typed("y"), no},
		"another question":          {line, client.QuestionAnswer{ID: "z", Choices: []string{"A"}}, chosen("A"), no},
	} {
		told, sent := client.Answer{Questions: []client.QuestionAnswer{c.told}}, client.Answer{Questions: []client.QuestionAnswer{c.sent}}
		if got := compare([]client.QuestionAsk{c.ask}, told, sent); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestUntold: where nobody tells what closed an ask, an answer that may have arrived is
// neither done nor too late.
func TestUntold(t *testing.T) {
	for _, how := range []client.Status{client.Answered, client.Dismissed, client.Expired} {
		a := &client.Ask{Status: how, Closing: &client.Closing{Untold: true}}
		if got := verdict(a, allow); got != NotKnown {
			t.Errorf("%v: %v", how, got)
		}
	}
}

// TestChoiceThatDismisses: a relay may close an ask as dismissed for a choice, and tells of
// one that was dismissed which choice that is.
func TestChoiceThatDismisses(t *testing.T) {
	chosen := func(id string) client.Answer {
		return client.Answer{Questions: []client.QuestionAnswer{{ID: "q", Choices: []string{id}}}}
	}
	left := chosen("exit")
	left.Dismiss = true
	ask := &client.Ask{Status: client.Dismissed, Closing: &client.Closing{Given: &left}}
	for _, c := range []struct {
		sent client.Answer
		want FlightState
	}{{client.Answer{Dismiss: true}, Done}, {chosen("exit"), Done}, {chosen("go"), TooLate}, {deny, TooLate}} {
		if got := verdict(ask, c.sent); got != c.want {
			t.Errorf("%+v: %v", c.sent, got)
		}
	}
	for _, other := range []*client.Ask{{Status: client.Dismissed, Closing: &client.Closing{Given: &client.Answer{Dismiss: true}}},
		{Status: client.Expired, Closing: &client.Closing{Given: &left}}} {
		if got := verdict(other, chosen("exit")); got != TooLate {
			t.Errorf("%v: %v", other.Status, got)
		}
	}
}

func TestCompare(t *testing.T) {
	q := func(id, words string, choices ...string) client.QuestionAnswer {
		return client.QuestionAnswer{ID: id, Choices: choices, Text: words, HasText: words != ""}
	}
	qs := func(all ...client.QuestionAnswer) client.Answer { return client.Answer{Questions: all} }
	for name, c := range map[string]struct {
		told, sent client.Answer
		want       tri
	}{
		"the same":               {allow, allow, yes},
		"another decision":       {deny, allow, no},
		"no decision told":       {client.Answer{}, allow, maybe},
		"a mode filled in":       {client.Answer{Decision: client.Allow, Mode: "default"}, allow, yes},
		"another mode":           {client.Answer{Decision: client.Allow, Mode: "bypassPermissions"}, client.Answer{Decision: client.Allow, Mode: "default"}, no},
		"words of someone":       {client.Answer{Decision: client.Deny, Message: "mine"}, deny, no},
		"a dismissal":            {client.Answer{Dismiss: true}, deny, no},
		"choices in other order": {qs(q("b", ""), q("a", "", "y", "x")), qs(q("a", "", "x", "y"), q("b", "")), yes},
		"another choice":         {qs(q("a", "", "y")), qs(q("a", "", "x")), no},
		"one choice less":        {qs(q("a", "", "x")), qs(q("a", "", "x", "y")), no},
		"other words":            {qs(q("a", "yes")), qs(q("a", "no")), no},
		"cut words":              {qs(q("a", "yes")), qs(q("a", " yes\n")), yes},
		"questions not told":     {client.Answer{}, qs(q("a", "", "x")), maybe},
		"a question not told":    {qs(q("a", "")), qs(q("a", "", "x")), maybe},
		"another question":       {qs(q("z", "", "x")), qs(q("a", "", "x")), no},
	} {
		if got := compare(nil, c.told, c.sent); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
