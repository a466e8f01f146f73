package opencode

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// wire returns an ask as it is listed.
func (a *ask) wire() jsontext.Value {
	tool := toolRef{a.MessageID, a.CallID}
	switch {
	case a.Permission == nil:
		return fake.Marshal(questionWire{a.ID, a.Session, a.Questions, tool})
	case a.Engine == 2:
		return fake.Marshal(permissionWire2{a.ID, a.Session, a.Permission.Permission, some(a.Permission.Patterns),
			some(a.Permission.Always), a.meta, sourceRef{"tool", a.MessageID, a.CallID}})
	}
	meta := a.meta
	if meta == nil {
		meta = []byte(`{}`)
	}
	return fake.Marshal(permissionWire{a.ID, a.Session, a.Permission.Permission, some(a.Permission.Patterns),
		meta, some(a.Permission.Always), tool})
}

// some makes an empty list of none.
func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// wire returns a session as it is sent.
func (n *session) wire() sessionWire {
	out := sessionWire{ID: n.ID, Slug: n.slug, ProjectID: projectOf(n.Folder), Directory: n.Folder, ParentID: n.Parent,
		Title: n.Title, Agent: n.Agent, Model: modelWire{"fake-1", "fake"}, Version: version,
		Time: timesWire{Created: n.created.UnixMilli(), Updated: n.Updated.UnixMilli()}}
	if n.Archived {
		out.Time.Archived = out.Time.Updated
	}
	return out
}

// version is the version of the server that this one is like.
const version = "1.18.33"

// partWire is a tool call of the first engine.
type partWire struct {
	ID        string     `json:"id"`
	SessionID string     `json:"sessionID"`
	MessageID string     `json:"messageID"`
	Type      string     `json:"type"`
	CallID    string     `json:"callID,omitzero"`
	Tool      string     `json:"tool,omitzero"`
	State     *stateWire `json:"state,omitzero"`
}

type stateWire struct {
	Status   string         `json:"status"`
	Input    jsontext.Value `json:"input"`
	Output   string         `json:"output,omitzero"`
	Error    string         `json:"error,omitzero"`
	Metadata jsontext.Value `json:"metadata,omitzero"`
	Time     struct {
		Start int64 `json:"start,omitzero"`
		End   int64 `json:"end,omitzero"`
	} `json:"time,omitzero"`
}

func (m *message) partWire(n *session) partWire {
	p := m.part
	state := &stateWire{Status: p.status, Input: p.input}
	if p.status != "pending" {
		state.Time.Start = p.start.UnixMilli()
	}
	switch p.status {
	case "completed":
		state.Output, state.Time.End = p.output, p.end.UnixMilli()
	case "error":
		state.Error, state.Time.End = p.output, p.end.UnixMilli()
	}
	switch {
	case p.interrupted:
		state.Metadata = []byte(`{"interrupted":true}`)
	case p.answers != nil:
		state.Metadata = fake.Marshal(struct {
			Answers [][]string `json:"answers"`
		}{p.answers})
	}
	return partWire{m.partID, n.ID, m.id, "tool", p.callID, p.tool, state}
}

// messageWire is a message of the first engine.
type messageWire struct {
	Info struct {
		ID         string    `json:"id"`
		SessionID  string    `json:"sessionID"`
		Role       string    `json:"role"`
		Time       timesWire `json:"time"`
		ModelID    string    `json:"modelID"`
		ProviderID string    `json:"providerID"`
		Mode       string    `json:"mode"`
		Agent      string    `json:"agent"`
	} `json:"info"`
	Parts []partWire `json:"parts"`
}

func (m *message) wire(n *session) messageWire {
	var out messageWire
	out.Info.ID, out.Info.SessionID, out.Info.Role = m.id, n.ID, "assistant"
	out.Info.ModelID, out.Info.ProviderID, out.Info.Mode, out.Info.Agent = "fake-1", "fake", n.Agent, n.Agent
	out.Info.Time.Created = m.at.UnixMilli()
	if !m.stopped.IsZero() {
		out.Info.Time.Completed = m.stopped.UnixMilli()
	}
	out.Parts = []partWire{{ID: m.partID + "0", SessionID: n.ID, MessageID: m.id, Type: "step-start"}, m.partWire(n)}
	return out
}

// messageWire2 is a message of the second engine.
type messageWire2 struct {
	ID      string         `json:"id"`
	Time    timesWire      `json:"time"`
	Type    string         `json:"type"`
	Agent   string         `json:"agent"`
	Content []contentWire2 `json:"content"`
}

type contentWire2 struct {
	Type  string     `json:"type"`
	ID    string     `json:"id"`
	Name  string     `json:"name"`
	State stateWire2 `json:"state"`
	Time  struct {
		Created   int64 `json:"created"`
		Ran       int64 `json:"ran,omitzero"`
		Completed int64 `json:"completed,omitzero"`
	} `json:"time"`
}

type stateWire2 struct {
	Status     string         `json:"status"`
	Input      jsontext.Value `json:"input"`
	Structured jsontext.Value `json:"structured"`
	Content    []textWire2    `json:"content"`
	Error      *errorWire2    `json:"error,omitzero"`
}

type textWire2 struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type errorWire2 struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

func (m *message) wire2(n *session) messageWire2 {
	p := m.part
	out := messageWire2{ID: m.id, Time: timesWire{Created: m.at.UnixMilli()}, Type: "assistant", Agent: n.Agent}
	call := contentWire2{Type: "tool", ID: p.callID, Name: p.tool,
		State: stateWire2{Status: p.status, Input: p.input, Structured: []byte(`{}`), Content: []textWire2{}}}
	call.Time.Created = p.start.UnixMilli()
	if p.status != "pending" {
		call.Time.Ran = p.start.UnixMilli()
	}
	if !p.end.IsZero() {
		call.Time.Completed = p.end.UnixMilli()
	}
	switch p.status {
	case "completed":
		call.State.Content = []textWire2{{"text", p.output}}
	case "error":
		call.State.Error = &errorWire2{"unknown", p.output}
	}
	if p.answers != nil {
		call.State.Structured = fake.Marshal(struct {
			Answers [][]string `json:"answers"`
		}{p.answers})
	}
	out.Content = []contentWire2{call}
	if !m.stopped.IsZero() {
		out.Time.Completed = m.stopped.UnixMilli()
	}
	return out
}

// told is what the model hears of the answers to its questions.
func told(questions []Question, answers [][]string) string {
	var pairs []string
	for i, q := range questions {
		answer := "Unanswered"
		if i < len(answers) && len(answers[i]) > 0 {
			answer = strings.Join(answers[i], ", ")
		}
		pairs = append(pairs, `"`+q.Question+`"="`+answer+`"`)
	}
	return "User has answered your questions: " + strings.Join(slices.Clip(pairs), ", ") +
		". You can now continue with the user's answers in mind."
}
