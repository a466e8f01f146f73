package werft_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"go.uber.org/goleak"

	"askbox/client/fake"
	"askbox/client/fake/faketest"
	"askbox/client/fake/werft"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, o werft.Options) (*werft.Server, *faketest.Client) {
	t.Helper()
	relay, err := werft.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	return relay, faketest.New(t, nil, relay.URL()+"/v1", relay.Token(), relay.Close)
}

func path(ref fake.Ref) string {
	return "/sessions/" + ref.Session + "/requests/" + ref.Ask + "/answer"
}

// allow is the shortest answer that allows.
func allow(ref fake.Ref) string {
	return `{"request_id":"` + ref.Ask + `","kind":"permission","action":"allow"}`
}

func TestListsWhatNeedsInput(t *testing.T) {
	relay, c := start(t, werft.Options{Prefix: "/werft"})
	quiet := relay.AddSession(fake.Session{Title: "Quiet"})
	busy := relay.AddSession(fake.Session{Title: "Release 2.4"})
	newer := relay.Bash(busy, "rm -rf build", "clean build")
	older := relay.Open(busy, fake.Ask{OpenedAt: relay.Now().Add(-time.Minute),
		Questions: []fake.Question{{Text: "Where?", Options: fake.Labels("staging", "production")}}})

	_, body := c.Call("GET", "/sessions?status=needs_input&limit=100", "")
	s := faketest.At(body, "sessions", 0)
	if faketest.At(s, "session_id") != busy || faketest.At(s, "status") != "needs_input" || faketest.At(s, "admission_state") != "active" ||
		faketest.At(s, "created_by", "id") != "u_1" || faketest.At(body, "sessions", 1) != nil || faketest.At(body, "next_cursor") != nil {
		t.Fatalf("listed %v", body)
	}
	_, body = c.Call("GET", "/sessions/"+busy+"/requests", "")
	first, second := faketest.At(body, "requests", 0), faketest.At(body, "requests", 1)
	if faketest.At(first, "request_id") != older.Ask || faketest.At(second, "request_id") != newer.Ask {
		t.Fatalf("requests are not oldest first: %v", body)
	}
	if faketest.At(first, "questions", 0, "options", 1, "option_id") != "o_12" || faketest.At(first, "questions", 0, "question_id") != "q_1" || faketest.At(first, "tool") != nil {
		t.Errorf("the question is %v", first)
	}
	if faketest.At(second, "proposed_remember") != "Bash(rm -rf build)" || faketest.At(second, "input", "command") != "rm -rf build" || faketest.At(second, "expires_at") == nil {
		t.Errorf("the permission is %v", second)
	}
	if _, body := c.Call("GET", "/sessions/"+quiet, ""); body["status"] != "running" {
		t.Errorf("a session without requests is %v", body)
	}
	if _, body := c.Call("GET", "/me", ""); body["id"] != "u_1" {
		t.Errorf("me is %v", body)
	}
	for _, p := range []string{"/nothing", "/sessions/none", "/sessions/none/requests", "/receipts/none"} {
		if status, body := c.Call("GET", p, ""); status != 404 || faketest.At(body, "error", "code") != "NOT_FOUND" {
			t.Errorf("%s got %d %v", p, status, body)
		}
	}
	if status, body := c.As("no").Call("GET", "/me", ""); status != 401 || faketest.At(body, "error", "message") == nil {
		t.Errorf("a wrong key got %d %v", status, body)
	}
}

func TestSessionsPage(t *testing.T) {
	relay, c := start(t, werft.Options{})
	var want []string
	for i := range 5 {
		id := relay.AddSession(fake.Session{Title: "x"})
		if i != 2 {
			relay.Bash(id, "ls", "")
			want = append([]string{id}, want...)
		}
	}
	relay.SetPaging(2)
	var got []string
	cursor, pages := "", 0
	for more := true; more; pages++ {
		_, body := c.Call("GET", "/sessions?status=needs_input&limit=100&cursor="+cursor, "")
		sessions, _ := body["sessions"].([]any)
		for _, s := range sessions {
			id, _ := faketest.At(s, "session_id").(string)
			got = append(got, id)
		}
		cursor, more = body["next_cursor"].(string)
	}
	if !slices.Equal(got, want) || pages != 2 {
		t.Errorf("listed %v on %d pages, want %v", got, pages, want)
	}
	for _, query := range []string{"limit=0", "limit=101", "limit=x", "cursor=none"} {
		if status, _ := c.Call("GET", "/sessions?"+query, ""); status != 400 {
			t.Errorf("%s got %d", query, status)
		}
	}
}

func TestAnswersAreChecked(t *testing.T) {
	relay, c := start(t, werft.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	rule := relay.Bash(session, "ls", "")
	once := relay.Approve(session, "Edit", map[string]string{"path": "a.go"}, "")
	asked := relay.Questions(session, fake.Question{ID: "q_1", Text: "One?", Options: fake.Labels("a", "b")},
		fake.Question{ID: "q_2", Text: "Many?", Several: true, Options: fake.Labels("c", "d")})

	permission := func(ref fake.Ref, rest string) string {
		return `{"request_id":"` + ref.Ask + `","kind":"permission",` + rest + `}`
	}
	question := func(first, second string) string {
		return `{"request_id":"` + asked.Ask + `","kind":"question","answers":[{"question_id":"q_1",` + first + `},{"question_id":"q_2",` + second + `}]}`
	}
	const one, other, two = `"selected_option_ids":["o_11"]`, `"selected_option_ids":["o_21"]`, `"selected_option_ids":["o_22","o_21"]`
	for _, tc := range []struct {
		ref  fake.Ref
		body string
	}{
		{rule, ``},
		{rule, `{"action":"allow"}`},
		{rule, `{"request_id":"` + rule.Ask + `","kind":"question","action":"allow"}`},
		{rule, permission(once, `"action":"allow"`)},
		{rule, permission(rule, `"action":"always"`)},
		{rule, permission(rule, `"action":"allow","reason":"fine"`)},
		{rule, permission(rule, `"action":"deny","reason":""`)},
		{rule, permission(rule, `"action":"deny","remember":"session"`)},
		{rule, permission(rule, `"action":"allow","remember":"forever"`)},
		{rule, permission(rule, `"action":"allow","more":1`)},
		{rule, permission(rule, `"action":"deny","action":"allow"`)},
		{once, permission(once, `"action":"allow","remember":"session"`)},
		{asked, question(one, `"free_text":"x"`)},
		{asked, question(`"selected_option_ids":["o_11","o_12"]`, other)},
		{asked, question(`"selected_option_ids":["a"]`, other)},
		{asked, question(`"selected_option_ids":[]`, other)},
		{asked, question(one+`,"free_text":"x"`, other)},
		{asked, question(one, `"selected_option_ids":["o_21","o_21"]`)},
		{asked, strings.Replace(question(one, one), "q_2", "q_1", 1)},
		{asked, permission(asked, `"action":"allow"`)},
	} {
		if status, body := c.Call("POST", path(tc.ref), tc.body); status != 400 {
			t.Errorf("%s got %d %v", tc.body, status, body)
		}
	}
	for ref, body := range map[fake.Ref]string{
		rule:  permission(rule, `"action":"allow","remember":"session"`),
		once:  permission(once, `"action":"deny","reason":"use the cache"`),
		asked: question(`"selected_option_ids":[],"free_text":"neither"`, two),
	} {
		status, reply := c.Call("POST", path(ref), body)
		if status != 200 || reply["receipt_status"] != "accepted" || faketest.At(reply, "approval", "surface") != "api" || faketest.At(reply, "approval", "answered_by") != "Ada" {
			t.Errorf("%s got %d %v", body, status, reply)
		}
		sent := relay.Answers(ref)
		if last := sent[len(sent)-1]; last.Body != body || last.Code != "" || last.By != werft.Ada.Actor {
			t.Errorf("noted %+v", last)
		}
	}
	if _, body := c.Call("GET", "/sessions/"+session, ""); body["status"] != "running" {
		t.Errorf("with everything answered it is %v", body)
	}
}

func TestWhoMayAnswer(t *testing.T) {
	reader := fake.Key{Token: "wk_reader", Actor: fake.Actor{Type: "user", ID: "u_3", Name: "Rea"}, Scopes: []string{"sessions:control"}}
	operator := fake.Key{Token: "wk_operator", Actor: fake.Actor{Type: "user", ID: "u_4", Name: "Op"}, Operator: true, Admin: true}
	approvals := fake.Key{Token: "wk_approvals", Actor: werft.Ada.Actor}
	relay, c := start(t, werft.Options{Keys: []fake.Key{werft.Ada, werft.Grace, reader, operator, approvals}})
	own := relay.Bash(relay.AddSession(fake.Session{Title: "x", Key: werft.Ada.Token}), "ls", "")
	operated := relay.Bash(relay.AddSession(fake.Session{Title: "x", Key: operator.Token}), "ls", "")

	if status, body := c.Call("POST", path(own), allow(own)); status != 403 || faketest.At(body, "error", "code") != "self_approval" {
		t.Errorf("one's own session: %d %v", status, body)
	}
	if status, body := c.As(reader.Token).Call("POST", path(own), allow(own)); status != 403 || faketest.At(body, "error", "code") != "MISSING_SCOPE" || faketest.At(body, "error", "scope") != "sessions:approve" {
		t.Errorf("without the scope: %d %v", status, body)
	}
	if status, body := c.As(werft.Grace.Token).Call("POST", path(own), allow(own)); status != 403 || faketest.At(body, "error", "code") != "FORBIDDEN" {
		t.Errorf("neither creator nor admin: %d %v", status, body)
	}
	if status, body := c.As(approvals.Token).Call("POST", path(own), allow(own)); status != 200 {
		t.Errorf("another key of its creator: %d %v", status, body)
	}
	if status, body := c.As(operator.Token).Call("POST", path(operated), allow(operated)); status != 200 {
		t.Errorf("the operator's own session: %d %v", status, body)
	}
}

func TestTooLate(t *testing.T) {
	relay, c := start(t, werft.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	same, other, moved := relay.Bash(session, "a", ""), relay.Bash(session, "b", ""), relay.Bash(session, "c", "")
	expired := relay.Bash(session, "d", "")
	relay.AnswerAs(werft.Grace.Actor, same, fake.Allow)
	relay.AnswerAs(werft.Grace.Actor, other, fake.Deny(""))
	relay.Interrupt(moved)
	relay.SetClock(30*time.Minute + time.Second)
	for ref, want := range map[fake.Ref]string{same: "REQUEST_STALE", other: "REQUEST_CONFLICT", moved: "REQUEST_STALE", expired: "REQUEST_EXPIRED"} {
		if status, body := c.Call("POST", path(ref), allow(ref)); status != 409 || faketest.At(body, "error", "code") != want {
			t.Errorf("got %d %v, want %s", status, body, want)
		}
	}
	if e, err := relay.WaitClosed(t.Context(), expired); err != nil || e.End.How != fake.Expired {
		t.Errorf("ended as %+v, %v", e, err)
	}
}

func TestExpiryGoesByTheRelaysClock(t *testing.T) {
	relay, c := start(t, werft.Options{})
	relay.SetClock(5 * time.Hour)
	session := relay.AddSession(fake.Session{Title: "x"})
	relay.Bash(session, "ls", "")
	response, _ := c.Raw("GET", "/sessions/"+session+"/requests", "")
	_, body := c.Call("GET", "/sessions/"+session+"/requests", "")
	date, err := http.ParseTime(response.Header.Get("Date"))
	expires, err2 := time.Parse(time.RFC3339, faketest.At(body, "requests", 0, "expires_at").(string))
	if err != nil || err2 != nil || date.Before(time.Now().Add(4*time.Hour)) || expires.Sub(date) > 31*time.Minute || expires.Sub(date) < 29*time.Minute {
		t.Errorf("date %v %v, expires %v %v", date, err, expires, err2)
	}
	relay.SetClock(5*time.Hour + 31*time.Minute)
	if _, body := c.Call("GET", "/sessions?status=needs_input", ""); faketest.At(body, "sessions", 0) != nil {
		t.Errorf("after half an hour it still needs input: %v", body)
	}
}

func TestStatesInWhichNothingIsAnswered(t *testing.T) {
	relay, c := start(t, werft.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	for state, want := range map[string]string{werft.Paused: "SESSION_PAUSED", werft.Stopped: "REQUEST_STALE",
		werft.RecoveryRequired: "REQUEST_STALE", werft.Closed: "REQUEST_STALE"} {
		relay.SetAdmission(session, state)
		if status, body := c.Call("POST", path(ref), allow(ref)); status != 409 || faketest.At(body, "error", "code") != want {
			t.Errorf("%s: got %d %v, want %s", state, status, body, want)
		}
	}
}

// pause posts a pause or resume and returns the receipt's id.
func pause(c *faketest.Client, session, operation string, revision any) (int, map[string]any) {
	c.T.Helper()
	body, err := json.Marshal(map[string]any{"expected_revision": revision})
	if err != nil {
		c.T.Fatal(err)
	}
	return c.Call("POST", "/sessions/"+session+"/"+operation, string(body))
}

func TestPauseAndResume(t *testing.T) {
	relay, c := start(t, werft.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	relay.Change(session, func(n *fake.Session) { n.Title = "y" })
	now, _ := relay.Session(session)
	if status, body := pause(c, session, "pause", now.Revision-1); status != 409 || faketest.At(body, "error", "code") != "REVISION_CONFLICT" {
		t.Errorf("an old revision got %d %v", status, body)
	}
	if status, _ := c.Call("POST", "/sessions/"+session+"/pause", `{}`); status != 400 {
		t.Errorf("no revision got %d", status)
	}
	for _, step := range []struct{ operation, state string }{{"pause", werft.Paused}, {"resume", werft.Active}} {
		now, _ = relay.Session(session)
		_, taken := pause(c, session, step.operation, now.Revision)
		id, _ := taken["receipt_id"].(string)
		for _, want := range []string{"pending", "succeeded"} {
			if _, body := c.Call("GET", "/receipts/"+id, ""); body["operation"] != step.operation || body["status"] != want {
				t.Errorf("the receipt is %v, want %s", body, want)
			}
		}
		if now, _ = relay.Session(session); now.State != step.state {
			t.Errorf("after %s it is %s", step.operation, now.State)
		}
		if _, body := c.Call("GET", "/sessions?admission_state="+step.state, ""); faketest.At(body, "sessions", 0, "checkpoint_revision") != 2.0 {
			t.Errorf("after %s those that are %s are %v", step.operation, step.state, body)
		}
	}
	if status, _ := pause(c, session, "resume", now.Revision); status != 409 {
		t.Errorf("resuming what runs got %d", status)
	}
	if got := relay.Pauses(); len(got) != 2 || got[0] != "pause "+session+" succeeded" {
		t.Errorf("noted %v", got)
	}
}

func TestAPauseThatIsBlocked(t *testing.T) {
	relay, c := start(t, werft.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	now, _ := relay.Session(session)
	_, taken := pause(c, session, "pause", now.Revision)
	id, _ := taken["receipt_id"].(string)
	c.Call("GET", "/receipts/"+id, "")
	if now, _ = relay.Session(session); now.Attention != "" || now.State != werft.Active {
		t.Errorf("at once it is %+v", now)
	}
	relay.SetClock(61 * time.Second)
	if _, body := c.Call("GET", "/sessions/"+session, ""); body["attention"] != "PAUSE_BLOCKED" || body["admission_state"] != "active" {
		t.Errorf("after a minute it is %v", body)
	}
	if status, _ := c.Call("POST", path(ref), allow(ref)); status != 200 {
		t.Errorf("an answer while it is blocked got %d", status)
	}
	now, err := relay.WaitSession(t.Context(), session, func(s fake.Session) bool { return s.State == werft.Paused })
	if err != nil || now.Attention != "" {
		t.Errorf("with everything answered it is %+v, %v", now, err)
	}
}

func TestMissingControl(t *testing.T) {
	reader := fake.Key{Token: "wk_reader", Actor: fake.Actor{Type: "user", ID: "u_3", Name: "Rea"}, Scopes: []string{}}
	relay, c := start(t, werft.Options{Keys: []fake.Key{reader}, NoMe: true})
	session := relay.AddSession(fake.Session{Title: "x"})
	if status, body := pause(c, session, "pause", 1); status != 403 || faketest.At(body, "error", "scope") != "sessions:control" {
		t.Errorf("got %d %v", status, body)
	}
	if status, _ := c.Call("GET", "/me", ""); status != 404 {
		t.Errorf("me got %d", status)
	}
}
