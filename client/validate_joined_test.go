package client

import (
	"strings"
	"testing"

	"askbox/client/text"
)

func joinedQuestion(ids ...string) *QuestionAsk {
	q := &QuestionAsk{ID: "q1", Multi: true, OwnText: true, TextWithChoices: true, Joined: ", "}
	for _, id := range ids {
		q.Options = append(q.Options, Option{ID: id, Label: text.New(id)})
	}
	return q
}

func TestValidateJoined(t *testing.T) {
	databases := []string{"Postgres, Redis", "Postgres", "Redis"}
	for _, tt := range []struct {
		options []string
		choices string // parted by |
		typed   string
		fits    bool
	}{
		{databases, "Postgres, Redis", "", false},
		{databases, "Postgres|Redis", "", false},
		{databases, "Postgres", "", true},
		{databases, "Redis", "or both", true},
		{databases, "Postgres", "Redis", false},
		{databases, "", "Redis", false},
		{databases, "", "Postgres, and nothing else", false},
		{databases, "", "neither Postgres, Redis", true},
		{databases, "Postgres, Redis|Redis", "", false},
		{[]string{"Redis, Postgres", "Postgres", "Redis"}, "Redis, Postgres", "", false}, // in another order
		{[]string{"A", "B, C", "D"}, "A|B, C|D", "and E", true},
		{[]string{"A", "A, A"}, "A, A", "", false},
		{[]string{"A", "A, B"}, "A, B", "C", false},
		{[]string{"Yes", "Yes, and tests"}, "Yes, and tests", "", true},
		{[]string{"Yes", "Yes, and tests"}, "Yes", "and tests", false},
		{[]string{"A", "A, B"}, "A", "B, C", false},
		{[]string{"A", "A"}, "A", "", false},
		{[]string{"A,", "A"}, "A,|A", "", true},
		{[]string{" A", "A"}, " A|A", "", true},
		{[]string{"A,  ", "B"}, "A,  |B", "", true},
	} {
		q := joinedQuestion(tt.options...)
		a := QuestionAnswer{ID: "q1", Text: tt.typed, HasText: tt.typed != ""}
		if tt.choices != "" {
			a.Choices = strings.Split(tt.choices, "|")
		}
		if err := validateQuestion(0, q, a); (err == nil) != tt.fits {
			t.Errorf("of %q: %q and %q is sent as %q: %v", tt.options, a.Choices, tt.typed, q.Line(a), err)
		}
	}
}

// TestJoinedIsCheap: a long answer made of labels costs no more than its length.
func TestJoinedIsCheap(t *testing.T) {
	q := joinedQuestion("a", "a, a", "a, a, a", "b")
	if chosen, typed := q.readings(strings.Repeat("a, ", 200_000) + "b"); chosen != 2 || typed != 0 {
		t.Error("it is not seen to read in several ways")
	}
}
