package opencode

import (
	"fmt"

	"askbox/client"
)

// offerApproval says what can be done with a permission, and what each does: two
// answers that look alike here have very different effects.
func offerApproval(ask *client.Ask, b basis) {
	defer func() { ask.Offers = ask.Offers.Shared() }()
	ask.Offers = client.Offered(client.ActAllow, client.ActDeny, client.ActDenyReason)
	o := ask.Offers
	o[client.ActAllowMessage].Why = b.brand.String() + " drops a message that comes with an allow; allow without one, or deny with a reason"
	o[client.ActDismiss].Why = b.brand.String() + " has no dismissal of a permission; deny it instead"
	o[client.ActDismissMessage].Why = b.brand.String() + " has no dismissal of a permission; deny it with a reason instead"
	o[client.ActDeny].Effect, o[client.ActDenyReason].Effect = denials(b)
	o[client.ActAlways] = client.Offer{OK: len(ask.Approval.Always) > 0, Effect: alwaysEffect(b)}
	if !o[client.ActAlways].OK {
		o[client.ActAlways] = client.Offer{Why: b.brand.String() + " proposes no rule for this"}
	}
	why := ""
	switch {
	case b.ghost != alive:
		why = b.ghost.why() + "; deny it to clear it"
		o[client.ActDeny].Effect, o[client.ActDenyReason] = cleared(b), client.Offer{Why: "nobody is left to read a reason; deny it without one to clear it"}
	case !shows(ask.Approval):
		why = b.brand.String() + " shows nothing of what would be done, so it cannot be allowed here"
	}
	if why != "" {
		for _, act := range []client.Action{client.ActAllow, client.ActAlways, client.ActAllowMessage} {
			o[act] = client.Offer{Why: why}
		}
	}
}

// denials says what a denial does, and what one with a reason. A reason keeps
// the turn going only where nothing else of the session is closed with it.
func denials(b basis) (plain, reason string) {
	goes := "the agent reads it and goes on"
	ends := "the turn ends"
	if b.party != (client.Party{}) {
		ends = "the subagent's turn ends, and the session that it works for goes on with the failure"
	}
	if b.request.engine == second {
		goes = "the agent goes on, but " + b.brand.String() + " tells it only that the tool failed, and not the reason"
	}
	switch {
	case b.others == 0:
		return ends, goes
	case b.others == 1:
		ends += ", and the other permission that is asked for with it is denied too"
	default:
		ends += fmt.Sprintf(", and the %d other permissions that are asked for with it are denied too", b.others)
	}
	if b.request.engine == second {
		return ends, ends
	}
	return ends, "the agent is told, but " + ends
}

// alwaysEffect says what else is allowed at once.
func alwaysEffect(b basis) string {
	where := "this session asks"
	switch {
	case b.request.engine == second:
		where = "is asked in this project"
	case b.brand == kilo:
		where = "is asked in this folder"
	}
	return "what else " + where + " and fits these patterns is allowed with it"
}

// cleared says what the denial of a ghost does.
func cleared(b basis) string {
	if b.ghost == deleted {
		return "it is cleared, and nothing runs; " + b.brand.String() + " may ask again a moment later"
	}
	return "it is cleared, and nothing runs"
}

// offerQuestion says what can be done with a question.
func offerQuestion(ask *client.Ask, b basis) {
	defer func() { ask.Offers = ask.Offers.Shared() }()
	ask.Offers = client.Offered(client.ActAnswer, client.ActDismiss)
	o := ask.Offers
	o[client.ActAnswer].Effect = "the agent reads it and goes on"
	o[client.ActDismiss].Effect = "the turn ends"
	if b.brand == kilo && b.request.engine == first {
		// Its tool call is completed then, and what follows has been seen both ways.
		o[client.ActDismiss].Effect = "the agent is told so; the turn may end or go on"
	}
	o[client.ActDismissMessage].Why = b.brand.String() + " takes no message with a dismissal; type what you want to say as an answer"
	switch {
	case b.ghost != alive:
		o[client.ActAnswer] = client.Offer{Why: b.ghost.why() + "; dismiss it to clear it"}
		o[client.ActDismiss].Effect = cleared(b)
	case len(ask.Questions) == 0:
		o[client.ActAnswer] = client.Offer{Why: "it holds no question; dismiss it"}
	}
}
