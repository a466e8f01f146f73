package opencode_test

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"askbox/client/fake"
	"askbox/client/fake/faketest"
	"askbox/client/fake/opencode"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// caller calls a server as a client would.
type caller struct {
	*faketest.Client
	*opencode.Server
}

func start(t *testing.T, o opencode.Options) *caller {
	t.Helper()
	s, err := opencode.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	c := faketest.New(t, nil, s.URL(), "", s.Close)
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(s.User()+":"+s.Token()))
	return &caller{c.With("Authorization", basic).With("Content-Type", "application/json"), s}
}

// wants makes a request and compares what comes.
func (c *caller) wants(method, path, body string, status int, parts ...string) {
	c.T.Helper()
	response, got := c.Raw(method, path, body)
	if response.StatusCode != status {
		c.T.Errorf("%s %s %s gives %d %s", method, path, body, response.StatusCode, got)
	}
	for _, part := range parts {
		if !strings.Contains(got, part) {
			c.T.Errorf("%s %s %s gives %s without %s", method, path, body, got, part)
		}
	}
}

// is checks what became of an ask.
func (c *caller) is(ref fake.Ref, how, decision string, ran bool) {
	c.T.Helper()
	a, _ := c.Ask(ref)
	if a.End.How != how || a.End.Decision != decision || opencode.Ran(a) != ran {
		c.T.Errorf("it became %+v, and ran: %v", a.End, opencode.Ran(a))
	}
}

func in(folder string) string { return "?directory=" + url.QueryEscape(folder) }

func TestAsksAreListedByFolder(t *testing.T) {
	c := start(t, opencode.Options{Root: "/srv/root"})
	n := c.AddSession(fake.Session{Folder: "/srv/one/", Title: "One"})
	bash := c.Bash(n, "echo a > b && cat b", "copy")
	question := c.Choice(n, "Sure?", "yes", "no")
	c.wants("GET", "/permission", "", 200, "[]")
	c.wants("GET", "/permission"+in("/srv/one/"), "", 200, bash.Ask, `"permission":"bash"`, `"patterns":["echo a > b","cat b"]`,
		`"always":["echo *","cat *"]`, `"metadata":{"command":"echo a > b && cat b"}`, `"tool":{"callID":"call_`)
	c.wants("GET", "/question"+in("/srv/one"), "", 200, question.Ask, `"question":"Sure?"`, `"options":[{"label":"yes","description":""},`)
	c.wants("GET", "/session/status"+in("/srv/one"), "", 200, `{"`+n+`":{"type":"busy"}}`)
	c.wants("GET", "/session/"+n, "", 200, `"title":"One"`, `"directory":"/srv/one"`)
	c.wants("GET", "/session/ses_none", "", 404, `"NotFoundError"`, "Session not found: ses_none")
	c.wants("GET", "/global/health", "", 200, `"healthy":true`)
	c.Approve(n, "webfetch", map[string]any{"url": "http://x", "timeout": 3}, "http://x")
	c.wants("GET", "/permission"+in("/srv/one"), "", 200)
	broken := c.Approve(n, "webfetch", map[string]string{"url": "http://x"}, "http://x")
	c.wants("GET", "/permission"+in("/srv/one"), "", 400, `Expected JSON value, got undefined\n  at [2][\"metadata\"][\"timeout\"]`, `"kind":"Body"`)
	c.wants("POST", "/permission/"+broken.Ask+"/reply"+in("/srv/one"), `{"reply":"once"}`, 200, "true")
	c.wants("GET", "/permission"+in("/srv/one"), "", 200)
}

func TestAnswersAreStrict(t *testing.T) {
	c := start(t, opencode.Options{})
	n := c.AddSession(fake.Session{Folder: "/srv/one"})
	ref := c.Bash(n, "make", "")
	path := "/permission/" + ref.Ask + "/reply"
	c.wants("POST", path, `{"reply":"once"}`, 404, `{"_tag":"PermissionNotFoundError","requestID":"`+ref.Ask+`"`)
	path += in("/srv/one")
	c.wants("POST", path, `{"reply":"maybe"}`, 400, `Expected \"once\" | \"always\" | \"reject\", got \"maybe\"\n  at [\"reply\"]`, `"kind":"Payload"`)
	c.wants("POST", path, `{"message":"x"}`, 400, `Missing key\n  at [\"reply\"]`)
	c.wants("POST", path, `{"reply":"reject","message":3}`, 400, `Expected string | null, got 3`)
	c.wants("POST", path, `[]`, 400, "Expected object")
	c.wants("POST", path, ``, 400, "Expected object, got undefined")
	c.wants("POST", path, `{"reply":`, 500, `"name":"UnknownError"`)
	c.wants("POST", "/permission/nope/reply"+in("/srv/one"), `{"reply":"once"}`, 400, `Expected a string starting with \"per\", got \"nope\"`, `"kind":"Params"`)
	if response, text := c.With("Content-Type", "text/plain").Raw("POST", path, "reply=once"); response.StatusCode != 415 || text != "Unsupported content-type: text/plain" {
		t.Errorf("a form gives %d %s", response.StatusCode, text)
	}
	c.wants("POST", path, `{"reply":"once","message":"dropped","more":1}`, 200, "true")
	if a, _ := c.Ask(ref); a.End.Words != "" || !opencode.Ran(a) || !c.TurnRuns(n) {
		t.Errorf("the answer is %+v", a.End)
	}
	c.wants("POST", path, `{"reply":"once"}`, 404)
	if sent := c.Answers(ref); len(sent) != 10 || sent[8].Code != "" || sent[0].Code == "" {
		t.Errorf("what was sent is %+v", sent)
	}
}

func TestRejectionsAndAnswers(t *testing.T) {
	c := start(t, opencode.Options{})
	n := c.AddSession(fake.Session{})
	first, second := c.Bash(n, "rm a", ""), c.Bash(n, "rm b", "")
	c.wants("POST", "/permission/"+first.Ask+"/reply", `{"reply":"reject","message":"no"}`, 200)
	c.is(second, fake.Answered, "deny", false)
	if c.TurnRuns(n) {
		t.Error("the turn goes on, though another ask was closed")
	}
	lonely := c.Bash(n, "rm c", "")
	c.wants("POST", "/permission/"+lonely.Ask+"/reply", `{"reply":"reject","message":"use make"}`, 200)
	if a, _ := c.Ask(lonely); a.End.Words != "use make" || !c.TurnRuns(n) {
		t.Errorf("a rejection with a message became %+v", a.End)
	}
	asked := c.Questions(n, fake.Question{Text: "Which?", Options: fake.Labels("a", "b")}, fake.Question{Text: "Why?"})
	c.wants("POST", "/question/"+asked.Ask+"/reply", `{"answers":"a"}`, 400)
	c.wants("POST", "/question/"+asked.Ask+"/reply", `{"answers":[["a","none of these"]]}`, 200)
	a, _ := c.Ask(asked)
	c.is(asked, fake.Answered, "", true)
	if a.End.First() != "a" {
		t.Errorf("answered with %v", a.End.Choices)
	}
	rejected := c.Choice(n, "Sure?", "yes")
	c.wants("POST", "/question/"+rejected.Ask+"/reject", "", 200)
	c.is(rejected, fake.Dismissed, "", false)
	if c.TurnRuns(n) {
		t.Error("the turn goes on after a rejected question")
	}
}

func TestGhosts(t *testing.T) {
	c := start(t, opencode.Options{})
	parent := c.AddSession(fake.Session{})
	n := c.AddSession(fake.Session{Parent: parent})
	edit, bash, question := c.Edit(n, "a.txt", "a\n", "b\n"), c.Bash(n, "rm a.txt", ""), c.Choice(n, "Sure?", "yes")
	c.Abort(parent)
	_, listed := c.Raw("GET", "/permission", "")
	message := listed[strings.Index(listed, "msg_"):][:len("msg_")+12+14]
	c.wants("GET", "/session/"+n+"/message/"+message, "", 200, `"error":"Tool execution aborted"`, `"metadata":{"interrupted":true}`, `"status":"error"`)
	c.wants("GET", "/session/status", "", 200, "{}")
	c.wants("GET", "/permission", "", 200, edit.Ask, bash.Ask)
	c.wants("POST", "/permission/"+edit.Ask+"/reply", `{"reply":"once"}`, 200, "true")
	c.wants("POST", "/permission/"+bash.Ask+"/reply", `{"reply":"once"}`, 200, "true")
	c.is(edit, fake.Answered, "allow", true)
	c.is(bash, fake.Answered, "allow", false)
	c.wants("POST", "/question/"+question.Ask+"/reject", "", 200)
	c.wants("GET", "/question", "", 200, "[]")
	gone := c.AddSession(fake.Session{})
	left := c.Bash(gone, "make", "")
	c.Delete(gone)
	c.wants("GET", "/session/"+gone, "", 404)
	c.wants("GET", "/permission", "", 200, left.Ask)
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	c.wants("GET", "/permission", "", 200, "[]")
}

func TestPagesSkipWhatIsAsOld(t *testing.T) {
	c := start(t, opencode.Options{})
	at := time.UnixMilli(1796070135437)
	for i := range 3 {
		c.AddSession(fake.Session{Title: fmt.Sprint("s", i), UpdatedAt: at})
	}
	response, _ := c.Raw("GET", "/experimental/session?limit=1", "")
	if next := response.Header.Get("X-Next-Cursor"); next != "1796070135437" {
		t.Fatalf("the cursor is %s", next)
	}
	c.wants("GET", "/experimental/session?limit=1&cursor=1796070135437", "", 200, "[]")
	c.wants("GET", "/experimental/session", "", 200, `"project":{"id":"`)
}

func TestIDsCarryTheirTime(t *testing.T) {
	c := start(t, opencode.Options{})
	n := c.AddSession(fake.Session{UpdatedAt: time.UnixMilli(1796070135437)})
	ref := c.Open(n, fake.Ask{Command: "ls", OpenedAt: time.UnixMilli(1796070135500)})
	hex, err := strconv.ParseInt(ref.Ask[4:16], 16, 64)
	if err != nil || hex>>12 != 1796070135500&(1<<36-1) {
		t.Errorf("%s is of another time: %v", ref.Ask, err)
	}
	later := c.AddSession(fake.Session{UpdatedAt: time.UnixMilli(1796070135438)})
	if later >= n || len(n) != 30 || len(ref.Ask) != 30 {
		t.Errorf("%s is not before %s", later, n)
	}
}

func TestWhatIsNoRouteAndNoPassword(t *testing.T) {
	c := start(t, opencode.Options{})
	for _, method := range []string{"GET", "POST", "PUT"} {
		response, text := c.Raw(method, "/no/such/route", "")
		if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(text, "<title>OpenCode") {
			t.Errorf("%s gives %d %s", method, response.StatusCode, text)
		}
	}
	for path, body := range map[string]string{"/global/health": "", "/api/permission/request": `{"_tag":"UnauthorizedError","message":"Authentication required"}`} {
		response, text := c.As("wrong").Raw("GET", path, "")
		if response.StatusCode != 401 || text != body || response.Header.Get("WWW-Authenticate") != `Basic realm="Secure Area"` {
			t.Errorf("%s gives %d %s", path, response.StatusCode, text)
		}
	}
	token := base64.StdEncoding.EncodeToString([]byte(c.User() + ":" + c.Token()))
	if response, _ := c.As("wrong").Raw("GET", "/global/health?auth_token="+url.QueryEscape(token), ""); response.StatusCode != 200 {
		t.Errorf("the token in the query gives %d", response.StatusCode)
	}
}

// follow follows the events and returns a function that waits for one of a type.
func (c *caller) follow() func(kind string) string {
	response := c.Do("GET", "/global/event", "")
	c.T.Cleanup(func() { _ = response.Body.Close() })
	lines := bufio.NewScanner(response.Body)
	return func(kind string) string {
		c.T.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), `"type":"`+kind+`"`) {
				return lines.Text()
			}
		}
		c.T.Errorf("no %s came", kind)
		return ""
	}
}

func TestEvents(t *testing.T) {
	c := start(t, opencode.Options{})
	n := c.AddSession(fake.Session{Folder: "/srv/one"})
	sees := c.follow()
	ref := c.Bash(n, "ls", "")
	sees("server.connected")
	sees("session.status")
	if line := sees("permission.asked"); !strings.Contains(line, ref.Ask) || !strings.Contains(line, `{"directory":"/srv/one","payload":`) || !strings.Contains(line, `"project":"`) {
		t.Errorf("%s", line)
	}
	c.AnswerAs(fake.Actor{}, ref, fake.Deny("no"))
	if line := sees("permission.replied"); !strings.Contains(line, `"reply":"reject"`) || strings.Contains(line, "no\"") {
		t.Errorf("%s", line)
	}
	c.AnswerAs(fake.Actor{}, c.Choice(n, "Sure?", "yes"), fake.Choose("yes"))
	sees("question.asked")
	if line := sees("question.replied"); !strings.Contains(line, `"answers":[["yes"]]`) {
		t.Errorf("%s", line)
	}
	c.DismissAs(fake.Actor{}, c.Choice(n, "And now?", "yes"), "")
	if line := sees("question.rejected"); strings.Contains(line, "answers") {
		t.Errorf("%s", line)
	}
	c.Bash(n, "sleep 1", "")
	c.Abort(n)
	sees("session.error")
	sees("session.idle")
	c.Delete(n)
	sees("session.deleted")
}

func TestTheSecondEngine(t *testing.T) {
	c := start(t, opencode.Options{Root: "/srv/two"})
	n, other := c.AddSession(fake.Session{Engine: 2}), c.AddSession(fake.Session{Engine: 2})
	sees := c.follow()
	edit := c.Edit(n, "greeting.txt", "a\n", "b\n")
	if line := sees("permission.v2.asked"); !strings.Contains(line, `"action":"edit"`) || !strings.Contains(line, `"resources":["greeting.txt"],"save":["*"]`) ||
		!strings.Contains(line, `"type":"tool"`) || strings.Contains(line, "project") || strings.Contains(line, "metadata") {
		t.Errorf("%s", line)
	}
	c.wants("GET", "/permission", "", 200, "[]")
	c.wants("GET", "/session/status", "", 200, "{}")
	c.wants("GET", "/api/permission/request?location[directory]=/srv/two", "", 200, `"location":{"directory":"/srv/two"}`, edit.Ask)
	path := func(session, what string, ref fake.Ref, verb string) string {
		return "/api/session/" + session + "/" + what + "/" + ref.Ask + "/" + verb
	}
	c.wants("POST", path(n, "permission", edit, "reply"), `{"reply":"maybe"}`, 400, `{"_tag":"InvalidRequestError"`, `"kind":"Payload"`)
	c.wants("POST", path("ses_none", "permission", edit, "reply"), `{"reply":"once"}`, 404, `{"_tag":"SessionNotFoundError","sessionID":"ses_none"`)
	c.wants("POST", path(other, "permission", edit, "reply"), `{"reply":"once"}`, 404, "PermissionNotFoundError")
	c.wants("POST", path(n, "permission", edit, "reply"), `{"reply":"once"}`, http.StatusNoContent)
	c.is(edit, fake.Answered, "allow", true)
	question := c.Choice(n, "Sure?", "yes")
	c.wants("GET", "/api/question/request", "", 200, question.Ask)
	c.wants("POST", path(n, "question", question, "reply"), `{"answers":[["yes"]]}`, http.StatusNoContent)
	rejected := c.Choice(n, "Sure?", "yes")
	c.wants("POST", path(n, "question", rejected, "reject"), "", http.StatusNoContent)
	c.is(rejected, fake.Dismissed, "", false)
	gone := c.Bash(n, "sleep 1", "")
	c.Abort(n)
	c.wants("POST", path(n, "permission", gone, "reply"), `{"reply":"once"}`, 404)
}
