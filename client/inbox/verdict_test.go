package inbox

import (
	"testing"

	"askbox/client"
)

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
		if got := compare(c.told, c.sent); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
