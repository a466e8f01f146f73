package opencomputer_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"askbox/client/fake"
	"askbox/client/fake/faketest"
	"askbox/client/fake/opencomputer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, o opencomputer.Options) (*opencomputer.Server, *faketest.Client) {
	t.Helper()
	relay, err := opencomputer.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	return relay, faketest.New(t, nil, relay.URL(), relay.Token(), relay.Close)
}

func path(ref fake.Ref, rest string) string {
	return "/sessions/" + ref.Session + "/asks/" + ref.Ask + rest
}

func TestListsWaitingSessionsWithTheirAsks(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	quiet := relay.AddSession(fake.Session{Title: "Quiet"})
	busy := relay.AddSession(fake.Session{Title: "Fix the flaky build"})
	first := relay.Bash(busy, "rm -rf build", "clean build")
	second := relay.AskSecret(busy, "STRIPE_KEY", "for the sandbox")

	status, body := c.Call("GET", "/sessions?status=waiting&limit=100", "")
	if status != 200 || len(faketest.At(body, "sessions").([]any)) != 1 || faketest.At(body, "nextCursor") != nil {
		t.Fatalf("got %d %v", status, body)
	}
	session := faketest.At(body, "sessions", 0)
	if faketest.At(session, "id") != busy || faketest.At(session, "status") != "waiting" || faketest.At(session, "createdBy", "id") != "usr_1" {
		t.Errorf("session is %v", session)
	}
	if faketest.At(session, "asks", 0, "id") != second.Ask || faketest.At(session, "asks", 1, "id") != first.Ask {
		t.Errorf("asks are not newest first: %v", faketest.At(session, "asks"))
	}
	if got := faketest.At(session, "asks", 1, "approval", "alwaysAllows"); got != "Bash(rm -rf build)" {
		t.Errorf("alwaysAllows is %v", got)
	}
	if len(busy) != 19 || len(first.Ask) != 15 {
		t.Errorf("ids are %q and %q, not cs_ + 16 and ak_ + 12", busy, first.Ask)
	}
	if status, _ := c.Call("GET", "/sessions/"+quiet+"/asks", ""); status != 200 {
		t.Errorf("asks of a session without any: %d", status)
	}
}

func TestUnknownTokensAndPaths(t *testing.T) {
	relay, c := start(t, opencomputer.Options{NoMe: true})
	session := relay.AddSession(fake.Session{Title: "x"})
	for _, p := range []string{"/sessions", "/sessions/" + session + "/asks", "/events"} {
		if status, body := c.As("wrong").Call("GET", p, ""); status != 401 || faketest.At(body, "error", "code") != "unauthorized" {
			t.Errorf("GET %s with a wrong token: %d %v", p, status, body)
		}
	}
	if status, _ := c.As("wrong").Call("POST", "/rpc", "{}"); status != 401 {
		t.Errorf("rpc with a wrong token: %d", status)
	}
	for _, p := range []string{"/me", "/nothing", "/sessions/none/asks", "/sessions/" + session + "/asks/none"} {
		if status, body := c.Call("GET", p, ""); status != 404 || faketest.At(body, "error", "code") != "not_found" {
			t.Errorf("GET %s: %d %v", p, status, body)
		}
	}
}

func TestAnswersAreChecked(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	once := relay.Edit(session, "a.go", "a", "b")
	bash := relay.Bash(session, "ls", "")
	plan := relay.Plan(session, "1. go")
	secret := relay.AskSecret(session, "KEY", "")
	question := relay.Questions(session,
		fake.Question{ID: "q1", Text: "One?", Options: fake.Labels("A", "B")},
		fake.Question{ID: "q2", Text: "Many?", Several: true, Options: fake.Labels("C", "D")})

	for _, tc := range []struct {
		ref         fake.Ref
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
		status, body := c.Call("POST", path(tc.ref, "/answer"), tc.body)
		got, _ := faketest.At(body, "error", "field").(string)
		if status != 400 || faketest.At(body, "error", "code") != tc.code || got != tc.field {
			t.Errorf("%s: got %d %v, want %s at %q", tc.body, status, body, tc.code, tc.field)
		}
	}
	if got := relay.OpenAsks(); got != 5 {
		t.Errorf("%d asks are open after refused answers, want 5", got)
	}
	for ref, body := range map[fake.Ref]string{
		bash:     `{"decision":"always","message":"fine"}`,
		once:     `{"decision":"allow"}`,
		plan:     `{"decision":"allow","mode":"acceptEdits"}`,
		question: `{"answers":[{"questionId":"q2","choices":["D","C"],"text":"both"},{"questionId":"q1","choices":[],"text":"my own"}]}`,
	} {
		if status, reply := c.Call("POST", path(ref, "/answer"), body); status != 200 || faketest.At(reply, "ask", "status") != "answered" {
			t.Errorf("%s: got %d %v", body, status, reply)
		}
		sent := relay.Answers(ref)
		if last := sent[len(sent)-1]; last.Body != body || last.Code != "" || last.By.Name != "Ada" {
			t.Errorf("the relay noted %+v for %s", last, body)
		}
	}
}

func TestFirstCloseWins(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	status, first := c.Call("POST", path(ref, "/answer"), `{"decision":"deny","message":"no"}`)
	if status != 200 || faketest.At(first, "ask", "closedBy", "name") != "Ada" || faketest.At(first, "seq") == nil {
		t.Fatalf("got %d %v", status, first)
	}
	if status, again := c.Call("POST", path(ref, "/answer"), `{ "message":"no", "decision":"deny" }`); status != 200 || faketest.At(again, "seq") != faketest.At(first, "seq") {
		t.Errorf("the same answer again: %d %v", status, again)
	}
	for name, late := range map[string]func() (int, map[string]any){
		"another answer":    func() (int, map[string]any) { return c.Call("POST", path(ref, "/answer"), `{"decision":"allow"}`) },
		"an invalid answer": func() (int, map[string]any) { return c.Call("POST", path(ref, "/answer"), `{}`) },
		"a dismissal":       func() (int, map[string]any) { return c.Call("POST", path(ref, "/dismiss"), ``) },
		"another's dismissal": func() (int, map[string]any) {
			return c.As(opencomputer.Grace.Token).Call("POST", path(ref, "/dismiss"), `{}`)
		},
		"the same by another": func() (int, map[string]any) {
			return c.As(opencomputer.Grace.Token).Call("POST", path(ref, "/answer"), `{"decision":"deny","message":"no"}`)
		},
	} {
		if status, body := late(); status != 409 || faketest.At(body, "error", "code") != "ask_closed" || faketest.At(body, "error", "ask", "status") != "answered" {
			t.Errorf("%s: got %d %v", name, status, body)
		}
	}
}

func TestDismissals(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Choice(session, "Ship?", "Yes", "No")
	if status, body := c.Call("POST", path(ref, "/dismiss"), `{"message":"`+strings.Repeat("ä", 2001)+`"}`); status != 400 || faketest.At(body, "error", "field") != "message" {
		t.Errorf("2,001 characters: %d %v", status, body)
	}
	status, body := c.Call("POST", path(ref, "/dismiss"), `{"message":"`+strings.Repeat("ä", 2000)+`"}`)
	if status != 200 || faketest.At(body, "ask", "status") != "dismissed" {
		t.Errorf("2,000 characters: %d %v", status, body)
	}
	bare := relay.Choice(session, "And now?", "Yes", "No")
	if status, body := c.Call("POST", path(bare, "/dismiss"), ``); status != 200 || faketest.At(body, "ask", "answer") != nil {
		t.Errorf("without a body: %d %v", status, body)
	}
}

func TestScopes(t *testing.T) {
	reader := fake.Key{Actor: fake.Actor{Type: "user", ID: "usr_3", Name: "Reader"}, Token: "r", Scopes: []string{}}
	relay, c := start(t, opencomputer.Options{Keys: []fake.Key{reader}})
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	for _, p := range []string{"/answer", "/dismiss"} {
		status, body := c.Call("POST", path(ref, p), `{"decision":"allow"}`)
		if status != 403 || faketest.At(body, "error", "code") != "missing_scope" || faketest.At(body, "error", "scope") != "asks:answer" {
			t.Errorf("%s: got %d %v", p, status, body)
		}
	}
	if status, body := c.Call("GET", "/me", ""); status != 200 || faketest.At(body, "name") != "Reader" {
		t.Errorf("me: %d %v", status, body)
	}
}

func TestRawAsksAreSentAsTheyAre(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	raw := `{"id":"ak_odd","kind":"approval","status":"open","openedAt":1767323045,"id":"ak_odd","approval":{"toolName":"Bash","input":{"command":"ls \ud800\u001b"}}}`
	ref := relay.Raw(session, raw)
	relay.Raw(session, `null`)
	_, body := c.Raw("GET", "/sessions?status=waiting", "")
	if !strings.Contains(body, raw) || !strings.Contains(body, "null,"+raw) {
		t.Errorf("the listing is %s", body)
	}
	if !jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		t.Errorf("the listing is no JSON: %s", body)
	}
	if status, reply := c.Call("POST", path(ref, "/answer"), `{"decision":"allow"}`); status != 200 || faketest.At(reply, "ask", "id") != "ak_odd" {
		t.Errorf("an answer to it: %d %v", status, reply)
	}
}

func TestReplaceAndRemove(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	relay.Replace(ref, func(a *fake.Ask) { a.Command = "rm" })
	if _, body := c.Call("GET", path(ref, ""), ""); faketest.At(body, "approval", "input", "command") != "rm" {
		t.Errorf("after Replace it is %v", body)
	}
	relay.Remove(ref)
	if status, _ := c.Call("GET", path(ref, ""), ""); status != 404 {
		t.Errorf("after Remove it is still there: %d", status)
	}
}
