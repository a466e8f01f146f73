package client

import (
	"errors"
	"strings"
	"testing"
	"time"

	"askbox/client/text"
)

func approval(change ...func(*Ask)) *Ask {
	a := &Ask{
		Ref: Ref{Relay: "work", Session: "cs_1", ID: "ak_1"}, Kind: Approval, Status: Open,
		Offers: Offered(ActAllow, ActAlways, ActAllowMessage, ActDeny, ActDenyReason, ActDismiss, ActDismissMessage),
		Approval: &ApprovalAsk{
			Tool:   text.New("Bash"),
			Parts:  []Part{{Kind: PartCommand, Text: text.New("rm -rf build")}},
			Always: []text.Text{text.New("Bash(rm -rf build)")},
		},
	}
	for _, c := range change {
		c(a)
	}
	return a
}

func plan(a *Ask) {
	a.Approval.Always, a.Offers[ActAlways] = nil, Offer{}
	a.Approval.Modes = []Mode{{ID: "default"}, {ID: "acceptEdits"}}
}

func question(change ...func(*QuestionAsk)) *Ask {
	q := QuestionAsk{ID: "q1", Options: []Option{{ID: "A"}, {ID: "B"}, {ID: "C"}}, OwnText: true}
	for _, c := range change {
		c(&q)
	}
	return &Ask{Kind: Question, Status: Open, Offers: Offered(ActAnswer, ActDismiss), Questions: []QuestionAsk{q}}
}

func chosen(ids ...string) Answer {
	return Answer{Questions: []QuestionAnswer{{ID: "q1", Choices: ids}}}
}

func typed(s string) Answer {
	return Answer{Questions: []QuestionAnswer{{ID: "q1", Text: s, HasText: true}}}
}

func multi(q *QuestionAsk)    { q.Multi = true }
func noText(q *QuestionAsk)   { q.OwnText = false }
func both(q *QuestionAsk)     { q.TextWithChoices = true }
func optional(q *QuestionAsk) { q.Optional = true }
func ofType(t FieldType) func(*QuestionAsk) {
	return func(q *QuestionAsk) { *q = QuestionAsk{ID: "q1", Type: t} }
}

func refuse(why string, acts ...Action) func(*Ask) {
	return func(a *Ask) {
		for _, act := range acts {
			a.Offers[act] = Offer{Why: why}
		}
	}
}

// TestValidate walks through the rules of the wire pages. An empty field with
// fits unset is an answer that is refused as a whole.
func TestValidate(t *testing.T) {
	const fits = "fits"
	tests := []struct {
		name   string
		ask    *Ask
		answer Answer
		field  string
	}{
		{"allow", approval(), Answer{Decision: Allow}, fits},
		{"allow with a message", approval(), Answer{Decision: Allow, Message: "go on"}, fits},
		{"always", approval(), Answer{Decision: Always}, fits},
		{"deny with a reason", approval(), Answer{Decision: Deny, Message: "not now"}, fits},
		{"no decision", approval(), Answer{}, "decision"},
		{"only a message", approval(), Answer{Message: "ok"}, "decision"},
		{"answers to an approval", approval(), Answer{Decision: Allow, Questions: chosen("A").Questions}, "answers"},
		{"always without a rule", approval(func(a *Ask) { a.Approval.Always = nil }), Answer{Decision: Always}, "decision"},
		{"always not offered", approval(refuse("", ActAlways)), Answer{Decision: Always}, "decision"},
		{"a mode without a plan", approval(), Answer{Decision: Allow, Mode: "auto"}, "mode"},
		{"a plan's mode", approval(plan), Answer{Decision: Allow, Mode: "acceptEdits"}, fits},
		{"a plan without a mode", approval(plan), Answer{Decision: Allow}, fits},
		{"a mode that is not offered", approval(plan), Answer{Decision: Allow, Mode: "AcceptEdits"}, "mode"},
		{"a mode with deny", approval(plan), Answer{Decision: Deny, Mode: "default"}, "mode"},
		{"no message with allow", approval(refuse("", ActAllowMessage)), Answer{Decision: Allow, Message: "x"}, "message"},
		{"no reason with deny", approval(refuse("", ActDenyReason)), Answer{Decision: Deny, Message: "x"}, "message"},
		{"a denial that needs its reason", approval(refuse("", ActDeny)), Answer{Decision: Deny}, "decision"},
		{"a denial with the reason it needs", approval(refuse("", ActDeny)), Answer{Decision: Deny, Message: "x"}, fits},
		{"a reason of blanks", approval(), Answer{Decision: Deny, Message: " \n\u200b"}, "message"},
		{"a reason that is not text", approval(), Answer{Decision: Deny, Message: "a\xff"}, "message"},
		{"nothing shown", approval(func(a *Ask) { a.Approval.Parts = nil }), Answer{Decision: Allow}, "decision"},
		{"only the agent's words", approval(func(a *Ask) { a.Approval.Parts[0].Kind = PartSays }), Answer{Decision: Always}, "decision"},
		{"nothing shown can be denied", approval(func(a *Ask) { a.Approval.Parts = nil }), Answer{Decision: Deny}, fits},

		{"dismiss", approval(), Answer{Dismiss: true}, fits},
		{"dismiss with a decision", approval(), Answer{Dismiss: true, Decision: Allow}, "decision"},
		{"dismiss with a mode", approval(), Answer{Dismiss: true, Mode: "auto"}, "mode"},
		{"dismiss with answers", question(), Answer{Dismiss: true, Questions: chosen("A").Questions}, "answers"},
		{"dismiss is not offered", approval(refuse("", ActDismiss)), Answer{Dismiss: true}, ""},
		{"dismiss with a message where there is none", question(), Answer{Dismiss: true, Message: "no"}, "message"},
		{"2,000 characters", approval(), Answer{Dismiss: true, Message: strings.Repeat("é", 2000)}, fits},
		{"2,001 characters", approval(), Answer{Dismiss: true, Message: strings.Repeat("é", 2001)}, "message"},

		{"one option", question(), chosen("B"), fits},
		{"own words", question(), typed("neither"), fits},
		{"nothing", question(), Answer{Questions: []QuestionAnswer{{ID: "q1"}}}, "answers[0].choices"},
		{"nothing at all", question(), Answer{}, "answers"},
		{"a decision on a question", question(), Answer{Decision: Allow}, "decision"},
		{"a decision beside answers", question(), Answer{Decision: Allow, Questions: chosen("A").Questions}, "decision"},
		{"a message on a question", question(), Answer{Message: "x", Questions: chosen("A").Questions}, "message"},
		{"a mode on a question", question(), Answer{Mode: "auto", Questions: chosen("A").Questions}, "mode"},
		{"another question's id", question(), Answer{Questions: []QuestionAnswer{{ID: "q2", Choices: []string{"A"}}}}, "answers[0].questionId"},
		{"an entry too many", question(), Answer{Questions: append(chosen("A").Questions, chosen("A").Questions...)}, "answers"},
		{"not offered", question(), chosen("D"), "answers[0].choices"},
		{"two of a single choice", question(), chosen("A", "B"), "answers[0].choices"},
		{"two of several", question(multi), chosen("A", "C"), fits},
		{"twice the same", question(multi), chosen("A", "A"), "answers[0].choices"},
		{"an option without an id", question(func(q *QuestionAsk) { q.Options[0].ID = "" }), chosen(""), "answers[0].choices"},
		{"own words not offered", question(noText), typed("x"), "answers[0].text"},
		{"own words of blanks", question(), typed("\t\u3164\u2800 "), "answers[0].text"},
		{"empty own words", question(), typed(""), "answers[0].text"},
		{"both", question(), Answer{Questions: []QuestionAnswer{{ID: "q1", Choices: []string{"A"}, Text: "x", HasText: true}}}, "answers[0].text"},
		{"both where they go together", question(both), Answer{Questions: []QuestionAnswer{{ID: "q1", Choices: []string{"A"}, Text: "x", HasText: true}}}, fits},
		{"text not marked as typed", question(), Answer{Questions: []QuestionAnswer{{ID: "q1", Choices: []string{"A"}, Text: "x"}}}, "answers[0].text"},
		{"too long", question(func(q *QuestionAsk) { q.MaxText = 3 }), typed("éééé"), "answers[0].text"},
		{"just long enough", question(func(q *QuestionAsk) { q.MaxText = 3 }), typed("ééé"), fits},
		{"all left out", question(optional), Answer{Questions: []QuestionAnswer{{ID: "q1"}}}, "answers"},
		{"no questions", &Ask{Kind: Question, Status: Open, Offers: Offered(ActAnswer)}, Answer{}, "answers"},

		{"a text field", question(ofType(FieldText)), typed("x"), fits},
		{"a text field left empty", question(ofType(FieldText)), Answer{Questions: []QuestionAnswer{{ID: "q1"}}}, "answers[0].text"},
		{"a number", question(ofType(FieldNumber)), typed("-1.5e3"), fits},
		{"hexadecimal", question(ofType(FieldNumber)), typed("0x10"), "answers[0].text"},
		{"infinite", question(ofType(FieldNumber)), typed("inf"), "answers[0].text"},
		{"beyond numbers", question(ofType(FieldNumber)), typed("1e999"), "answers[0].text"},
		{"a word for a number", question(ofType(FieldNumber)), typed("null"), "answers[0].text"},
		{"a whole number", question(ofType(FieldInteger)), typed("42"), fits},
		{"a fraction", question(ofType(FieldInteger)), typed("4.2"), "answers[0].text"},
		{"a blank after it", question(ofType(FieldInteger)), typed("42 "), "answers[0].text"},
		{"a truth", question(func(q *QuestionAsk) {
			*q = QuestionAsk{ID: "q1", Type: FieldBool, Options: []Option{{ID: "true"}, {ID: "false"}}}
		}), chosen("false"), fits},
		{"a truth typed", question(func(q *QuestionAsk) {
			*q = QuestionAsk{ID: "q1", Type: FieldBool, Options: []Option{{ID: "true"}, {ID: "false"}}}
		}), typed("true"), "answers[0].text"},

		{"unknown kind", &Ask{Kind: Unknown, Status: Open, Offers: Offered(ActDismiss)}, Answer{Dismiss: true}, ""},
		{"unknown status", approval(func(a *Ask) { a.Status = StatusUnknown }), Answer{Decision: Allow}, ""},
		{"unreadable", approval(func(a *Ask) { a.Unreadable = "two commands" }), Answer{Decision: Deny}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Validate(tt.ask, tt.answer)
			if tt.field == fits {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			var wrong *InvalidAnswer
			if !errors.As(err, &wrong) || wrong.Field != tt.field || wrong.Reason == "" {
				t.Fatalf("got %#v, want an invalid answer at %q", err, tt.field)
			}
		})
	}
}

func TestValidateTellsWhoMayAnswer(t *testing.T) {
	why := "answer it on build-box"
	elsewhere := approval(func(a *Ask) { a.Offers = Refused(why) })
	var where *Elsewhere
	if err := Validate(elsewhere, Answer{Decision: Allow}); !errors.As(err, &where) || where.Where != why {
		t.Errorf("got %v", err)
	}
	denied := approval(func(a *Ask) {
		a.Offers = Refused("this key started the session: answer with another key")
		a.Offers[ActAllow].NotAllowed = true
	})
	var not *NotAllowed
	if err := Validate(denied, Answer{Decision: Allow}); !errors.As(err, &not) {
		t.Errorf("got %v", err)
	}
	secret := &Ask{Kind: Secret, Status: Open, Secret: &SecretAsk{Where: "give it in the web"}, Offers: Offered(ActDismiss)}
	if err := Validate(secret, Answer{Decision: Allow}); !errors.As(err, &where) || where.Where != "give it in the web" {
		t.Errorf("got %v", err)
	}
	if err := Validate(secret, Answer{Dismiss: true}); err != nil {
		t.Errorf("a secret that offers its dismissal was not dismissed: %v", err)
	}
	var closed *Closed
	over := approval(func(a *Ask) { a.Status = Withdrawn })
	if err := Validate(over, Answer{Decision: Allow}); !errors.As(err, &closed) || closed.Ask != over {
		t.Errorf("got %v", err)
	}
}

// TestNoReasonReadsAsAnApproval is for relays on which the text alone decides.
func TestNoReasonReadsAsAnApproval(t *testing.T) {
	a := approval(func(a *Ask) { a.Approval.ApprovingWords = []string{"Approve", "Allow"} })
	for _, reason := range []string{"approve", " APPROVE ", "Ａｌｌｏｗ", "al\u200blow", "allow.", "\u00a0Allow\n", "“Approve”"} {
		if Validate(a, Answer{Decision: Deny, Message: reason}) == nil {
			t.Errorf("%q was taken as a reason", reason)
		}
	}
	for _, reason := range []string{"do not allow this", "approve it later", "no"} {
		if err := Validate(a, Answer{Decision: Deny, Message: reason}); err != nil {
			t.Errorf("%q: %v", reason, err)
		}
	}
}

// TestValidateAt refuses every answer once the time is over for good, and only then.
func TestValidateAt(t *testing.T) {
	end := time.Date(2026, 11, 30, 9, 42, 0, 0, time.UTC)
	final := approval(func(a *Ask) { a.Expires, a.ExpiredWords = end, "expired, counted as a denial" })
	overdue := approval(func(a *Ask) { a.Expires = end })
	never := approval(func(a *Ask) { a.ExpiredWords = "expired, counted as a denial" })
	for _, tc := range []struct {
		ask *Ask
		at  time.Time
		ok  bool
	}{{final, end.Add(-time.Second), true}, {final, end, false}, {overdue, end.Add(time.Hour), true}, {never, end, true}} {
		for _, answer := range []Answer{{Decision: Allow}, {Decision: Deny}, {Dismiss: true}} {
			var closed *Closed
			err := ValidateAt(tc.ask, answer, tc.at)
			if tc.ok && err != nil || !tc.ok && !errors.As(err, &closed) {
				t.Errorf("%v at %v: %v", answer, tc.at, err)
			}
		}
	}
}
