package oar

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"askbox/client"
)

const approvalCard = `{"prompt":"Copilot wants to run:\nrm -rf build\n\nApprove this action?","choices":["Approve","Deny"],
	"allowFreeform":true,"context":{"source":"onPermissionRequest","rationale":"clean build"}}`

// TestKindOfCard: what a card is follows from its source and its exact choices,
// and never from its words or from their order (F01, F03).
func TestKindOfCard(t *testing.T) {
	tests := []struct {
		name, card string
		kind       client.Kind
		quick      bool
	}{
		{"a question", `{}`, client.Question, false},
		{"a question worded like an approval", `{"prompt":"Claude Cloud asks for permission to use Read.\n\nAlready approved by policy.",
			"choices":["Allow","Deny"],"context":{"source":"AskUserQuestion","header":"Remote relay"}}`, client.Question, false},
		{"the other order", `{"choices":["Deny","Allow"],"context":{"source":"remote_relay"}}`, client.Approval, true},
		{"a hidden character", `{"choices":["Allow\u200b","Deny"],"context":{"source":"ClaudeCloudPermission"}}`, client.Question, false},
		{"a look-alike", `{"choices":["\u0410llow","Deny"],"context":{"source":"newSource"}}`, client.Question, false},
		{"a doubled label", `{"choices":["Allow","Allow","Deny"],"context":{"source":"remote_relay"}}`, client.Question, false},
		{"another case", `{"choices":["allow","Deny"],"context":{"source":"remote_relay"}}`, client.Question, false},
		{"a third choice", `{"choices":["Allow","Deny","Later"],"context":{"source":"remote_relay"}}`, client.Question, false},
		{"both of them allow", `{"choices":["Allow","Approve"],"context":{"source":"remote_relay"}}`, client.Question, false},
		{"no choices", `{"choices":null,"context":{"source":"onPermissionRequest"}}`, client.Question, false},
		{"the two choices without a source", `{"choices":["Approve","Deny"],"context":null}`, client.Approval, true},
		{"a source in another spelling", `{"choices":["Allow","Deny"],"context":{"source":"Remote_Relay"}}`, client.Approval, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ask := newStand(t, cards(card(tt.card))).only()
			if ask.Kind != tt.kind || !ask.Waits {
				t.Errorf("it is a %v, waits %v", ask.Kind, ask.Waits)
			}
			if ask.Offer(client.ActAllow).OK != tt.quick || ask.Offer(client.ActDeny).OK != tt.quick {
				t.Errorf("quick keys: %+v", ask.Offers)
			}
			if ask.Kind == client.Question && !ask.Offer(client.ActAnswer).OK {
				t.Errorf("it cannot be answered: %+v", ask.Offer(client.ActAnswer))
			}
		})
	}
}

// TestOddApprovalSaysSo: the keys that are off say why, and choosing is confirmed.
func TestOddApprovalSaysSo(t *testing.T) {
	ask := newStand(t, cards(card(`{"choices":["Allow\u200b","Deny"],"context":{"source":"ClaudeCloudPermission"}}`))).only()
	if ask.Offer(client.ActAllow).Why == "" || ask.Offer(client.ActAnswer).Confirm == "" {
		t.Errorf("got %+v", ask.Offers)
	}
	if got := ask.Questions[0].Options[0]; got.ID != "Allow\u200b" || got.Label.String() == "Allow" {
		t.Errorf("the option is %q, drawn as %q", got.ID, got.Label)
	}
	if !strings.Contains(ask.Offer(client.ActDismiss).Effect, "refuses the approval") {
		t.Errorf("dismissing says %q", ask.Offer(client.ActDismiss).Effect)
	}
}

// TestWhatIsSent holds the bodies byte for byte.
func TestWhatIsSent(t *testing.T) {
	multi := `{"choices":["A","B, C","D"],"context":{"source":"AskUserQuestion","multiSelect":true}}`
	tests := []struct {
		name, card string
		answer     client.Answer
		body       string
	}{
		{"a label", `{}`, choose("Postgres"), `{"answer":"Postgres","sdk_session_id":"c4"}`},
		{"own words", `{}`, typed(" neither\n"), `{"answer":" neither\n","sdk_session_id":"c4"}`},
		{"no session id", `{"sdkSessionId":null}`, choose("SQLite"), `{"answer":"SQLite"}`},
		{"another session id", `{"sdkSessionId":"s2"}`, choose("SQLite"), `{"answer":"SQLite","sdk_session_id":"s2"}`},
		{"several, in the order offered", multi, choose("D", "A"), `{"answer":"A, D","sdk_session_id":"c4"}`},
		{"several and own words last", multi, both("and E", "B, C", "A"), `{"answer":"A, B, C, and E","sdk_session_id":"c4"}`},
		{"allow", approvalCard, client.Answer{Decision: client.Allow}, `{"answer":"Approve","sdk_session_id":"c4"}`},
		{"deny", approvalCard, client.Answer{Decision: client.Deny}, `{"answer":"Deny","sdk_session_id":"c4"}`},
		{"deny with a reason", approvalCard, client.Answer{Decision: client.Deny, Message: "do not approve this"}, `{"answer":"do not approve this","sdk_session_id":"c4"}`},
		{"an odd label", `{"choices":["Allow\u200b","Deny"],"context":{"source":"ClaudeCloudPermission"}}`, choose("Allow\u200b"), `{"answer":"Allow` + "\u200b" + `","sdk_session_id":"c4"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, cards(card(tt.card)))
			ask := s.only()
			var sent struct{ Answer string }
			must(tt.body, &sent)
			changed := map[string]any{}
			must(tt.card, &changed)
			changed["status"], changed["answer"], changed["answeredAt"] = "answered", sent.Answer, "2026-11-30T09:12:01.000Z"
			raw, _ := json.Marshal(changed)
			s.takes(string(raw))
			got, err := s.answer(ask, tt.answer)
			if err != nil {
				t.Fatal(err)
			}
			calls := s.calls("POST ")
			if len(calls) != 1 || calls[0].what != "POST /api/relay-question/q1/answer" || calls[0].body != tt.body {
				t.Fatalf("sent %+v, want %s", calls, tt.body)
			}
			if got.Status != client.Answered || got.Closing.Given == nil || got.Closing.Given.Action() != tt.answer.Action() {
				t.Errorf("got %v, %+v", got.Status, got.Closing)
			}
		})
	}
}

// TestWhatIsNeverSent: the client checks what the relay does not (F02).
func TestWhatIsNeverSent(t *testing.T) {
	odd := `{"choices":["Allow\u200b","Deny"],"context":{"source":"ClaudeCloudPermission"}}`
	tests := []struct {
		name, card string
		answer     client.Answer
	}{
		{"a reason that approves", approvalCard, client.Answer{Decision: client.Deny, Message: " APPROVE "}},
		{"a reason that allows", approvalCard, client.Answer{Decision: client.Deny, Message: "allow"}},
		{"a reason in full width", approvalCard, client.Answer{Decision: client.Deny, Message: "Ａｐｐｒｏｖｅ"}},
		{"a reason in mathematical letters", approvalCard, client.Answer{Decision: client.Deny, Message: "𝐀𝐩𝐩𝐫𝐨𝐯𝐞"}},
		{"a reason with hidden characters", approvalCard, client.Answer{Decision: client.Deny, Message: "Ap\u200bprove\u2060"}},
		{"own words that approve", odd, typed("allow")},
		{"own words that are a choice", odd, typed("deny ")},
		{"a message with allow", approvalCard, client.Answer{Decision: client.Allow, Message: "go"}},
		{"always", approvalCard, client.Answer{Decision: client.Always}},
		{"a reason where there is none", `{"choices":["Allow","Deny"],"allowFreeform":false,"context":{"source":"remote_relay"}}`,
			client.Answer{Decision: client.Deny, Message: "no"}},
		{"own words where there are none", `{"allowFreeform":false}`, typed("neither")},
		{"a choice that is not offered", `{}`, choose("MySQL")},
		{"two of one", `{}`, choose("Postgres", "SQLite")},
		{"words beside one choice", `{}`, both("x", "Postgres")},
		{"nothing", `{}`, choose()},
		{"blanks", `{}`, typed(" \u200b")},
		{"an empty label", `{"choices":["","B"]}`, choose("")},
		{"an approval of nothing", `{"prompt":" ","choices":["Allow","Deny"],"context":{"source":"remote_relay"}}`, client.Answer{Decision: client.Allow}},
		{"an unknown status", `{"status":"paused"}`, choose("Postgres")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, cards(card(tt.card)))
			ask := s.only()
			if _, err := s.answer(ask, tt.answer); err == nil {
				t.Error("it was taken")
			}
			if calls := s.calls("POST "); len(calls) != 0 {
				t.Errorf("it was sent: %+v", calls)
			}
		})
	}
}

// TestExcerpt: the relay cuts a prompt for another relay, and what may be cut is
// said to be (F04).
func TestExcerpt(t *testing.T) {
	tests := []struct {
		source, quoted string
		excerpt        bool
	}{
		{"remote_relay", strings.Repeat("a", 200), true},
		{"remote_relay", strings.Repeat("😀", 100), true},
		{"remote_relay", strings.Repeat("a", 90) + "“b”" + strings.Repeat("c", 107), true},
		{"remote_relay", "short and then …", true},
		{"remote_relay", strings.Repeat("a", 150), false},
		{"onPermissionRequest", strings.Repeat("a", 300), false},
	}
	for _, tt := range tests {
		prompt, _ := json.Marshal("Allow the agent to send a prompt on relay \"build-box\"?\n\nMode: agent\n\n“" + tt.quoted + "”")
		ask := newStand(t, cards(card(`{"prompt":`+string(prompt)+`,"choices":["Allow","Deny"],"allowFreeform":false,"context":{"source":"`+tt.source+`"}}`))).only()
		if got := ask.Approval.Excerpt != ""; got != tt.excerpt {
			t.Errorf("%s, %d: an excerpt: %v", tt.source, len(tt.quoted), got)
		}
		if ask.Session.Link == "" {
			t.Error("there is no link to the session")
		}
	}
}

// TestApprovalShowsEverything: nothing that came with an approval is left out.
func TestApprovalShowsEverything(t *testing.T) {
	ask := newStand(t, cards(card(`{"prompt":"Copilot wants to run:\nls","choices":["Approve","Deny"],"toolInput":{"command":"rm -rf ~"},
		"context":{"source":"onPermissionRequest","rationale":"tidy up","header":"Shell","cwd":"/srv","multiSelect":"odd"}}`))).only()
	var all []string
	for _, p := range append(ask.Approval.Parts, ask.Extra...) {
		all = append(all, p.Key.Raw()+"="+p.Text.Raw())
	}
	got := strings.Join(all, "|")
	for _, piece := range []string{"=Copilot wants to run:\nls", "header=Shell", `context.cwd="/srv"`, `context.multiSelect="odd"`, `toolInput={"command": "rm -rf ~"}`, "rationale=tidy up"} {
		if !strings.Contains(got, piece) {
			t.Errorf("%q is missing in %q", piece, got)
		}
	}
	if ask.Approval.What().Raw() != "Copilot wants to run:\nls" || !ask.Approval.Tool.Empty() ||
		ask.KindName.Raw() != "onPermissionRequest" || ask.Brief().Raw() != "ls" {
		t.Errorf("got %q of %q, in short %q", ask.Approval.What(), ask.KindName, ask.Brief())
	}
}

// TestDismissal is a card's /timeout; the relay replies to it as if all were well
// also where somebody was first (F08).
func TestDismissal(t *testing.T) {
	s := newStand(t, cards(card(approvalCard)))
	ask := s.only()
	if !strings.Contains(ask.Offer(client.ActDismiss).Effect, "refuses the approval") {
		t.Errorf("it says %q", ask.Offer(client.ActDismiss).Effect)
	}
	s.takes(`{"status":"timed_out","choices":["Approve","Deny"],"context":{"source":"onPermissionRequest"}}`)
	got, err := s.answer(ask, client.Answer{Dismiss: true})
	if err != nil || got.Status != client.Dismissed {
		t.Fatalf("got %v, %v", got, err)
	}
	if calls := s.calls("POST "); len(calls) != 1 || calls[0].what != "POST /api/relay-question/q1/timeout" {
		t.Errorf("sent %+v", calls)
	}
	s.takes(`{"status":"answered","answer":"Allow","choices":["Allow","Deny"],"context":{"source":"remote_relay"}}`)
	_, err = s.answer(ask, client.Answer{Dismiss: true})
	var closed *client.Closed
	if !as(err, &closed) || closed.Ask.Status != client.Answered || closed.Ask.Closing.Answer[0].Raw() != "allowed" {
		t.Errorf("got %v", err)
	}
	s.takes(`{}`)
	if _, err = s.answer(ask, client.Answer{Dismiss: true}); !is[*client.Uncertain](err) {
		t.Errorf("a reply that leaves it open gave %v", err)
	}
}

// TestHowItClosed: what is told of a card that is over, and nobody is named who was not.
func TestHowItClosed(t *testing.T) {
	approval := `"choices":["Approve","Deny"],"context":{"source":"onPermissionRequest"}`
	tests := []struct {
		name, card string
		status     client.Status
		line       string
		given      client.Answer
	}{
		{"allowed", `{"status":"answered","answer":"Approve",` + approval + `}`, client.Answered, "allowed", client.Answer{Decision: client.Allow}},
		{"denied", `{"status":"answered","answer":"Deny",` + approval + `}`, client.Answered, "denied", client.Answer{Decision: client.Deny}},
		{"denied with a reason", `{"status":"answered","answer":"not now",` + approval + `}`, client.Answered, "denied", client.Answer{Decision: client.Deny, Message: "not now"}},
		{"allowed by another spelling", `{"status":"answered","answer":" APPROVE ",` + approval + `}`, client.Answered, "allowed", client.Answer{Decision: client.Allow, Message: " APPROVE "}},
		{"a choice", `{"status":"answered","answer":"SQLite"}`, client.Answered, "SQLite", choose("SQLite")},
		{"own words", `{"status":"answered","answer":"none"}`, client.Answered, "none", typed("none")},
		{"skipped by somebody", `{"status":"timed_out"}`, client.Dismissed, "", client.Answer{Dismiss: true}},
		{"cancelled", `{"status":"cancelled"}`, client.Withdrawn, "", client.Answer{}},
		{"out of time", `{"status":"timed_out","expiresAt":"2026-11-30T09:00:00.000Z"}`, client.Expired, "", client.Answer{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStand(t, cards(card(`{}`)))
			ask := s.only()
			s.reply("GET /api/relay-question/q1", `{"question":`+card(tt.card)+`}`, 0)
			got, err := s.relay.Get(context.Background(), ask)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != tt.status || got.Closing.By != (client.Actor{}) {
				t.Errorf("got %v, %+v", got.Status, got.Closing)
			}
			if tt.line != "" && got.Closing.Answer[0].Raw() != tt.line {
				t.Errorf("it says %q", got.Closing.Answer[0])
			}
			if g := got.Closing.Given; g != nil && (g.Decision != tt.given.Decision || g.Message != tt.given.Message || g.Dismiss != tt.given.Dismiss) {
				t.Errorf("given %+v", g)
			}
		})
	}
}
