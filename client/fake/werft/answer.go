package werft

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// permissionAnswer and questionAnswer are the bodies that the wire knows.
type permissionAnswer struct {
	RequestID string  `json:"request_id"`
	Kind      string  `json:"kind"`
	Action    string  `json:"action"`
	Reason    *string `json:"reason,omitzero"`
	Remember  *string `json:"remember,omitzero"`
}

type questionAnswer struct {
	RequestID string       `json:"request_id"`
	Kind      string       `json:"kind"`
	Answers   []answerItem `json:"answers"`
}

type answerItem struct {
	QuestionID        string    `json:"question_id"`
	SelectedOptionIDs *[]string `json:"selected_option_ids"`
	FreeText          *string   `json:"free_text,omitzero"`
}

// body is an answer that was given elsewhere, as the wire would have it.
func body(a *fake.Ask, e fake.End) jsontext.Value {
	if kind(a) == "question" {
		return fake.Marshal(e.Choices)
	}
	return fake.Canonical(fake.Marshal(permissionAnswer{RequestID: a.ID, Kind: "permission", Action: e.Decision}))
}

// postAnswer takes an answer from a key.
func (s *Server) postAnswer(c *fake.Call) (any, *fake.Refusal) {
	a, n := c.State.Ask(c.Ref()), c.Session()
	switch {
	case a == nil:
		return nil, notFound("request")
	case !c.Key.May("sessions:approve"):
		return nil, lacks("sessions:approve")
	case n.Key == c.Key.Token && !c.Key.Operator:
		return nil, refuse(403, "self_approval", "a key cannot answer requests in a session that it started")
	case !a.Open():
		return nil, tooLate(a, c.Body)
	case n.State == Paused:
		return nil, refuse(409, "SESSION_PAUSED", "the session is paused")
	case n.State != Active:
		return nil, refuse(409, "REQUEST_STALE", "the session is "+n.State)
	}
	e, wrong := check(a, c.Body)
	if wrong != nil {
		return nil, wrong
	}
	e.How, e.By, e.Surface, e.Body = fake.Answered, c.Key.Actor, "api", fake.Canonical(c.Body)
	c.State.End(a, e)
	type approval struct {
		AnsweredBy string `json:"answered_by"`
		Surface    string `json:"surface"`
	}
	return struct {
		ReceiptID     string   `json:"receipt_id"`
		ReceiptStatus string   `json:"receipt_status"`
		Approval      approval `json:"approval"`
	}{newReceipt(c.State), "accepted", approval{c.Key.Name, e.Surface}}, nil
}

// tooLate says why an answer to a request that is over does not count.
func tooLate(a *fake.Ask, body []byte) *fake.Refusal {
	switch {
	case a.End.How == fake.Expired:
		return refuse(409, "REQUEST_EXPIRED", "the request was not answered in time and ended as a denial")
	case a.End.How == fake.Answered && !bytes.Equal(a.End.Body, fake.Canonical(body)):
		return refuse(409, "REQUEST_CONFLICT", "a different answer went first")
	}
	return refuse(409, "REQUEST_STALE", "the request is over")
}

// check validates an answer against its request.
func check(a *fake.Ask, body []byte) (e fake.End, wrong *fake.Refusal) {
	if kind(a) == "question" {
		var given questionAnswer
		if _, err := fake.Strict(body, &given); err != nil {
			return e, invalid("the body is not an answer: " + err.Error())
		}
		if wrong := names(a, given.RequestID, given.Kind); wrong != nil {
			return e, wrong
		}
		return checkQuestions(a.Questions, given.Answers)
	}
	var given permissionAnswer
	if _, err := fake.Strict(body, &given); err != nil {
		return e, invalid("the body is not an answer: " + err.Error())
	}
	if wrong := names(a, given.RequestID, given.Kind); wrong != nil {
		return e, wrong
	}
	return checkPermission(a, given)
}

// names checks that an answer says which request it is for.
func names(a *fake.Ask, id, of string) *fake.Refusal {
	switch {
	case id != a.ID:
		return invalid("request_id is not that of the path")
	case of != kind(a):
		return invalid("kind is not that of the request, " + kind(a))
	}
	return nil
}

func checkPermission(a *fake.Ask, given permissionAnswer) (e fake.End, wrong *fake.Refusal) {
	switch {
	case given.Action != "allow" && given.Action != "deny":
		return e, invalid("action is allow or deny")
	case given.Reason != nil && given.Action != "deny":
		return e, invalid("reason goes with deny only")
	case given.Reason != nil && *given.Reason == "":
		return e, invalid("reason is empty")
	case given.Remember == nil:
	case given.Action != "allow":
		return e, invalid("remember goes with allow only")
	case *given.Remember != "session":
		return e, invalid("remember is session")
	case a.Rule == "":
		return e, invalid("the request proposed no rule to remember")
	}
	e.Decision = given.Action
	if given.Reason != nil {
		e.Words = *given.Reason
	}
	return e, nil
}

func checkQuestions(questions []fake.Question, given []answerItem) (e fake.End, wrong *fake.Refusal) {
	if len(given) != len(questions) {
		return e, invalid("answers has one entry for each question")
	}
	e.Choices = make([][]string, len(questions))
	answered := map[string]bool{}
	for i, item := range given {
		q := slices.IndexFunc(questions, func(q fake.Question) bool { return q.ID == item.QuestionID })
		if q < 0 || answered[item.QuestionID] {
			return e, invalid(fmt.Sprintf("answers[%d].question_id is not one that is left", i))
		}
		answered[item.QuestionID] = true
		labels, fault := checkItem(q, questions[q], item)
		if fault != "" {
			return e, invalid(fmt.Sprintf("answers[%d]: %s", i, fault))
		}
		e.Choices[q] = labels
		if item.FreeText != nil {
			e.Words = *item.FreeText
		}
	}
	return e, nil
}

// checkItem returns the labels of the options that were chosen for a question, or
// what is wrong with its answer.
func checkItem(number int, q fake.Question, item answerItem) (labels []string, fault string) {
	if item.SelectedOptionIDs == nil {
		return nil, "selected_option_ids is missing; it is [] with free_text"
	}
	for j, o := range q.Options {
		if slices.Contains(*item.SelectedOptionIDs, optionID(number, j)) {
			labels = append(labels, o.Label)
		}
	}
	switch text := item.FreeText; {
	case len(labels) != len(*item.SelectedOptionIDs):
		return nil, "selected_option_ids are ids of that question's options, each once"
	case len(labels) > 1 && !q.Several:
		return nil, "more than one option only with multi_select"
	case text != nil && len(labels) > 0:
		return nil, "free_text goes with selected_option_ids: [] only"
	case len(labels) == 0 && (text == nil || *text == ""):
		return nil, "an option or free_text is required"
	}
	return labels, ""
}
