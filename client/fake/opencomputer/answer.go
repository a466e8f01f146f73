package opencomputer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// maxMessage is the most characters that the message of a dismissal may have.
const maxMessage = 2000

var planModes = []string{"default", "acceptEdits", "auto", "bypassPermissions"}

// approvalAnswer and questionAnswer are the bodies that the wire knows.
type approvalAnswer struct {
	Decision *string `json:"decision"`
	Message  *string `json:"message"`
	Mode     *string `json:"mode"`
}

type questionAnswer struct {
	Answers []answerItem `json:"answers"`
}

type answerItem struct {
	QuestionID string   `json:"questionId"`
	Choices    []string `json:"choices"`
	Text       *string  `json:"text"`
}

// answer takes an answer from a user: the core of both transports.
func (s *Server) answer(u User, ref Ref, body []byte) (any, *problem) {
	a, wrong := s.mayClose(u, ref)
	if wrong == nil {
		var reply any
		reply, wrong = s.tryAnswer(u, ref, a, body)
		if wrong == nil {
			s.note(ref, Sent{By: u.Actor, Body: body})
			return reply, nil
		}
	}
	s.note(ref, Sent{By: u.Actor, Body: body, Code: wrong.Code})
	return nil, wrong
}

func (s *Server) tryAnswer(u User, ref Ref, a Ask, body []byte) (any, *problem) {
	if a.Kind == "secret" {
		return nil, refuse(400, "answer_with_secret", "", "a secret is answered where secrets are kept, not here")
	}
	normal, wrong := check(a, body)
	if !a.ClosedAt.IsZero() {
		return s.repeated(u, ref, normal)
	}
	if wrong != nil {
		return nil, wrong
	}
	closed, seq, first := s.end(ref, closing{"answered", u.Actor, normal})
	if !first {
		return s.repeated(u, ref, normal)
	}
	return outcome{fake.Marshal(closed), seq}, nil
}

// repeated answers an ask that is closed: the same answer from the same person
// gets the ask again, and everything else is too late.
func (s *Server) repeated(u User, ref Ref, normal jsontext.Value) (any, *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, held := s.lookup(ref)
	if held == nil {
		return nil, notFound("ask")
	}
	same := held.Status == "answered" && held.ClosedBy != nil && held.ClosedBy.ID == u.ID &&
		normal != nil && string(normal) == string(held.Answer)
	if same {
		return outcome{held.wire(), held.seq}, nil
	}
	return nil, tooLate(held.wire())
}

func tooLate(ask jsontext.Value) *problem {
	wrong := refuse(409, "ask_closed", "", "the ask is closed")
	wrong.Ask = ask
	return wrong
}

// dismiss closes an ask without an answer.
func (s *Server) dismiss(u User, ref Ref, body []byte, message *string, wrong *problem) (any, *problem) {
	sent := Sent{By: u.Actor, Dismiss: true, Body: body}
	if _, refused := s.mayClose(u, ref); refused != nil {
		wrong = refused
	}
	if wrong == nil && message != nil && utf8.RuneCountInString(*message) > maxMessage {
		wrong = invalid("message", "message has at most 2,000 characters")
	}
	if wrong == nil {
		text := ""
		if message != nil {
			text = *message
		}
		closed, seq, first := s.end(ref, closing{"dismissed", u.Actor, dismissal(text)})
		if first {
			s.note(ref, sent)
			return outcome{fake.Marshal(closed), seq}, nil
		}
		wrong = tooLate(fake.Marshal(closed))
	}
	sent.Code = wrong.Code
	s.note(ref, sent)
	return nil, wrong
}

// mayClose returns the ask that a user wants to close.
func (s *Server) mayClose(u User, ref Ref) (Ask, *problem) {
	a, ok := s.Ask(ref)
	if !ok {
		return Ask{}, notFound("ask")
	}
	if u.ReadOnly {
		wrong := refuse(403, "missing_scope", "", "the token lacks the scope asks:answer")
		wrong.Scope = "asks:answer"
		return Ask{}, wrong
	}
	return a, nil
}

// note remembers what arrived for an ask.
func (s *Server) note(ref Ref, sent Sent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, a := s.lookup(ref); a != nil {
		a.sent = append(a.sent, sent)
		s.changed.Broadcast()
	}
}

// check validates an answer against its ask and returns it in a form in which
// equal answers are equal.
func check(a Ask, body []byte) (jsontext.Value, *problem) {
	switch {
	case a.Kind == "approval" && a.Approval != nil:
		var given approvalAnswer
		if wrong := strict(body, &given); wrong != nil {
			return nil, wrong
		}
		return checkApproval(a.Approval, given)
	case a.Kind == "question" && a.Question != nil:
		var given questionAnswer
		if wrong := strict(body, &given); wrong != nil {
			return nil, wrong
		}
		return checkQuestions(a.Question.Questions, given)
	}
	return nil, invalid("", "an ask of this kind takes no answer")
}

// strict decodes a body and names the member that does not belong.
func strict(body []byte, into any) *problem {
	err := json.Unmarshal(body, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	var wrong *json.SemanticError
	if errors.As(err, &wrong) {
		return invalid(field(wrong.JSONPointer), "this member has no place in the answer, or another type")
	}
	return invalid("", "the body is not an answer: "+err.Error())
}

// field turns /answers/0/text into answers[0].text.
func field(p jsontext.Pointer) string {
	var out strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.Atoi(token); err == nil && out.Len() > 0 {
			out.WriteString("[" + token + "]")
			continue
		}
		if out.Len() > 0 {
			out.WriteString(".")
		}
		out.WriteString(token)
	}
	return out.String()
}

func checkApproval(a *Approval, given approvalAnswer) (jsontext.Value, *problem) {
	if given.Decision == nil {
		return nil, invalid("decision", "decision is required on an approval")
	}
	decision := *given.Decision
	switch {
	case !slices.Contains([]string{"allow", "deny", "always"}, decision):
		return nil, invalid("decision", "decision is one of allow, deny, always")
	case decision == "always" && !a.offersAlways():
		return nil, invalid("decision", "always only when alwaysAllows is set")
	case given.Mode == nil:
	case a.ToolName != "ExitPlanMode" || decision != "allow":
		return nil, invalid("mode", "mode only on a plan approval with allow")
	case !slices.Contains(planModes, *given.Mode):
		return nil, invalid("mode", "mode is one of "+strings.Join(planModes, ", "))
	}
	return normalised(struct {
		Decision string  `json:"decision"`
		Message  *string `json:"message,omitzero"`
		Mode     *string `json:"mode,omitzero"`
	}{decision, given.Message, given.Mode}), nil
}

func checkQuestions(questions []QuestionItem, given questionAnswer) (jsontext.Value, *problem) {
	if len(given.Answers) != len(questions) {
		return nil, invalid("answers", "answers has one entry per question")
	}
	answered := map[string]bool{}
	for i, item := range given.Answers {
		at := fmt.Sprintf("answers[%d]", i)
		q := slices.IndexFunc(questions, func(q QuestionItem) bool { return q.QuestionID == item.QuestionID })
		if q < 0 || answered[item.QuestionID] {
			return nil, invalid(at+".questionId", "answers has one entry per question")
		}
		answered[item.QuestionID] = true
		if wrong := checkItem(questions[q], item, at); wrong != nil {
			return nil, wrong
		}
	}
	// The order of the entries says nothing, so it must not make answers differ.
	slices.SortFunc(given.Answers, func(x, y answerItem) int { return cmp.Compare(x.QuestionID, y.QuestionID) })
	return normalised(given), nil
}

func checkItem(q QuestionItem, item answerItem, at string) *problem {
	if len(item.Choices) == 0 && (item.Text == nil || *item.Text == "") {
		return invalid(at, "each entry has a choice or text")
	}
	for i, choice := range item.Choices {
		offered := slices.ContainsFunc(q.Options, func(o Option) bool { return o.Label == choice })
		if !offered || slices.Contains(item.Choices[:i], choice) {
			return invalid(at+".choices", "choices are labels of that question's options")
		}
	}
	if len(item.Choices) > 1 && !q.MultiSelect {
		return invalid(at+".choices", "more than one choice only when multiSelect")
	}
	return nil
}

// normalised encodes an answer with every member in a fixed order.
func normalised(answer any) jsontext.Value {
	value := fake.Marshal(answer)
	_ = value.Canonicalize()
	return value
}

func notFound(what string) *problem {
	return refuse(404, "not_found", "", "there is no such "+what)
}
