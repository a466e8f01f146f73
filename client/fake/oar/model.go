package oar

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// The statuses that have a name here. All three kinds of item begin as pending.
const (
	pending   = "pending"
	answered  = "answered"
	timedOut  = "timed_out"
	cancelled = "cancelled"
	acted     = "acted"
	dismissed = "dismissed"
	withdrawn = "withdrawn"
	ended     = "ended"
)

// The sources of cards that are known.
const (
	AskUserQuestion       = "AskUserQuestion"
	RemoteRelay           = "remote_relay"
	OnPermissionRequest   = "onPermissionRequest"
	ClaudeCloudPermission = "ClaudeCloudPermission"
)

// Conversation is a session. To add one, only the title is needed.
type Conversation struct {
	ID       string  `json:"id"`
	Title    string  `json:"title"`
	Archived bool    `json:"archived"`
	Provider string  `json:"runtimeProviderType"`
	Origin   *Origin `json:"origin"` // nil: a person started it
	// DraftText is private to the relay's own page.
	DraftText string `json:"draftText"`

	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}

// Origin says which agent started a session.
type Origin struct {
	Kind              string `json:"kind"` // agent
	RelayName         string `json:"relayName"`
	ConversationID    string `json:"conversationId"`
	ConversationTitle string `json:"conversationTitle"`
	Provider          string `json:"provider"`
	Model             string `json:"model"`
	Local             bool   `json:"local,omitzero"`
}

// Card is a question card or an approval card.
type Card struct {
	ID             string         `json:"id"`
	ConversationID string         `json:"conversationId"`
	Mode           string         `json:"mode"`
	Prompt         string         `json:"prompt"`
	Choices        []string       `json:"choices"`
	RequestSchema  jsontext.Value `json:"requestSchema"`
	Context        Context        `json:"context"`
	AllowFreeform  bool           `json:"allowFreeform"`
	Status         string         `json:"status"`
	Answer         *string        `json:"answer"`
	// StructuredAnswer is what a form was answered.
	StructuredAnswer jsontext.Value `json:"structuredAnswer"`
	// RelayID is set on a card of another relay, which no relay should show.
	RelayID string `json:"relayId,omitzero"`

	// SDKSessionID is the conversation's id where it is empty, and null with NoSDKSession.
	SDKSessionID string `json:"-"`
	NoSDKSession bool   `json:"-"`
	// OtherOwner refuses every answer with `owner mismatch`.
	OtherOwner bool `json:"-"`
	// The times are by the relay's clock. ExpiresAt is 8 h after CreatedAt where it
	// is not set.
	CreatedAt, AnsweredAt, ExpiresAt time.Time `json:"-"`
}

// Context is what a card says about itself.
type Context struct {
	Source      string `json:"source,omitzero"`
	Rationale   string `json:"rationale,omitzero"`
	Header      string `json:"header,omitzero"`
	MultiSelect bool   `json:"multiSelect,omitzero"`
}

// Board is a plan board.
type Board struct {
	ID                string   `json:"id"`
	ConversationID    string   `json:"conversationId"`
	BoardType         string   `json:"boardType,omitzero"`
	Title             string   `json:"title"`
	Body              string   `json:"body"`
	Actions           []Action `json:"actions"`
	RecommendedAction *string  `json:"recommendedAction"`
	Status            string   `json:"status"`

	// Acted is the id of the action that was taken; it does not go over the wire.
	Acted                string    `json:"-"`
	CreatedAt, UpdatedAt time.Time `json:"-"`
}

// Action is one thing to do with a board.
type Action struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Mode  string `json:"mode,omitzero"`
}

// Ask is an ask: the session goes on.
type Ask struct {
	ID                string   `json:"id"`
	RelayID           string   `json:"relayId"`
	ConversationID    string   `json:"conversationId"`
	ConversationTitle string   `json:"conversationTitle"`
	AskedBy           *AskedBy `json:"askedBy"`
	Question          string   `json:"question"`
	Options           []string `json:"options"`
	Recommended       *string  `json:"recommended"`
	Detail            *string  `json:"detail"`
	Urgency           string   `json:"urgency"` // now or normal
	Status            string   `json:"status"`
	Answer            *string  `json:"answer"`
	Option            *string  `json:"option"`
	AnsweredOn        *string  `json:"answeredOn"`

	CreatedAt, ClosedAt time.Time `json:"-"`
}

// AskedBy is the session that asks about another one.
type AskedBy struct {
	ConversationID string `json:"conversationId"`
	Title          string `json:"title"`
}

// stamp is a time as the wire has it.
type stamp time.Time

// at returns a time for the wire; null for none.
func at(t time.Time) *stamp {
	if t.IsZero() {
		return nil
	}
	s := stamp(t)
	return &s
}

// MarshalText writes RFC 3339 in UTC with milliseconds.
func (s stamp) MarshalText() ([]byte, error) {
	return time.Time(s).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000Z07:00"), nil
}

func (c *Card) wire() jsontext.Value {
	var session *string
	if !c.NoSDKSession {
		session = &c.SDKSessionID
	}
	return fake.Marshal(struct {
		*Card
		SDKSessionID *string `json:"sdkSessionId"`
		CreatedAt    *stamp  `json:"createdAt"`
		AnsweredAt   *stamp  `json:"answeredAt"`
		ExpiresAt    *stamp  `json:"expiresAt"`
	}{c, session, at(c.CreatedAt), at(c.AnsweredAt), at(c.ExpiresAt)})
}

func (b *Board) wire() jsontext.Value {
	return fake.Marshal(struct {
		*Board
		CreatedAt *stamp `json:"createdAt"`
		UpdatedAt *stamp `json:"updatedAt"`
	}{b, at(b.CreatedAt), at(b.UpdatedAt)})
}

func (a *Ask) wire() jsontext.Value {
	return fake.Marshal(struct {
		*Ask
		CreatedAt *stamp `json:"createdAt"`
		ClosedAt  *stamp `json:"closedAt"`
	}{a, at(a.CreatedAt), at(a.ClosedAt)})
}

func (c *Conversation) wire() jsontext.Value {
	return fake.Marshal(struct {
		*Conversation
		CreatedAt *stamp `json:"createdAt"`
		UpdatedAt *stamp `json:"updatedAt"`
	}{c, at(c.CreatedAt), at(c.UpdatedAt)})
}

// problem is a refusal with its status. With html it answers a page instead of JSON.
type problem struct {
	status int
	html   bool
	body   refusal
}

type refusal struct {
	Error             string         `json:"error"`
	ExpectedSessionID string         `json:"expectedSessionId,omitzero"`
	Fields            []fieldFault   `json:"fields,omitzero"`
	Ask               jsontext.Value `json:"ask,omitzero"`
}

// fieldFault says what is wrong with one field of a form.
type fieldFault struct {
	Name    string `json:"name"`
	Message string `json:"message"`
}

func refuse(status int, message string) *problem {
	return &problem{status: status, body: refusal{Error: message}}
}

func page(status int) *problem { return &problem{status: status, html: true} }
