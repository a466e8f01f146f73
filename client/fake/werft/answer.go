package werft

import (
	"bytes"

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
	case n.CreatedBy.ID != c.Key.ID && !c.Key.Admin:
		return nil, refuse(403, "FORBIDDEN", "not allowed")
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
	return object{"receipt_id": newReceipt(c.State), "receipt_status": "accepted",
		"approval": object{"answered_by": c.Key.Name, "surface": e.Surface}}, nil
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
		return checkQuestions(a, given.Answers)
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

func checkQuestions(a *fake.Ask, given []answerItem) (e fake.End, wrong *fake.Refusal) {
	all := make([]fake.Given, len(given))
	for i, item := range given {
		switch {
		case item.SelectedOptionIDs == nil:
			return e, invalid("selected_option_ids is missing; it is [] with free_text")
		case item.FreeText != nil && len(*item.SelectedOptionIDs) > 0:
			return e, invalid("free_text goes with selected_option_ids: [] only")
		}
		all[i] = fake.Given{ID: item.QuestionID, Text: item.FreeText}
		for _, id := range *item.SelectedOptionIDs {
			all[i].Choices = append(all[i].Choices, label(a, item.QuestionID, id))
		}
	}
	var where, fault string
	if e.Answer, where, fault = a.Check(all); fault != "" {
		return e, invalid("answers" + where + ": " + fault)
	}
	return e, nil
}

// label returns the label of an option of a question, or where there is none what
// is no label.
func label(a *fake.Ask, question, id string) string {
	for i, q := range a.Questions {
		for j, o := range q.Options {
			if q.ID == question && optionID(i, j) == id {
				return o.Label
			}
		}
	}
	return "no option " + id
}
