package werft

import (
	"context"
	"strings"
	"testing"
	"time"

	"askbox/client"
)

func TestPermission(t *testing.T) {
	ask := newStand(t, nil).only()
	a := ask.Approval
	if ask.Kind != client.Approval || !ask.Waits || a.Tool.Raw() != "Bash" || a.What().Raw() != "rm -rf build" || len(a.Modes) != 0 {
		t.Fatalf("got %+v", ask)
	}
	if len(a.Always) != 1 || a.Always[0].Raw() != "Bash(rm -rf build)" || a.AlwaysScope == "" {
		t.Errorf("it would remember %v, %q", a.Always, a.AlwaysScope)
	}
	for act, ok := range map[client.Action]bool{client.ActAllow: true, client.ActAlways: true, client.ActDeny: true, client.ActDenyReason: true,
		client.ActAllowMessage: false, client.ActDismiss: false, client.ActDismissMessage: false} {
		if o := ask.Offer(act); o.OK != ok || !ok && o.Why == "" {
			t.Errorf("action %d: %+v", act, o)
		}
	}
	if !strings.Contains(ask.Offer(client.ActDismiss).Why, "deny it instead") {
		t.Errorf("dismissing says %q", ask.Offer(client.ActDismiss).Why)
	}
	s := ask.Session
	if s.Starter != client.StarterMe || s.Title.Raw() != "Release 2.4" || !s.CanPause || s.CanResume || s.Revision != 7 || s.Link == "" {
		t.Errorf("got %+v", s)
	}
}

// TestRules: what cannot be shown word for word is not offered.
func TestRules(t *testing.T) {
	tests := map[string][]string{
		`"Bash(ls)"`: {"Bash(ls)"}, `["A","B"]`: {"A", "B"}, `null`: nil, `""`: nil, `true`: nil, `{"a":1}`: nil, `["A",""]`: nil, `["A",1]`: nil, `[]`: nil,
	}
	for rule, want := range tests {
		ask := newStand(t, requests(strings.Replace(permission, `"Bash(rm -rf build)"`, rule, 1))).only()
		var got []string
		for _, r := range ask.Approval.Always {
			got = append(got, r.Raw())
		}
		if strings.Join(got, "|") != strings.Join(want, "|") || ask.Offer(client.ActAlways).OK != (len(want) > 0) {
			t.Errorf("%s: got %v, %+v", rule, got, ask.Offer(client.ActAlways))
		}
	}
}

// TestWhatIsSent holds the bodies byte for byte.
func TestWhatIsSent(t *testing.T) {
	two := func(a, b client.QuestionAnswer) client.Answer {
		a.ID, b.ID = "q_1", "q_2"
		return client.Answer{Questions: []client.QuestionAnswer{a, b}}
	}
	tests := []struct {
		name, request string
		answer        client.Answer
		body, said    string
	}{
		{"allow", permission, allow, `{"request_id":"req_01","kind":"permission","action":"allow"}`, "allowed"},
		{"always", permission, client.Answer{Decision: client.Always}, `{"request_id":"req_01","kind":"permission","action":"allow","remember":"session"}`, "allowed, always"},
		{"deny", permission, client.Answer{Decision: client.Deny}, `{"request_id":"req_01","kind":"permission","action":"deny"}`, "denied"},
		{"deny with a reason", permission, client.Answer{Decision: client.Deny, Message: " not <now>\n"}, `{"request_id":"req_01","kind":"permission","action":"deny","reason":" not <now>\n"}`, "denied"},
		{"choices", question, two(client.QuestionAnswer{Choices: []string{"o_2"}}, client.QuestionAnswer{Choices: []string{"o_1", "o_3"}}),
			`{"request_id":"req_02","kind":"question","answers":[{"question_id":"q_1","selected_option_ids":["o_2"]},{"question_id":"q_2","selected_option_ids":["o_1","o_3"]}]}`, "Environment: production"},
		{"own words", question, two(client.QuestionAnswer{Text: "neither", HasText: true}, client.QuestionAnswer{Choices: []string{"o_1"}}),
			`{"request_id":"req_02","kind":"question","answers":[{"question_id":"q_1","selected_option_ids":[],"free_text":"neither"},{"question_id":"q_2","selected_option_ids":["o_1"]}]}`, "Environment: neither"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, requests(tt.request))
			got, err := s.answer(s.only(), tt.answer)
			if err != nil {
				t.Fatal(err)
			}
			calls := s.calls("POST ")
			if len(calls) != 1 || !strings.HasSuffix(calls[0], "/answer "+tt.body) {
				t.Fatalf("sent %q, want %s", calls, tt.body)
			}
			c := got.Closing
			if got.Status != client.Answered || !c.By.Me || c.By.ID != "u_1" || c.Surface.Raw() != "api" || c.Answer[0].Raw() != tt.said {
				t.Errorf("got %v, %+v", got.Status, c)
			}
		})
	}
}

// TestWhatIsNeverSent: answers that do not fit, and sessions in which nothing can
// be answered.
func TestWhatIsNeverSent(t *testing.T) {
	state := func(s string) map[string]string {
		return map[string]string{"GET /v1/sessions?": `{"sessions":[` + s + `]}`}
	}
	active := func(with string) map[string]string { return state(strings.Replace(oneSession, `"active"`, with, 1)) }
	tests := []struct {
		name    string
		replies map[string]string
		answer  client.Answer
		trouble string
	}{
		{"a message with allow", nil, client.Answer{Decision: client.Allow, Message: "go"}, ""},
		{"a dismissal", nil, client.Answer{Dismiss: true}, ""},
		{"always without a rule", requests(strings.Replace(permission, `"Bash(rm -rf build)"`, `null`, 1)), client.Answer{Decision: client.Always}, ""},
		{"nothing shown", requests(`{"request_id":"req_01","kind":"permission","tool":"Bash","input":{"description":"harmless"}}`), allow, ""},
		{"an unknown kind", requests(`{"request_id":"req_01","kind":"payment"}`), allow, ""},
		{"doubled keys", requests(`{"request_id":"req_01","kind":"permission","tool":"Bash","input":{"command":"ls","command":"rm"}}`), allow, ""},
		{"paused", active(`"paused"`), allow, "paused"},
		{"stopped", active(`"stopped"`), allow, "stopped"},
		{"to be recovered", active(`"recovery_required"`), allow, "recovered"},
		{"closed", active(`"closed"`), allow, "closed"},
		{"stopped by its status", state(strings.Replace(oneSession, `"needs_input"`, `"stopped"`, 1)), allow, "stopped"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, tt.replies)
			ask := s.only()
			if !strings.Contains(ask.Session.Trouble, tt.trouble) {
				t.Errorf("the session's trouble is %q", ask.Session.Trouble)
			}
			if _, err := s.answer(ask, tt.answer); err == nil {
				t.Error("it was taken")
			}
			if calls := s.calls("POST "); len(calls) != 0 {
				t.Errorf("it was sent: %q", calls)
			}
		})
	}
}

// TestBlockedPause: while a pause is blocked an answer is just what it waits for.
func TestBlockedPause(t *testing.T) {
	blocked := strings.NewReplacer(`"active"`, `"paused"`, `"attention":null`, `"attention":"PAUSE_BLOCKED"`).Replace(oneSession)
	ask := newStand(t, map[string]string{"GET /v1/sessions?": `{"sessions":[` + blocked + `]}`}).only()
	if !ask.Offer(client.ActAllow).OK || !strings.Contains(ask.Session.Trouble, "has to be answered") || !ask.Session.CanResume {
		t.Errorf("got %+v, %+v", ask.Session, ask.Offer(client.ActAllow))
	}
}

// TestAmbiguousQuestions cannot be answered, and say why.
func TestAmbiguousQuestions(t *testing.T) {
	for _, q := range []string{`[]`, `[{"prompt":"x"}]`, `[{"question_id":"a","prompt":"x"},{"question_id":"a","prompt":"y"}]`,
		`[{"question_id":"a","prompt":"x","options":[{"option_id":"o","label":"A"},{"option_id":"o","label":"B"}]}]`} {
		ask := newStand(t, requests(`{"request_id":"req_02","kind":"question","questions":`+q+`}`)).only()
		if o := ask.Offer(client.ActAnswer); o.OK || o.Why == "" {
			t.Errorf("%s: %+v", q, o)
		}
	}
}

// TestExpiry goes by the relay's clock, and not by this machine's.
func TestExpiry(t *testing.T) {
	s := newStand(t, nil)
	ask := s.only()
	if !ask.Expires.Equal(now.Add(22 * time.Minute)) {
		t.Errorf("it expires at %v", ask.Expires)
	}
	missing := strings.Replace(permission, `,"expires_at":"2026-11-30T09:42:00Z"`, ``, 1)
	if got := newStand(t, requests(missing)).only().Expires; !got.Equal(now.Add(22 * time.Minute)) {
		t.Errorf("without expires_at it expires at %v", got)
	}
	neither := `{"request_id":"req_01","kind":"permission","tool":"Bash","input":{"command":"ls"}}`
	if got := newStand(t, requests(neither)).only(); !got.Expires.IsZero() || got.Status != client.Open {
		t.Errorf("without any time it expires at %v", got.Expires)
	}

	s.date = ask.Expires
	if later := s.only(); later.Status != client.Open || !later.RunOut(s.date) {
		t.Errorf("listed at its end: got %v, %q", later.Status, later.ExpiredWords)
	}
	var closed *client.Closed
	if _, err := s.answer(ask, allow); !as(err, &closed) || closed.Ask.Status != client.Expired || !strings.Contains(err.Error(), "counted as a denial") {
		t.Errorf("got %v", err)
	}
	if len(s.calls("POST ")) != 0 {
		t.Error("an answer was sent after the end")
	}

	// No clock hides what is open (L17): what the relay lists long after its end can be
	// answered, and it is said that its clocks disagree.
	s.date = ask.Expires.Add(2 * time.Hour)
	later := s.only()
	if again, err := s.relay.Get(context.Background(), ask); err != nil || again.RunOut(s.date) || again.Status != client.Open {
		t.Errorf("read again: got %+v, %v", again, err)
	}
	if later.Status != client.Open || later.RunOut(s.date) || !later.Offer(client.ActAllow).OK || !strings.Contains(later.Session.Trouble, "clocks disagree") {
		t.Errorf("long after its end: got %v, %q, %q", later.Status, later.ExpiredWords, later.Session.Trouble)
	}
	if _, err := s.answer(later, allow); err != nil {
		t.Errorf("long after its end: %v", err)
	}

	s = newStand(t, nil)
	s.date = time.Time{}
	ask = s.only()
	if _, err := s.answer(ask, allow); err != nil || ask.Status != client.Open {
		t.Errorf("a relay without a clock: %v, %v", ask.Status, err)
	}
}

// TestReadAgain: a changed request is another ask, and of two under one id none is given.
func TestReadAgain(t *testing.T) {
	s := newStand(t, nil)
	ask := s.only()
	changed := strings.Replace(permission, "rm -rf build", "rm -rf ~", 1)
	for list, unreadable := range map[string]bool{permission: false, changed: false, permission + "," + changed: true, changed + "," + permission: true} {
		for path, body := range requests(list) {
			s.reply(path, body, 0)
		}
		now, err := s.relay.Get(t.Context(), ask)
		if err != nil || (now.Unreadable != "") != unreadable || (now.Digest() == ask.Digest()) != (list == permission) {
			t.Errorf("%s: it is %+v, %v", list, now, err)
		}
	}
}
