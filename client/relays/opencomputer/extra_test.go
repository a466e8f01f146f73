package opencomputer

import (
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/relaystest"
)

const (
	approvalItem = `{"id":"a","sessionId":"cs_1","kind":"approval","status":"open","openedAt":"2026-11-30T09:12:00Z",
		"approval":{"toolName":"Bash","input":{"command":"ls","description":"look"},"alwaysAllows":"Bash(ls)"}}`
	questionItem = `{"id":"a","kind":"question","status":"open","question":{"questions":[{"questionId":"q1","header":"H","question":"Which?",
		"options":[{"label":"A","description":"one"},{"label":"B"}],"multiSelect":false}]}}`
	secretItem = `{"id":"a","kind":"secret","status":"open","secret":{"name":"K","description":"for the sandbox"}}`
)

func reader(t *testing.T) func(string) *client.Ask {
	r, err := New(Options{Name: "work", BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	return func(item string) *client.Ask {
		return r.readAsk([]byte(item), client.Session{ID: "cs_1"}, relays.Who{}, "")
	}
}

func TestNothingHides(t *testing.T) {
	for _, item := range []string{approvalItem, questionItem, secretItem} {
		relaystest.NothingHides(t, item, reader(t))
	}
}

func TestExtraHasItsPath(t *testing.T) {
	read := reader(t)
	for _, test := range []struct{ item, from, to, want string }{
		{approvalItem, `"input"`, `"cwd":"/srv/other","env":{"LD_PRELOAD":"./x.so"},"input"`, `approval.cwd="/srv/other" approval.env={"LD_PRELOAD": "./x.so"}`},
		{approvalItem, `"approval":`, `"secret":{"name":"K"},"answer":{"decision":"allow"},"approval":`, `secret={"name": "K"} answer={"decision": "allow"}`},
		{approvalItem, `"Bash(ls)"`, `{"rule":"Bash(*)"}`, `approval.alwaysAllows={"rule": "Bash(*)"}`},
		{approvalItem, `"Bash(ls)"`, `["Bash(ls)",""]`, `approval.alwaysAllows=["Bash(ls)", ""]`},
		{approvalItem, `"Bash(ls)"`, `[]`, ``},
		{questionItem, `"label":"B"`, `"label":"B","runs":"rm -rf /"`, `question.questions[0].options[1].runs="rm -rf /"`},
		{questionItem, `"question":{`, `"approval":{"toolName":"Bash"},"question":{"mode":"auto",`, `approval={"toolName": "Bash"} question.mode="auto"`},
		{secretItem, `"name"`, `"store":"prod","name"`, `secret.store="prod"`},
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
