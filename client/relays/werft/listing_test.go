package werft

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"askbox/client"
	"askbox/client/relays"
)

func sessionNamed(id string) string { return strings.Replace(oneSession, "ses_01", id, 1) }

// TestPages: every page is read, empty ones too, and none for ever.
func TestPages(t *testing.T) {
	const first = "GET /v1/sessions?limit=100&status=needs_input"
	at := func(cursor string) string { return "GET /v1/sessions?cursor=" + cursor + "&" }
	page := func(next string, ids ...string) string {
		var all []string
		for _, id := range ids {
			all = append(all, sessionNamed(id))
		}
		return `{"sessions":[` + strings.Join(all, ",") + `],"next_cursor":` + next + `}`
	}
	tests := []struct {
		name     string
		replies  map[string]string
		status   map[string]int
		asks     int
		complete bool
		fails    bool
	}{
		{"one", map[string]string{first: page(`null`, "a")}, nil, 1, true, false},
		{"an empty one between", map[string]string{first: page(`"b"`, "a", "b"), at("b"): page(`"c"`), at("c"): page(`null`, "c")}, nil, 3, true, false},
		{"a circle", map[string]string{first: page(`"b"`, "a"), at("b"): page(`"c"`, "b"), at("c"): page(`"b"`, "c")}, nil, 3, false, false},
		{"an empty cursor", map[string]string{first: page(`""`, "a")}, nil, 1, true, false},
		{"a session on two pages", map[string]string{first: page(`"b"`, "a"), at("b"): page(`null`, "a", "b")}, nil, 2, true, false},
		{"a refused cursor, twice", map[string]string{first: page(`"b"`, "a"), at("b"): `{"error":{"code":"invalid_cursor"}}`}, map[string]int{at("b"): 400}, 1, false, true},
		{"a failing page", map[string]string{first: page(`"b"`, "a"), at("b"): `{}`}, map[string]int{at("b"): 500}, 1, false, true},
		{"a cursor that is none", map[string]string{first: page(`7`, "a")}, nil, 0, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, tt.replies)
			for k, v := range tt.status {
				s.status[k] = v
			}
			for _, id := range []string{"a", "b", "c"} {
				s.replies["GET /v1/sessions/"+id+"/requests"] = `{"requests":[` + permission + `]}`
			}
			batch, err := s.relay.Open(context.Background())
			if len(batch.Asks) != tt.asks || batch.Complete != tt.complete || (err != nil) != tt.fails {
				t.Errorf("%d asks, complete %v, %q, %v", len(batch.Asks), batch.Complete, batch.Partial, err)
			}
			if !tt.complete && tt.asks > 0 && batch.Partial == "" {
				t.Error("it does not say that the list may not be whole")
			}
		})
	}
}

// TestSessionsAside: the requests of four sessions are read at a time, and one
// that fails costs itself only.
func TestSessionsAside(t *testing.T) {
	var all []string
	for i := range 10 {
		all = append(all, sessionNamed(fmt.Sprintf("s%d", i)))
	}
	s := newStand(t, map[string]string{"GET /v1/sessions?": `{"sessions":[` + strings.Join(all, ",") + `]}`})
	for i := range 10 {
		s.replies[fmt.Sprintf("GET /v1/sessions/s%d/requests", i)] = `{"requests":[` + permission + `]}`
	}
	s.reply("GET /v1/sessions/s3/requests", `{"error":{"code":"INTERNAL"}}`, 500)
	s.reply("GET /v1/sessions/s4/requests", `{"error":{"code":"NOT_FOUND"}}`, 404)
	// Each waits for three more, so that the test ends only if four run side by side.
	var mu sync.Mutex
	arrived, four := 0, make(chan struct{})
	s.hold = func(what string) {
		if !strings.Contains(what, "/requests") {
			return
		}
		mu.Lock()
		if arrived++; arrived == 4 {
			close(four)
		}
		mu.Unlock()
		<-four
	}
	batch, err := s.relay.Open(context.Background())
	if err != nil || len(batch.Asks) != 8 || batch.Complete || !strings.Contains(batch.Partial, "2 of 10 sessions") {
		t.Errorf("%d asks, complete %v, %q, %v", len(batch.Asks), batch.Complete, batch.Partial, err)
	}
	if batch.Covers == nil || batch.Covers(&client.Ask{Ref: client.Ref{Session: "s3"}}) || !batch.Covers(batch.Asks[0]) ||
		!batch.Covers(&client.Ask{Ref: client.Ref{Session: "answered"}}) {
		t.Error("it does not say that it covers all sessions but the one that failed")
	}
	if s.most > 4 {
		t.Errorf("%d ran at the same time", s.most)
	}
	s.hold = nil
	s.reply("GET /v1/sessions/s3/requests", `{"error":{"code":"x"}}`, 401)
	if _, err := s.relay.Open(context.Background()); !is[*client.TokenRefused](err) {
		t.Errorf("a refused token gave %v", err)
	}
}

// A session that waits and whose requests are not there may hold what nobody sees:
// the list is not whole, and says which session it lacks (L18, H17).
func TestSessionWithoutItsRequests(t *testing.T) {
	s := newStand(t, map[string]string{"GET /v1/sessions?": `{"sessions":[` + sessionNamed("s1") + `]}`})
	s.reply("GET /v1/sessions/s1/requests", `{"error":{"code":"NOT_FOUND"}}`, 404)
	batch, err := s.relay.Open(context.Background())
	if err != nil || batch.Complete || !strings.Contains(batch.Partial, `the requests of the session "Release 2.4"`) || !strings.Contains(batch.Partial, "the relay does not know them") {
		t.Errorf("complete %v, %q, %v", batch.Complete, batch.Partial, err)
	}
}

// TestOddItems: each costs itself, is counted, and is never answered.
func TestOddItems(t *testing.T) {
	s := newStand(t, requests(permission, `{"request_id":2,"kind":"permission"}`, `null`, `{"kind":"permission"}`,
		`{"request_id":"r4","kind":"permission","tool":["Bash"]}`, `{"request_id":"r5","kind":"permission","tool":"Bash","input":{"command":"ls"},"created_at":"yesterday"}`,
		`{"request_id":"r6","session_id":"ses_9","kind":"permission"}`, `{"request_id":"r7","kind":"PERMISSION"}`))
	batch := s.open()
	if len(batch.Asks) != 8 || !batch.Complete {
		t.Fatalf("got %d asks", len(batch.Asks))
	}
	unread, unknown := 0, 0
	for _, a := range batch.Asks {
		if a.Unreadable != "" {
			unread++
		} else if a.Kind == client.Unknown {
			unknown++
		}
	}
	if unread != 5 || unknown != 1 {
		t.Errorf("%d could not be read and %d are not known", unread, unknown)
	}
	again := s.open()
	for i := range again.Asks {
		if again.Asks[i].Ref != batch.Asks[i].Ref {
			t.Errorf("%s is %s at the next poll", batch.Asks[i].Ref, again.Asks[i].Ref)
		}
	}
	if again.Asks[0] != batch.Asks[0] {
		t.Error("what did not change was read anew")
	}
	twice := newStand(t, requests(permission, strings.Replace(permission, "rm -rf build", "rm -rf ~", 1))).only()
	if twice.Unreadable == "" {
		t.Error("of two requests with one id one was believed")
	}
	odd := newStand(t, map[string]string{"GET /v1/sessions?": `{"sessions":[{"session_id":5},"x"]}`}).open()
	if len(odd.Asks) != 2 || odd.Asks[0].Unreadable == "" {
		t.Errorf("sessions that cannot be read: %+v", odd.Asks)
	}
}

func TestStarters(t *testing.T) {
	tests := []struct {
		by, me, configured string
		want               client.Starter
	}{
		{`{"type":"user","id":"u_1"}`, `{"id":"u_1"}`, "", client.StarterMe},
		{`{"type":"user","id":"u_2"}`, `{"id":"u_1"}`, "", client.StarterPerson},
		{`{"type":"agent","id":"u_1"}`, `{"id":"u_1"}`, "", client.StarterAgent},
		{`{"type":"user","id":"u_2"}`, ``, "u_2", client.StarterMe},
		{`{"type":"user","id":"u_2"}`, `{"id":"key_9","name":"approvals key"}`, "u_2", client.StarterMe},
		{`{"id":"u_1","name":"Ada"}`, `{"id":"u_1","name":"Ada"}`, "", client.StarterMe},
		{`{"type":"user","id":"u_2"}`, ``, "", client.StarterUnknown},
		{`null`, `{"id":"u_1"}`, "", client.StarterUnknown},
		{`{"type":"user","id":""}`, ``, "", client.StarterUnknown},
	}
	for _, tt := range tests {
		s := newStand(t, map[string]string{"GET /v1/sessions?": `{"sessions":[` + strings.Replace(oneSession, `{"type":"user","id":"u_1","name":"Ada"}`, tt.by, 1) + `]}`})
		s.relay.who = relays.NewIdentity(tt.configured, s.relay.readMe)
		if s.replies["GET /v1/me"] = tt.me; tt.me == "" {
			delete(s.replies, "GET /v1/me")
		}
		if got := s.only().Session.Starter; got != tt.want {
			t.Errorf("%+v: got %v", tt, got)
		}
	}
}

func TestAboutAndStrangers(t *testing.T) {
	s := newStand(t, nil)
	about, err := s.relay.About(context.Background())
	if err != nil || about.Who.Raw() != "Ada" || about.Kind != "werft" || about.Auth != "key" ||
		len(about.May) != 1 || !strings.Contains(about.May[0], "sessions:approve") {
		t.Errorf("got %+v, %v", about, err)
	}
	for says, replies := range map[string]map[string]string{
		"OpenComputer":           {"GET /sessions": `{"sessions":[]}`},
		"OAR":                    {"GET /api/relay/identity": `{"relayId":"r"}`},
		"nothing of Werft":       {"GET /other": `{}`},
		"without a list of sess": {"GET /v1/sessions?": `{"items":[]}`},
	} {
		s := newStand(t, nil)
		s.replies = replies
		if _, err := s.relay.Open(context.Background()); !is[*client.NotRelay](err) || !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("want %q, got %v", says, err)
		}
		if _, err := s.relay.About(context.Background()); err == nil {
			t.Errorf("%s: about said that all is well", says)
		}
	}
	if batch, err := s.relay.Closed(context.Background(), now); err != nil || len(batch.Asks) != 0 {
		t.Errorf("closed: %+v, %v", batch, err)
	}
}
