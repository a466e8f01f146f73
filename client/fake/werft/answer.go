package werft

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// permissionAnswer and questionAnswer are the bodies that the wire knows.
type permissionAnswer struct {
	RequestID string  `json:"request_id"`
	Kind      string  `json:"kind"`
	Action    string  `json:"action"`
	Reason    *string `json:"reason"`
	Remember  *string `json:"remember"`
}

type questionAnswer struct {
	RequestID string       `json:"request_id"`
	Kind      string       `json:"kind"`
	Answers   []answerItem `json:"answers"`
}

type answerItem struct {
	QuestionID        string    `json:"question_id"`
	SelectedOptionIDs *[]string `json:"selected_option_ids"`
	FreeText          *string   `json:"free_text"`
}

// result is the reply to an answer that was taken.
type result struct {
	ReceiptID     string   `json:"receipt_id"`
	ReceiptStatus string   `json:"receipt_status"`
	Approval      approval `json:"approval"`
}

type approval struct {
	AnsweredBy string `json:"answered_by"`
	Surface    string `json:"surface"`
}

// answer takes an answer from a key and keeps what arrived.
func (s *Server) answer(k Key, ref Ref, body []byte) (any, *problem) {
	reply, wrong := s.tryAnswer(k, ref, body)
	sent := Sent{By: k.Actor, Body: string(body)}
	if wrong != nil {
		sent.Code = wrong.Code
	}
	s.note(ref, sent)
	if wrong != nil {
		return nil, wrong
	}
	return reply, nil
}

func (s *Server) tryAnswer(k Key, ref Ref, body []byte) (any, *problem) {
	s.mu.Lock()
	n, held := s.lookup(ref)
	if held == nil {
		s.mu.Unlock()
		return nil, notFound("request")
	}
	r, end, state, startedBy := held.Request, held.end, n.AdmissionState, n.Key
	s.mu.Unlock()
	if wrong := k.without("sessions:approve"); wrong != nil {
		return nil, wrong
	}
	switch {
	case startedBy == k.Token && !k.Operator:
		return nil, refuse(403, "self_approval", "a key cannot answer requests in a session that it started")
	case end != nil:
		return nil, s.tooLate(ref, body)
	case state == Paused:
		return nil, refuse(409, "SESSION_PAUSED", "the session is paused")
	case state != Active:
		return nil, refuse(409, "REQUEST_STALE", "the session is "+state)
	}
	if wrong := check(r, body); wrong != nil {
		return nil, wrong
	}
	if !s.close(ref, End{How: "answered", By: k.Actor, Surface: "api", Answer: string(body)}, k.Token, canonical(body)) {
		return nil, s.tooLate(ref, body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return result{s.newID("rcp"), "accepted", approval{k.Actor.Name, "api"}}, nil
}

// tooLate says why an answer to a request that is over does not count.
func (s *Server) tooLate(ref Ref, body []byte) *problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, r := s.lookup(ref)
	switch {
	case r == nil || r.end == nil:
		return notFound("request")
	case r.end.How == "expired":
		return refuse(409, "REQUEST_EXPIRED", "the request was not answered in time and ended as a denial")
	case r.end.How == "answered" && r.same != canonical(body):
		return refuse(409, "REQUEST_CONFLICT", "a different answer went first")
	}
	return refuse(409, "REQUEST_STALE", "the request is over")
}

// canonical returns an answer in a form in which equal answers are equal.
func canonical(body []byte) string {
	value := jsontext.Value(slices.Clone(body))
	if value.Canonicalize() != nil {
		return string(body)
	}
	return string(value)
}

// check validates an answer against its request.
func check(r Request, body []byte) *problem {
	if r.Kind == "question" {
		var given questionAnswer
		if wrong := strict(body, &given); wrong != nil {
			return wrong
		}
		if wrong := names(r, given.RequestID, given.Kind); wrong != nil {
			return wrong
		}
		return checkQuestions(r.Questions, given.Answers)
	}
	var given permissionAnswer
	if wrong := strict(body, &given); wrong != nil {
		return wrong
	}
	if wrong := names(r, given.RequestID, given.Kind); wrong != nil {
		return wrong
	}
	return checkPermission(r, given)
}

func strict(body []byte, into any) *problem {
	if err := json.Unmarshal(body, into, json.RejectUnknownMembers(true)); err != nil {
		return invalid("the body is not an answer: " + err.Error())
	}
	return nil
}

// names checks that an answer says which request it is for.
func names(r Request, id, kind string) *problem {
	switch {
	case id != r.ID:
		return invalid("request_id is not that of the path")
	case kind != r.Kind:
		return invalid("kind is not that of the request, " + r.Kind)
	}
	return nil
}

func checkPermission(r Request, given permissionAnswer) *problem {
	switch {
	case given.Action != "allow" && given.Action != "deny":
		return invalid("action is allow or deny")
	case given.Reason != nil && given.Action != "deny":
		return invalid("reason goes with deny only")
	case given.Reason != nil && *given.Reason == "":
		return invalid("reason is empty")
	case given.Remember == nil:
		return nil
	case given.Action != "allow":
		return invalid("remember goes with allow only")
	case *given.Remember != "session":
		return invalid("remember is session")
	case r.ProposedRemember == "":
		return invalid("the request proposed no rule to remember")
	}
	return nil
}

func checkQuestions(questions []Question, given []answerItem) *problem {
	if len(given) != len(questions) {
		return invalid("answers has one entry for each question")
	}
	answered := map[string]bool{}
	for i, item := range given {
		q := slices.IndexFunc(questions, func(q Question) bool { return q.ID == item.QuestionID })
		if q < 0 || answered[item.QuestionID] {
			return invalid(fmt.Sprintf("answers[%d].question_id is not one that is left", i))
		}
		answered[item.QuestionID] = true
		if fault := questions[q].check(item); fault != "" {
			return invalid(fmt.Sprintf("answers[%d]: %s", i, fault))
		}
	}
	return nil
}

// check returns what is wrong with the answer to a question; empty when nothing is.
func (q Question) check(item answerItem) string {
	if item.SelectedOptionIDs == nil {
		return "selected_option_ids is missing; it is [] with free_text"
	}
	chosen := *item.SelectedOptionIDs
	for i, id := range chosen {
		offered := slices.ContainsFunc(q.Options, func(o Option) bool { return o.ID == id })
		if !offered || slices.Contains(chosen[:i], id) {
			return "selected_option_ids are ids of that question's options, each once"
		}
	}
	switch text := item.FreeText; {
	case len(chosen) > 1 && !q.MultiSelect:
		return "more than one option only with multi_select"
	case text != nil && len(chosen) > 0:
		return "free_text goes with selected_option_ids: [] only"
	case len(chosen) == 0 && (text == nil || *text == ""):
		return "an option or free_text is required"
	}
	return ""
}
