package oar

import (
	"cmp"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// object is a JSON object whose members need no type of their own.
type object = map[string]any

// stamp is a time as the wire has it, with milliseconds; null where it is zero.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// some is null for an empty text.
func some(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func (c *Card) wire(a *fake.Ask) object {
	queue, message := uuid(a.ID, 1), uuid(a.ID, 2)
	out := object{"id": a.ID, "conversationId": a.Session, "sdkSessionId": c.session(a), "mode": "agent", "queueId": queue, "messageId": message,
		"ownerWorkerId": nil, "continuationId": nil, "continuationQuestionId": nil, "prompt": c.Prompt, "choices": c.Choices,
		"request": c.Request, "requestSchema": c.RequestSchema, "context": nil, "allowFreeform": c.AllowFreeform, "status": a.Status,
		"answer": nil, "structuredAnswer": nil, "createdAt": stamp(a.OpenedAt), "answeredAt": stamp(a.End.At), "expiresAt": stamp(a.ExpiresAt)}
	if c.RelayID != "" {
		out["relayId"] = c.RelayID
	}
	if a.Status == "timed_out" {
		// The relay does not note when.
		out["answeredAt"] = nil
	}
	switch {
	case a.End.How != fake.Answered:
	case a.End.Body.Kind() == '"':
		out["answer"] = Text(*a)
	default:
		out["structuredAnswer"] = a.End.Body
	}
	if c.Source == "" {
		return out
	}
	context := object{"source": c.Source, "relayMode": cmp.Or(c.Mode, "agent"), "queueMessageId": message, "conversationId": a.Session}
	for name, text := range map[string]string{"rationale": c.Rationale, "header": c.Header} {
		if text != "" {
			context[name] = text
		}
	}
	if c.MultiSelect {
		context["multiSelect"] = true
	}
	if c.AllowMultiSelect {
		context["allowMultiSelect"] = true
	}
	out["context"] = context
	return out
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

func (b *Board) wire(a *fake.Ask) object {
	actions := []object{}
	for _, o := range b.Actions {
		actions = append(actions, object{"id": o.ID, "label": o.Label, "mode": some(o.Mode), "prompt": o.Prompt})
	}
	out := object{"id": a.ID, "conversationId": a.Session, "boardType": "plan_ready", "mode": "plan", "title": b.Title, "body": b.Body,
		"actions": actions, "recommendedAction": some(b.RecommendedAction), "status": a.Status, "selectedAction": nil,
		"actedAt": stamp(a.End.At), "createdAt": stamp(a.OpenedAt), "updatedAt": stamp(a.OpenedAt), "context": nil,
		"queueId": uuid(a.ID, 1), "messageId": uuid(a.ID, 2)}
	if !a.Open() {
		out["updatedAt"], out["selectedAction"] = out["actedAt"], some(Text(*a))
	}
	return out
}

// askAnswer is what an ask is answered with: one of the two.
type askAnswer struct {
	Answer *string `json:"answer"`
	Option *string `json:"option"`
}

func (i *Ask) wire(s *Server, st *fake.State, a *fake.Ask) object {
	var given askAnswer
	if a.End.How == fake.Answered {
		_ = json.Unmarshal(a.End.Body, &given)
	}
	out := object{"id": a.ID, "relayId": s.RelayID(), "conversationId": a.Session, "conversationTitle": "", "askedBy": i.AskedBy,
		"question": i.Question, "options": i.Options, "recommended": some(i.Recommended), "detail": some(i.Detail), "urgency": "normal",
		"status": a.Status, "createdAt": stamp(a.OpenedAt), "closedAt": stamp(a.End.At), "answer": given.Answer, "option": given.Option,
		"answeredOn": some(a.End.Surface)}
	if n := st.Session(a.Session); n != nil {
		out["conversationTitle"] = n.Title
	}
	if i.Now {
		out["urgency"] = "now"
	}
	return out
}

// wire is an item as it is sent.
func (s *Server) wire(st *fake.State, a *fake.Ask) jsontext.Value {
	switch item := a.Wire.(type) {
	case *Board:
		return fake.Marshal(item.wire(a))
	case *Ask:
		return fake.Marshal(item.wire(s, st, a))
	}
	return fake.Marshal(a.Wire.(*Card).wire(a))
}

func (s *Server) wireSession(n *fake.Session) object {
	out := object{"id": n.ID, "title": n.Title, "archived": false, "createdAt": stamp(n.CreatedAt), "updatedAt": stamp(n.UpdatedAt),
		"runtimeProviderType": "claude-code", "origin": nil,
		// Private to the relay's own page.
		"draftText": "words that nobody has sent"}
	if n.CreatedBy.Type == "agent" {
		out["origin"] = object{"kind": "agent", "relayName": s.options.Name, "conversationId": n.Parent, "conversationTitle": n.CreatedBy.Name,
			"provider": "claude-code", "model": "opus", "local": true}
	}
	return out
}
