package opencomputer

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// Approve asks for a tool with an input that is encoded as JSON. rules is what
// "always" would allow; none where it is not offered.
func (s *Server) Approve(session, tool string, input any, rules ...string) Ref {
	approval := &Approval{ToolName: tool, Input: fake.Marshal(input)}
	switch len(rules) {
	case 0:
	case 1:
		approval.AlwaysAllows = rules[0]
	default:
		approval.AlwaysAllows = rules
	}
	return s.Open(session, Ask{Kind: "approval", Approval: approval})
}

// BashInput is the input of a shell command.
type BashInput struct {
	Command     string `json:"command"`
	Description string `json:"description,omitzero"`
}

// EditInput is the input of a file edit.
type EditInput struct {
	FilePath   string `json:"file_path"`
	OldString  string `json:"old_string"`
	NewString  string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all,omitzero"`
}

// PlanInput is the input of a plan approval.
type PlanInput struct {
	Plan string `json:"plan"`
}

// Bash asks to run a command; "always" would allow exactly that command.
func (s *Server) Bash(session, command, description string) Ref {
	return s.Approve(session, "Bash", BashInput{command, description}, "Bash("+command+")")
}

// Edit asks to change a file. "always" is not offered.
func (s *Server) Edit(session, path, before, after string) Ref {
	return s.Approve(session, "Edit", EditInput{FilePath: path, OldString: before, NewString: after})
}

// Plan asks to carry out a plan.
func (s *Server) Plan(session, plan string) Ref {
	return s.Approve(session, "ExitPlanMode", PlanInput{plan})
}

// Choice asks one question, of whose options one may be chosen.
func (s *Server) Choice(session, question string, labels ...string) Ref {
	return s.Questions(session, QuestionItem{QuestionID: "q1", Header: "Question", Question: question, Options: Labels(labels...)})
}

// Labels makes options without descriptions.
func Labels(labels ...string) []Option {
	out := make([]Option, len(labels))
	for i, l := range labels {
		out[i].Label = l
	}
	return out
}

// Questions asks one or several questions at once.
func (s *Server) Questions(session string, questions ...QuestionItem) Ref {
	return s.Open(session, Ask{Kind: "question", Question: &Question{Questions: questions}})
}

// AskSecret asks for a secret.
func (s *Server) AskSecret(session, name, description string) Ref {
	return s.Open(session, Ask{Kind: "secret", Secret: &Secret{name, description}})
}

// Raw opens an ask that is sent exactly as given while it is open, whether it is
// right or not: with doubled keys, unknown kinds, odd times, or null. What can be
// read of it is used to check answers to it. Where it holds no id of its own,
// the ref that is returned has a made-up one.
//
// It has to be one JSON value, or the whole page would not be JSON; for that
// there is [fake.Rewrite].
func (s *Server) Raw(session, raw string) Ref {
	value := fake.MustBeJSON(raw)
	return s.openAsk(session, lenient(value), value)
}

// RawSession lists a session exactly as given among the waiting ones, whether it
// is right or not. It has to be one JSON value, and takes no asks.
func (s *Server) RawSession(raw string) {
	value := fake.MustBeJSON(raw)
	id := s.AddSession(Session{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(id).raw = value
}

// lenient reads what can be read of an ask, member by member, so that a bad one
// costs no other.
func lenient(value jsontext.Value) Ask {
	options := json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var members map[string]jsontext.Value
	_ = json.Unmarshal(value, &members, options)
	var a Ask
	for name, into := range map[string]any{"id": &a.ID, "kind": &a.Kind, "status": &a.Status,
		"openedAt": &a.OpenedAt, "approval": &a.Approval, "question": &a.Question, "secret": &a.Secret} {
		if member, ok := members[name]; ok {
			_ = json.Unmarshal(member, into, options)
		}
	}
	return a
}
