package oar

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"askbox/client"
)

func merge(all ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range all {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

func conversations(all ...string) map[string]string {
	return map[string]string{"GET /api/conversations": `{"conversations":[` + strings.Join(all, ",") + `],"pageInfo":{"hasMore":false,"nextCursor":{"beforeConversationId":"x","beforeUpdatedAt":"y"}}}`}
}

// TestSessions: who started a session, where it came from, and nothing of what
// somebody typed there (F12).
func TestSessions(t *testing.T) {
	hostile := `{"id":"c4","title":"fix\u202e\nApproved","draftText":"my unsent words","origin":{"kind":"agent","relayId":"r",
		"relayName":"workstation\u001b[2K (this relay)","conversationTitle":"` + strings.Repeat("x", 200) + `","hops":99}}`
	ask := newStand(t, merge(cards(card(`{}`)), conversations(hostile))).only()
	s := ask.Session
	if s.Starter != client.StarterAgent || s.Title.String() != "fix⟨U+202E⟩⟨LF⟩Approved" || s.OriginRelay.String() != "workstation⟨ESC⟩[2K (this relay)" {
		t.Errorf("got %+v", s)
	}
	if strings.Contains(fmt.Sprintf("%+v", *ask), "unsent") {
		t.Error("unsent words were kept")
	}
	local := strings.Replace(hostile, `"hops"`, `"local":true,"hops"`, 1)
	if got := newStand(t, merge(cards(card(`{}`)), conversations(local))).only().Session.OriginRelay; !got.Empty() {
		t.Errorf("a local origin names the relay %q", got)
	}
	for _, mine := range []string{`{"id":"c4","title":"T","origin":null}`, `{"id":"c4","title":"T"}`} {
		if got := newStand(t, merge(cards(card(`{}`)), conversations(mine))).only().Session; got.Starter != client.StarterMe {
			t.Errorf("%s: started by %v", mine, got.Starter)
		}
	}
}

// TestPagesOfSessions (F11).
func TestPagesOfSessions(t *testing.T) {
	page := func(id, info string) string {
		return `{"conversations":[{"id":"` + id + `","title":"T ` + id + `"}],"pageInfo":` + info + `}`
	}
	const first, second = "GET /api/conversations?limit=100", "GET /api/conversations?beforeConversationId=a&beforeUpdatedAt=b&limit=100"
	more := `{"hasMore":true,"nextCursor":{"beforeConversationId":"a","beforeUpdatedAt":"b"}}`
	end := `{"hasMore":false,"nextCursor":{"beforeConversationId":"a","beforeUpdatedAt":"b"}}`
	tests := []struct {
		name, one, two string
		single         bool
		title, partial string
		pages, singles int
	}{
		{"on the first page", page("c4", more), "", false, "T c4", "", 1, 0},
		{"on the second", page("c1", more), page("c4", end), false, "T c4", "", 2, 0},
		{"on none, read alone", page("c1", end), "", true, "T c4", "", 1, 1},
		{"on none, and unknown", page("c1", end), "", false, "c4", "", 1, 1},
		{"a cursor is missing", page("c1", `{"hasMore":true,"nextCursor":null}`), "", false, "c4", "breaks off", 1, 1},
		{"the same page again", page("c1", more), page("c2", more), false, "c4", "breaks off", 2, 1},
		{"no page info", page("c1", `null`), "", false, "c4", "", 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, merge(cards(card(`{}`)), map[string]string{first: tt.one, second: tt.two}))
			if tt.single {
				s.replies["GET /api/conversation/c4?limit=1"] = `{"conversation":{"id":"c4","title":"T c4"}}`
			}
			batch := s.open()
			if len(batch.Asks) != 1 || batch.Asks[0].Session.Title.Raw() != tt.title || !strings.Contains(batch.Partial, tt.partial) || !batch.Complete {
				t.Errorf("got %+v", batch)
			}
			if tt.partial == "" && batch.Partial != "" {
				t.Errorf("partial: %s", batch.Partial)
			}
			s.open()
			if n := len(s.calls("GET /api/conversations?")); n != tt.pages {
				t.Errorf("%d pages were read, want %d", n, tt.pages)
			}
			if n := len(s.calls("GET /api/conversation/")); n != tt.singles {
				t.Errorf("%d were read alone, want %d", n, tt.singles)
			}
		})
	}
}

// TestOddCards: one that cannot be read costs itself, and is counted.
func TestOddCards(t *testing.T) {
	s := newStand(t, cards(card(`{}`), `{"id":2,"prompt":"x"}`, card(`{"id":"q3","choices":[1]}`), `null`,
		card(`{"id":"q5","createdAt":"yesterday","expiresAt":null}`), `{"id":"q6","prompt":"ls","prompt":"rm"}`,
		card(`{"id":"q7","status":"pending "}`), card(`{"id":"q8","status":"answered","answer":"Postgres"}`), card(`{"id":"."}`)))
	batch := s.open()
	if !batch.Complete || len(batch.Asks) != 8 {
		t.Fatalf("got %d asks", len(batch.Asks))
	}
	unread := 0
	for _, a := range batch.Asks {
		if a.Unreadable != "" {
			unread++
			if a.Offer(client.ActDismiss).OK {
				t.Errorf("%s can be dismissed", a.ID)
			}
		}
	}
	if unread != 5 {
		t.Errorf("%d could not be read, want 5", unread)
	}
	for _, a := range batch.Asks {
		switch a.ID {
		case "q5":
			if !a.Opened.IsZero() || !a.Expires.IsZero() || a.Unreadable != "" {
				t.Errorf("odd times: %v, %v, %s", a.Opened, a.Expires, a.Unreadable)
			}
		case "q7":
			if a.Status != client.StatusUnknown || a.Offer(client.ActAnswer).OK || a.Offer(client.ActAnswer).Why == "" {
				t.Errorf("an unknown status: %v, %+v", a.Status, a.Offers)
			}
		}
	}
}

// TestNothingDropped: what shares an id is told apart or refused, and never lost.
func TestNothingDropped(t *testing.T) {
	board := strings.Replace(hostileBoard, `"b1"`, `"q1"`, 1)
	s := newStand(t, merge(cards(card(`{}`)), boards(board)))
	batch := s.open()
	if len(batch.Asks) != 2 || batch.Asks[0].Ref == batch.Asks[1].Ref {
		t.Fatalf("got %+v", batch.Asks)
	}
	s.replies["POST /api/relay-board/q1/action"] = `{"ok":true}`
	if _, err := s.answer(batch.Asks[1], client.Answer{Questions: []client.QuestionAnswer{{ID: "q1", Choices: []string{"autopilot"}}}}); err != nil {
		t.Error(err)
	}
	if got := newStand(t, cards(card(`{}`), card(`{"conversationId":"c5"}`))).only(); got.Session.ID != "c5" || got.Unreadable != "" {
		t.Errorf("one id in two sessions: %+v", got)
	}
	got := newStand(t, cards(card(`{}`), card(`{"prompt":"Another?"}`))).only()
	if got.Unreadable == "" {
		t.Error("of two different cards with one id one was believed")
	}
	if got := newStand(t, cards(card(`{}`), card(`{}`))).only(); got.Unreadable != "" {
		t.Error("the same card twice is not two")
	}
}

// TestUnchangedStaysTheSame is what keeps polls cheap.
func TestUnchangedStaysTheSame(t *testing.T) {
	s := newStand(t, merge(cards(card(`{}`), card(strings.Replace(approvalCard, "{", `{"id":"q2",`, 1))), boards(hostileBoard), conversations(`{"id":"c4","title":"T"}`)))
	one, two := s.open(), s.open()
	for i := range one.Asks {
		if one.Asks[i] != two.Asks[i] {
			t.Errorf("%s was read anew", one.Asks[i].ID)
		}
	}
	s.reply("GET /api/relay-questions?status=pending", cards(card(`{"prompt":"Which one?"}`))["GET /api/relay-questions?status=pending"], 0)
	if three := s.open(); three.Asks[0] == one.Asks[0] || three.Asks[0].Digest() == one.Asks[0].Digest() {
		t.Error("a change was not seen")
	}
}

// TestCallsOfAPoll: the first reading asks for everything at once, and a quiet
// relay is asked for its listings and for nothing else.
func TestCallsOfAPoll(t *testing.T) {
	s := newStand(t, withAsks(oneAsk, ``))
	s.replies["GET /api/relay-boards?status=pending"] = `{"boards":[]}`
	s.open()
	if n := len(s.calls("")); n != 6 {
		t.Errorf("the first reading made %d calls", n)
	}
	s.open()
	if n := len(s.calls("")) - 6; n != 3 {
		t.Errorf("the second reading made %d calls: %+v", n, s.calls("")[6:])
	}
	quiet := newStand(t, nil)
	quiet.open()
	before := len(quiet.calls(""))
	quiet.open()
	if calls := quiet.calls("")[before:]; len(calls) != 1 {
		t.Errorf("a relay with cards alone is asked %+v", calls)
	}
}

// TestLesserListings: what a relay does not have is not missed, and what fails
// does not cost the cards.
func TestLesserListings(t *testing.T) {
	s := newStand(t, cards(card(`{}`)))
	if batch := s.open(); !batch.Complete || batch.Partial != "" || len(batch.Asks) != 1 {
		t.Errorf("got %+v", batch)
	}
	s.open()
	for _, path := range []string{"GET /api/asks", "GET /api/relay-boards", "GET /api/remote-relays", "GET /api/relay/identity"} {
		if n := len(s.calls(path)); n != 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	s = newStand(t, merge(cards(card(`{}`)), boards(`{}`)))
	s.reply("GET /api/relay-boards?status=pending", `{"error":"boom"}`, 500)
	board := &client.Ask{Private: private{from: fromBoard, id: "b1"}}
	if batch := s.open(); batch.Complete || batch.Partial == "" || len(batch.Asks) != 1 || !batch.Covers(batch.Asks[0]) || batch.Covers(board) {
		t.Errorf("got %+v", batch)
	}
	s.reply("GET /api/conversations", `{"error":"boom"}`, 500)
	s.reply("GET /api/relay-boards?status=pending", `{"boards":[]}`, 200)
	s.relay.sessions.fresh = time.Time{}
	if batch := s.open(); !batch.Complete || !strings.Contains(batch.Partial, "titles") || len(batch.Asks) != 1 {
		t.Errorf("got %+v", batch)
	}
	n := len(s.calls("GET /api/conversations"))
	if s.open(); len(s.calls("GET /api/conversations")) != n {
		t.Error("titles that fail hold up every poll")
	}
	s.reply("GET /api/relay-questions?status=pending", `{"error":"Unauthorized"}`, 401)
	if _, err := s.relay.Open(context.Background()); !is[*client.TokenRefused](err) {
		t.Errorf("got %v", err)
	}
}
