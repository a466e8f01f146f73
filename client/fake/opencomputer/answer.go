package opencomputer

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// maxMessage is the most characters that the message of a dismissal may have.
const maxMessage = 2000

var planModes = []string{"default", "acceptEdits", "auto", "bypassPermissions"}

// approvalAnswer and questionAnswer are the bodies that the wire knows.
type approvalAnswer struct {
	Decision *string `json:"decision"`
	Message  *string `json:"message,omitzero"`
	Mode     *string `json:"mode,omitzero"`
}

type questionAnswer struct {
	Answers []answerItem `json:"answers"`
}

type answerItem struct {
	ID      string   `json:"questionId"`
	Choices []string `json:"choices"`
	Text    *string  `json:"text"`
}

// outcome is the reply to an answer or a dismissal.
type outcome struct {
	Ask jsontext.Value `json:"ask"`
	Seq any            `json:"seq"`
}

// mayClose returns the ask that somebody wants to close.
func mayClose(c *fake.Call, ref fake.Ref) (*fake.Ask, *fake.Refusal) {
	a := c.State.Ask(ref)
	if a == nil {
		return nil, notFound("ask")
	}
	if !c.Key.May("asks:answer") {
		return nil, fake.Refuse(403, fake.Problem{Code: "missing_scope", Message: "the token lacks the scope asks:answer", Scope: "asks:answer"})
	}
	return a, nil
}

// answer takes an answer: the core of both transports. The same answer from the
// same person once more gets the ask again; everything else that comes after the
// end is too late.
func answer(c *fake.Call, ref fake.Ref, body []byte) (any, *fake.Refusal) {
	a, wrong := mayClose(c, ref)
	if wrong != nil {
		return nil, wrong
	}
	if a.Secret != "" {
		return nil, refuse(400, "answer_with_secret", "", "a secret is answered where secrets are kept, not here")
	}
	e, wrong := check(a, body)
	e.How, e.By, e.Surface = fake.Answered, c.Key.Actor, "api"
	if !a.Open() {
		if wrong == nil && a.End.How == fake.Answered && a.End.By.ID == c.Key.ID && bytes.Equal(e.Body, fake.Canonical(a.End.Body)) {
			return outcome{wireAsk(a), a.Wire}, nil
		}
		return nil, tooLate(a)
	}
	if wrong != nil {
		return nil, wrong
	}
	c.State.End(a, e)
	return outcome{wireAsk(a), a.Wire}, nil
}

func tooLate(a *fake.Ask) *fake.Refusal {
	return fake.Refuse(409, fake.Problem{Code: "ask_closed", Message: "the ask is closed", Ask: wireAsk(a)})
}

// postDismiss reads the body of a dismissal, which may be missing.
func postDismiss(c *fake.Call) (any, *fake.Refusal) {
	var given struct {
		Message *string `json:"message"`
	}
	var wrong *fake.Refusal
	if len(c.Body) > 0 {
		wrong = strict(c.Body, &given)
	}
	return dismiss(c, c.Ref(), given.Message, wrong)
}

// dismiss closes an ask without an answer.
func dismiss(c *fake.Call, ref fake.Ref, message *string, wrong *fake.Refusal) (any, *fake.Refusal) {
	a, refused := mayClose(c, ref)
	e := fake.End{How: fake.Dismissed, By: c.Key.Actor}
	if message != nil {
		e.Words = *message
	}
	switch {
	case refused != nil:
		return nil, refused
	case wrong != nil:
		return nil, wrong
	case utf8.RuneCountInString(e.Words) > maxMessage:
		return nil, invalid("message", "message has at most 2,000 characters")
	}
	e.Body = body(a, e)
	if !c.State.End(a, e) {
		return nil, tooLate(a)
	}
	return outcome{wireAsk(a), a.Wire}, nil
}

// strict decodes a body and names the member that does not belong.
func strict(body []byte, into any) *fake.Refusal {
	if field, err := fake.Strict(body, into); err != nil {
		return invalid(field, "the body is not an answer: "+err.Error())
	}
	return nil
}

// check validates an answer against its ask.
func check(a *fake.Ask, body []byte) (fake.End, *fake.Refusal) {
	switch {
	case len(a.Questions) > 0:
		var given questionAnswer
		if wrong := strict(body, &given); wrong != nil {
			return fake.End{}, wrong
		}
		return checkQuestions(a, given)
	case a.Approval():
		var given approvalAnswer
		if wrong := strict(body, &given); wrong != nil {
			return fake.End{}, wrong
		}
		return checkApproval(a, given)
	}
	return fake.End{}, invalid("", "an ask of this kind takes no answer")
}

func checkApproval(a *fake.Ask, given approvalAnswer) (e fake.End, wrong *fake.Refusal) {
	if given.Decision == nil {
		return e, invalid("decision", "decision is required on an approval")
	}
	e.Decision = *given.Decision
	switch {
	case !slices.Contains([]string{"allow", "deny", "always"}, e.Decision):
		return e, invalid("decision", "decision is one of allow, deny, always")
	case e.Decision == "always" && a.Rule == "":
		return e, invalid("decision", "always only when alwaysAllows is set")
	case given.Mode == nil:
	case a.Plan == "" || e.Decision != "allow":
		return e, invalid("mode", "mode only on a plan approval with allow")
	case !slices.Contains(planModes, *given.Mode):
		return e, invalid("mode", "mode is one of "+strings.Join(planModes, ", "))
	}
	if given.Message != nil {
		e.Words = *given.Message
	}
	e.Body = fake.Canonical(fake.Marshal(given))
	return e, nil
}

func checkQuestions(a *fake.Ask, given questionAnswer) (e fake.End, wrong *fake.Refusal) {
	all := make([]fake.Given, len(given.Answers))
	for i, item := range given.Answers {
		all[i] = fake.Given(item)
	}
	var where, fault string
	if e.Answer, where, fault = a.Check(all); fault != "" {
		return e, invalid("answers"+where, fault)
	}
	// The order of the entries says nothing, so it must not make answers differ.
	slices.SortFunc(given.Answers, func(x, y answerItem) int { return cmp.Compare(x.ID, y.ID) })
	e.Body = fake.Canonical(fake.Marshal(given))
	return e, nil
}
