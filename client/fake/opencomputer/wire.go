package opencomputer

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// session is a session as it goes over the wire.
type session struct {
	ID        string           `json:"id"`
	Title     string           `json:"title"`
	Status    string           `json:"status"`
	URL       string           `json:"url"`
	CreatedBy fake.Actor       `json:"createdBy"`
	ParentID  *string          `json:"parentId"`
	CreatedAt time.Time        `json:"createdAt"`
	UpdatedAt time.Time        `json:"updatedAt"`
	Asks      []jsontext.Value `json:"asks"` // the open ones, newest first
}

// ask is an ask as it goes over the wire.
type ask struct {
	ID        string         `json:"id"`
	SessionID string         `json:"sessionId"`
	Kind      string         `json:"kind"`
	Status    string         `json:"status"`
	OpenedAt  time.Time      `json:"openedAt"`
	Approval  *approval      `json:"approval,omitzero"`
	Question  *question      `json:"question,omitzero"`
	Secret    *secret        `json:"secret,omitzero"`
	ClosedAt  time.Time      `json:"closedAt,omitzero"`
	ClosedBy  fake.Actor     `json:"closedBy,omitzero"`
	Answer    jsontext.Value `json:"answer,omitzero"`
}

type approval struct {
	ToolName     string         `json:"toolName"`
	Input        jsontext.Value `json:"input"`
	AlwaysAllows string         `json:"alwaysAllows,omitzero"`
}

type question struct {
	Questions []questionItem `json:"questions"`
}

type questionItem struct {
	QuestionID  string   `json:"questionId"`
	Header      string   `json:"header"`
	Question    string   `json:"question"`
	Options     []option `json:"options"`
	MultiSelect bool     `json:"multiSelect"`
}

type option struct {
	Label       string `json:"label"`
	Description string `json:"description,omitzero"`
}

type secret struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// status is waiting while an ask is open.
func status(n *fake.Session) string {
	if n.Waits() {
		return "waiting"
	}
	return "running"
}

func wireSession(n *fake.Session) jsontext.Value {
	out := session{n.ID, n.Title, status(n), n.URL, n.CreatedBy, nil, n.CreatedAt.UTC(), n.UpdatedAt.UTC(), []jsontext.Value{}}
	if n.Parent != "" {
		out.ParentID = &n.Parent
	}
	for _, a := range slices.Backward(n.Open()) {
		out.Asks = append(out.Asks, wireAsk(a))
	}
	return fake.Marshal(out)
}

func wireAsk(a *fake.Ask) jsontext.Value {
	if a.Raw() != nil {
		return a.Raw()
	}
	out := ask{ID: a.ID, SessionID: a.Session, Kind: "approval", Status: a.Status, OpenedAt: a.OpenedAt.UTC(),
		ClosedAt: a.End.At, ClosedBy: a.End.By, Answer: a.End.Body}
	switch {
	case a.Secret != "":
		out.Kind, out.Secret = "secret", &secret{a.Secret, a.Says}
	case len(a.Questions) > 0:
		out.Kind, out.Question = "question", &question{}
		for _, q := range a.Questions {
			item := questionItem{q.ID, q.Header, q.Text, []option{}, q.Several}
			for _, o := range q.Options {
				item.Options = append(item.Options, option(o))
			}
			out.Question.Questions = append(out.Question.Questions, item)
		}
	default:
		tool, input := a.ToolCall()
		out.Approval = &approval{tool, input, a.Rule}
	}
	return fake.Marshal(out)
}

// body is an answer as it stands on an ask that was closed.
func body(a *fake.Ask, e fake.End) jsontext.Value {
	type said struct {
		Message    string `json:"message"`
		MessageSeq int    `json:"messageSeq,omitzero"`
	}
	switch {
	case e.How == fake.Declined:
		return fake.Marshal(said{e.Words, 7})
	case e.How == fake.Dismissed && e.Words != "":
		return fake.Marshal(said{Message: e.Words})
	case e.How != fake.Answered || a.Secret != "":
		return nil
	case e.Decision != "":
		return fake.Marshal(approvalAnswer{Decision: &e.Decision, Message: some(e.Words)})
	}
	var out questionAnswer
	for i, q := range a.Questions {
		item := answerItem{ID: q.ID, Choices: []string{}}
		if i < len(e.Choices) {
			item.Choices = e.Choices[i]
		}
		if len(item.Choices) == 0 {
			item.Text = some(e.Words)
		}
		out.Answers = append(out.Answers, item)
	}
	return fake.Marshal(out)
}

// some is nil for an empty text.
func some(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// tell numbers an event and sends it to everyone who follows.
func (s *Server) tell(kind string, a *fake.Ask) int64 {
	s.seq++
	s.events.Tell(slices.Concat([]byte("event: "+kind+"\ndata: "), data(fake.Marshal(struct {
		Seq  int64          `json:"seq"`
		Type string         `json:"type"`
		Ask  jsontext.Value `json:"ask"`
	}{s.seq, kind, wireAsk(a)})), []byte("\n\n")))
	return s.seq
}

// data keeps an event on one line, whatever a raw ask is laid out like.
func data(event jsontext.Value) []byte {
	_ = event.Compact()
	return event
}
