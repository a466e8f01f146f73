package opencomputer

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"askbox/client"
)

// closedAs is the ask of an answer's reply.
func closedAs(id, status, answer string) string {
	return `{"ask":{"id":"` + id + `","kind":"approval","status":"` + status + `","closedAt":"2026-11-30T09:13:00Z",` +
		`"closedBy":{"type":"user","id":"usr_1","name":"Ada"},"answer":` + answer + `},"seq":42}`
}

const twoQuestions = `{"id":"q?1 x","kind":"question","status":"open","question":{"questions":[
{"questionId":"q1","header":"DB","question":"Which?","options":[{"label":"a, b"},{"label":"<c>"}]},
{"questionId":"q2","question":"Which ones?","options":[{"label":"x"},{"label":"y"}],"multiSelect":true}]}}`

func TestAnswersAsSent(t *testing.T) {
	plan := `{"id":"p","kind":"approval","status":"open","approval":{"toolName":"ExitPlanMode","input":{"plan":"1. do"}}}`
	for name, test := range map[string]struct {
		item   string
		id     string
		answer client.Answer
		want   string
		reply  string
	}{
		"allow":         {bash("b", "ls"), "b", client.Answer{Decision: client.Allow}, `/b/answer {"decision":"allow"}`, closedAs("b", "answered", `{"decision":"allow"}`)},
		"always":        {bash("b", "ls"), "b", client.Answer{Decision: client.Always}, `/b/answer {"decision":"always"}`, closedAs("b", "answered", `{"decision":"always"}`)},
		"allow, saying": {bash("b", "ls"), "b", client.Answer{Decision: client.Allow, Message: " <ok> "}, `/b/answer {"decision":"allow","message":" <ok> "}`, closedAs("b", "answered", `{"decision":"allow"}`)},
		"deny":          {bash("b", "ls"), "b", client.Answer{Decision: client.Deny}, `/b/answer {"decision":"deny"}`, closedAs("b", "answered", `{"decision":"deny"}`)},
		"deny, saying":  {bash("b", "ls"), "b", client.Answer{Decision: client.Deny, Message: "no\n\"never\""}, `/b/answer {"decision":"deny","message":"no\n\"never\""}`, closedAs("b", "answered", `{}`)},
		"plan":          {plan, "p", client.Answer{Decision: client.Allow, Mode: "acceptEdits"}, `/p/answer {"decision":"allow","mode":"acceptEdits"}`, closedAs("p", "answered", `null`)},
		"dismiss":       {bash("b", "ls"), "b", client.Answer{Dismiss: true}, `/b/dismiss {}`, closedAs("b", "dismissed", `null`)},
		"dismiss, saying": {bash("b", "ls"), "b", client.Answer{Dismiss: true, Message: "later"}, `/b/dismiss {"message":"later"}`,
			closedAs("b", "dismissed", `{"message":"later"}`)},
		"questions": {twoQuestions, "q?1 x", client.Answer{Questions: []client.QuestionAnswer{
			{ID: "q1", Choices: []string{"a, b"}}, {ID: "q2", Choices: []string{"x", "y"}}}},
			`/q%3F1%20x/answer {"answers":[{"questionId":"q1","choices":["a, b"],"text":null},{"questionId":"q2","choices":["x","y"],"text":null}]}`,
			closedAs("q?1 x", "answered", `null`)},
		"own text": {twoQuestions, "q?1 x", client.Answer{Questions: []client.QuestionAnswer{
			{ID: "q1", Text: " neither ", HasText: true}, {ID: "q2", Choices: []string{"x"}, Text: "z", HasText: true}}},
			`/q%3F1%20x/answer {"answers":[{"questionId":"q1","choices":[],"text":" neither "},{"questionId":"q2","choices":["x"],"text":"z"}]}`,
			closedAs("q?1 x", "answered", `null`)},
	} {
		both(t, func(a asked) said {
			if a.verb == "POST" {
				return ok(test.reply)
			}
			return ok(waiting(test.item))
		}, func(t *testing.T, r *Relay, s *script) {
			ask := find(t, open(t, r), test.id)
			now, err := r.Answer(context.Background(), ask, test.answer)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got, want := s.asked()[1:], "POST /sessions/cs_1/asks"+test.want; len(got) != 1 || got[0] != want {
				t.Errorf("%s: sent %q, want %q", name, got, want)
			}
			if !now.Status.Closed() || !now.Closing.By.Me || now.Closing.At.IsZero() || now.Session != ask.Session || now.Ref != ask.Ref {
				t.Errorf("%s: %+v", name, now)
			}
		})
	}
}

func TestAnswersThatAreNotSent(t *testing.T) {
	for name, test := range map[string]struct {
		item   string
		answer client.Answer
	}{
		"always without a rule": {`{"id":"x","kind":"approval","status":"open","approval":{"toolName":"Bash","input":{"command":"ls"}}}`, client.Answer{Decision: client.Always}},
		"allow of nothing":      {`{"id":"x","kind":"approval","status":"open","approval":{"toolName":"Bash","input":null}}`, client.Answer{Decision: client.Allow}},
		"a mode without a plan": {bash("x", "ls"), client.Answer{Decision: client.Allow, Mode: "auto"}},
		"no decision":           {bash("x", "ls"), client.Answer{}},
		"a secret":              {`{"id":"x","kind":"secret","status":"open","secret":{"name":"N"}}`, client.Answer{Decision: client.Allow}},
		"an unknown kind":       {`{"id":"x","kind":"payment","status":"open"}`, client.Answer{Decision: client.Allow}},
		"an unknown status":     {strings.Replace(bash("x", "ls"), `"open"`, `"paused"`, 1), client.Answer{Dismiss: true}},
		"an unreadable one":     {`{"id":"x","kind":"approval","kind":"secret","status":"open"}`, client.Answer{Dismiss: true}},
		"allow of a question":   {strings.Replace(twoQuestions, "q?1 x", "x", 1), client.Answer{Decision: client.Allow}},
		"half of the questions": {strings.Replace(twoQuestions, "q?1 x", "x", 1), client.Answer{Questions: []client.QuestionAnswer{{ID: "q1", Choices: []string{"<c>"}}}}},
	} {
		both(t, func(asked) said { return ok(waiting(test.item)) }, func(t *testing.T, r *Relay, s *script) {
			_, err := r.Answer(context.Background(), find(t, open(t, r), "x"), test.answer)
			if err == nil || len(s.asked()) != 1 {
				t.Errorf("%s: %v, asked %v", name, err, s.asked())
			}
		})
	}
}

func TestRefusedAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		reply said
		want  func(error) bool
		text  string
	}{
		"missing scope": {said{status: 403, body: `{"error":{"code":"missing_scope","scope":"asks:answer"}}`}, is[*client.NotAllowed], "lacks the scope asks:answer"},
		"invalid": {said{status: 400, body: `{"error":{"code":"invalid_answer","field":"decision","message":"no\u001b[2J"}}`}, func(err error) bool {
			var e *client.InvalidAnswer
			return errors.As(err, &e) && e.Field == "decision"
		}, `invalid answer: decision: the relay does not take it; it says "no`},
		"secret":      {said{status: 400, body: `{"error":{"code":"answer_with_secret"}}`}, is[*client.Elsewhere], "open the session"},
		"not found":   {said{status: 404, body: `{"error":{"code":"not_found"}}`}, is[*client.NotFound], "does not know this ask"},
		"unsure":      {said{status: 500, body: `{"error":{"code":"internal"}}`}, is[*client.Uncertain], "not known whether it arrived"},
		"moved":       {said{status: 303, body: `{}`}, is[*client.Uncertain], "unexpected redirect"},
		"lost":        {said{lost: true}, is[*client.Uncertain], "not known whether it arrived"},
		"html":        {ok(`<html>`), is[*client.Uncertain], "not known whether it arrived"},
		"expired":     {ok(`{"status":"expired"}`), is[*client.Uncertain], "does not hold the ask"},
		"still open":  {ok(`{"ask":` + bash("b", "ls") + `}`), is[*client.Uncertain], "does not say that the ask is closed"},
		"another ask": {ok(closedAs("c", "answered", `{"decision":"allow"}`)), is[*client.Uncertain], "another ask"},
		"odd status":  {ok(closedAs("b", "expired", `null`)), is[*client.Uncertain], "does not say that the ask is closed"},
		"unreadable":  {ok(`{"ask":{"id":"b","kind":5,"status":"answered"}}`), is[*client.Uncertain], "could not be read"},
		"somebody was first": {said{status: 409, body: `{"error":{"code":"ask_closed","message":"closed","ask":{"id":"b","kind":"approval","status":"answered",` +
			`"closedBy":{"type":"user","id":"usr_2","name":"Grace"},"answer":{"decision":"deny","message":"no"}}}}`}, func(err error) bool {
			var e *client.Closed
			return errors.As(err, &e) && e.Ask != nil && e.Ask.Closing.By.Name.Raw() == "Grace" && !e.Ask.Closing.By.Me &&
				strings.Join(raw(e.Ask.Closing.Answer), "|") == "denied|no" && e.Ask.Closing.Given.Decision == client.Deny
		}, "already answered"},
		"closed, without the ask": {said{status: 409, body: `{"error":{"code":"ask_closed"}}`}, is[*client.Closed], "already closed"},
		"interrupted meanwhile":   {ok(closedAs("b", "interrupted", `null`)), is[*client.Closed], "already interrupted"},
		"another decision stands": {ok(closedAs("b", "answered", `{"decision":"deny"}`)), is[*client.Closed], "already answered"},
	} {
		both(t, func(a asked) said {
			if a.verb == "POST" {
				return test.reply
			}
			return ok(waiting(bash("b", "ls")))
		}, func(t *testing.T, r *Relay, s *script) {
			_, err := r.Answer(context.Background(), find(t, open(t, r), "b"), client.Answer{Decision: client.Allow})
			if err == nil || !test.want(err) || !strings.Contains(err.Error(), test.text) || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("%s: %v", name, err)
			}
			if got := s.asked(); len(got) != 2 {
				t.Errorf("%s: asked %v", name, got)
			}
			if unsure := strings.HasPrefix(err.Error(), "not known whether"); unsure != is[*client.Uncertain](err) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

func TestGet(t *testing.T) {
	var reply said
	both(t, func(a asked) said {
		if strings.HasSuffix(a.path, "/b") {
			return reply
		}
		return ok(waiting(bash("b", "ls")))
	}, func(t *testing.T, r *Relay, _ *script) {
		ask := find(t, open(t, r), "b")
		reply = ok(`{"id":"b","sessionId":"cs_1","kind":"approval","status":"declined","answer":{"message":"do it otherwise","messageSeq":4}}`)
		now, err := r.Get(context.Background(), ask)
		if err != nil || now.Status != client.Declined || strings.Join(raw(now.Closing.Answer), "|") != "do it otherwise" || now.Closing.Note == "" {
			t.Errorf("%+v %v", now, err)
		}
		reply = ok(bash("other", "ls"))
		if _, err := r.Get(context.Background(), ask); !is[*client.NotRelay](err) {
			t.Errorf("another ask: %v", err)
		}
		reply = said{status: 404, body: `{"error":{"code":"not_found"}}`}
		if _, err := r.Get(context.Background(), ask); !is[*client.NotFound](err) {
			t.Errorf("gone: %v", err)
		}
		reply = ok(`<html>`)
		if _, err := r.Get(context.Background(), ask); !is[*client.NotRelay](err) {
			t.Errorf("a page: %v", err)
		}
	})
}

func TestNoJSONRPCThere(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	r, err := New(Options{Name: "work", BaseURL: server.URL, Token: "t-canary", Transport: JSONRPC})
	if err != nil {
		t.Fatal(err)
	}
	ask := &client.Ask{Ref: client.Ref{Session: "cs_1", ID: "ak_1"}}
	if _, err := r.Get(context.Background(), ask); !is[*client.NotRelay](err) || !strings.Contains(err.Error(), "transport") {
		t.Errorf("%v", err)
	}
	if _, err := New(Options{BaseURL: server.URL, Transport: "grpc"}); err == nil {
		t.Error("an unknown transport is taken")
	}
}

func TestJSONRPCResponsesThatAreNone(t *testing.T) {
	body, status := "", 200
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { send(w, status, body, false) }))
	defer server.Close()
	r, err := New(Options{Name: "work", BaseURL: server.URL, Token: "t-canary", Transport: JSONRPC})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]string{
		"another id": `{"jsonrpc":"2.0","id":7,"result":{}}`, "nothing": `{"jsonrpc":"2.0","id":1}`, "both": `{"jsonrpc":"2.0","id":1,"result":{},"error":5}`,
		"list": `[]`, "two results": `{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`, "internal": `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}`,
	} {
		body = b
		c := call{path: []string{"x"}, method: "asks.answer", counts: true}
		if _, err := r.do(context.Background(), c); !is[*client.Uncertain](err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	status = 307
	for _, b := range []string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`} {
		body = b
		if _, err := r.do(context.Background(), call{method: "asks.answer", counts: true}); !is[*client.Uncertain](err) {
			t.Errorf("a redirect with %s: %v", b, err)
		}
	}
	status = 200
	body = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`
	if _, err := r.do(context.Background(), call{method: "asks.answer", counts: true}); err == nil || is[*client.Uncertain](err) {
		t.Errorf("refused as unreadable: %v", err)
	}
}
