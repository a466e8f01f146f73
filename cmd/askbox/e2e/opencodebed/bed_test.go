//go:build unix

package opencodebed

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// say sends a conversation to a model and returns what it streams, as lines.
func say(t *testing.T, m *model, tools bool, messages ...map[string]any) []string {
	t.Helper()
	request := map[string]any{"messages": messages}
	if tools {
		request["tools"] = []any{map[string]any{}}
	}
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(m.url()+"/v1/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(all)), "\n\n")
}

func TestTheModelPlaysItsScript(t *testing.T) {
	m := newModel()
	defer m.close()
	m.learn("7", []Step{{Calls: []Call{Bash("ls"), Bash("pwd")}}, {Text: "Fine."}})
	user := map[string]any{"role": "user", "content": []any{map[string]string{"type": "text", "text": "Do it. " + mark("7")}}}
	first := strings.Join(say(t, m, true, user), "\n")
	for _, want := range []string{`"name":"bash"`, `"arguments":"{\"command\":\"ls\"}"`, `"id":"call_7_0_0"`, `"id":"call_7_0_1"`, `"finish_reason":"tool_calls"`, "data: [DONE]"} {
		if !strings.Contains(first, want) {
			t.Errorf("%s is missing from %s", want, first)
		}
	}
	talk := []map[string]any{user, {"role": "assistant", "content": ""}, {"role": "tool", "tool_call_id": "call_7_0_0", "content": "a.txt"}, {"role": "tool", "tool_call_id": "call_7_0_1", "content": "/srv"}}
	if second := strings.Join(say(t, m, true, talk...), "\n"); !strings.Contains(second, `"content":"Fine."`) || !strings.Contains(second, `"finish_reason":"stop"`) {
		t.Errorf("the second step is %s", second)
	}
	heard, _ := m.told("7")
	if len(heard) != 2 || len(heard[0]) != 0 || len(heard[1]) != 2 || heard[1][1] != (Heard{"call_7_0_1", "/srv"}) {
		t.Errorf("it was told %v", heard)
	}
	if title := strings.Join(say(t, m, false, user), "\n"); !strings.Contains(title, "A title") {
		t.Errorf("without tools it says %s", title)
	}
	if heard, _ := m.told("7"); len(heard) != 2 {
		t.Error("a request for a title counts as a step")
	}
}

func TestNothingGoesOut(t *testing.T) {
	m := newModel()
	defer m.close()
	response, err := http.Get(m.url() + "/registry/@opencode-ai%2fplugin")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if out := m.strays(); response.StatusCode != http.StatusForbidden || len(out) != 1 || out[0] != "GET /registry/@opencode-ai%2fplugin" {
		t.Errorf("status %d, %q", response.StatusCode, out)
	}
}

func TestTheSubagentHasItsOwnScript(t *testing.T) {
	shared := Steps(Subagent())
	steps := withSub(shared, mark("9-sub"))
	if got := steps[0].Calls[0].Args["prompt"]; got != "Look around. [script 9-sub]" {
		t.Errorf("the prompt is %v", got)
	}
	if shared[0].Calls[0].Args["prompt"] == steps[0].Calls[0].Args["prompt"] {
		t.Error("the steps that were given have changed")
	}
}
