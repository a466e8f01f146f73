package opencomputer_test

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"askbox/client/fake"
	"askbox/client/fake/faketest"
	"askbox/client/fake/opencomputer"
)

func TestJSONRPC(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	ids := `"sessionId":"` + ref.Session + `","askId":"` + ref.Ask + `"`
	rpc := func(method, params string) map[string]any {
		status, reply := c.Call("POST", "/rpc", `{"jsonrpc":"2.0","id":"a1","method":"`+method+`","params":{`+params+`}}`)
		if status != 200 || faketest.At(reply, "jsonrpc") != "2.0" || faketest.At(reply, "id") != "a1" {
			t.Errorf("%s: got %d %v", method, status, reply)
		}
		return reply
	}
	if got := rpc("sessions.list", `"status":"waiting","limit":100`); faketest.At(got, "result", "sessions", 0, "asks", 0, "id") != ref.Ask {
		t.Errorf("sessions.list gave %v", got)
	}
	if got := rpc("asks.list", `"sessionId":"`+session+`","status":"all"`); faketest.At(got, "result", "asks", 0, "id") != ref.Ask {
		t.Errorf("asks.list gave %v", got)
	}
	if got := rpc("me.get", ""); faketest.At(got, "result", "id") != "usr_1" {
		t.Errorf("me.get gave %v", got)
	}
	if got := rpc("asks.answer", ids+`,"answer":{"decision":"maybe"}`); faketest.At(got, "error", "data", "code") != "invalid_answer" || faketest.At(got, "error", "data", "field") != "decision" {
		t.Errorf("a wrong answer gave %v", got)
	}
	if got := rpc("asks.answer", ids+`,"answer":{"decision":"allow"}`); faketest.At(got, "result", "ask", "status") != "answered" {
		t.Errorf("asks.answer gave %v", got)
	}
	if sent := relay.Answers(ref); len(sent) != 2 || sent[1].Body != `{"decision":"allow"}` {
		t.Errorf("the relay noted %+v", sent)
	}
	if got := rpc("asks.dismiss", ids+`,"message":"late"`); faketest.At(got, "error", "data", "code") != "ask_closed" || faketest.At(got, "error", "data", "ask", "status") != "answered" {
		t.Errorf("a late dismissal gave %v", got)
	}
	if got := rpc("asks.get", ids); faketest.At(got, "result", "status") != "answered" {
		t.Errorf("asks.get gave %v", got)
	}
	if got := rpc("asks.explode", ""); faketest.At(got, "error", "code") != -32601.0 {
		t.Errorf("an unknown method gave %v", got)
	}
	if _, got := c.Call("POST", "/rpc", `{"jsonrpc":"1.0","id":1,"method":"me.get"}`); faketest.At(got, "error", "code") != -32600.0 {
		t.Errorf("another version gave %v", got)
	}
	if _, got := c.Call("POST", "/rpc", `{"jsonrpc":`); faketest.At(got, "error", "code") != -32700.0 {
		t.Errorf("half a call gave %v", got)
	}
	if _, got := c.Call("POST", "/rpc", `{"jsonrpc":"2.0","method":"me.get"}`); faketest.At(got, "error", "code") != -32600.0 {
		t.Errorf("a call without an id gave %v", got)
	}
}

// stream opens the event stream.
func stream(c *faketest.Client) io.ReadCloser {
	c.T.Helper()
	response := c.Do("GET", "/events", "")
	if got := response.Header.Get("Content-Type"); got != "text/event-stream" {
		c.T.Fatalf("content type is %q", got)
	}
	return response.Body
}

// follow opens the event stream and returns a function that reads the next event.
func follow(t *testing.T, c *faketest.Client) func() (kind string, data map[string]any) {
	body := stream(c)
	t.Cleanup(func() { body.Close() })
	lines := bufio.NewScanner(body)
	return func() (kind string, data map[string]any) {
		for lines.Scan() {
			if rest, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				kind = rest
			}
			if rest, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				if err := json.Unmarshal([]byte(rest), &data); err != nil {
					t.Errorf("%v in %s", err, rest)
				}
				return kind, data
			}
		}
		return "", nil
	}
}

func TestEvents(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	relay.Bash(session, "before", "")
	next := follow(t, c)
	ref := relay.Bash(session, "ls", "")
	_, result := c.Call("POST", path(ref, "/answer"), `{"decision":"allow"}`)

	kind, opened := next()
	if kind != "ask.opened" || faketest.At(opened, "type") != kind || faketest.At(opened, "ask", "approval", "input", "command") != "ls" {
		t.Errorf("first event is %s %v", kind, opened)
	}
	kind, closed := next()
	if kind != "ask.closed" || faketest.At(closed, "ask", "status") != "answered" || faketest.At(closed, "seq") != faketest.At(result, "seq") {
		t.Errorf("second event is %s %v, the answer's reply was %v", kind, closed, result)
	}
	relay.Close()
	if kind, _ := next(); kind != "" {
		t.Errorf("the stream went on after the end with %s", kind)
	}
}

func TestAStreamEndsWhenTheRelayGoesDown(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	next := follow(t, c)
	if err := relay.Down(); err != nil {
		t.Fatal(err)
	}
	if kind, _ := next(); kind != "" {
		t.Errorf("got %s from a relay that is down", kind)
	}
	if err := relay.Up(); err != nil {
		t.Fatal(err)
	}
	next = follow(t, c)
	relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	if kind, _ := next(); kind != "ask.opened" {
		t.Errorf("got %q after the relay came back", kind)
	}
}

func TestPartsThatARelayNeedNotHave(t *testing.T) {
	_, c := start(t, opencomputer.Options{NoMe: true, NoEvents: true, Prefix: "/"})
	for _, call := range [][2]string{{"GET", "/me"}, {"GET", "/events"}} {
		if status, _ := c.Call(call[0], call[1], ""); status != 404 {
			t.Errorf("%v: %d", call, status)
		}
	}
}
