package oar_test

import (
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

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
	conversation := relay.AddConversation(oar.Conversation{Title: "Release notes"})
	newer := relay.Question(conversation, "Which database?", "Postgres", "SQLite")
	older := relay.OpenCard(conversation, oar.Card{Prompt: "Go on?", CreatedAt: relay.Now().Add(-time.Hour), NoSDKSession: true})

	_, body := c.Call("GET", "/api/relay-questions?status=pending", "")
	if got := ids(body["questions"]); !slices.Equal(got, []string{older, newer}) {
		t.Fatalf("listed %v, want %v before %v", got, older, newer)
	}
	card := faketest.At(body, "questions", 1)
	created, _ := faketest.At(card, "createdAt").(string)
	if _, err := time.Parse("2006-01-02T15:04:05.000Z", created); err != nil {
		t.Errorf("createdAt has no milliseconds in UTC: %v", err)
	}
	if faketest.At(card, "sdkSessionId") != conversation || faketest.At(card, "context", "source") != oar.AskUserQuestion ||
		faketest.At(card, "answer") != nil || faketest.At(card, "answeredAt") != nil || faketest.At(card, "requestSchema") != nil {
		t.Errorf("the card is %v", card)
	}
	if faketest.At(body, "questions", 0, "sdkSessionId") != nil {
		t.Error("a card without a session has one")
	}
	for _, query := range []string{"", "?status=all", "?status=pending,answered"} {
		if status, _ := c.Call("GET", "/api/relay-questions"+query, ""); status != 400 {
			t.Errorf("%q got %d", query, status)
		}
	}
}

func TestCardsTakeAnyTextAndCheckWhoAnswers(t *testing.T) {
	relay, c := start(t, oar.Options{})
	conversation := relay.AddConversation(oar.Conversation{Title: "x"})
	card := relay.Approval(conversation, oar.RemoteRelay, "Allow it?")
	path := "/api/relay-question/" + card
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
	sent := relay.Sent(card)
	if len(sent) != 6 || sent[4].Body != body || sent[4].Error != "" || sent[5].Error == "" {
		t.Errorf("noted %+v", sent)
	}
	end, err := relay.WaitClosed(t.Context(), card)
	if err != nil || end.Status != "answered" || end.Answer != "perhaps" || end.Approved {
		t.Errorf("ended as %+v, %v", end, err)
	}
}

func TestWhatReadsAsAnApproval(t *testing.T) {
	relay, _ := start(t, oar.Options{})
	conversation := relay.AddConversation(oar.Conversation{Title: "x"})
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
		relay.AnswerCard(card, tc.answer)
		if c, _ := relay.Card(card); c.Approved() != tc.want {
			t.Errorf("%q to %s is an approval: %v", tc.answer, tc.source, !tc.want)
		}
	}
}

func TestFormsAreChecked(t *testing.T) {
	relay, c := start(t, oar.Options{})
	conversation := relay.AddConversation(oar.Conversation{Title: "x"})
	const schema = `{"type":"object","required":["env","count"],"properties":{
		"env":{"type":"string","enum":["staging","production"]},"count":{"type":"integer","minimum":1,"maximum":5},
		"share":{"type":"number"},"note":{"type":"string","maxLength":5},"dry":{"type":"boolean"},
		"parts":{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1}}}`
	card := relay.Form(conversation, "Deploy where?", schema)
	post := func(body string) (int, map[string]any) {
		return c.Call("POST", "/api/relay-question/"+card+"/answer", `{"sdk_session_id":"`+conversation+`",`+body+`}`)
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
	conversation := relay.AddConversation(oar.Conversation{Title: "x"})
	open, taken := relay.Question(conversation, "?"), relay.Approval(conversation, oar.RemoteRelay, "?")
	relay.AnswerCard(taken, "Allow")
	for card, want := range map[string]string{open: "timed_out", taken: "answered"} {
		status, reply := c.Call("POST", "/api/relay-question/"+card+"/timeout", "")
		if status != 200 || reply["ok"] != true || faketest.At(reply, "question", "status") != want {
			t.Errorf("got %d %v, want %s", status, reply, want)
		}
	}
	if card, _ := relay.Card(open); !card.AnsweredAt.IsZero() {
		t.Error("a card that timed out says when it was answered")
	}
}

func TestCardsStayPendingForAWhileBehindTheirExpiry(t *testing.T) {
	relay, c := start(t, oar.Options{})
	conversation := relay.AddConversation(oar.Conversation{Title: "x"})
	now := relay.Now()
	card := relay.OpenCard(conversation, oar.Card{Prompt: "?", ExpiresAt: now.Add(time.Minute)})
	answer := `{"answer":"yes","sdk_session_id":"` + conversation + `"}`

	relay.SetClock(62 * time.Second)
	if _, body := c.Call("GET", "/api/relay-question/"+card, ""); faketest.At(body, "question", "status") != "pending" {
		t.Errorf("just behind its expiry it is %v", body)
	}
	relay.SetClock(70 * time.Second)
	if status, body := c.Call("POST", "/api/relay-question/"+card+"/answer", answer); status != 409 || body["error"] != "Question already timed_out" {
		t.Errorf("long behind its expiry it gives %d %v", status, body)
	}
	cancelled := relay.Question(conversation, "?")
	relay.Cancel(cancelled)
	if status, body := c.Call("POST", "/api/relay-question/"+cancelled+"/answer", answer); status != 409 || body["error"] != "Question already cancelled" {
		t.Errorf("a cancelled card gives %d %v", status, body)
	}
}

func TestBoards(t *testing.T) {
	relay, c := start(t, oar.Options{})
	conversation := relay.AddConversation(oar.Conversation{Title: "x"})
	board := relay.Plan(conversation, "Plan ready", "1. Go")
	_, body := c.Call("GET", "/api/relay-boards?status=pending", "")
	if faketest.At(body, "boards", 0, "id") != board || faketest.At(body, "boards", 0, "actions", 2, "id") != "autopilot" || faketest.At(body, "boards", 0, "recommendedAction") != nil {
		t.Fatalf("listed %v", body)
	}
	act := "/api/relay-board/" + board + "/action"
	for _, wrong := range []string{`{}`, `{"actionId":"Implement in autopilot"}`} {
		if status, reply := c.Call("POST", act, wrong); status != 400 {
			t.Errorf("%s got %d %v", wrong, status, reply)
		}
	}
	if status, reply := c.Call("POST", act, `{"actionId":"interactive"}`); status != 200 || faketest.At(reply, "board", "status") != "acted" {
		t.Errorf("got %d %v", status, reply)
	}
	if status, reply := c.Call("POST", act, `{"actionId":"autopilot"}`); status != 409 || reply["error"] != "Board already acted" {
		t.Errorf("a second action got %d %v", status, reply)
	}
	if b, _ := relay.Board(board); b.Acted != "interactive" {
		t.Errorf("%q was done", b.Acted)
	}
}

func TestAnsweredListingHasNoEnd(t *testing.T) {
	relay, c := start(t, oar.Options{})
	relay.FillAnswered(relay.AddConversation(oar.Conversation{Title: "x"}), 3000, 5000)
	response, body := c.Raw("GET", "/api/relay-questions?status=answered", "")
	if response.StatusCode != 200 || len(body) < 15_000_000 || !jsontext.Value(body).IsValid() {
		t.Errorf("got %d and %d bytes", response.StatusCode, len(body))
	}
}
