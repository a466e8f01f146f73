package oar

import (
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// The sources of cards that are known.
const (
	AskUserQuestion       = "AskUserQuestion"
	RemoteRelay           = "remote_relay"
	OnPermissionRequest   = "onPermissionRequest"
	ClaudeCloudPermission = "ClaudeCloudPermission"
)

// Card is a question card or an approval card. Its session waits.
type Card struct {
	Prompt        string
	Choices       []string
	Request       any            // encoded as JSON
	RequestSchema jsontext.Value // of a form
	AllowFreeform bool

	Source, Rationale, Header string
	MultiSelect               bool
	// AllowMultiSelect lets several be chosen by a switch, as Copilot's cards do.
	AllowMultiSelect bool
	// Mode is what the worker works in; "agent" where it is empty.
	Mode string

	// SDKSessionID is the conversation's id where it is empty, and null with NoSDKSession.
	SDKSessionID string
	NoSDKSession bool
	// OtherOwner refuses every answer with `owner mismatch`.
	OtherOwner bool
	// RelayID is set on a card of another relay, which no relay should show.
	RelayID string
}

// Board is a plan board. No session waits on it.
type Board struct {
	Title, Body       string
	Actions           []Action
	RecommendedAction string
}

// Action is one thing to do with a board.
type Action struct {
	ID, Label string
	Mode      string // null where it is empty
	Prompt    *string
}

// PlanActions are the actions of an ordinary plan board.
func PlanActions() []Action {
	return []Action{
		{ID: "autopilot", Label: "Implement in autopilot", Mode: "autopilot"},
		{ID: "interactive", Label: "Stop here and prompt myself", Mode: "agent"},
		{ID: "exit_only", Label: "Stop here", Mode: "agent"},
	}
}

// Ask is an ask: its session goes on.
type Ask struct {
	Question            string
	Options             []string
	Recommended, Detail string
	Now                 bool
	AskedBy             *AskedBy
}

// AskedBy is the session that asks about another one.
type AskedBy struct {
	ConversationID string `json:"conversationId"`
	Title          string `json:"title"`
}

// OpenCard opens a card in a session.
func (s *Server) OpenCard(session string, c Card) fake.Ref {
	return s.Open(session, fake.Ask{Wire: &c})
}

// OpenBoard opens a plan board in a session.
func (s *Server) OpenBoard(session string, b Board) fake.Ref {
	return s.Open(session, fake.Ask{Wire: &b})
}

// OpenAsk opens an ask in a session. The limits that the wire page has are not
// looked at.
func (s *Server) OpenAsk(session string, a Ask) fake.Ref {
	return s.Open(session, fake.Ask{Wire: &a})
}

// Question opens a question card that also takes typed text.
func (s *Server) Question(session, prompt string, choices ...string) fake.Ref {
	return s.OpenCard(session, Card{Prompt: prompt, Choices: choices, AllowFreeform: true, Source: AskUserQuestion})
}

// Approval opens an approval card of one of the known sources, with the choices
// that it has; only onPermissionRequest takes typed text.
func (s *Server) Approval(session, source, prompt string) fake.Ref {
	return s.OpenCard(session, approval(source, prompt))
}

func approval(source, prompt string) Card {
	c := Card{Prompt: prompt, Choices: []string{"Allow", "Deny"}, Source: source}
	if source == OnPermissionRequest {
		c.Choices[0], c.AllowFreeform = "Approve", true
	}
	return c
}

// Form opens a card that wants a form filled in; schema is a JSON Schema object.
func (s *Server) Form(session, prompt, schema string) fake.Ref {
	return s.Open(session, fake.Ask{Form: schema, Says: prompt})
}

// shape makes the item of an ask that has none yet.
func shape(_ *fake.State, _ *fake.Session, a *fake.Ask) {
	switch {
	case a.Wire != nil:
	case a.GoesOn:
		q := a.Questions[0]
		item := &Ask{Question: q.Text, Options: q.Labels(), Detail: a.Detail, Now: a.Urgent}
		if q.Recommended > 0 {
			item.Recommended = item.Options[q.Recommended-1]
		}
		a.Wire = item
	case a.Plan != "":
		a.Wire = &Board{Title: "Plan ready", Body: a.Plan, Actions: PlanActions()}
	default:
		c := card(a)
		a.Wire = &c
	}
	if _, ok := a.Wire.(*Card); ok && a.ExpiresAt.IsZero() {
		a.ExpiresAt = a.OpenedAt.Add(8 * time.Hour)
	}
}

// card is an ask as a card, which has one question at most.
func card(a *fake.Ask) (c Card) {
	switch {
	case a.Form != "":
		return Card{Prompt: a.Says, RequestSchema: fake.MustBeJSON(a.Form), Source: "elicitation"}
	case len(a.Questions) > 0:
		q := a.Questions[0]
		c = Card{Prompt: q.Text, Choices: q.Labels(), AllowFreeform: true, Source: AskUserQuestion, Header: q.Header, MultiSelect: q.Several}
		// Choices have no descriptions, so these stand in the prompt.
		blank := "\n"
		for _, o := range q.Options {
			if o.Description != "" {
				c.Prompt += blank + "\n- " + o.Label + ": " + o.Description
				blank = ""
			}
		}
		return c
	case a.Edit != nil:
		c = approval(ClaudeCloudPermission, "Claude Cloud asks for permission to use Write.\n\n"+a.Edit.Path+"\n\n"+a.Edit.After)
	default:
		c = approval(OnPermissionRequest, "Copilot wants to run:\n"+a.Command+"\n\nApprove this action?")
	}
	c.Rationale = a.Says
	return c
}

// isApproval reports whether a card is an approval: by its source, or by its two
// choices.
func (c *Card) isApproval() bool {
	switch c.Source {
	case RemoteRelay, OnPermissionRequest, ClaudeCloudPermission:
		return true
	case AskUserQuestion:
		return false
	}
	return len(c.Choices) == 2 && slices.Contains(c.Choices, "Deny") &&
		(slices.Contains(c.Choices, "Allow") || slices.Contains(c.Choices, "Approve"))
}

// word is what the relay calls what became of an item.
func word(a *fake.Ask, how string) string {
	words := map[string]string{"open": "pending"}
	switch a.Wire.(type) {
	case *Card:
		words[fake.Dismissed], words[fake.Expired] = "timed_out", "timed_out"
		words[fake.Interrupted], words[fake.Declined] = "cancelled", "cancelled"
	case *Board:
		words[fake.Answered], words[fake.Interrupted], words[fake.Declined] = "acted", "dismissed", "dismissed"
	case *Ask:
		words[fake.Interrupted], words[fake.Declined] = "withdrawn", "withdrawn"
	}
	if w, ok := words[how]; ok {
		return w
	}
	return how
}

// answerText is an answer to a card, as a text. Like the agents, it takes a text
// for an approval without looking at the case and at blanks around the word.
func (c *Card) answerText(text string) fake.End {
	e := fake.End{How: fake.Answered, Body: fake.Marshal(text), Answer: fake.Answer{Words: text}}
	word := strings.ToLower(strings.TrimSpace(text))
	switch {
	case c.isApproval() && (word == "allow" || word == "approve"):
		e.Answer = fake.Allow
	case c.isApproval() && text == "Deny":
		e.Answer = fake.Deny("")
	case c.isApproval():
		e.Answer = fake.Deny(text)
	case slices.Contains(c.Choices, text):
		e.Answer = fake.Choose(text)
	}
	return e
}

// body is an answer that was given elsewhere, as the wire has it: a text, or for
// an ask an object.
func body(a *fake.Ask, e fake.End) jsontext.Value {
	text := e.Words
	if e.First() != "" {
		text = strings.Join(e.Choices[0], ", ")
	}
	switch item := a.Wire.(type) {
	case *Card:
		switch {
		case e.Decision == "deny" && text == "":
			text = "Deny"
		case e.Decision == "allow":
			text = item.Choices[0]
		}
	case *Board:
		switch {
		case e.How != fake.Answered:
			text = "exit_only"
		case e.Decision == "allow":
			text = "interactive"
		}
	case *Ask:
		if e.First() != "" {
			return fake.Marshal(askAnswer{Option: &text})
		}
		return fake.Marshal(askAnswer{Answer: &text})
	}
	return fake.Marshal(text)
}

// Text returns what a card or a board was answered with.
func Text(a fake.Ask) (text string) {
	_ = json.Unmarshal(a.End.Body, &text)
	return text
}
