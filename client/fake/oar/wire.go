package oar

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// stamp is a time as the wire has it; null where it is zero.
type stamp time.Time

// MarshalJSON writes RFC 3339 in UTC with milliseconds.
func (s stamp) MarshalJSON() ([]byte, error) {
	if time.Time(s).IsZero() {
		return []byte("null"), nil
	}
	return time.Time(s).UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z07:00"`), nil
}

// some is null for an empty text.
func some(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

type cardWire struct {
	ID                     string         `json:"id"`
	ConversationID         string         `json:"conversationId"`
	SDKSessionID           *string        `json:"sdkSessionId"`
	Mode                   string         `json:"mode"`
	QueueID                string         `json:"queueId"`
	MessageID              string         `json:"messageId"`
	OwnerWorkerID          *string        `json:"ownerWorkerId"`
	ContinuationID         *string        `json:"continuationId"`
	ContinuationQuestionID *string        `json:"continuationQuestionId"`
	Prompt                 string         `json:"prompt"`
	Choices                []string       `json:"choices"`
	Request                jsontext.Value `json:"request"`
	RequestSchema          jsontext.Value `json:"requestSchema"`
	Context                *contextWire   `json:"context"`
	AllowFreeform          bool           `json:"allowFreeform"`
	Status                 string         `json:"status"`
	Answer                 *string        `json:"answer"`
	StructuredAnswer       jsontext.Value `json:"structuredAnswer"`
	CreatedAt              stamp          `json:"createdAt"`
	AnsweredAt             stamp          `json:"answeredAt"`
	ExpiresAt              stamp          `json:"expiresAt"`
	RelayID                string         `json:"relayId,omitzero"`
}

type contextWire struct {
	Source         string `json:"source"`
	Rationale      string `json:"rationale,omitzero"`
	Header         string `json:"header,omitzero"`
	MultiSelect    bool   `json:"multiSelect,omitzero"`
	RelayMode      string `json:"relayMode"`
	QueueMessageID string `json:"queueMessageId"`
	ConversationID string `json:"conversationId"`
}

func (c *Card) wire(a *fake.Ask) jsontext.Value {
	queue, message := uuid(a.ID, 1), uuid(a.ID, 2)
	out := cardWire{ID: a.ID, ConversationID: a.Session, SDKSessionID: c.session(a), Mode: "agent", QueueID: queue, MessageID: message,
		Prompt: c.Prompt, Choices: c.Choices, Request: fake.Marshal(c.Request), RequestSchema: c.RequestSchema, AllowFreeform: c.AllowFreeform,
		Status: a.Status, CreatedAt: stamp(a.OpenedAt), AnsweredAt: stamp(a.End.At), ExpiresAt: stamp(a.ExpiresAt), RelayID: c.RelayID}
	if c.Source != "" {
		out.Context = &contextWire{c.Source, c.Rationale, c.Header, c.MultiSelect, "agent", message, a.Session}
	}
	if a.Status == "timed_out" {
		// The relay does not note when.
		out.AnsweredAt = stamp{}
	}
	switch {
	case a.End.How != fake.Answered:
	case a.End.Body.Kind() == '"':
		text := Text(*a)
		out.Answer = &text
	default:
		out.StructuredAnswer = a.End.Body
	}
	return fake.Marshal(out)
}

// session is the id that an answer to a card has to name.
func (c *Card) session(a *fake.Ask) *string {
	switch {
	case c.NoSDKSession:
		return nil
	case c.SDKSessionID != "":
		return &c.SDKSessionID
	}
	return &a.Session
}

type boardWire struct {
	ID                string   `json:"id"`
	ConversationID    string   `json:"conversationId"`
	BoardType         string   `json:"boardType"`
	Mode              string   `json:"mode"`
	Title             string   `json:"title"`
	Body              string   `json:"body"`
	Actions           []Action `json:"actions"`
	RecommendedAction *string  `json:"recommendedAction"`
	Status            string   `json:"status"`
	SelectedAction    *string  `json:"selectedAction"`
	ActedAt           stamp    `json:"actedAt"`
	CreatedAt         stamp    `json:"createdAt"`
	UpdatedAt         stamp    `json:"updatedAt"`
	Context           *string  `json:"context"`
	QueueID           string   `json:"queueId"`
	MessageID         string   `json:"messageId"`
}

func (b *Board) wire(a *fake.Ask) jsontext.Value {
	out := boardWire{ID: a.ID, ConversationID: a.Session, BoardType: "plan_ready", Mode: "plan", Title: b.Title, Body: b.Body, Actions: b.Actions,
		RecommendedAction: some(b.RecommendedAction), Status: a.Status, ActedAt: stamp(a.End.At), CreatedAt: stamp(a.OpenedAt),
		UpdatedAt: stamp(a.OpenedAt), QueueID: uuid(a.ID, 1), MessageID: uuid(a.ID, 2)}
	if !a.Open() {
		out.UpdatedAt, out.SelectedAction = out.ActedAt, some(Text(*a))
	}
	return fake.Marshal(out)
}

// askAnswer is what an ask is answered with: one of the two.
type askAnswer struct {
	Answer *string `json:"answer"`
	Option *string `json:"option"`
}

type askWire struct {
	ID                string   `json:"id"`
	RelayID           string   `json:"relayId"`
	ConversationID    string   `json:"conversationId"`
	ConversationTitle string   `json:"conversationTitle"`
	AskedBy           *AskedBy `json:"askedBy"`
	Question          string   `json:"question"`
	Options           []string `json:"options"`
	Recommended       *string  `json:"recommended"`
	Detail            *string  `json:"detail"`
	Urgency           string   `json:"urgency"`
	Status            string   `json:"status"`
	CreatedAt         stamp    `json:"createdAt"`
	ClosedAt          stamp    `json:"closedAt"`
	askAnswer         `json:",inline"`
	AnsweredOn        *string `json:"answeredOn"`
}

func (i *Ask) wire(s *Server, st *fake.State, a *fake.Ask) jsontext.Value {
	out := askWire{ID: a.ID, RelayID: s.RelayID(), ConversationID: a.Session, AskedBy: i.AskedBy, Question: i.Question,
		Options: i.Options, Recommended: some(i.Recommended), Detail: some(i.Detail), Urgency: "normal", Status: a.Status,
		CreatedAt: stamp(a.OpenedAt), ClosedAt: stamp(a.End.At), AnsweredOn: some(a.End.Surface)}
	if n := st.Session(a.Session); n != nil {
		out.ConversationTitle = n.Title
	}
	if i.Now {
		out.Urgency = "now"
	}
	if a.End.How == fake.Answered {
		_ = json.Unmarshal(a.End.Body, &out.askAnswer)
	}
	return fake.Marshal(out)
}

// wire is an item as it is sent.
func (s *Server) wire(st *fake.State, a *fake.Ask) jsontext.Value {
	if a.Raw() != nil {
		return a.Raw()
	}
	switch item := a.Wire.(type) {
	case *Board:
		return item.wire(a)
	case *Ask:
		return item.wire(s, st, a)
	}
	return a.Wire.(*Card).wire(a)
}

// origin says which agent started a session.
type origin struct {
	Kind              string `json:"kind"`
	RelayName         string `json:"relayName"`
	ConversationID    string `json:"conversationId"`
	ConversationTitle string `json:"conversationTitle"`
	Provider          string `json:"provider"`
	Model             string `json:"model"`
	Local             bool   `json:"local"`
}

type conversationWire struct {
	ID        string  `json:"id"`
	Title     string  `json:"title"`
	Archived  bool    `json:"archived"`
	Provider  string  `json:"runtimeProviderType"`
	Origin    *origin `json:"origin"` // null: a person started it
	CreatedAt stamp   `json:"createdAt"`
	UpdatedAt stamp   `json:"updatedAt"`
	// DraftText is private to the relay's own page.
	DraftText string `json:"draftText"`
}

func (s *Server) wireSession(n *fake.Session) jsontext.Value {
	out := conversationWire{n.ID, n.Title, n.Archived, "claude-code", nil, stamp(n.CreatedAt), stamp(n.UpdatedAt), "words that nobody has sent"}
	if n.CreatedBy.Type == "agent" {
		out.Origin = &origin{"agent", s.options.Name, n.Parent, n.CreatedBy.Name, "claude-code", "opus", true}
	}
	return fake.Marshal(out)
}
