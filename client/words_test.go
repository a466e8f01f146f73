package client_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// Each value has a word of its own, and none that could pass for another one's: above
// all what allows and what denies never look alike.
func TestEveryValueHasItsOwnWords(t *testing.T) {
	tables := map[string][]string{}
	add := func(table, word string) { tables[table] = append(tables[table], word) }
	for act := client.ActAllow; act <= client.ActDismissMessage; act++ {
		add("actions", act.String())
		add("action names", act.Name())
	}
	for k := client.PartCommand; k <= client.PartSays; k++ {
		add("parts", k.String())
		add("part names", k.Name())
	}
	for k := client.FieldChoice; k <= client.FieldBool; k++ {
		add("types", k.Name())
	}
	for s := client.StarterUnknown; s <= client.StarterAgent; s++ {
		add("starters", s.Name())
	}
	for a := client.ActorUser; a <= client.ActorSystem; a++ {
		add("actors", a.Name())
	}
	for _, m := range []client.Mode{{Label: "go on"}, {ID: "go on"}, {ID: "a\nb"}} {
		add("modes", m.Title())
	}
	for _, a := range []client.Answer{{Dismiss: true}, {Decision: client.Allow}, {Decision: client.Always}, {Decision: client.Deny}, {}} {
		add("what was done", a.Done())
	}
	for _, end := range []client.Ask{{Status: client.Answered}, {Status: client.Answered, Closing: &client.Closing{Decision: client.Allow}},
		{Status: client.Answered, Closing: &client.Closing{Decision: client.Always}}, {Status: client.Answered, Closing: &client.Closing{Decision: client.Deny}},
		{Status: client.Dismissed}, {Status: client.Declined}, {Status: client.Interrupted}, {Status: client.Expired}, {Status: client.Withdrawn},
		{Status: client.Ended}, {Status: client.Gone}} {
		add("ends", end.Did())
	}
	for a := client.AfterWentOn; a <= client.AfterStopped; a++ {
		add("what came after", a.String())
		add("names of what came after", a.Name())
	}
	for table, words := range tables {
		slices.Sort(words)
		if slices.Contains(words, "") || len(slices.Compact(words)) != len(words) {
			t.Errorf("%s: %q", table, words)
		}
	}
	for d, verb := range map[client.Decision]string{client.Allow: "allow", client.Always: "allow", client.Deny: "den"} {
		if !strings.HasPrefix(d.Done(), verb) {
			t.Errorf("%v is told as %q", d, d.Done())
		}
	}
}

func TestLine(t *testing.T) {
	command := func(brief, raw string) *client.Ask {
		return &client.Ask{Kind: client.Approval, Approval: &client.ApprovalAsk{Brief: text.New(brief),
			Parts: []client.Part{{Kind: client.PartCommand, Text: text.New(raw)}}}}
	}
	plan := command("", "1. split\n2. test")
	heading := command("", "## Split the importer\n\n1. split")
	heading.Approval.Parts[0].Kind = client.PartPlan
	change := func(path, folder string) *client.Ask {
		return &client.Ask{Kind: client.Approval, Session: client.Session{Folder: text.New(folder)}, Approval: &client.ApprovalAsk{
			Parts: []client.Part{{Kind: client.PartDiff, Path: text.New(path), Text: text.New("+x")}}}}
	}
	plan.Approval.Parts[0].Kind = client.PartPlan
	for _, tc := range []struct {
		ask   *client.Ask
		width int
		want  string
	}{
		{command("", "ls\nrm -rf /"), 40, "ls⟨LF⟩rm -rf /"},
		{command("", "echo a very long command"), 10, "echo …mand"},
		{command("", "set -e\nfor f in *.go; do gofmt $f; done\ngit push --force"), 40, "⟨3 lines⟩ set -e⟨LF⟩for f…t push --force"},
		{change("/srv/shop/internal/orders/refund_test.go", "/srv/shop"), 40, "internal/orders/refund_test.go"},
		{change("/srv/shop/internal/orders/refund_test.go", "/srv/shop/"), 20, "…ders/refund_test.go"},
		{change("/srv/shops/refund.go", "/srv/shop"), 20, "/srv/shops/refund.go"},
		{heading, 40, "Split the importer…"},
		{command("rm -rf /", "cd /srv && rm -rf / && make"), 40, "rm -rf /…"},
		{plan, 40, "1. split…"},
		{plan, 1, "…"},
		{&client.Ask{Questions: []client.QuestionAsk{{Text: text.New("Ship?\nOr wait?")}}}, 40, "Ship?…"},
		{&client.Ask{Questions: []client.QuestionAsk{{Text: text.New("Ship?")}}}, 40, "Ship?"},
		{&client.Ask{Unreadable: "it is no object"}, 12, "it could no…"},
	} {
		if got := tc.ask.Line(tc.width); got != tc.want || text.Width(got) > tc.width {
			t.Errorf("at %d: %q, want %q", tc.width, got, tc.want)
		}
	}
}

// What two commands have in common gives way to what differs, wherever that is.
func TestLineFrom(t *testing.T) {
	ask := &client.Ask{Kind: client.Approval, Approval: &client.ApprovalAsk{Parts: []client.Part{{Kind: client.PartCommand,
		Text: text.New("docker compose exec postgres psql -c 'select 3' | tee /tmp/a/very/long/path/to/a/file.txt")}}}}
	same := len("docker compose exec postgres psql -c 'select ")
	if got := ask.LineFrom(40, same); !strings.Contains(got, "select 3") || text.Width(got) > 40 {
		t.Errorf("%q", got)
	}
}

func TestAnswerLines(t *testing.T) {
	ask := &client.Ask{Questions: []client.QuestionAsk{{Options: []client.Option{{ID: "p", Label: text.New("Postgres")}}}}}
	for want, answer := range map[string]client.Answer{
		"denied|not today":              {Decision: client.Deny, Message: "not today"},
		"allowed|mode: auto|go on":      {Decision: client.Allow, Mode: "auto", Message: "go on"},
		"Postgres, other, and my words": {Questions: []client.QuestionAnswer{{Choices: []string{"p", "other"}, Text: "and my words", HasText: true}}},
		"":                              {Dismiss: true},
	} {
		var got []string
		for _, line := range ask.AnswerLines(answer) {
			got = append(got, line.Raw())
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Of several questions a line names the one that it answers.
func TestAnswerLinesNameTheirQuestion(t *testing.T) {
	ask := &client.Ask{Questions: []client.QuestionAsk{{ID: "q1", Header: text.New("Database"), Text: text.New("Which?")}, {ID: "q2", Text: text.New("Today?")}}}
	lines := ask.AnswerLines(client.Answer{Questions: []client.QuestionAnswer{{ID: "q2", Text: "yes", HasText: true}, {ID: "q1", Choices: []string{"a", "b"}}}})
	if len(lines) != 2 || lines[0].Raw() != "Today?: yes" || lines[1].Raw() != "Database: a, b" {
		t.Errorf("got %q", lines)
	}
}

func TestClosedBy(t *testing.T) {
	for _, tc := range []struct {
		how   client.Status
		by    client.Actor
		words string
		name  string
	}{
		{client.Answered, client.Actor{Me: true, Name: text.New("Ada")}, "by you", ""},
		{client.Answered, client.Actor{Name: text.New("you")}, "by", "you"},
		{client.Answered, client.Actor{Type: client.ActorUser}, "by another person", ""},
		{client.Answered, client.Actor{Type: client.ActorUser, MaybeMe: true}, "by someone the relay does not name", ""},
		{client.Dismissed, client.Actor{Type: client.ActorAgent}, "by an agent", ""},
		{client.Expired, client.Actor{Type: client.ActorSystem}, "by the relay", ""},
		{client.Answered, client.Actor{}, "by someone the relay does not name", ""},
		{client.Expired, client.Actor{}, "", ""},
	} {
		words, name := (&client.Ask{Status: tc.how, Closing: &client.Closing{By: tc.by}}).ClosedBy()
		if words != tc.words || name.Raw() != tc.name {
			t.Errorf("%v by %+v: %q %q", tc.how, tc.by, words, name.Raw())
		}
	}
	if words, _ := (&client.Ask{Status: client.Answered}).ClosedBy(); words != "" {
		t.Errorf("of an end that is not told it says %q", words)
	}
}

func TestTimesInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago",
		47 * time.Hour: "47 hours ago", 48 * time.Hour: "2 days ago", 1_000 * 24 * time.Hour: "1,000 days ago",
	} {
		if got := client.Ago(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := client.Number(n); got != want {
			t.Errorf("%d is written %q", n, got)
		}
	}
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		ask  client.Ask
		want string
	}{
		{client.Ask{Status: client.Open}, ""},
		{client.Ask{Status: client.Open, Expires: now.Add(5 * time.Minute)}, "expires in 5 minutes"},
		{client.Ask{Status: client.Open, Expires: now.Add(90 * time.Second)}, "expires in 90 seconds"},
		{client.Ask{Status: client.Open, Expires: now}, "its time is over, the relay decides"},
		{client.Ask{Status: client.Open, Expires: now, ExpiredWords: "expired, counted as a denial"}, "expired, counted as a denial"},
		{client.Ask{Status: client.Answered, Expires: now}, ""},
	} {
		if got := tc.ask.TimeLeft(now); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

func TestAgesInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "just now", 59 * time.Second: "just now", time.Minute: "1 minute", 119 * time.Second: "1 minute",
		time.Hour: "1 hour", 47 * time.Hour: "47 hours", 48 * time.Hour: "2 days",
	} {
		if got := client.Age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if client.Remaining(119*time.Second) != "119 seconds" || client.Remaining(time.Millisecond) != "1 second" || client.Remaining(9*time.Minute) != "9 minutes" {
		t.Error("what is left is said in the wrong unit")
	}
}
