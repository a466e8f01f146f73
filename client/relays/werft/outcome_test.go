package werft

import (
	"context"
	"strings"
	"testing"

	"askbox/client"
)

// TestOutcomes: what a relay replies is told in words, and never as more than it is.
func TestOutcomes(t *testing.T) {
	failure := func(code string) string { return `{"error":{"code":"` + code + `","message":"m\u001b[2J"}}` }
	tests := []struct {
		name   string
		status int
		body   string
		check  func(error) bool
		says   string
	}{
		{"expired", 409, failure("REQUEST_EXPIRED"), is[*client.Closed], "it ended as a denial"},
		{"stale", 409, failure("REQUEST_STALE"), is[*client.Closed], "someone else answered, or the turn moved on"},
		{"conflict", 409, failure("REQUEST_CONFLICT"), is[*client.Closed], "a different answer went first"},
		{"its own key", 403, failure("self_approval"), is[*client.NotAllowed], "this key started the session: answer with another key"},
		{"its own key, as a word", 403, `{"error":"self_approval"}`, is[*client.NotAllowed], "answer with another key"},
		{"a missing scope", 403, `{"error":{"code":"MISSING_SCOPE","message":"no","scope":"sessions:approve"}}`, is[*client.NotAllowed], "sessions:approve"},
		{"a missing scope without a name", 403, failure("MISSING_SCOPE"), is[*client.NotAllowed], "sessions:approve"},
		{"paused meanwhile", 409, failure("SESSION_PAUSED"), is[*client.Elsewhere], "resume it"},
		{"another conflict", 409, failure("SOMETHING_NEW"), is[*client.Failed], "m⟨ESC⟩[2J"},
		{"a failure", 500, failure("INTERNAL"), is[*client.Uncertain], "not known"},
		{"a failure with a known code", 500, failure("REQUEST_STALE"), is[*client.Uncertain], "not known"},
		{"moved", 308, failure("REQUEST_STALE"), is[*client.Uncertain], "unexpected redirect"},
		{"not there", 404, failure("NOT_FOUND"), is[*client.NotFound], "does not know"},
		{"200 and expired", 200, `{"receipt_status":"expired"}`, is[*client.Closed], "ended as a denial"},
		{"200 and something else", 200, `{"receipt_status":"queued"}`, is[*client.Uncertain], "queued"},
		{"200 without a word", 200, `{}`, is[*client.Uncertain], "not known"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, nil)
			ask := s.only()
			s.reply(answerTo, tt.body, tt.status)
			got, err := s.answer(ask, allow)
			if got != nil || !tt.check(err) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, %T: %v", got, err, err)
			}
			var closed *client.Closed
			if as(err, &closed) && (closed.Ask == nil || !closed.Ask.Status.Closed()) {
				t.Errorf("it does not say how it closed: %+v", closed)
			}
			if n := len(s.calls("POST ")); n != 1 {
				t.Errorf("it was sent %d times", n)
			}
		})
	}
}

// TestAnsweredBySomebodyElse: the relay accepted, and names another person.
func TestAnsweredBySomebodyElse(t *testing.T) {
	s := newStand(t, map[string]string{answerTo: `{"receipt_status":"accepted","approval":{"answered_by":{"type":"user","id":"u_2","name":"Bob"},"surface":"slack"}}`})
	got, err := s.answer(s.only(), allow)
	if err != nil || got.Closing.By.Me || got.Closing.By.Name.Raw() != "Bob" || got.Closing.Surface.Raw() != "slack" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestGet(t *testing.T) {
	s := newStand(t, nil)
	ask := s.only()
	get := func() (*client.Ask, error) { return s.relay.Get(context.Background(), ask) }
	if got, err := get(); err != nil || got.Digest() != ask.Digest() {
		t.Errorf("got %v, %v", got, err)
	}
	s.reply("GET /v1/sessions/ses_01", strings.Replace(oneSession, `"active"`, `"paused"`, 1), 0)
	if got, err := get(); err != nil || got.Offer(client.ActAllow).OK || got.Digest() == ask.Digest() {
		t.Errorf("paused: got %v, %v", got, err)
	}
	s.reply("GET /v1/sessions/ses_01/requests", `{"requests":[]}`, 0)
	if _, err := get(); !is[*client.NotFound](err) {
		t.Errorf("answered: got %v", err)
	}
	s.reply("GET /v1/sessions/ses_01", strings.Replace(oneSession, `"ses_01"`, `"ses_02"`, 1), 0)
	if _, err := get(); !is[*client.NotRelay](err) {
		t.Errorf("another session: got %v", err)
	}
}

// TestPause follows the receipt to its end.
func TestPause(t *testing.T) {
	const pause, receipt = "POST /v1/sessions/ses_01/pause", "GET /v1/receipts/rc_1"
	session := func(admission, attention string) string {
		return strings.NewReplacer(`"active"`, admission, `"attention":null`, `"attention":`+attention).Replace(oneSession)
	}
	tests := []struct {
		name   string
		status int
		reply  string
		queue  []string // receipts
		then   string   // the session
		says   string
	}{
		{"succeeds", 200, `{"receipt_id":"rc_1"}`, []string{`{"status":"pending"}`, `{"status":"pending"}`, `{"operation":"pause","status":"succeeded"}`}, "", "the session is paused"},
		{"fails, blocked", 200, `{"receipt_id":"rc_1"}`, []string{`{"status":"failed"}`}, session(`"active"`, `"PAUSE_BLOCKED"`), "has to be answered"},
		{"fails", 200, `{"receipt_id":"rc_1"}`, []string{`{"status":"failed"}`}, "", "could not pause"},
		{"stays pending, blocked", 200, `{"receipt_id":"rc_1"}`, nil, session(`"active"`, `"PAUSE_BLOCKED"`), "has to be answered"},
		{"changed in between", 409, `{"error":{"code":"REVISION_CONFLICT"}}`, nil, "", "press p again"},
		{"closed meanwhile", 200, `{"receipt_id":"rc_1"}`, []string{`{"status":"failed"}`}, session(`"closed"`, `null`), "closed"},
		{"no receipt, and paused", 200, `{}`, nil, session(`"paused"`, `null`), "the session is paused"},
		{"lost, and not paused", 500, `{}`, nil, "", "not known yet"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, nil)
			ask := s.only()
			s.reply(pause, tt.reply, tt.status)
			s.reply(receipt, `{"operation":"pause","status":"pending"}`, 0)
			s.queue[receipt] = tt.queue
			if tt.then != "" {
				s.reply("GET /v1/sessions/ses_01", tt.then, 0)
			}
			came, err := s.relay.Pause(context.Background(), ask, false)
			if err != nil {
				came = err.Error()
			}
			if !strings.Contains(came, tt.says) {
				t.Errorf("got %q, %v", came, err)
			}
			if calls := s.calls(pause); len(calls) != 1 || calls[0] != pause+` {"expected_revision":7}` {
				t.Errorf("sent %q", calls)
			}
		})
	}
}

func TestResume(t *testing.T) {
	s := newStand(t, map[string]string{"POST /v1/sessions/ses_01/resume": `{"receipt_id":"rc_1"}`, "GET /v1/receipts/rc_1": `{"status":"succeeded"}`})
	if came, err := s.relay.Pause(context.Background(), s.only(), true); err != nil || came != "the session goes on" {
		t.Errorf("got %q, %v", came, err)
	}
	s.reply("POST /v1/sessions/ses_01/resume", `{"error":{"code":"MISSING_SCOPE"}}`, 403)
	if _, err := s.relay.Pause(context.Background(), s.only(), true); !is[*client.NotAllowed](err) || !strings.Contains(err.Error(), "sessions:control") {
		t.Errorf("got %v", err)
	}
	s.reply("POST /v1/sessions/ses_01/resume", `{"receipt_id":"rc_1"}`, 200)
	s.reply("GET /v1/receipts/rc_1", `{"status":"pending"}`, 0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.relay.Pause(ctx, s.only(), true); err == nil {
		t.Error("whoever gave up was told that it went well")
	}
}
