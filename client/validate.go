package client

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxDismissal is the most characters that the message of a dismissal may have.
const MaxDismissal = 2000

// Validate says whether an answer fits its ask: nil, *InvalidAnswer with the
// field at fault in the words of the wire, *Elsewhere, *NotAllowed, or *Closed.
// What passes here is sent exactly as it is.
func Validate(ask *Ask, answer Answer) error {
	if ask.Status.Closed() {
		return &Closed{Ask: ask}
	}
	if err := answerable(ask); err != nil {
		return err
	}
	if answer.Dismiss {
		return validateDismissal(ask, answer)
	}
	switch ask.Kind {
	case Approval:
		return validateDecision(ask, answer)
	case Question:
		return validateQuestions(ask, answer)
	}
	return &Elsewhere{Where: ask.Secret.where()}
}

// ValidateAt says whether an answer fits its ask at a moment by the relay's clock:
// as [Validate], and *Closed where the time of the ask has run out for good.
func ValidateAt(ask *Ask, answer Answer, now time.Time) error {
	if ask.RunOut(now) {
		return &Closed{Why: ask.ExpiredWords + "; nothing was sent"}
	}
	return Validate(ask, answer)
}

// answerable refuses what this program does not understand: nobody can mean to
// answer a thing that could not be shown to them as what it is.
func answerable(ask *Ask) error {
	switch {
	case ask.Unreadable != "":
		return invalid("", "the relay's item could not be read, so it cannot be answered here")
	case ask.Status != Open:
		return invalid("", "its status is not known to this version of askbox, so it cannot be answered here")
	case ask.Kind == Approval && ask.Approval != nil,
		ask.Kind == Question,
		ask.Kind == Secret:
		return nil
	case ask.Kind == Paused:
		return &Elsewhere{Where: "nothing is asked: the session is paused; resume it"}
	}
	return invalid("", "its kind is not known to this version of askbox, so it cannot be answered here")
}

func validateDismissal(ask *Ask, answer Answer) error {
	switch {
	case answer.Decision != NoDecision:
		return invalid("decision", "a dismissal has no decision")
	case answer.Mode != "":
		return invalid("mode", "a dismissal has no mode")
	case len(answer.Questions) > 0:
		return invalid("answers", "a dismissal has no answers")
	}
	if err := offered(ask, ActDismiss, "", "this ask cannot be dismissed"); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(answer.Message); n > MaxDismissal {
		return invalid("message", fmt.Sprintf("has %d characters; at most %d fit", n, MaxDismissal))
	}
	return validateMessage(ask, answer, ActDismissMessage, "a dismissal")
}

func validateDecision(ask *Ask, answer Answer) error {
	if len(answer.Questions) > 0 {
		return invalid("answers", "an approval takes a decision and no answers")
	}
	act, withMessage, name := ActAllow, ActAllowMessage, "allow"
	switch answer.Decision {
	case Allow:
	case Always:
		act, name = ActAlways, "always"
	case Deny:
		act, withMessage, name = ActDeny, ActDenyReason, "deny"
	default:
		return invalid("decision", "is required: allow, always or deny")
	}
	if answer.Decision != Deny && !ask.Approval.shown() {
		return invalid("decision", "the relay shows nothing of what would be done, so it can only be denied")
	}
	if answer.Decision == Always && len(ask.Approval.Always) == 0 && ask.Offer(ActAlways).Why == "" {
		return invalid("decision", "always is not offered for this ask")
	}
	// A relay that takes a denial only with its reason, or only without, offers
	// the two apart. The one that is meant is the one that has to be offered.
	if answer.Message == "" || !ask.Offer(withMessage).OK {
		if err := offered(ask, act, "decision", name+" is not offered for this ask"); err != nil {
			return err
		}
	}
	if err := validateMode(ask, answer); err != nil {
		return err
	}
	return validateMessage(ask, answer, withMessage, name)
}

func validateMode(ask *Ask, answer Answer) error {
	if answer.Mode == "" {
		return nil
	}
	if answer.Decision != Allow {
		return invalid("mode", "goes with allow only")
	}
	for _, m := range ask.Approval.Modes {
		if m.ID == answer.Mode {
			return nil
		}
	}
	if len(ask.Approval.Modes) == 0 {
		return invalid("mode", "goes with the approval of a plan only")
	}
	return invalid("mode", "is not one of those offered")
}

// validateMessage checks the message of a decision or a dismissal. One that
// holds nothing to read is refused, because its writer meant something else.
func validateMessage(ask *Ask, answer Answer, act Action, with string) error {
	switch {
	case answer.Message == "":
		return nil
	case !utf8.ValidString(answer.Message):
		return invalid("message", notText)
	case blank(answer.Message):
		return invalid("message", "holds nothing to read; send it without a message")
	}
	if err := offered(ask, act, "message", "this relay takes no message with "+with); err != nil {
		return err
	}
	if answer.Decision == Deny {
		for _, word := range ask.Approval.ApprovingWords {
			if ReadsAs(answer.Message, word) {
				return invalid("message", "this relay would read these words as an approval; say it in other words")
			}
		}
	}
	return nil
}

// offered says whether an action can be done here. Where nothing at all can be
// done, the ask has to be answered elsewhere, or by somebody else.
func offered(ask *Ask, act Action, field, otherwise string) error {
	o := ask.Offer(act)
	switch {
	case o.OK:
		return nil
	case o.NotAllowed:
		return &NotAllowed{Why: o.Why}
	case o.Why == "":
		return invalid(field, otherwise)
	case anyOffered(ask):
		return invalid(field, o.Why)
	}
	return &Elsewhere{Where: o.Why}
}

func anyOffered(ask *Ask) bool {
	for _, o := range ask.AllOffers() {
		if o.OK {
			return true
		}
	}
	return false
}

// shown reports whether there is anything to read of what would be done, beside
// what the agent says about it.
func (a *ApprovalAsk) shown() bool {
	for _, p := range a.Parts {
		if p.Kind != PartSays && (!p.Text.Empty() || len(p.Args) > 0 || !p.Path.Empty() || !p.Key.Empty()) {
			return true
		}
	}
	return false
}

func (s *SecretAsk) where() string {
	if s == nil || s.Where == "" {
		return "a secret is not answered here; give it in the session itself"
	}
	return s.Where
}

const notText = "holds bytes that are not text and would not arrive as they are"

func invalid(field, reason string) error { return &InvalidAnswer{Field: field, Reason: reason} }

// field names a part of the answer to question i, as the wire calls it.
func field(i int, part string) string {
	return fmt.Sprintf("answers[%d].%s", i, strings.TrimPrefix(part, "."))
}
