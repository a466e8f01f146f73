package opencode

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// caller calls a server as a client would.
type caller struct {
	*testing.T
	*Server
	client *http.Client
}

func start(t *testing.T, o Options) *caller {
	t.Helper()
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		s.Close()
	})
	return &caller{t, s, &http.Client{Transport: transport}}
}

func (c *caller) do(method, path, body string, change ...func(*http.Request)) *http.Response {
	c.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	request, err := http.NewRequestWithContext(c.Context(), method, c.URL()+path, content)
	if err != nil {
		c.Fatal(err)
	}
	request.SetBasicAuth(c.User(), c.Token())
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, f := range change {
		f(request)
	}
	response, err := c.client.Do(request)
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// call makes a request and returns its status and body.
func (c *caller) call(method, path, body string, change ...func(*http.Request)) (int, string) {
	c.Helper()
	response := c.do(method, path, body, change...)
	all, err := io.ReadAll(response.Body)
	if err != nil {
		c.Fatal(err)
	}
	return response.StatusCode, string(all)
}

// wants makes a request and compares what comes.
func (c *caller) wants(method, path, body string, status int, parts ...string) {
	c.Helper()
	got, text := c.call(method, path, body)
	if got != status {
		c.Errorf("%s %s %s: status %d, want %d: %s", method, path, body, got, status, text)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			c.Errorf("%s %s %s: %q is missing from %s", method, path, body, part, text)
		}
	}
}

func (c *caller) state(id string, want State) Ask {
	c.Helper()
	a, ok := c.Ask(id)
	if !ok || a.State != want {
		c.Errorf("%s is %s, want %s", id, a.State, want)
	}
	return a
}

// part returns what is said of the tool call of an ask.
func (c *caller) part(id string) string {
	c.Helper()
	a, _ := c.Ask(id)
	path := "/session/" + a.Session + "/message/" + a.MessageID
	if a.Engine == 2 {
		path = "/api" + path
	}
	_, text := c.call("GET", path, "")
	return text
}

func in(folder string) string { return "?directory=" + url.QueryEscape(folder) }

func TestAsksAreListedByFolder(t *testing.T) {
	c := start(t, Options{})
	one := c.AddSession(Session{Title: "One", Folder: "/srv/one"})
	two := c.AddSession(Session{Title: "Two", Folder: "/srv/one/sub"})
	bash := c.Bash(one, "echo marked > marker.txt && cat marker.txt")
	edit := c.Edit(two, "greeting.txt", "Hello, you.\n", "Hello, world.\n")
	c.wants("GET", "/permission"+in("/srv/one/"), "", 200, `[{"id":"`+bash+`"`,
		`"patterns":["echo marked > marker.txt","cat marker.txt"],"metadata":{"command":"echo marked > marker.txt && cat marker.txt"},"always":["echo *","cat *"]`)
	c.wants("GET", "/permission"+in("/srv/one/sub"), "", 200, `[{"id":"`+edit+`"`, `"filepath":"/srv/one/sub/greeting.txt"`,
		`Index: /srv/one/sub/greeting.txt\n=====`, `-Hello, you.\n+Hello, world.\n`)
	c.wants("GET", "/permission", "", 200, "[]")
	c.wants("GET", "/permission"+in("/nowhere"), "", 200, "[]")
	status, text := c.call("GET", "/permission", "", func(r *http.Request) { r.Header.Set("X-Opencode-Directory", "%2Fsrv%2Fone") })
	if status != 200 || !strings.Contains(text, bash) {
		t.Errorf("the header gives %d %s", status, text)
	}
}

func TestAnswersAreStrict(t *testing.T) {
	c := start(t, Options{Files: []string{"/srv/file"}})
	n := c.AddSession(Session{Folder: "/srv/one"})
	id := c.Bash(n, "make")
	path := "/permission/" + id + "/reply"
	c.wants("POST", path, `{"reply":"once"}`, 404, `{"_tag":"PermissionNotFoundError","requestID":"`+id+`"`)
	path += in("/srv/one")
	c.wants("POST", path, `{"reply":"maybe"}`, 400, `{"name":"BadRequest","data":{"message":"Expected \"once\" | \"always\" | \"reject\", got \"maybe\"\n  at [\"reply\"]","kind":"Payload"}}`)
	c.wants("POST", path, `{"message":"x"}`, 400, `Missing key\n  at [\"reply\"]`)
	c.wants("POST", path, `{"reply":"reject","message":3}`, 400, `Expected string | null, got 3`)
	c.wants("POST", path, `[]`, 400, "Expected object")
	c.wants("POST", path, ``, 400, "Expected object, got undefined")
	c.wants("POST", path, `{"reply":`, 500, `{"name":"UnknownError"`)
	c.wants("POST", "/permission/nope/reply"+in("/srv/one"), `{"reply":"once"}`, 400, `Expected a string starting with \"per\", got \"nope\"`, `"kind":"Params"`)
	c.wants("GET", "/permission"+in("/srv/file"), "", 500, `"UnknownError"`)
	status, text := c.call("POST", path, "reply=once", func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") })
	if status != 415 || text != "Unsupported content-type: application/x-www-form-urlencoded" {
		t.Errorf("a form gives %d %s", status, text)
	}
	c.state(id, Open)
	c.wants("POST", path, `{"reply":"once","message":"dropped","more":1}`, 200, "true")
	if a := c.state(id, Replied); a.Reply != "once" || a.Message != "" || !a.Ran || a.TurnEnded {
		t.Errorf("the answer is %+v", a)
	}
	c.wants("POST", path, `{"reply":"once"}`, 404)
	if sent := c.Sent(id); len(sent) != 10 || sent[len(sent)-2].Status != 200 || sent[0].Status != 404 {
		t.Errorf("what was sent is %+v", sent)
	}
	old := c.Bash(n, "make again")
	c.wants("POST", "/session/ses_none/permissions/"+old, `{"response":"once"}`, 404, `"Session not found: ses_none"`)
	c.wants("POST", "/session/"+n+"/permissions/"+old, `{"response":"once"}`, 200, "true")
}

func TestUnknownRoutesAreAPage(t *testing.T) {
	c := start(t, Options{})
	for _, method := range []string{"GET", "POST", "PUT"} {
		response := c.do(method, "/permission/list", "")
		if kind := response.Header.Get("Content-Type"); response.StatusCode != 200 || kind != "text/html" {
			t.Errorf("%s gives %d %s", method, response.StatusCode, kind)
		}
	}
	c.wants("GET", "/global/health", "", 200, `{"healthy":true,"version":"1.18.33"}`)
}

func TestThePassword(t *testing.T) {
	c := start(t, Options{User: "ada"})
	wrong := func(r *http.Request) { r.SetBasicAuth("ada", "wrong") }
	for path, body := range map[string]string{"/global/health": "", "/nothing": "",
		"/api/session/active": `{"_tag":"UnauthorizedError","message":"Authentication required"}`} {
		response := c.do("GET", path, "", wrong)
		all, _ := io.ReadAll(response.Body)
		if response.StatusCode != 401 || response.Header.Get("WWW-Authenticate") != `Basic realm="Secure Area"` || string(all) != body {
			t.Errorf("%s gives %d %q", path, response.StatusCode, all)
		}
	}
	status, _ := c.call("GET", "/global/health?auth_token=YWRhOnB3XzAxMjM0NTY3ODlhYmNkZWY=", "", func(r *http.Request) { r.Header.Del("Authorization") })
	if status != 200 {
		t.Errorf("the token in the link gives %d", status)
	}
	open := start(t, Options{NoPassword: true})
	if status, _ := open.call("GET", "/global/health", "", func(r *http.Request) { r.Header.Del("Authorization") }); status != 200 || open.Token() != "" {
		t.Errorf("without a password: %d, %q", status, open.Token())
	}
}

func TestAListingBreaks(t *testing.T) {
	c := start(t, Options{})
	n := c.AddSession(Session{})
	first := c.Bash(n, "ls")
	id := c.WebFetch(n, "http://127.0.0.1/page", 0)
	c.wants("GET", "/permission", "", 400, `{"name":"BadRequest","data":{"message":"Expected JSON value, got undefined\n  at [1][\"metadata\"][\"timeout\"]","kind":"Body"}}`)
	c.wants("GET", "/question", "", 200, "[]")
	c.wants("POST", "/permission/"+id+"/reply", `{"reply":"once"}`, 200)
	c.wants("GET", "/permission", "", 200, first)
}

func TestAlwaysHoldsForTheFolder(t *testing.T) {
	c := start(t, Options{})
	one, other := c.AddSession(Session{}), c.AddSession(Session{})
	first, second, third := c.Bash(one, "echo 1"), c.Bash(one, "echo 2; ls"), c.Bash(one, "echo 3")
	elsewhere := c.Bash(other, "echo 4")
	c.wants("POST", "/permission/"+first+"/reply", `{"reply":"always"}`, 200)
	if a := c.state(third, Replied); a.Reply != "always" || !a.Auto || !a.Ran {
		t.Errorf("what is covered is %+v", a)
	}
	c.state(second, Open)
	c.state(elsewhere, Open)
	if a := c.state(c.Bash(other, "echo 5"), Replied); !a.Auto {
		t.Errorf("what was allowed before is asked for: %+v", a)
	}
	c.Dispose("/srv/app")
	c.state(second, Lost)
	c.state(c.Bash(other, "echo 6"), Open)
}

func TestARejectionEndsTheTurn(t *testing.T) {
	c := start(t, Options{})
	n := c.AddSession(Session{})
	first, second := c.Bash(n, "echo 1"), c.Bash(n, "echo 2")
	c.wants("GET", "/session/status", "", 200, `{"`+n+`":{"type":"busy"}}`)
	c.wants("POST", "/permission/"+first+"/reply", `{"reply":"reject","message":"why?"}`, 200)
	if a := c.state(first, Replied); !a.TurnEnded || a.Told != "" {
		t.Errorf("the first is %+v", a)
	}
	if a := c.state(second, Replied); !a.Auto || a.Reply != "reject" {
		t.Errorf("the second is %+v", a)
	}
	c.wants("GET", "/session/status", "", 200, `{}`)
	for id, want := range map[string]string{first: feedbackWords + "why?", second: rejectedWords} {
		if got := c.part(id); !strings.Contains(got, want) || !strings.Contains(got, `"status":"error"`) {
			t.Errorf("the call says %s", got)
		}
	}
	alone := c.Bash(n, "echo 3")
	c.wants("POST", "/permission/"+alone+"/reply", `{"reply":"reject","message":"use make"}`, 200)
	if a := c.state(alone, Replied); a.TurnEnded || a.Told != feedbackWords+"use make" {
		t.Errorf("alone with a reason it is %+v", a)
	}
	c.wants("GET", "/session/status", "", 200, n)
}

func TestQuestions(t *testing.T) {
	c := start(t, Options{})
	n := c.AddSession(Session{})
	id := c.AskAll(n, Question{Question: "Which?", Header: "Database", Options: Labels("PostgreSQL", "SQLite")},
		Question{Question: "Where?", Options: Labels("a", "b"), Multiple: true}, Question{Question: "Name?"})
	c.wants("GET", "/question", "", 200, `"options":[{"label":"PostgreSQL","description":""}`, `"multiple":true}`, `"header":"","options":[]}`)
	path := "/question/" + id + "/reply"
	c.wants("POST", path, `{"answers":["a"]}`, 400, `Expected QuestionAnswer, got \"a\"\n  at [\"answers\"][0]`)
	c.wants("POST", path, `{}`, 400, "Missing key")
	c.wants("POST", path, `{"answers":[["SQLite"],["a","b"]]}`, 200, "true")
	if a := c.state(id, Answered); a.Told != `User has answered your questions: "Which?"="SQLite", "Where?"="a, b", "Name?"="Unanswered". You can now continue with the user's answers in mind.` {
		t.Errorf("the model was told %s", a.Told)
	}
	if got := c.part(id); !strings.Contains(got, `"metadata":{"answers":[["SQLite"],["a","b"]]}`) {
		t.Errorf("the call says %s", got)
	}
	c.wants("POST", path, `{"answers":[]}`, 404, `"_tag":"QuestionNotFoundError"`, "Question request not found: ")
	second := c.Choice(n, "Sure?", "yes", "no")
	c.wants("POST", "/question/"+second+"/reject", "", 200, "true")
	if a := c.state(second, Rejected); !a.TurnEnded {
		t.Errorf("the rejected one is %+v", a)
	}
}

func TestGhosts(t *testing.T) {
	c := start(t, Options{})
	parent := c.AddSession(Session{})
	n := c.AddSession(Session{Parent: parent})
	edit, bash, question := c.Edit(n, "a.txt", "a\n", "b\n"), c.Bash(n, "rm a.txt"), c.Choice(n, "Sure?", "yes")
	early := c.Permit(n, Permission{Permission: "read", Patterns: []string{"x"}, Call: Call{Early: true}})
	if got := c.part(early); !strings.Contains(got, `"status":"pending"`) {
		t.Errorf("before it runs the call is %s", got)
	}
	c.Begin(early)
	if got := c.part(early); !strings.Contains(got, `"status":"running"`) {
		t.Errorf("then it is %s", got)
	}
	c.wants("POST", "/session/"+parent+"/abort", "", 200, "true")
	for _, id := range []string{edit, bash, question} {
		c.state(id, Ghost)
		if got := c.part(id); !strings.Contains(got, `"error":"Tool execution aborted","metadata":{"interrupted":true}`) {
			t.Errorf("the call says %s", got)
		}
	}
	c.wants("GET", "/session/status", "", 200, "{}")
	c.wants("GET", "/permission", "", 200, edit, bash)
	c.wants("POST", "/permission/"+edit+"/reply", `{"reply":"once"}`, 200, "true")
	c.wants("POST", "/permission/"+bash+"/reply", `{"reply":"once"}`, 200, "true")
	if a, b := c.state(edit, Replied), c.state(bash, Replied); !a.Ran || b.Ran {
		t.Errorf("the edit ran: %v, the command ran: %v", a.Ran, b.Ran)
	}
	c.wants("POST", "/question/"+question+"/reject", "", 200)
	c.wants("GET", "/question", "", 200, "[]")
}

func TestDeletedSessionsKeepTheirAsks(t *testing.T) {
	c := start(t, Options{})
	n := c.AddSession(Session{})
	id := c.Bash(n, "ls")
	message, _ := c.Ask(id)
	c.wants("DELETE", "/session/"+n, "", 200, "true")
	c.wants("GET", "/session/"+n, "", 404, `{"name":"NotFoundError","data":{"message":"Session not found: `+n+`"}}`)
	c.wants("GET", "/session/"+n+"/message/"+message.MessageID, "", 404, "Message not found")
	c.wants("GET", "/permission", "", 200, id)
	c.wants("POST", "/permission/"+id+"/reply", `{"reply":"reject"}`, 200)
	c.wants("GET", "/session/nonsense", "", 500, "UnknownError")
}

func TestRestart(t *testing.T) {
	c := start(t, Options{})
	n := c.AddSession(Session{})
	id := c.Bash(n, "ls")
	url := c.URL()
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	c.state(id, Lost)
	if c.URL() != url {
		t.Error("it came back elsewhere")
	}
	c.wants("GET", "/permission", "", 200, "[]")
	if got := c.part(id); !strings.Contains(got, `"status":"running"`) {
		t.Errorf("the call says %s", got)
	}
}

func TestWaitingForAnAnswer(t *testing.T) {
	c := start(t, Options{})
	told := make(chan Ask, 1)
	c.OnClose(func(a Ask) { told <- a })
	id := c.Bash(c.AddSession(Session{}), "ls")
	if !c.Reply(id, "once", "") || c.Reply(id, "once", "") {
		t.Error("an answer counts once")
	}
	if a, err := c.WaitClosed(t.Context(), id); err != nil || a.Reply != "once" {
		t.Errorf("%+v, %v", a, err)
	}
	if a := <-told; a.ID != id {
		t.Errorf("told of %+v", a)
	}
	late, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := c.WaitClosed(late, c.Bash(c.AddSession(Session{}), "pwd")); err == nil {
		t.Error("an open ask is said to be closed")
	}
}

// following is a stream of events that is read line by line.
type following struct {
	*caller
	lines *bufio.Scanner
}

func (c *caller) follow(path string) *following {
	c.Helper()
	response := c.do("GET", path, "")
	if kind := response.Header.Get("Content-Type"); kind != "text/event-stream" {
		c.Fatalf("the stream is %s", kind)
	}
	f := &following{c, bufio.NewScanner(response.Body)}
	f.sees("server.connected")
	return f
}

// sees reads on to an event of a type, and returns it.
func (f *following) sees(kind string) string {
	f.Helper()
	for f.lines.Scan() {
		if line := f.lines.Text(); strings.HasPrefix(line, "data: ") && strings.Contains(line, `"type":"`+kind+`"`) {
			return line
		}
	}
	f.Fatalf("no %s came: %v", kind, f.lines.Err())
	return ""
}
