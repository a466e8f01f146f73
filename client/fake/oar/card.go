package oar

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// life is how long a card waits where nothing else is set.
const life = 8 * time.Hour

var cardStatuses = []string{pending, answered, timedOut, cancelled}

// card is a card as the relay holds it.
type card struct {
	Card
	raw []byte // sent as it is while the card is pending
}

func (c *card) wire() jsontext.Value {
	if c.raw != nil && c.Status == pending {
		return c.raw
	}
	return c.Card.wire()
}

func (c *card) end() End {
	e := End{Kind: "card", ID: c.ID, Conversation: c.ConversationID, Status: c.Status, Approved: c.Approved()}
	if c.Answer != nil {
		e.Answer = *c.Answer
	}
	return e
}

// IsApproval reports whether the card is an approval: by its source, or by its
// two choices.
func (c *Card) IsApproval() bool {
	switch c.Context.Source {
	case RemoteRelay, OnPermissionRequest, ClaudeCloudPermission:
		return true
	case AskUserQuestion:
		return false
	}
	return len(c.Choices) == 2 && slices.Contains(c.Choices, "Deny") &&
		(slices.Contains(c.Choices, "Allow") || slices.Contains(c.Choices, "Approve"))
}

// Approved reports whether the agent takes the answer as an approval. Like the
// agents, it does not look at the case and at blanks around the word.
func (c *Card) Approved() bool {
	if c.Status != answered || c.Answer == nil || !c.IsApproval() {
		return false
	}
	word := strings.ToLower(strings.TrimSpace(*c.Answer))
	return word == "allow" || word == "approve"
}

// OpenCard opens a card in a conversation and returns its id. What is not set is
// filled in.
func (s *Server) OpenCard(conversation string, c Card) string {
	return s.openCard(conversation, c, nil)
}

func (s *Server) openCard(conversation string, c Card, raw []byte) string {
	now := s.Now()
	s.mu.Lock()
	if c.ID == "" {
		c.ID = s.newID()
	}
	if c.Status == "" {
		c.Status = pending
	}
	if c.Mode == "" {
		c.Mode = "agent"
	}
	if c.SDKSessionID == "" {
		c.SDKSessionID = conversation
	}
	if c.CreatedAt.IsZero() {
		c.CreatedAt = now
	}
	if c.ExpiresAt.IsZero() {
		c.ExpiresAt = c.CreatedAt.Add(life)
	}
	c.ConversationID = conversation
	s.cards = append(s.cards, &card{Card: c, raw: raw})
	s.touch(conversation, c.CreatedAt)
	s.mu.Unlock()
	s.changed.Broadcast()
	return c.ID
}

// RawCard opens a card that is sent exactly as given while it is pending, whether
// it is right or not. It has to be one JSON value. The id is the one in it, for
// which the caller has to provide.
func (s *Server) RawCard(conversation, id, raw string) {
	s.openCard(conversation, Card{ID: id}, fake.MustBeJSON(raw))
}

// Question opens a question card that also takes typed text.
func (s *Server) Question(conversation, prompt string, choices ...string) string {
	return s.OpenCard(conversation, Card{Prompt: prompt, Choices: choices, AllowFreeform: true,
		Context: Context{Source: AskUserQuestion}})
}

// Approval opens an approval card of one of the known sources, with the choices
// that it has; only onPermissionRequest takes typed text.
func (s *Server) Approval(conversation, source, prompt string) string {
	c := Card{Prompt: prompt, Choices: []string{"Allow", "Deny"}, Context: Context{Source: source}}
	if source == OnPermissionRequest {
		c.Choices[0], c.AllowFreeform = "Approve", true
	}
	return s.OpenCard(conversation, c)
}

// Form opens a card that wants a form filled in; schema is a JSON Schema object.
func (s *Server) Form(conversation, prompt, schema string) string {
	return s.OpenCard(conversation, Card{Prompt: prompt, RequestSchema: fake.MustBeJSON(schema),
		Context: Context{Source: "elicitation"}})
}

// FillAnswered adds n cards that were answered just now, each with a prompt of
// size bytes.
func (s *Server) FillAnswered(conversation string, n, size int) {
	prompt, word, now := strings.Repeat("x", size), "Allow", s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		s.cards = append(s.cards, &card{Card: Card{ID: s.newID(), ConversationID: conversation, Mode: "agent",
			Prompt: prompt, Choices: []string{"Allow", "Deny"}, Context: Context{Source: ClaudeCloudPermission},
			Status: answered, Answer: &word, SDKSessionID: conversation,
			CreatedAt: now, AnsweredAt: now, ExpiresAt: now.Add(life)}})
	}
}

// card returns a card; s.mu is held.
func (s *Server) card(id string) *card {
	for _, c := range s.cards {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Card returns a card as it now is.
func (s *Server) Card(id string) (Card, bool) {
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.card(id); c != nil {
		return c.Card, true
	}
	return Card{}, false
}

// ReplaceCard changes a pending card in place, under the same id, as an agent
// never should. It reports whether there is such a card.
func (s *Server) ReplaceCard(id string, change func(*Card)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.card(id)
	if c == nil || c.Status != pending {
		return false
	}
	change(&c.Card)
	c.raw = nil
	return true
}

// AnswerCard answers a card outside the wire, as the relay's own page would, and
// reports whether it was still pending. Nothing says who did it.
func (s *Server) AnswerCard(id, answer string) bool {
	return s.endCard(id, answered, func(c *Card) { c.Answer = &answer })
}

// TimeOut ends a card unanswered, as its expiry would.
func (s *Server) TimeOut(id string) bool { return s.endCard(id, timedOut, nil) }

// Cancel ends a card by the end of its turn.
func (s *Server) Cancel(id string) bool { return s.endCard(id, cancelled, nil) }

// endCard closes a card, unless something else was first.
func (s *Server) endCard(id, status string, with func(*Card)) bool {
	now := s.Now()
	s.mu.Lock()
	c := s.card(id)
	first := c != nil && c.Status == pending
	var e End
	if first {
		c.Status = status
		// A card that timed out keeps no time, as the relay does not note when.
		if status != timedOut {
			c.AnsweredAt = now
		}
		if with != nil {
			with(&c.Card)
		}
		s.touch(c.ConversationID, now)
		e = c.end()
	}
	s.mu.Unlock()
	if first {
		s.tell(e)
	}
	return first
}

// settle ends the cards whose time is over by the relay's clock.
func (s *Server) settle() {
	now := s.Now()
	s.mu.Lock()
	var over []string
	for _, c := range s.cards {
		if c.Status == pending && !now.Before(c.ExpiresAt.Add(s.options.Lag)) {
			over = append(over, c.ID)
		}
	}
	s.mu.Unlock()
	for _, id := range over {
		s.TimeOut(id)
	}
}

// getCards lists the cards of one status, oldest first and without pages.
func (s *Server) getCards(r *http.Request) (any, *problem) {
	status := r.URL.Query().Get("status")
	if !slices.Contains(cardStatuses, status) {
		return nil, refuse(http.StatusBadRequest, "status is one of "+strings.Join(cardStatuses, ", "))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var listed []card
	for _, c := range s.cards {
		if c.Status == status {
			listed = append(listed, *c)
		}
	}
	slices.SortStableFunc(listed, func(x, y card) int { return x.CreatedAt.Compare(y.CreatedAt) })
	out := list{name: "questions"}
	for i := range listed {
		out.items = append(out.items, listed[i].wire)
	}
	return out, nil
}

// questionReply is one card, after an answer with ok.
type questionReply struct {
	OK       bool           `json:"ok,omitzero"`
	Question jsontext.Value `json:"question"`
}

func (s *Server) getCard(r *http.Request) (any, *problem) {
	return s.oneCard(r.PathValue("id"), false)
}

func (s *Server) oneCard(id string, ok bool) (any, *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.card(id); c != nil {
		return questionReply{ok, c.wire()}, nil
	}
	return nil, notFound()
}

func notFound() *problem { return refuse(http.StatusNotFound, "Not found") }

// answerCard takes an answer. Whether it is one of the choices, and whether text
// is allowed at all, is not looked at.
func (s *Server) answerCard(id string, given request) (any, *problem) {
	c, ok := s.Card(id)
	if !ok {
		return nil, notFound()
	}
	if wrong := mayAnswer(&c, given); wrong != nil {
		return nil, wrong
	}
	if c.Status != pending {
		return nil, alreadyOver("Question", c.Status)
	}
	if wrong := checkCard(&c, given); wrong != nil {
		return nil, wrong
	}
	if !s.endCard(id, answered, func(c *Card) { c.Answer, c.StructuredAnswer = given.Answer, given.StructuredAnswer }) {
		c, _ = s.Card(id)
		return nil, alreadyOver("Question", c.Status)
	}
	return s.oneCard(id, true)
}

// mayAnswer checks who answers: the session has to be the card's, word for word.
func mayAnswer(c *Card, given request) *problem {
	if c.OtherOwner || c.RelayID != "" {
		return refuse(http.StatusForbidden, "owner mismatch")
	}
	expected, got := c.SDKSessionID, ""
	if c.NoSDKSession {
		expected = ""
	}
	if given.SDKSessionID != nil {
		got = *given.SDKSessionID
	}
	if got == expected && (given.SDKSessionID != nil) == !c.NoSDKSession {
		return nil
	}
	wrong := refuse(http.StatusForbidden, "session mismatch")
	wrong.body.ExpectedSessionID = expected
	return wrong
}

func checkCard(c *Card, given request) *problem {
	if form := readSchema(c.RequestSchema); form != nil {
		if given.Answer != nil || given.StructuredAnswer.Kind() != '{' {
			return refuse(http.StatusBadRequest, "Structured answer required")
		}
		if faults := form.check(given.StructuredAnswer); len(faults) > 0 {
			wrong := refuse(http.StatusBadRequest, "Invalid structured answer")
			wrong.body.Fields = faults
			return wrong
		}
		return nil
	}
	if given.Answer == nil || strings.TrimSpace(*given.Answer) == "" || given.StructuredAnswer != nil {
		return refuse(http.StatusBadRequest, "Empty answer")
	}
	return nil
}

func alreadyOver(what, status string) *problem {
	return refuse(http.StatusConflict, what+" already "+status)
}

// timeOutCard ends a card unanswered. One that is over already comes back as it
// is, with the same ok.
func (s *Server) timeOutCard(id string, given request) (any, *problem) {
	if c, ok := s.Card(id); ok && (c.OtherOwner || c.RelayID != "") {
		return nil, refuse(http.StatusForbidden, "owner mismatch")
	}
	s.TimeOut(id)
	return s.oneCard(id, true)
}
