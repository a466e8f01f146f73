package opencomputer_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"askbox/client/fake/opencomputer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client speaks plain HTTP to a relay, as somebody with a token.
type client struct {
	t     *testing.T
	relay *opencomputer.Server
	http  *http.Client
	token string
}

func start(t *testing.T, o opencomputer.Options) (*opencomputer.Server, *client) {
	t.Helper()
	relay, err := opencomputer.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		relay.Close()
	})
	return relay, &client{t, relay, &http.Client{Transport: transport}, relay.Token()}
}

func (c *client) as(token string) *client {
	return &client{c.t, c.relay, c.http, token}
}

// call sends a request and returns the status and the decoded body.
func (c *client) call(method, path, body string) (int, map[string]any) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.relay.URL()+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	response, err := c.http.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	var decoded map[string]any
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &decoded, jsontext.AllowInvalidUTF8(true)); err != nil {
			c.t.Fatalf("%s %s: %v in %s", method, path, err, raw)
		}
	}
	return response.StatusCode, decoded
}

// at walks down a decoded body: names of members and indexes.
func at(v any, path ...any) any {
	for _, p := range path {
		switch key := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[key]
		case int:
			l, _ := v.([]any)
			if key >= len(l) {
				return nil
			}
			v = l[key]
		}
	}
	return v
}

func path(ref opencomputer.Ref, rest string) string {
	return "/sessions/" + ref.Session + "/asks/" + ref.Ask + rest
}

func TestListsWaitingSessionsWithTheirAsks(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	quiet := relay.AddSession(opencomputer.Session{Title: "Quiet"})
	busy := relay.AddSession(opencomputer.Session{Title: "Fix the flaky build"})
	first := relay.Bash(busy, "rm -rf build", "clean build")
	second := relay.AskSecret(busy, "STRIPE_KEY", "for the sandbox")

	status, body := c.call("GET", "/sessions?status=waiting&limit=100", "")
	if status != 200 || len(at(body, "sessions").([]any)) != 1 || at(body, "nextCursor") != nil {
		t.Fatalf("got %d %v", status, body)
	}
	session := at(body, "sessions", 0)
	if at(session, "id") != busy || at(session, "status") != "waiting" || at(session, "createdBy", "id") != "usr_1" {
		t.Errorf("session is %v", session)
	}
	if at(session, "asks", 0, "id") != second.Ask || at(session, "asks", 1, "id") != first.Ask {
		t.Errorf("asks are not newest first: %v", at(session, "asks"))
	}
	if got := at(session, "asks", 1, "approval", "alwaysAllows"); got != "Bash(rm -rf build)" {
		t.Errorf("alwaysAllows is %v", got)
	}
	if len(busy) != 19 || len(first.Ask) != 15 {
		t.Errorf("ids are %q and %q, not cs_ + 16 and ak_ + 12", busy, first.Ask)
	}
	if status, _ := c.call("GET", "/sessions/"+quiet+"/asks", ""); status != 200 {
		t.Errorf("asks of a session without any: %d", status)
	}
}

func TestUnknownTokensAndPaths(t *testing.T) {
	relay, c := start(t, opencomputer.Options{NoMe: true})
	session := relay.AddSession(opencomputer.Session{Title: "x"})
	for _, p := range []string{"/sessions", "/sessions/" + session + "/asks", "/events"} {
		if status, body := c.as("wrong").call("GET", p, ""); status != 401 || at(body, "error", "code") != "unauthorized" {
			t.Errorf("GET %s with a wrong token: %d %v", p, status, body)
		}
	}
	if status, _ := c.as("wrong").call("POST", "/rpc", "{}"); status != 401 {
		t.Errorf("rpc with a wrong token: %d", status)
	}
	for _, p := range []string{"/me", "/nothing", "/sessions/none/asks", "/sessions/" + session + "/asks/none"} {
		if status, body := c.call("GET", p, ""); status != 404 || at(body, "error", "code") != "not_found" {
			t.Errorf("GET %s: %d %v", p, status, body)
		}
	}
}

func TestAnswersAreChecked(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(opencomputer.Session{Title: "x"})
	once := relay.Edit(session, "a.go", "a", "b")
	bash := relay.Bash(session, "ls", "")
	plan := relay.Plan(session, "1. go")
	secret := relay.AskSecret(session, "KEY", "")
	question := relay.Questions(session,
		opencomputer.QuestionItem{QuestionID: "q1", Question: "One?", Options: opencomputer.Labels("A", "B")},
		opencomputer.QuestionItem{QuestionID: "q2", Question: "Many?", MultiSelect: true, Options: opencomputer.Labels("C", "D")})

	for _, tc := range []struct {
		ref         opencomputer.Ref
		body        string
		code, field string
	}{
		{bash, `{}`, "invalid_answer", "decision"},
		{bash, `{"decision":"yes"}`, "invalid_answer", "decision"},
		{bash, `{"decision":"allow","mode":"auto"}`, "invalid_answer", "mode"},
		{bash, `{"decision":"allow","extra":1}`, "invalid_answer", "extra"},
		{bash, `{"decision":"deny","decision":"allow"}`, "invalid_answer", ""},
		{bash, `{"answers":[]}`, "invalid_answer", "answers"},
		{bash, `not JSON`, "invalid_answer", ""},
		{bash, ``, "invalid_answer", ""},
		{once, `{"decision":"always"}`, "invalid_answer", "decision"},
		{plan, `{"decision":"deny","mode":"auto"}`, "invalid_answer", "mode"},
		{plan, `{"decision":"allow","mode":"yolo"}`, "invalid_answer", "mode"},
		{secret, `{"text":"hunter2"}`, "answer_with_secret", ""},
		{question, `{"answers":[{"questionId":"q1","choices":["A"],"text":null}]}`, "invalid_answer", "answers"},
		{question, `{"answers":[{"questionId":"q1","choices":["A"]},{"questionId":"q1","choices":["B"]}]}`, "invalid_answer", "answers[1].questionId"},
		{question, `{"answers":[{"questionId":"q1","choices":["A"]},{"questionId":"q2","choices":[],"text":null}]}`, "invalid_answer", "answers[1]"},
		{question, `{"answers":[{"questionId":"q1","choices":["Z"]},{"questionId":"q2","choices":["C"]}]}`, "invalid_answer", "answers[0].choices"},
		{question, `{"answers":[{"questionId":"q1","choices":["A","B"]},{"questionId":"q2","choices":["C"]}]}`, "invalid_answer", "answers[0].choices"},
		{question, `{"answers":[{"questionId":"q1","choices":["A"],"more":1},{"questionId":"q2","choices":["C"]}]}`, "invalid_answer", "answers[0].more"},
		{question, `{"decision":"allow"}`, "invalid_answer", "decision"},
	} {
		status, body := c.call("POST", path(tc.ref, "/answer"), tc.body)
		got, _ := at(body, "error", "field").(string)
		if status != 400 || at(body, "error", "code") != tc.code || got != tc.field {
			t.Errorf("%s: got %d %v, want %s at %q", tc.body, status, body, tc.code, tc.field)
		}
	}
	if got := relay.OpenAsks(); got != 5 {
		t.Errorf("%d asks are open after refused answers, want 5", got)
	}
	for ref, body := range map[opencomputer.Ref]string{
		bash:     `{"decision":"always","message":"fine"}`,
		once:     `{"decision":"allow"}`,
		plan:     `{"decision":"allow","mode":"acceptEdits"}`,
		question: `{"answers":[{"questionId":"q2","choices":["D","C"],"text":"both"},{"questionId":"q1","choices":[],"text":"my own"}]}`,
	} {
		if status, reply := c.call("POST", path(ref, "/answer"), body); status != 200 || at(reply, "ask", "status") != "answered" {
			t.Errorf("%s: got %d %v", body, status, reply)
		}
		sent := relay.Answers(ref)
		if last := sent[len(sent)-1]; string(last.Body) != body || last.Code != "" || last.By.Name != "Ada" {
			t.Errorf("the relay noted %+v for %s", last, body)
		}
	}
}

func TestFirstCloseWins(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(opencomputer.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	status, first := c.call("POST", path(ref, "/answer"), `{"decision":"deny","message":"no"}`)
	if status != 200 || at(first, "ask", "closedBy", "name") != "Ada" || at(first, "seq") == nil {
		t.Fatalf("got %d %v", status, first)
	}
	if status, again := c.call("POST", path(ref, "/answer"), `{ "message":"no", "decision":"deny" }`); status != 200 || at(again, "seq") != at(first, "seq") {
		t.Errorf("the same answer again: %d %v", status, again)
	}
	for name, late := range map[string]func() (int, map[string]any){
		"another answer":    func() (int, map[string]any) { return c.call("POST", path(ref, "/answer"), `{"decision":"allow"}`) },
		"an invalid answer": func() (int, map[string]any) { return c.call("POST", path(ref, "/answer"), `{}`) },
		"a dismissal":       func() (int, map[string]any) { return c.call("POST", path(ref, "/dismiss"), ``) },
		"another's dismissal": func() (int, map[string]any) {
			return c.as(opencomputer.Grace.Token).call("POST", path(ref, "/dismiss"), `{}`)
		},
		"the same by another": func() (int, map[string]any) {
			return c.as(opencomputer.Grace.Token).call("POST", path(ref, "/answer"), `{"decision":"deny","message":"no"}`)
		},
	} {
		if status, body := late(); status != 409 || at(body, "error", "code") != "ask_closed" || at(body, "error", "ask", "status") != "answered" {
			t.Errorf("%s: got %d %v", name, status, body)
		}
	}
}

func TestDismissals(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(opencomputer.Session{Title: "x"})
	ref := relay.Choice(session, "Ship?", "Yes", "No")
	if status, body := c.call("POST", path(ref, "/dismiss"), `{"message":"`+strings.Repeat("ä", 2001)+`"}`); status != 400 || at(body, "error", "field") != "message" {
		t.Errorf("2,001 characters: %d %v", status, body)
	}
	status, body := c.call("POST", path(ref, "/dismiss"), `{"message":"`+strings.Repeat("ä", 2000)+`"}`)
	if status != 200 || at(body, "ask", "status") != "dismissed" {
		t.Errorf("2,000 characters: %d %v", status, body)
	}
	bare := relay.Choice(session, "And now?", "Yes", "No")
	if status, body := c.call("POST", path(bare, "/dismiss"), ``); status != 200 || at(body, "ask", "answer") != nil {
		t.Errorf("without a body: %d %v", status, body)
	}
}

func TestScopes(t *testing.T) {
	reader := opencomputer.User{Actor: opencomputer.Actor{Type: "user", ID: "usr_3", Name: "Reader"}, Token: "r", ReadOnly: true}
	relay, c := start(t, opencomputer.Options{Users: []opencomputer.User{reader}})
	ref := relay.Bash(relay.AddSession(opencomputer.Session{Title: "x"}), "ls", "")
	for _, p := range []string{"/answer", "/dismiss"} {
		status, body := c.call("POST", path(ref, p), `{"decision":"allow"}`)
		if status != 403 || at(body, "error", "code") != "missing_scope" || at(body, "error", "scope") != "asks:answer" {
			t.Errorf("%s: got %d %v", p, status, body)
		}
	}
	if status, body := c.call("GET", "/me", ""); status != 200 || at(body, "name") != "Reader" {
		t.Errorf("me: %d %v", status, body)
	}
}

func TestRawAsksAreSentAsTheyAre(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(opencomputer.Session{Title: "x"})
	raw := `{"id":"ak_odd","kind":"approval","status":"open","openedAt":1767323045,"id":"ak_odd","approval":{"toolName":"Bash","input":{"command":"ls \ud800\u001b"}}}`
	ref := relay.Raw(session, raw)
	relay.Raw(session, `null`)
	request, _ := http.NewRequestWithContext(t.Context(), "GET", relay.URL()+"/sessions?status=waiting", nil)
	request.Header.Set("Authorization", "Bearer "+c.token)
	response, err := c.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	if !bytes.Contains(body, []byte(raw)) || !bytes.Contains(body, []byte("null,"+raw)) {
		t.Errorf("the listing is %s", body)
	}
	if !jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		t.Errorf("the listing is no JSON: %s", body)
	}
	if status, reply := c.call("POST", path(ref, "/answer"), `{"decision":"allow"}`); status != 200 || at(reply, "ask", "id") != "ak_odd" {
		t.Errorf("an answer to it: %d %v", status, reply)
	}
}

func TestOddItemsAreJSONAndStandBesideGoodOnes(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	relay.RawSession(`{"id":2,"title":["x"]}`)
	session := relay.AddSession(opencomputer.Session{Title: "x"})
	odd := []string{opencomputer.UnknownKind("ak_kind", "payment"), opencomputer.UnknownStatus("ak_status", "paused"),
		opencomputer.OddTime("ak_null", "null"), opencomputer.OddTime("ak_none", ""), opencomputer.BadItem("ak_bad")}
	for _, raw := range odd {
		relay.Raw(session, raw)
	}
	good := relay.Bash(session, "ls", "")
	status, body := c.call("GET", "/sessions?status=waiting", "")
	if status != 200 || len(at(body, "sessions").([]any)) != 2 || at(body, "sessions", 1, "id") != 2.0 {
		t.Fatalf("got %d %v", status, body)
	}
	asks := at(body, "sessions", 0, "asks").([]any)
	if len(asks) != len(odd)+1 || at(asks, 0, "id") != good.Ask {
		t.Errorf("the asks are %v", asks)
	}
	timeless := opencomputer.Ref{Session: session, Ask: "ak_null"}
	if status, body := c.call("POST", path(timeless, "/answer"), `{"decision":"allow"}`); status != 200 {
		t.Errorf("an answer to an ask without a time: %d %v", status, body)
	}
	for _, id := range []string{"ak_kind", "ak_bad"} {
		ref := opencomputer.Ref{Session: session, Ask: id}
		if status, body := c.call("POST", path(ref, "/answer"), `{"decision":"allow"}`); status != 400 || at(body, "error", "code") != "invalid_answer" {
			t.Errorf("an answer to %s: %d %v", id, status, body)
		}
	}
	doubled := opencomputer.DoubledKeys("ak_twice", "ls", "rm -rf \"~\"")
	relay.Raw(session, doubled)
	if strings.Count(doubled, `"command":`) != 2 || jsontext.Value(doubled).IsValid() || !jsontext.Value(doubled).IsValid(jsontext.AllowDuplicateNames(true)) {
		t.Errorf("doubled keys are %s", doubled)
	}
}

func TestReplaceAndRemove(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(opencomputer.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	relay.Replace(ref, func(a *opencomputer.Ask) {
		a.Approval = &opencomputer.Approval{ToolName: "Bash", Input: jsontext.Value(`{"command":"rm"}`)}
	})
	if _, body := c.call("GET", path(ref, ""), ""); at(body, "approval", "input", "command") != "rm" {
		t.Errorf("after Replace it is %v", body)
	}
	relay.Remove(ref)
	if status, _ := c.call("GET", path(ref, ""), ""); status != 404 {
		t.Errorf("after Remove it is still there: %d", status)
	}
	relay.RemoveSession(session)
	if _, body := c.call("GET", "/sessions", ""); len(at(body, "sessions").([]any)) != 0 {
		t.Errorf("after RemoveSession: %v", body)
	}
}
