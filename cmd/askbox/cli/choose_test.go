package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
	"askbox/client/text"
)

func question(id, header string, labels ...string) client.QuestionAsk {
	q := client.QuestionAsk{ID: id, Header: text.New(header), OwnText: true}
	for _, label := range labels {
		q.Options = append(q.Options, client.Option{ID: "id-" + label, Label: text.New(label)})
	}
	return q
}

func TestChoice(t *testing.T) {
	one := []client.QuestionAsk{question("q1", "DB", "Postgres", "SQLite", "2", "x=y", "1=SQLite")}
	two := []client.QuestionAsk{question("q1", "DB", "yes", "no"), question("q2", "Cache", "yes", "off", "Allow\u200b")}
	for _, c := range []struct {
		name      string
		questions []client.QuestionAsk
		value     string
		want      choicePick
		wrong     string
	}{
		{"a label", one, "SQLite", choicePick{0, 1}, ""},
		{"its number", one, "1", choicePick{0, 0}, ""},
		{"the question too", one, "DB=SQLite", choicePick{0, 1}, ""},
		{"another case", one, "sqlite", choicePick{}, "none of the options"},
		{"a space more", one, "SQLite ", choicePick{}, "none of the options"},
		{"a label with =", one, "x=y", choicePick{0, 3}, ""},
		{"a number that is a label", one, "2", choicePick{}, "several options"},
		{"a label that reads as a choice", one, "1=SQLite", choicePick{}, "several options"},
		{"told apart by numbers", one, "1=5", choicePick{0, 4}, ""},
		{"only one has it", two, "off", choicePick{1, 1}, ""},
		{"both have it", two, "yes", choicePick{}, "several options"},
		{"by heading", two, "Cache=yes", choicePick{1, 0}, ""},
		{"by id", two, "q1=yes", choicePick{0, 0}, ""},
		{"by numbers", two, "2=1", choicePick{1, 0}, ""},
		{"a look-alike", two, "Allow", choicePick{}, "none of the options"},
		{"no such question", two, "3=yes", choicePick{}, "none of the options"},
		{"nothing", two, "", choicePick{}, "none of the options"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := choice(c.questions, c.value)
			if got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("got %v, want %q", err, c.wrong)
			}
		})
	}
}

func TestOwnTextArrivesAsTyped(t *testing.T) {
	one := []client.QuestionAsk{question("q1", "DB")}
	two := []client.QuestionAsk{question("q1", "DB"), question("q2", "DB")}
	for _, c := range []struct {
		questions []client.QuestionAsk
		value     string
		at        int
		want      string
		wrong     bool
	}{
		{one, " a = b\n", 0, " a = b\n", false},
		{one, "2=two", 0, "2=two", false},
		{one, "1=one", 0, "one", false},
		{one, "1=1=one", 0, "1=one", false},
		{one, "", 0, "", false},
		{two, "2=x=y", 1, "x=y", false},
		{two, "q1=x", 0, "x", false},
		{two, "DB=x", 0, "", true},
		{two, "x", 0, "", true},
		{nil, "x", 0, "", true},
	} {
		at, got, err := ownText(c.questions, c.value)
		if at != c.at || got != c.want || (err != nil) != c.wrong {
			t.Errorf("%q gave %d %q %v", c.value, at, got, err)
		}
	}
}

func TestQuestionsKeepTheirOrder(t *testing.T) {
	ask := &client.Ask{Kind: client.Question, Questions: []client.QuestionAsk{
		question("q1", "A", "a", "b"), question("q2", "B", "c", "d", "e"), question("q3", "C")}}
	answer, err := (&answerOptions{choose: []string{"e", "2=c"}, text: []string{"3=own"}}).build(ask)
	if err != nil {
		t.Fatal(err)
	}
	want := []client.QuestionAnswer{{ID: "q1"}, {ID: "q2", Choices: []string{"id-c", "id-e"}}, {ID: "q3", Text: "own", HasText: true}}
	if d := cmp.Diff(want, answer.Questions); d != "" {
		t.Error(d)
	}
}

// A label is the agent's word; what the option does is the relay's.
func TestAnOptionThatDoesMoreHasToBeConfirmed(t *testing.T) {
	q := question("q1", "Plan", "Stop here", "Go on")
	q.Options[0].Effect, q.Options[0].Confirm = "starts an unattended turn", "The agent works without asking."
	ask := &client.Ask{Kind: client.Question, Questions: []client.QuestionAsk{q}}
	for label, want := range map[string]string{"Stop here": "The agent works without asking.", "Go on": ""} {
		answer, err := (&answerOptions{choose: []string{label}}).build(ask)
		if err != nil || ask.Confirm(answer) != want {
			t.Errorf("%s: %v, wants confirmed %q", label, err, ask.Confirm(answer))
		}
	}
}
