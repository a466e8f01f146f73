package opencode

import (
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/relays/relaystest"
)

const secondItem = `{"id":"per_1","sessionID":"ses_1","action":"edit","resources":["greeting.txt"],"save":["*"],
	"source":{"type":"tool","messageID":"msg_1","callID":"c1"}}`

// readItem reads a request whose tool call is not known.
func readItem(e engine, question bool) func(string) *client.Ask {
	r := &Relay{now: time.Now}
	return func(item string) *client.Ask {
		return r.newAsk(basis{request: readRequest(list{e, question}, []byte(item))})
	}
}

func TestNothingHides(t *testing.T) {
	relaystest.NothingHides(t, bash("per_1", "ses_1", "make"), readItem(first, false))
	relaystest.NothingHides(t, secondItem, readItem(second, false))
	relaystest.NothingHides(t, question("que_1", "ses_1"), readItem(first, true))
	// What the tool gets by its call is part of what is asked.
	item := bash("per_1", "ses_1", "make")
	r := &Relay{now: time.Now}
	relaystest.NothingHides(t, `{"command":"make","env":{"A":1},"more":[{"b":2}]}`, func(input string) *client.Ask {
		call := &toolCall{status: "running", tool: "bash", input: []byte(input)}
		return r.newAsk(basis{request: readRequest(list{first, false}, []byte(item)), call: call})
	})
}

func TestExtraHasItsPath(t *testing.T) {
	for _, test := range []struct {
		item, from, to, want string
		question             bool
	}{
		{bash("per_1", "ses_1", "make"), `"patterns"`, `"sandbox":null,"resources":["rm"],"patterns"`, `sandbox=null resources=["rm"]`, false},
		{bash("per_1", "ses_1", "make"), `"callID"`, `"runs":"rm","callID"`, `tool.runs="rm"`, false},
		{question("que_1", "ses_1"), `"label":"SQLite"`, `"runs":1,"label":"SQLite"`, `questions[0].options[1].runs=1`, true},
		{question("que_1", "ses_1"), `"questions"`, `"blocking":true,"questions"`, ``, true},
		{question("que_1", "ses_1"), `"questions"`, `"blocking":false,"permission":"bash","questions"`, `permission="bash" blocking=false`, true},
	} {
		var got []string
		for _, p := range readItem(first, test.question)(strings.Replace(test.item, test.from, test.to, 1)).Extra {
			got = append(got, p.Key.Raw()+"="+p.Text.Raw())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %q, want %q", test.to, got, test.want)
		}
	}
}
