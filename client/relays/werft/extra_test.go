package werft

import (
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/relays/relaystest"
)

func reader(t *testing.T) func(string) *client.Ask {
	r, err := New(Options{Name: "prod", BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	return func(item string) *client.Ask {
		return r.readRequest([]byte(item), session{Session: client.Session{ID: "ses_01"}})
	}
}

func TestNothingHides(t *testing.T) {
	relaystest.NothingHides(t, permission, reader(t))
	relaystest.NothingHides(t, question, reader(t))
}

func TestExtraHasItsPath(t *testing.T) {
	read := reader(t)
	for _, test := range []struct{ item, from, to, want string }{
		{permission, `"tool":`, `"questions":[],"env":{"A":1},"tool":`, `env={"A": 1}`},
		{permission, `"tool":`, `"questions":[{"prompt":"x"}],"tool":`, `questions=[{"prompt": "x"}]`},
		{permission, `"Bash(rm -rf build)"`, `{"rule":"*"}`, `proposed_remember={"rule": "*"}`},
		{question, `"questions":`, `"tool":"Bash","input":{"command":"rm"},"questions":`, `tool="Bash" input={"command": "rm"}`},
		{question, `"option_id":"o_2"`, `"option_id":"o_2","runs":"rm"`, `questions[0].options[1].runs="rm"`},
	} {
		item := strings.Replace(test.item, test.from, test.to, 1)
		var got []string
		for _, p := range read(item).Extra {
			got = append(got, p.Key.Raw()+"="+p.Text.Raw())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %q, want %q", test.to, got, test.want)
		}
	}
}
