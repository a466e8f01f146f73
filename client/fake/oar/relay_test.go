package oar_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/faketest"
	"askbox/client/fake/oar"
)

func TestWhatAClientMustNeverSend(t *testing.T) {
	relay, c := start(t, oar.Options{})
	conversation := relay.AddSession(fake.Session{Title: "x"})
	card := relay.Question(conversation, "?")
	answer := `{"answer":"yes","sdk_session_id":"` + conversation + `"}`
	path := "/api/relay-question/" + card.Ask + "/answer"
	for _, tc := range []struct {
		c          *faketest.Client
		path, body string
	}{
		{c.With("X-OAR-Remote-Relay", "build-box"), path, answer},
		{c.With("Cookie", "copilot_auth="+relay.Token()), path, answer},
		{c, path + "?token=" + relay.Token(), answer},
		{c, path, strings.Replace(answer, "{", `{"origin":{"kind":"agent"},`, 1)},
		{c, path, strings.Replace(answer, "{", `{"actionId":"x",`, 1)},
		{c.With("Content-Type", "text/plain"), path, answer},
	} {
		before := len(relay.Violations())
		if status, body := tc.c.Call("POST", tc.path, tc.body); status != 400 {
			t.Errorf("%s with %v got %d %v", tc.body, tc.c.Header, status, body)
		}
		if got := relay.Violations(); len(got) != before+1 {
			t.Errorf("%s with %v was not noted: %v", tc.body, tc.c.Header, got)
		}
	}
	if got, _ := relay.Ask(card); got.Status != "pending" {
		t.Errorf("one of them counted: %+v", got)
	}
	if status, _ := c.Call("POST", path, answer); status != 200 || len(relay.Violations()) != 6 {
		t.Errorf("a right answer got %d, %v", status, relay.Violations())
	}
}

func TestEveryReplyRepeatsTheTokenInACookie(t *testing.T) {
	relay, c := start(t, oar.Options{})
	for _, path := range []string{"/api/relay/identity", "/api/nothing", "/"} {
		response, _ := c.Raw("GET", path, "")
		if got := response.Header.Get("Set-Cookie"); !strings.Contains(got, relay.Token()) {
			t.Errorf("%s sets the cookie %q", path, got)
		}
	}
}

func TestUnknownPathsAndBrokenJSONAnswerPages(t *testing.T) {
	relay, c := start(t, oar.Options{NoIdentity: true, NoAsks: true})
	card := relay.Question(relay.AddSession(fake.Session{Title: "x"}), "?")
	for _, tc := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/api/nothing", "", 404},
		{"GET", "/api/relay/identity", "", 404},
		{"GET", "/api/asks?status=pending", "", 404},
		{"POST", "/api/ask/x/answer", `{"answer":"x"}`, 404},
		{"POST", "/api/relay-question/" + card.Ask + "/answer", `{"answer":`, 400},
		{"POST", "/api/relay-question/" + card.Ask + "/answer", `"yes"`, 400},
	} {
		response, body := c.Raw(tc.method, tc.path, tc.body)
		if response.StatusCode != tc.status || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s %s got %d %s", tc.method, tc.path, response.StatusCode, body)
		}
	}
	if status, body := c.With("Authorization", "Bearer no").Call("GET", "/api/relay-questions?status=pending", ""); status != 401 || body["error"] != "Unauthorized" {
		t.Errorf("a wrong token got %d %v", status, body)
	}
	relay.SetAsks(true)
	if status, _ := c.Call("GET", "/api/asks?status=pending", ""); status != 200 {
		t.Errorf("with asks switched on: %d", status)
	}
}

func TestConversationsPageWithACursorOnTheLastPage(t *testing.T) {
	relay, c := start(t, oar.Options{})
	var want []string
	now := relay.Now()
	for i := range 5 {
		id := relay.AddSession(fake.Session{ID: fmt.Sprint("c", i), Title: "x", CreatedAt: now.Add(-time.Duration(i/2) * time.Minute)})
		want = append(want, id)
	}
	slices.SortStableFunc(want[0:2], func(x, y string) int { return strings.Compare(y, x) })
	slices.SortStableFunc(want[2:4], func(x, y string) int { return strings.Compare(y, x) })
	var got []string
	query := "limit=2"
	for range 3 {
		_, body := c.Call("GET", "/api/conversations?"+query, "")
		got = append(got, ids(body["conversations"])...)
		if more, left := faketest.At(body, "pageInfo", "hasMore"), len(got) < 5; more != left {
			t.Errorf("after %d of 5 hasMore is %v", len(got), more)
		}
		id, _ := faketest.At(body, "pageInfo", "nextCursor", "beforeConversationId").(string)
		before, _ := faketest.At(body, "pageInfo", "nextCursor", "beforeUpdatedAt").(string)
		if id != got[len(got)-1] {
			t.Errorf("the cursor points behind %q", id)
		}
		query = "limit=2&beforeConversationId=" + id + "&beforeUpdatedAt=" + url.QueryEscape(before)
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	relay.RemoveSession("c0")
	if status, _ := c.Call("GET", "/api/conversation/c0?limit=1", ""); status != 404 {
		t.Errorf("a removed session got %d", status)
	}
	if _, body := c.Call("GET", "/api/conversation/c1?limit=1", ""); faketest.At(body, "conversation", "id") != "c1" {
		t.Errorf("one session is %v", body)
	}
}

func TestAsks(t *testing.T) {
	relay, c := start(t, oar.Options{Name: "home"})
	conversation := relay.AddSession(fake.Session{Title: "Release notes"})
	ship := oar.Ask{Question: "Ship today?", Options: []string{"Yes", "Tomorrow"}, Recommended: "Tomorrow", Now: true}
	first, second := relay.OpenAsk(conversation, ship), relay.OpenAsk(conversation, ship)
	third, fourth := relay.OpenAsk(conversation, ship), relay.OpenAsk(conversation, ship)

	_, body := c.Call("GET", "/api/asks?status=pending", "")
	if got := ids(body["asks"]); !slices.Equal(got, []string{first.Ask, second.Ask, third.Ask, fourth.Ask}) {
		t.Fatalf("listed %v", got)
	}
	if a := faketest.At(body, "asks", 0); faketest.At(a, "relayId") != relay.RelayID() || faketest.At(a, "conversationTitle") != "Release notes" || faketest.At(a, "urgency") != "now" || faketest.At(a, "closedAt") != nil {
		t.Errorf("the ask is %v", a)
	}
	for _, wrong := range []string{`{}`, `{"answer":" "}`, `{"option":"Never"}`, `{"answer":"Yes","option":"Yes"}`} {
		if status, reply := c.Call("POST", "/api/ask/"+first.Ask+"/answer", wrong); status != 400 {
			t.Errorf("%s got %d %v", wrong, status, reply)
		}
	}
	since := url.QueryEscape(relay.Now().Add(-time.Minute).Format(time.RFC3339))
	if status, reply := c.Call("POST", "/api/ask/"+first.Ask+"/answer", `{"option":"Yes"}`); status != 200 || faketest.At(reply, "ask", "option") != "Yes" || faketest.At(reply, "ask", "answeredOn") != "home" {
		t.Errorf("an option got %d %v", status, reply)
	}
	if status, reply := c.Call("POST", "/api/ask/"+second.Ask+"/dismiss", ""); status != 200 || faketest.At(reply, "ask", "status") != "dismissed" {
		t.Errorf("a dismissal got %d %v", status, reply)
	}
	relay.Interrupt(third)
	moved := relay.Compact(conversation)
	if a, _ := relay.Ask(fourth); a.Session != moved || !a.Open() {
		t.Errorf("after a compaction it is %+v", a)
	}
	relay.RemoveSession(moved)
	for id, want := range map[fake.Ref]string{first: "answered", second: "dismissed", third: "withdrawn", fourth: "ended"} {
		status, reply := c.Call("POST", "/api/ask/"+id.Ask+"/answer", `{"answer":"late"}`)
		if status != 409 || reply["error"] != "Ask already "+want || faketest.At(reply, "ask", "status") != want {
			t.Errorf("a late answer got %d %v, want %s", status, reply, want)
		}
	}
	if _, body := c.Call("GET", "/api/asks?status=closed&since="+since, ""); len(ids(body["asks"])) != 4 {
		t.Errorf("closed are %v", body)
	}
}

func TestAsksOfPairedRelays(t *testing.T) {
	here, c := start(t, oar.Options{Name: "home"})
	there, other := start(t, oar.Options{Name: "build-box"})
	here.Pair(there)
	there.Pair(here)
	ask := there.OpenAsk(there.AddSession(fake.Session{Title: "Nightly build"}), oar.Ask{Question: "Again?", Options: []string{"Yes"}})
	there.Question("c1", "A card is not carried")

	_, body := c.Call("GET", "/api/asks?status=pending", "")
	if faketest.At(body, "asks", 0, "id") != ask.Ask || faketest.At(body, "asks", 0, "relayId") != there.RelayID() ||
		faketest.At(body, "relays", 0, "name") != "build-box" || faketest.At(body, "relays", 0, "reachable") != true || faketest.At(body, "relays", 0, "error") != nil {
		t.Fatalf("while it is up: %v", body)
	}
	if _, cards := c.Call("GET", "/api/relay-questions?status=pending", ""); len(ids(cards["questions"])) != 0 {
		t.Errorf("cards were carried: %v", cards)
	}
	if err := there.Down(); err != nil {
		t.Fatal(err)
	}
	_, body = c.Call("GET", "/api/asks?status=pending", "")
	if len(ids(body["asks"])) != 0 || faketest.At(body, "relays", 0, "reachable") != false || faketest.At(body, "relays", 0, "error") != "Not reachable (ECONNREFUSED)" {
		t.Errorf("while it is down: %v", body)
	}
	if status, reply := c.Call("POST", "/api/ask/"+ask.Ask+"/answer", `{"option":"Yes"}`); status != 502 {
		t.Errorf("an answer while it is down got %d %v", status, reply)
	}
	_, body = c.Call("GET", "/api/remote-relays", "")
	if r := faketest.At(body, "relays", 0); faketest.At(r, "lastStatus") != "offline" || faketest.At(r, "lastSeenAt") == nil || faketest.At(body, "self", "relayId") != here.RelayID() {
		t.Errorf("remote relays: %v", body)
	}
	if err := there.Up(); err != nil {
		t.Fatal(err)
	}
	if status, reply := c.Call("POST", "/api/ask/"+ask.Ask+"/answer", `{"option":"Yes"}`); status != 200 || faketest.At(reply, "ask", "answeredOn") != "home" {
		t.Errorf("an answer through the other relay got %d %v", status, reply)
	}
	if status, _ := other.Call("POST", "/api/ask/"+ask.Ask+"/answer", `{"option":"Yes"}`); status != 409 {
		t.Errorf("a second answer got %d", status)
	}
	here.Unpair(there)
	if _, body = c.Call("GET", "/api/asks?status=pending", ""); faketest.At(body, "relays", 0) != nil {
		t.Errorf("after the pairing was removed: %v", body)
	}
}
