package oar

import (
	"context"
	"strings"
	"testing"

	"askbox/client"
)

// TestRefusedAnswers: a refusal is told as what it is, and nothing is sent twice
// (F06).
func TestRefusedAnswers(t *testing.T) {
	const path = "POST /api/relay-question/q1/answer"
	tests := []struct {
		name   string
		status int
		body   string
		now    string // the card, read again
		check  func(error) bool
		says   string
	}{
		{"another session", 403, `{"error":"session mismatch","expectedSessionId":"s2"}`, ``, is[*client.NotAllowed], "did not record"},
		{"cancelled", 409, `{"error":"Question already cancelled"}`, `{"status":"cancelled"}`, is[*client.Closed], "withdrawn"},
		{"answered", 409, `{"error":"Question already answered"}`, `{"status":"answered","answer":"SQLite"}`, is[*client.Closed], "answered"},
		{"out of time", 409, `{"error":"Question already timed_out"}`, `{"status":"timed_out","expiresAt":"2026-11-30T09:00:00Z"}`, is[*client.Closed], "expired"},
		{"gone meanwhile", 409, `{"error":"Question already cancelled"}`, ``, is[*client.Closed], "already cancelled"},
		{"something new", 409, `{"error":"something new\u001b[2J"}`, `{}`, is[*client.Failed], "something new⟨ESC⟩"},
		{"empty", 400, `{"error":"Empty answer"}`, ``, is[*client.InvalidAnswer], "Empty answer"},
		{"not there", 404, `{"error":"Not found"}`, ``, is[*client.NotFound], "Not found"},
		{"a failure", 500, `{"error":"boom"}`, ``, is[*client.Uncertain], "boom"},
		{"moved", 302, `{"error":"Question already answered"}`, ``, is[*client.Uncertain], "unexpected redirect"},
		{"too many", 429, `{}`, ``, is[*client.RateLimited], "took nothing"},
		{"the token", 401, `{"error":"Unauthorized"}`, ``, is[*client.TokenRefused], "refused the token"},
		{"another card", 200, `{"ok":true,"question":{"id":"q2","conversationId":"c4","status":"answered","prompt":"","createdAt":""}}`, ``, is[*client.Uncertain], "not known"},
		{"no card", 200, `{"ok":true}`, ``, is[*client.Uncertain], "not known"},
		{"still open", 200, `{"ok":true,"question":` + card(`{}`) + `}`, ``, is[*client.Uncertain], "not known"},
		{"another answer", 200, `{"ok":true,"question":` + card(`{"status":"answered","answer":"SQLite"}`) + `}`, ``, is[*client.Closed], "answered"},
		{"an empty reply", 200, ``, ``, is[*client.Uncertain], "not known"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, cards(card(`{}`)))
			ask := s.only()
			s.reply(path, tt.body, tt.status)
			if tt.now != "" {
				s.reply("GET /api/relay-question/q1", `{"question":`+card(tt.now)+`}`, 0)
			}
			_, err := s.answer(ask, choose("Postgres"))
			if !tt.check(err) || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "s2") {
				t.Errorf("got %T: %v", err, err)
			}
			if n := len(s.calls("POST ")); n != 1 {
				t.Errorf("it was sent %d times", n)
			}
		})
	}
}

// TestOverdue: a card that is pending after its time is open, and the relay's
// word decides (F07).
func TestOverdue(t *testing.T) {
	over := `{"expiresAt":"2026-11-30T09:11:56.000Z"}`
	s := newStand(t, cards(card(over)))
	ask := s.only()
	if ask.Status != client.Open || !ask.Expires.Before(now) || !ask.Offer(client.ActAnswer).OK {
		t.Fatalf("got %v, %v", ask.Status, ask.Expires)
	}
	s.takes(`{"status":"answered","answer":"Postgres"}`)
	if got, err := s.answer(ask, choose("Postgres")); err != nil || got.Status != client.Answered {
		t.Errorf("got %v, %v", got, err)
	}
	s.reply("POST /api/relay-question/q1/", `{"error":"Question already timed_out"}`, 409)
	s.reply("GET /api/relay-question/q1", `{"question":`+card(`{"status":"timed_out","expiresAt":"2026-11-30T09:11:56.000Z"}`)+`}`, 0)
	var closed *client.Closed
	if _, err := s.answer(ask, choose("Postgres")); !as(err, &closed) || closed.Ask.Status != client.Expired {
		t.Errorf("got %v", err)
	}
}

// TestTokenPolicy: a pasted link is stripped, no cookie is kept, and nothing marks
// the caller as an agent (F09).
func TestTokenPolicy(t *testing.T) {
	s := newStand(t, cards(card(`{}`)))
	s.takes(`{"status":"answered","answer":"Postgres"}`)
	ask := s.only()
	s.open()
	if _, err := s.answer(ask, choose("Postgres")); err != nil {
		t.Fatal(err)
	}
	for _, c := range s.calls("") {
		if strings.Contains(c.what+c.body, canary) || c.head.Get("Cookie") != "" || c.head.Get("Referer") != "" {
			t.Errorf("%s holds what it must not: %v", c.what, c.head)
		}
		if c.head.Get("Authorization") != "Bearer "+canary {
			t.Errorf("%s has no token", c.what)
		}
		for name := range c.head {
			if strings.HasPrefix(strings.ToLower(name), "x-oar") {
				t.Errorf("%s sends %s", c.what, name)
			}
		}
		if strings.Contains(c.body, "origin") {
			t.Errorf("%s says where it comes from: %s", c.what, c.body)
		}
	}
	if strings.Contains(ask.Session.Link, canary) || !strings.HasSuffix(ask.Session.Link, "/base/?conv=c4") {
		t.Errorf("the link is %q", ask.Session.Link)
	}
	for _, raw := range []string{"ftp://h/?token=" + canary, "https://u:" + canary + "@h/", "http://h.example/?token=" + canary, "https://%zz?token=" + canary} {
		if _, err := New(Options{BaseURL: raw}); err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("%q gave %v", raw, err)
		}
	}
}

// TestNoSuchRelay: what stands at the address instead is named.
func TestNoSuchRelay(t *testing.T) {
	tests := []struct {
		name    string
		replies map[string]string
		status  int
		says    string
	}{
		{"a page", nil, 0, "HTML page"},
		{"other JSON", map[string]string{"GET /": `{}`}, 0, "without a list of questions"},
		{"an OpenComputer relay", map[string]string{"GET /": `{"error":{"code":"not_found"}}`, "GET /sessions": `{"sessions":[]}`}, 404, "OpenComputer"},
		{"an opencode server", map[string]string{"GET /global/health": `{"healthy":true}`}, 0, "opencode"},
		{"a Werft server", map[string]string{"GET /v1/sessions": `{"sessions":[]}`}, 0, "Werft"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, tt.replies)
			delete(s.replies, "GET /api/relay-questions?status=pending")
			delete(s.replies, "GET /api/conversations")
			if tt.status != 0 {
				s.status["GET /"] = tt.status
			}
			_, err := s.relay.Open(context.Background())
			if !is[*client.NotRelay](err) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v", err)
			}
			if _, err := s.relay.About(context.Background()); !is[*client.NotRelay](err) {
				t.Errorf("about: %v", err)
			}
		})
	}
}
