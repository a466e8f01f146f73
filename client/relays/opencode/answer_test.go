package opencode

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
)

// both is a server with an ask of each kind and engine.
func both(t *testing.T) (*server, *Relay, map[string]*client.Ask) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a b", "make")
	s.lists["question /srv/a b"] = []string{question(askID, "ses_1", `{"question":"Which platforms?","header":"","multiple":true,"options":[{"label":"amd64"},{"label":"arm64"}]}`, `{"question":"Name?","header":"","options":[]}`)}
	s.lists["api/permission /srv/a b"] = []string{`{"id":"per_v2","sessionID":"ses_1","action":"bash","resources":["ls"],"save":["ls"]}`}
	s.lists["api/question /srv/a b"] = []string{question("que_v2", "ses_1")}
	r := s.relay(Options{})
	asks, _ := open(t, r)
	return s, r, asks
}

func TestAnswerBodies(t *testing.T) {
	text := func(id, s string) client.QuestionAnswer { return client.QuestionAnswer{ID: id, Text: s, HasText: true} }
	three := client.Answer{Questions: []client.QuestionAnswer{{ID: "1", Choices: []string{"SQLite"}},
		{ID: "2", Choices: []string{"amd64", "arm64"}, Text: "riscv", HasText: true}, {ID: "3"}}}
	for name, c := range map[string]struct {
		ask    string
		answer client.Answer
		want   sent
		status client.Status
	}{
		"allow":  {bashID, client.Answer{Decision: client.Allow}, sent{"/permission/" + bashID + "/reply", "directory=%2Fsrv%2Fa+b", `{"reply":"once"}`}, client.Answered},
		"always": {bashID, client.Answer{Decision: client.Always}, sent{"/permission/" + bashID + "/reply", "directory=%2Fsrv%2Fa+b", `{"reply":"always"}`}, client.Answered},
		"deny":   {bashID, client.Answer{Decision: client.Deny}, sent{"/permission/" + bashID + "/reply", "directory=%2Fsrv%2Fa+b", `{"reply":"reject"}`}, client.Answered},
		"deny with a reason": {bashID, client.Answer{Decision: client.Deny, Message: " not\nnow "},
			sent{"/permission/" + bashID + "/reply", "directory=%2Fsrv%2Fa+b", `{"reply":"reject","message":" not\nnow "}`}, client.Answered},
		"answers": {askID, three, sent{"/question/" + askID + "/reply", "directory=%2Fsrv%2Fa+b", `{"answers":[["SQLite"],["amd64","arm64","riscv"],[]]}`}, client.Answered},
		"dismiss": {askID, client.Answer{Dismiss: true}, sent{"/question/" + askID + "/reject", "directory=%2Fsrv%2Fa+b", ""}, client.Dismissed},
		"second engine, allow": {"per_v2", client.Answer{Decision: client.Allow},
			sent{"/api/session/ses_1/permission/per_v2/reply", "", `{"reply":"once"}`}, client.Answered},
		"second engine, answer": {"que_v2", client.Answer{Questions: []client.QuestionAnswer{text("1", "MySQL")}},
			sent{"/api/session/ses_1/question/que_v2/reply", "", `{"answers":[["MySQL"]]}`}, client.Answered},
		"second engine, dismiss": {"que_v2", client.Answer{Dismiss: true}, sent{"/api/session/ses_1/question/que_v2/reject", "", ""}, client.Dismissed},
	} {
		t.Run(name, func(t *testing.T) {
			s, r, asks := both(t)
			got, err := r.Answer(t.Context(), asks[c.ask], c.answer)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != c.status || got.Closing == nil || !got.Closing.By.Me {
				t.Errorf("it came back as %s, %+v", got.Status, got.Closing)
			}
			if d := cmp.Diff([]sent{c.want}, s.sent, cmp.AllowUnexported(sent{})); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestAnswerThatDoesNotFitIsNotSent(t *testing.T) {
	s, r, asks := both(t)
	for name, c := range map[string]struct {
		ask    string
		answer client.Answer
	}{
		"allow with a message":  {bashID, client.Answer{Decision: client.Allow, Message: "go"}},
		"dismiss a permission":  {bashID, client.Answer{Dismiss: true}},
		"allow a question":      {askID, client.Answer{Decision: client.Allow}},
		"nothing chosen":        {"que_v2", client.Answer{Questions: []client.QuestionAnswer{{ID: "1"}}}},
		"two of one":            {"que_v2", client.Answer{Questions: []client.QuestionAnswer{{ID: "1", Choices: []string{"SQLite", "PostgreSQL"}}}}},
		"not offered":           {"que_v2", client.Answer{Questions: []client.QuestionAnswer{{ID: "1", Choices: []string{"sqlite"}}}}},
		"empty text":            {"que_v2", client.Answer{Questions: []client.QuestionAnswer{{ID: "1", HasText: true}}}},
		"dismiss with a reason": {askID, client.Answer{Dismiss: true, Message: "why"}},
	} {
		if _, err := r.Answer(t.Context(), asks[c.ask], c.answer); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if len(s.sent) > 0 {
		t.Errorf("sent: %v", s.sent)
	}
}

// What was left out is said as well, as it is where somebody else answered.
func TestAnsweredQuestionsAreToldWhole(t *testing.T) {
	s := newServer(t)
	s.session("ses_1", "/srv/a", "Work", "")
	s.lists["question /srv/a"] = []string{question(askID, "ses_1", `{"question":"Name?","header":"","options":[]}`)}
	s.call("ses_1", "msg_ses_1", "call_ses_1", "question", running200)
	r := s.relay(Options{})
	asks, _ := open(t, r)
	got, err := r.Answer(t.Context(), asks[askID], client.Answer{Questions: []client.QuestionAnswer{{ID: "1", Choices: []string{"SQLite"}}, {ID: "2"}}})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range got.Closing.Answer {
		lines = append(lines, l.Raw())
	}
	if want := []string{"Database: SQLite", "Name?: left out"}; !slices.Equal(lines, want) {
		t.Errorf("it is told as %q", lines)
	}
}

func TestAnswerReplies(t *testing.T) {
	path := "/permission/" + bashID + "/reply"
	for name, c := range map[string]struct {
		reply canned
		want  any
		words string
	}{
		"unknown":     {notFound("PermissionNotFoundError", "Permission request not found: per"), new(*client.Closed), "someone else answered it, or it was never there"},
		"no session":  {canned{404, "application/json", `{"name":"NotFoundError","data":{"message":"Session not found"}}`}, new(*client.Closed), "someone else answered"},
		"not theirs":  {canned{404, "application/json", `{"error":"no such tunnel"}`}, new(*client.NotFound), ""},
		"bad field":   {canned{400, "application/json", "{\"name\":\"BadRequest\",\"data\":{\"message\":\"Missing key\\u001b[2J\",\"kind\":\"Payload\"}}"}, new(*client.InvalidAnswer), "Missing key⟨ESC⟩[2J"},
		"second, bad": {canned{400, "application/json", `{"_tag":"InvalidRequestError","message":"Bad reply","kind":"Payload"}`}, new(*client.InvalidAnswer), "Bad reply"},
		"bad JSON":    {canned{500, "application/json", `{"name":"UnknownError","data":{"message":"Unexpected server error. Check server logs for details."}}`}, new(*client.Uncertain), "Unexpected server error"},
		"form":        {canned{415, "text/plain", "Unsupported content-type: x"}, new(*client.Failed), "Unsupported"},
		"web page":    {page, new(*client.NotRelay), "no such route"},
		"password":    {canned{401, "", ""}, new(*client.TokenRefused), "the password that opencode was started with"},
		"not true":    {ok200("false"), new(*client.Uncertain), "does not say"},
		"empty":       {canned{200, "", ""}, new(*client.Uncertain), ""},
		"rate":        {canned{429, "text/plain", ""}, new(*client.RateLimited), ""},
		"redirect":    {canned{307, "", ""}, new(*client.Uncertain), "redirect"},
	} {
		t.Run(name, func(t *testing.T) {
			s, r, asks := both(t)
			s.change(func() { s.replies[path] = c.reply })
			got, err := r.Answer(t.Context(), asks[bashID], client.Answer{Decision: client.Allow})
			if err == nil || !errors.As(err, c.want) || !strings.Contains(err.Error(), c.words) {
				t.Errorf("it came back as %v, %v", got, err)
			}
			if n := s.count("POST " + path); n != 1 {
				t.Errorf("it was sent %d times", n)
			}
		})
	}
}

// A request whose turn was aborted can still be answered, and allowing an edit
// then changes the file. So nothing is sent before its tool call was looked at.
func TestAnswerGhost(t *testing.T) {
	const abortedState = `{"status":"error","error":"Tool execution aborted","metadata":{"interrupted":true},"input":{}}`
	for name, c := range map[string]struct {
		change func(s *server)
		ask    string
		answer client.Answer
		words  string
	}{
		"aborted, allow":  {func(s *server) { s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", abortedState) }, bashID, client.Answer{Decision: client.Allow}, "its turn was aborted"},
		"aborted, always": {func(s *server) { s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", abortedState) }, bashID, client.Answer{Decision: client.Always}, "its turn was aborted"},
		"aborted, answer": {func(s *server) { s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", abortedState) }, askID,
			client.Answer{Questions: []client.QuestionAnswer{{ID: "1", Choices: []string{"SQLite"}}, {ID: "2"}, {ID: "3"}}}, "its turn was aborted"},
		"deleted":        {func(s *server) { s.sessions, s.messages = nil, map[string]string{} }, bashID, client.Answer{Decision: client.Allow}, "its session was deleted"},
		"no call at all": {func(s *server) { s.messages = map[string]string{} }, bashID, client.Answer{Decision: client.Allow}, "its turn is over"},
		"answered by someone": {func(s *server) {
			s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", `{"status":"completed","input":{}}`)
		},
			bashID, client.Answer{Decision: client.Allow}, "the tool call shows that it ran"},
		"cannot be looked at": {func(s *server) {
			s.replies["/session/ses_1/message/msg_ses_1"] = canned{502, "text/plain", "bad gateway"}
		},
			bashID, client.Answer{Decision: client.Allow}, "502"},
	} {
		t.Run(name, func(t *testing.T) {
			s, r, asks := both(t)
			s.change(func() { c.change(s) })
			_, err := r.Answer(t.Context(), asks[c.ask], c.answer)
			if err == nil || !strings.Contains(err.Error(), c.words) {
				t.Errorf("the error is %v", err)
			}
			if len(s.sent) > 0 {
				t.Errorf("sent: %v", s.sent)
			}
		})
	}
}

func TestGhostsAreShownAndCleared(t *testing.T) {
	s, r, _ := both(t)
	s.change(func() {
		s.busy = map[string][]string{}
		s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", `{"status":"error","error":"Tool execution aborted","input":{}}`)
	})
	asks, _ := open(t, r)
	a := asks[bashID]
	if a.Waits || !strings.Contains(a.Session.Trouble, "aborted") || a.Offer(client.ActAllow).OK || a.Offer(client.ActAlways).OK || a.Offer(client.ActDenyReason).OK {
		t.Errorf("the ghost waits: %v, %q, %+v", a.Waits, a.Session.Trouble, a.Offers)
	}
	if !strings.Contains(a.Offer(client.ActAllow).Why, "deny it to clear it") || !strings.Contains(a.Offer(client.ActDeny).Effect, "cleared") {
		t.Errorf("the ghost says %+v", a.Offers)
	}
	if q := asks[askID]; q.Offer(client.ActAnswer).OK || !q.Offer(client.ActDismiss).OK {
		t.Errorf("the ghost of a question: %+v", q.Offers)
	}
	if asks["per_v2"].Offer(client.ActAllow).OK != true {
		t.Error("the second engine has no ghosts")
	}
	before := s.total()
	open(t, r)
	if n := s.count("GET /session/ses_1/message/msg_ses_1"); n != 0 {
		t.Errorf("after %d calls a ghost was examined again", before)
	}
	got, err := r.Answer(t.Context(), a, client.Answer{Decision: client.Deny})
	if err != nil || !strings.Contains(got.Closing.Note, "cleared") {
		t.Errorf("clearing it gave %+v, %v", got, err)
	}
}

// A turn that began since brings an ask back that only seemed to be a ghost.
func TestGhostThatWasNone(t *testing.T) {
	s, r, _ := both(t)
	s.change(func() { s.busy = map[string][]string{} })
	if asks, _ := open(t, r); asks[bashID].Offer(client.ActAllow).OK {
		t.Fatal("without a turn it can be allowed")
	}
	s.change(func() { s.busy["/srv/a b"] = []string{"ses_1"} })
	if asks, _ := open(t, r); !asks[bashID].Offer(client.ActAllow).OK || asks[bashID].Session.Trouble != "" {
		t.Error("with a turn it cannot be allowed")
	}
}
