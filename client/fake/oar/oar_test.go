package oar_test

import (
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"askbox/client/fake"
	"askbox/client/fake/faketest"
	"askbox/client/fake/oar"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, o oar.Options) (*oar.Server, *faketest.Client) {
	t.Helper()
	relay, err := oar.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	c := faketest.New(t, nil, relay.URL(), relay.Token(), relay.Close)
	return relay, c.With("Content-Type", "application/json")
}

// ids returns the ids of a list in a decoded body.
func ids(v any) []string {
	items, _ := v.([]any)
	out := []string{}
	for _, item := range items {
		id, _ := faketest.At(item, "id").(string)
		out = append(out, id)
	}
	return out
}

func TestListsCardsOfOneStatusOldestFirst(t *testing.T) {
	relay, c := start(t, oar.Options{Prefix: "/oar"})
	conversation := relay.AddSession(fake.Session{Title: "Release notes"})
	newer := relay.Question(conversation, "Which database?", "Postgres", "SQLite")
	older := relay.Open(conversation, fake.Ask{OpenedAt: relay.Now().Add(-time.Hour), Wire: &oar.Card{Prompt: "Go on?", NoSDKSession: true}})

	_, body := c.Call("GET", "/api/relay-questions?status=pending", "")
	if got := ids(body["questions"]); !slices.Equal(got, []string{older.Ask, newer.Ask}) {
		t.Fatalf("listed %v, want %v before %v", got, older, newer)
	}
	card := faketest.At(body, "questions", 1)
	created, _ := faketest.At(card, "createdAt").(string)
	if _, err := time.Parse("2006-01-02T15:04:05.000Z", created); err != nil {
		t.Errorf("createdAt has no milliseconds in UTC: %v", err)
	}
	if faketest.At(card, "sdkSessionId") != conversation || faketest.At(card, "context", "source") != oar.AskUserQuestion ||
		faketest.At(card, "answer") != nil || faketest.At(card, "answeredAt") != nil || faketest.At(card, "requestSchema") != nil ||
		faketest.At(card, "queueId") == nil || faketest.At(card, "context", "conversationId") != conversation {
		t.Errorf("the card is %v", card)
	}
	if faketest.At(body, "questions", 0, "sdkSessionId") != nil {
		t.Error("a card without a session has one")
	}
	if _, body := c.Call("GET", "/api/relay-questions?status=pending&conversationId=other", ""); len(ids(body["questions"])) != 0 {
		t.Errorf("cards of another conversation are %v", body)
	}
	for _, query := range []string{"", "?status=all", "?status=pending,answered"} {
		if status, _ := c.Call("GET", "/api/relay-questions"+query, ""); status != 400 {
			t.Errorf("%q got %d", query, status)
		}
	}
}

func TestCardsTakeAnyTextAndCheckWhoAnswers(t *testing.T) {
	relay, c := start(t, oar.Options{})
	conversation := relay.AddSession(fake.Session{Title: "x"})
	card := relay.Approval(conversation, oar.RemoteRelay, "Allow it?")
	path := "/api/relay-question/" + card.Ask
	for _, tc := range []struct {
		path, body string
		status     int
		message    string
	}{
		{path, `{"answer":"Allow"}`, 403, "session mismatch"},
		{path, `{"answer":"Allow","sdk_session_id":"other"}`, 403, "session mismatch"},
		{path, `{"answer":"  ","sdk_session_id":"` + conversation + `"}`, 400, "Empty answer"},
		{path, `{"sdk_session_id":"` + conversation + `"}`, 400, "Empty answer"},
		{"/api/relay-question/none", `{"answer":"Allow"}`, 404, "Not found"},
	} {
		status, body := c.Call("POST", tc.path+"/answer", tc.body)
		if status != tc.status || body["error"] != tc.message {
			t.Errorf("%s: got %d %v, want %d %s", tc.body, status, body, tc.status, tc.message)
		}
		if tc.message == "session mismatch" && body["expectedSessionId"] != conversation {
			t.Errorf("the expected session is %v", body)
		}
	}
	// Neither a choice nor allowed as text: the relay takes it all the same.
	body := `{"answer":"perhaps","sdk_session_id":"` + conversation + `"}`
	status, reply := c.Call("POST", path+"/answer", body)
	if status != 200 || reply["ok"] != true || faketest.At(reply, "question", "answer") != "perhaps" || faketest.At(reply, "question", "answeredAt") == nil {
		t.Errorf("got %d %v", status, reply)
	}
	if status, reply = c.Call("POST", path+"/answer", body); status != 409 || reply["error"] != "Question already answered" {
		t.Errorf("a second answer got %d %v", status, reply)
	}
	sent := relay.Answers(card)
	if len(sent) != 6 || sent[4].Body != body || sent[4].Code != "" || sent[5].Code == "" {
		t.Errorf("noted %+v", sent)
	}
	end, err := relay.WaitClosed(t.Context(), card)
	if err != nil || end.Status != "answered" || oar.Text(end) != "perhaps" || end.End.Decision != "deny" {
		t.Errorf("ended as %+v, %v", end, err)
	}
}

func TestWhatReadsAsAnApproval(t *testing.T) {
	relay, c := start(t, oar.Options{})
	conversation := relay.AddSession(fake.Session{Title: "x"})
	for _, tc := range []struct {
		source, answer string
		want           bool
	}{
		{oar.OnPermissionRequest, "Approve", true},
		{oar.OnPermissionRequest, " APPROVE ", true},
		{oar.OnPermissionRequest, "not yet", false},
		{oar.RemoteRelay, "Allow", true},
		{oar.ClaudeCloudPermission, "Deny", false},
		{oar.AskUserQuestion, "Allow", false},
		{"newSource", "Allow", true},
	} {
		card := relay.Approval(conversation, tc.source, "?")
		body := fake.Marshal(map[string]string{"answer": tc.answer, "sdk_session_id": conversation})
		c.Call("POST", "/api/relay-question/"+card.Ask+"/answer", string(body))
		if a, _ := relay.Ask(card); oar.Text(a) != tc.answer || (a.End.Decision == "allow") != tc.want {
			t.Errorf("%q to %s is an approval: %v", tc.answer, tc.source, !tc.want)
		}
	}
}

func TestFormsAreChecked(t *testing.T) {
	relay, c := start(t, oar.Options{})
	conversation := relay.AddSession(fake.Session{Title: "x"})
	const schema = `{"type":"object","required":["env","count"],"properties":{
		"env":{"type":"string","enum":["staging","production"]},"count":{"type":"integer","minimum":1,"maximum":5},
		"share":{"type":"number"},"note":{"type":"string","maxLength":5},"dry":{"type":"boolean"},
		"parts":{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1}}}`
	card := relay.Form(conversation, "Deploy where?", schema)
	post := func(body string) (int, map[string]any) {
		return c.Call("POST", "/api/relay-question/"+card.Ask+"/answer", `{"sdk_session_id":"`+conversation+`",`+body+`}`)
	}
	for _, body := range []string{`"answer":"staging"`, `"structuredAnswer":null`, `"structuredAnswer":"staging"`} {
		if status, reply := post(body); status != 400 || reply["error"] != "Structured answer required" {
			t.Errorf("%s got %d %v", body, status, reply)
		}
	}
	for body, fields := range map[string][]string{
		`{}`:                                                 {"count", "env"},
		`{"env":"Staging","count":1}`:                        {"env"},
		`{"env":"staging","count":"1"}`:                      {"count"},
		`{"env":"staging","count":1.5}`:                      {"count"},
		`{"env":"staging","count":6}`:                        {"count"},
		`{"env":"staging","count":1,"dry":"yes"}`:            {"dry"},
		`{"env":"staging","count":1,"note":""}`:              {"note"},
		`{"env":"staging","count":1,"note":"too long"}`:      {"note"},
		`{"env":"staging","count":1,"parts":["a","c"]}`:      {"parts"},
		`{"env":"staging","count":1,"parts":["a","a"]}`:      {"parts"},
		`{"env":"staging","count":1,"parts":[]}`:             {"parts"},
		`{"env":"staging","count":1,"share":"0.5","more":1}`: {"share", "more"},
	} {
		status, reply := post(`"structuredAnswer":` + body)
		faults, _ := reply["fields"].([]any)
		var names []string
		for _, f := range faults {
			name, _ := faketest.At(f, "name").(string)
			names = append(names, name)
			if message, _ := faketest.At(f, "message").(string); message == "" {
				t.Errorf("%s: no message for %s", body, name)
			}
		}
		if status != 400 || reply["error"] != "Invalid structured answer" || !slices.Equal(names, fields) {
			t.Errorf("%s got %d %v, want faults at %v", body, status, reply, fields)
		}
	}
	const whole = `{"env":"staging","count":3,"share":0.5,"note":"äöüäö","dry":false,"parts":["b","a"]}`
	if status, reply := post(`"structuredAnswer":` + whole); status != 200 || faketest.At(reply, "question", "structuredAnswer", "count") != 3.0 {
		t.Errorf("a right form got %d %v", status, reply)
	}
}

func TestTimeoutSaysOkWhateverWasFirst(t *testing.T) {
	relay, c := start(t, oar.Options{})
	conversation := relay.AddSession(fake.Session{Title: "x"})
	open, taken := relay.Question(conversation, "?"), relay.Approval(conversation, oar.RemoteRelay, "?")
	relay.AnswerAs(fake.Actor{}, taken, fake.Allow)
	for card, want := range map[fake.Ref]string{open: "timed_out", taken: "answered"} {
		status, reply := c.Call("POST", "/api/relay-question/"+card.Ask+"/timeout", "")
		if status != 200 || reply["ok"] != true || faketest.At(reply, "question", "status") != want ||
			(faketest.At(reply, "question", "answeredAt") == nil) != (want == "timed_out") {
			t.Errorf("got %d %v, want %s", status, reply, want)
		}
	}
}

func TestCardsStayPendingForAWhileBehindTheirExpiry(t *testing.T) {
	relay, c := start(t, oar.Options{})
	conversation := relay.AddSession(fake.Session{Title: "x"})
	now := relay.Now()
	card := relay.Open(conversation, fake.Ask{ExpiresAt: now.Add(time.Minute), Wire: &oar.Card{Prompt: "?"}})
	answer := `{"answer":"yes","sdk_session_id":"` + conversation + `"}`

	relay.SetClock(62 * time.Second)
	if _, body := c.Call("GET", "/api/relay-question/"+card.Ask, ""); faketest.At(body, "question", "status") != "pending" {
		t.Errorf("just behind its expiry it is %v", body)
	}
	relay.SetClock(70 * time.Second)
	if status, body := c.Call("POST", "/api/relay-question/"+card.Ask+"/answer", answer); status != 409 || body["error"] != "Question already timed_out" {
		t.Errorf("long behind its expiry it gives %d %v", status, body)
	}
	cancelled := relay.Question(conversation, "?")
	relay.Interrupt(cancelled)
	if status, body := c.Call("POST", "/api/relay-question/"+cancelled.Ask+"/answer", answer); status != 409 || body["error"] != "Question already cancelled" {
		t.Errorf("a cancelled card gives %d %v", status, body)
	}
}

func TestBoards(t *testing.T) {
	relay, c := start(t, oar.Options{})
	session := relay.AddSession(fake.Session{Title: "x"})
	_, body := c.Call("GET", "/api/relay-boards?status=pending", "")
	if len(ids(body["boards"])) != 0 {
		t.Fatalf("listed %v", body)
	}
	for _, tc := range []struct {
		action, status string
		queued         bool
	}{{"autopilot", "acted", true}, {"interactive", "acted", true}, {"exit_only", "dismissed", false}, {"other", "acted", false}} {
		board := relay.OpenBoard(session, oar.Board{Title: "Plan ready", Body: "1. Go", Actions: append(oar.PlanActions(), oar.Action{ID: "other"})})
		_, body := c.Call("GET", "/api/relay-boards?status=pending", "")
		b := faketest.At(body, "boards", 0)
		if faketest.At(b, "id") != board.Ask || faketest.At(b, "actions", 2, "id") != "exit_only" || faketest.At(b, "recommendedAction") != nil || faketest.At(b, "actedAt") != nil {
			t.Fatalf("listed %v", body)
		}
		act := "/api/relay-board/" + board.Ask + "/action"
		for _, wrong := range []string{`{}`, `{"actionId":"Implement in autopilot"}`} {
			if status, reply := c.Call("POST", act, wrong); status != 400 || reply["error"] != "Unknown board action" {
				t.Errorf("%s got %d %v", wrong, status, reply)
			}
		}
		status, reply := c.Call("POST", act, `{"actionId":"`+tc.action+`"}`)
		b = faketest.At(reply, "board")
		if status != 200 || faketest.At(b, "status") != tc.status || faketest.At(b, "selectedAction") != tc.action || faketest.At(b, "actedAt") == nil ||
			(reply["queuedMessageId"] != nil) != tc.queued {
			t.Errorf("%s got %d %v", tc.action, status, reply)
		}
		if status, reply := c.Call("POST", act, `{"actionId":"autopilot"}`); status != 409 || reply["error"] != "Board already "+tc.status {
			t.Errorf("a second action got %d %v", status, reply)
		}
	}
}

// What the words of the store become here.
func TestShapes(t *testing.T) {
	relay, c := start(t, oar.Options{})
	session := relay.AddSession(fake.Session{Title: "x", CreatedBy: fake.Actor{Type: "agent", Name: "lead"}, Parent: "c0"})
	relay.Bash(session, "make", "build it")
	relay.Edit(session, "a.go", "", "package a")
	relay.Questions(session, fake.Question{Text: "Which?", Options: []fake.Option{{Label: "a", Description: "first"}, {Label: "b"}}, Several: true})
	relay.Plan(session, "1. Go")
	_, body := c.Call("GET", "/api/relay-questions?status=pending", "")
	for i, want := range []struct{ prompt, source string }{{"Copilot wants to run:\nmake\n\nApprove this action?", oar.OnPermissionRequest},
		{"Claude Cloud asks for permission to use Write.\n\na.go\n\npackage a", oar.ClaudeCloudPermission}, {"Which?\n\n- a: first", oar.AskUserQuestion}} {
		if card := faketest.At(body, "questions", i); faketest.At(card, "prompt") != want.prompt || faketest.At(card, "context", "source") != want.source {
			t.Errorf("card %d is %v", i, card)
		}
	}
	if _, body := c.Call("GET", "/api/relay-boards?status=pending", ""); faketest.At(body, "boards", 0, "body") != "1. Go" {
		t.Errorf("the board is %v", body)
	}
	if _, body := c.Call("GET", "/api/conversation/"+session+"?limit=1", ""); faketest.At(body, "conversation", "origin", "conversationTitle") != "lead" {
		t.Errorf("the session is %v", body)
	}
}
