package inbox

import (
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
	} {
		closed := &client.Ask{Kind: client.Approval, Status: client.Answered,
			Closing: &client.Closing{Decision: tc.decision, Answer: []text.Text{text.New(tc.words)}}}
		if got := Outcome(closed, tc.answer); got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}
