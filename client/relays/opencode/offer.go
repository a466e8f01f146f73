package opencode

import (
	"fmt"

	"askbox/client"
)

// offerApproval says what can be done with a permission, and what each does: two
// answers that look alike here have very different effects.
func offerApproval(ask *client.Ask, b basis) {
	ask.Offers = client.Offered(client.ActAllow, client.ActDeny, client.ActDenyReason)
	o := &ask.Offers
	o[client.ActAllowMessage].Why = "opencode drops a message that comes with an allow; allow without one, or deny with a reason"
	o[client.ActDismiss].Why = "opencode has no dismissal of a permission; deny it instead"
	o[client.ActDismissMessage].Why = "opencode has no dismissal of a permission; deny it with a reason instead"
	o[client.ActDeny].Effect, o[client.ActDenyReason].Effect = denials(b.others)
	o[client.ActAlways] = client.Offer{OK: len(ask.Approval.Always) > 0, Effect: alwaysEffect(b.request.engine)}
	if !o[client.ActAlways].OK {
		o[client.ActAlways] = client.Offer{Why: "opencode proposes no rule for this"}
	}
	why := ""
	switch {
	case b.ghost != alive:
		why = b.ghost.trouble() + "; deny it to clear it"
		o[client.ActDeny].Effect, o[client.ActDenyReason] = b.ghost.cleared(), client.Offer{Why: "nobody is left to read a reason; deny it without one to clear it"}
	case !shows(ask.Approval):
		why = "opencode shows nothing of what would be done, so it cannot be allowed here"
	}
	if why != "" {
		o[client.ActAllow], o[client.ActAlways] = client.Offer{Why: why}, client.Offer{Why: why}
	}
}

// denials says what a denial does, and one with a reason, where so many other
// permissions of the session are open. A reason only keeps the turn going where
// nothing else of the session is closed with it.
func denials(others int) (plain, reason string) {
	switch others {
	case 0:
		return "the turn ends", "the agent reads it and goes on"
	case 1:
		return "the turn ends, and the other permission that this session asks for is denied with it",
			"the agent reads it, but the turn ends, because the other permission that this session asks for is denied with it"
	}
	return fmt.Sprintf("the turn ends, and %d other permissions that this session asks for are denied with it", others),
		fmt.Sprintf("the agent reads it, but the turn ends, because %d other permissions that this session asks for are denied with it", others)
}

func alwaysEffect(e engine) string {
	if e == second {
		return "what else is asked in this project and fits these patterns is allowed with it"
	}
	return "what else this session asks and fits these patterns is allowed with it"
}

// cleared says what the denial of a ghost does.
func (g ghost) cleared() string {
	if g == deleted {
		return "it is cleared, and nothing runs; opencode may ask again a moment later"
	}
	return "it is cleared, and nothing runs"
}

// offerQuestion says what can be done with a question.
func offerQuestion(ask *client.Ask, b basis) {
	ask.Offers = client.Offered(client.ActAnswer, client.ActDismiss)
	o := &ask.Offers
	o[client.ActAnswer].Effect = "the agent reads it and goes on"
	o[client.ActDismiss].Effect = "the turn ends"
	o[client.ActDismissMessage].Why = "opencode takes no message with a dismissal; type what you want to say as an answer"
	switch {
	case b.ghost != alive:
		o[client.ActAnswer] = client.Offer{Why: b.ghost.trouble() + "; dismiss it to clear it"}
		o[client.ActDismiss].Effect = b.ghost.cleared()
	case len(ask.Questions) == 0:
		o[client.ActAnswer] = client.Offer{Why: "it holds no question; dismiss it"}
	}
}
