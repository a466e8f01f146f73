package werft

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// Actor is somebody who started a session.
type Actor struct {
	Type string `json:"type"` // user or agent
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Key is an API key. Two keys may belong to one person.
type Key struct {
	Token string
	Actor Actor
	// Scopes are what it may do; nil is sessions:approve and sessions:control.
	Scopes []string
	// Operator is the development server's own key, which may answer for itself.
	Operator bool
}

// Ada, Bot and Grace are the keys that every relay knows that was not told
// others. Ada's token is the one that [Server.Token] returns; Bot starts sessions.
var (
	Ada   = Key{Token: "wk_ada_0123456789abcdef", Actor: Actor{"user", "u_1", "Ada"}}
	Grace = Key{Token: "wk_grace_0123456789abcdef", Actor: Actor{"user", "u_2", "Grace"}}
	Bot   = Key{Token: "wk_bot_0123456789abcdef", Actor: Actor{"agent", "a_1", "planner"}}
)

// The admission states that have a name.
const (
	Active           = "active"
	Paused           = "paused"
	Stopped          = "stopped"
	RecoveryRequired = "recovery_required"
	Closed           = "closed"
)

// Session is a session. To add one, only the title is needed.
type Session struct {
	ID string `json:"session_id"`
	// Title is what it is called.
	Title string `json:"title"`
	// Status is needs_input while a request is open; else as set, or running.
	Status             string  `json:"status"`
	AdmissionState     string  `json:"admission_state"`
	Revision           int64   `json:"revision"`
	CheckpointRevision int64   `json:"checkpoint_revision"`
	Attention          *string `json:"attention"`
	URL                string  `json:"url"`
	CreatedBy          Actor   `json:"created_by"`

	CreatedAt time.Time `json:"-"`
	// Key is the token of the key that started it; empty: none that this relay knows.
	Key string `json:"-"`
}

// Request is a request as it goes over the wire.
type Request struct {
	ID   string `json:"request_id"`
	Kind string `json:"kind"` // permission or question
	// Tool, Input and ProposedRemember belong to a permission.
	Tool             string         `json:"tool,omitzero"`
	Input            jsontext.Value `json:"input,omitzero"`
	ProposedRemember string         `json:"proposed_remember,omitzero"`
	Questions        []Question     `json:"questions,omitzero"`

	// ExpiresAt is 30 minutes after CreatedAt where it is not set; with NoExpiry it
	// is not sent, and holds all the same.
	CreatedAt, ExpiresAt time.Time `json:"-"`
	NoExpiry             bool      `json:"-"`
}

// Question is one question of a request.
type Question struct {
	ID          string   `json:"question_id"`
	Header      string   `json:"header"`
	Prompt      string   `json:"prompt"`
	Options     []Option `json:"options"`
	MultiSelect bool     `json:"multi_select"`
}

// Option is one answer that is offered.
type Option struct {
	ID          string `json:"option_id"`
	Label       string `json:"label"`
	Description string `json:"description,omitzero"`
}

// Ref names a request: two sessions may use the same id.
type Ref struct{ Session, Request string }

// End is how a request ended.
type End struct {
	Ref
	// How is answered, expired or moved on.
	How string
	// By and Surface are set where it was answered.
	By      Actor
	Surface string
	// Answer is the body of the answer that counted, as it arrived.
	Answer string
}

// Sent is an answer that arrived for a request, whatever came of it.
type Sent struct {
	By Actor
	// Body is what arrived, byte for byte.
	Body string
	// Code is the error that it got; empty where it was taken.
	Code string
}

// stamp is a time as the wire has it.
type stamp time.Time

func at(t time.Time) *stamp {
	if t.IsZero() {
		return nil
	}
	s := stamp(t)
	return &s
}

// MarshalText writes RFC 3339 in UTC.
func (s stamp) MarshalText() ([]byte, error) {
	return time.Time(s).UTC().AppendFormat(nil, time.RFC3339Nano), nil
}

func (r *Request) wire() jsontext.Value {
	expires := at(r.ExpiresAt)
	if r.NoExpiry {
		expires = nil
	}
	return fake.Marshal(struct {
		*Request
		CreatedAt *stamp `json:"created_at"`
		ExpiresAt *stamp `json:"expires_at,omitzero"`
	}{r, at(r.CreatedAt), expires})
}

func (s *Session) wire() jsontext.Value {
	return fake.Marshal(struct {
		*Session
		CreatedAt *stamp `json:"created_at"`
	}{s, at(s.CreatedAt)})
}

// problem is an error as the wire has it, with its status.
type problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Scope   string `json:"scope,omitzero"`

	status int
}

func refuse(status int, code, message string) *problem {
	return &problem{status: status, Code: code, Message: message}
}

// invalid is an answer that does not fit its request. The wire page has no code
// for it, so this one is the fake's own.
func invalid(message string) *problem { return refuse(400, "INVALID_REQUEST", message) }

func notFound(what string) *problem {
	return refuse(404, "NOT_FOUND", "there is no such "+what)
}
