package opencomputer

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Actor is somebody who started a session or closed an ask.
type Actor struct {
	Type string `json:"type"` // user or agent
	ID   string `json:"id"`
	Name string `json:"name,omitzero"`
}

// User is a person with a token.
type User struct {
	Actor
	Token string
	// ReadOnly leaves out the scope asks:answer.
	ReadOnly bool
}

// Ada and Grace are the people whom every relay knows that was not told others.
// Ada's token is the one that [Server.Token] returns.
var (
	Ada   = User{Actor: Actor{Type: "user", ID: "usr_1", Name: "Ada"}, Token: "tok_ada_0123456789abcdef"}
	Grace = User{Actor: Actor{Type: "user", ID: "usr_2", Name: "Grace"}, Token: "tok_grace_0123456789abcdef"}
)

// Session is a session as it goes over the wire. To add one, only the title is needed.
type Session struct {
	ID     string `json:"id"` // cs_ and 16 characters
	Title  string `json:"title"`
	Status string `json:"status"` // waiting while an ask is open; else as set, or running
	URL    string `json:"url"`
	// CreatedBy is the first user where it is not set.
	CreatedBy Actor     `json:"createdBy"`
	ParentID  *string   `json:"parentId"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	// Asks is filled in when the session is sent: its open asks, newest first.
	Asks []jsontext.Value `json:"asks"`
}

// Ask is an ask as it goes over the wire.
type Ask struct {
	ID        string    `json:"id"` // ak_ and 12 characters
	SessionID string    `json:"sessionId"`
	Kind      string    `json:"kind"`
	Status    string    `json:"status"`
	OpenedAt  time.Time `json:"openedAt"`
	Approval  *Approval `json:"approval,omitzero"`
	Question  *Question `json:"question,omitzero"`
	Secret    *Secret   `json:"secret,omitzero"`

	ClosedAt time.Time `json:"closedAt,omitzero"`
	ClosedBy *Actor    `json:"closedBy,omitzero"`
	// Answer is the answer's body as it was taken; a declined ask has message and
	// messageSeq here, a dismissed one the message where one was given.
	Answer jsontext.Value `json:"answer,omitzero"`
}

// Approval is the wish to run a tool.
type Approval struct {
	ToolName string         `json:"toolName"`
	Input    jsontext.Value `json:"input"`
	// AlwaysAllows is a string or a list of strings; nil where "always" is not offered.
	AlwaysAllows any `json:"alwaysAllows,omitzero"`
}

// offersAlways reports whether "always" may be answered.
func (a *Approval) offersAlways() bool {
	switch rules := a.AlwaysAllows.(type) {
	case nil:
		return false
	case string:
		return rules != ""
	case []string:
		return len(rules) > 0
	case []any:
		return len(rules) > 0
	}
	return true
}

// Question is one or several questions.
type Question struct {
	Questions []QuestionItem `json:"questions"`
}

// QuestionItem is one question.
type QuestionItem struct {
	QuestionID  string   `json:"questionId"`
	Header      string   `json:"header"`
	Question    string   `json:"question"`
	Options     []Option `json:"options"`
	MultiSelect bool     `json:"multiSelect"`
}

// Option is one answer that is offered.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description,omitzero"`
}

// Secret is the wish for a secret.
type Secret struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Ref names an ask: two sessions may use the same id.
type Ref struct{ Session, Ask string }

// Sent is an answer or a dismissal that arrived for an ask, whatever came of it.
type Sent struct {
	By      Actor
	Dismiss bool
	// Body is the answer's own JSON, byte for byte: the body over HTTP, the member
	// `answer` over JSON-RPC. For a dismissal it is the body or the params.
	Body []byte
	// Code is the error it got; empty where it was taken.
	Code string
}

// page is one page of a listing.
type sessionsPage struct {
	Sessions   []jsontext.Value `json:"sessions"`
	NextCursor *string          `json:"nextCursor"`
}

type asksPage struct {
	Asks       []jsontext.Value `json:"asks"`
	NextCursor *string          `json:"nextCursor"`
}

// outcome is the reply to an answer or a dismissal.
type outcome struct {
	Ask jsontext.Value `json:"ask"`
	Seq int64          `json:"seq"`
}

// event is what the stream of events sends.
type event struct {
	Seq  int64          `json:"seq"`
	Type string         `json:"type"`
	Ask  jsontext.Value `json:"ask"`
}

// problem is an error as the wire has it, with the status that it has over HTTP.
type problem struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Field   string         `json:"field,omitzero"`
	Scope   string         `json:"scope,omitzero"`
	Ask     jsontext.Value `json:"ask,omitzero"`

	status int
}

func refuse(status int, code, field, message string) *problem {
	return &problem{status: status, Code: code, Field: field, Message: message}
}

func invalid(field, message string) *problem {
	return refuse(400, "invalid_answer", field, message)
}
