package client

// Action is one thing that a person can do with an ask.
type Action int

// The actions. An action with a message is offered apart from the one without,
// because some relays take only one of them, or do different things.
const (
	ActAllow Action = iota
	ActAlways
	ActAllowMessage
	ActDeny
	ActDenyReason
	ActAnswer // a question's choices and text
	ActDismiss
	ActDismissMessage
	actions
)

// Offer says whether an action can be done here, and what it does. All of its
// strings are the program's own words; what a relay sent goes in through
// text.Text.String only.
type Offer struct {
	OK bool
	// NotAllowed says that it is the token that may not do it, and not the ask
	// that has to be answered elsewhere; Why says more.
	NotAllowed bool
	// Why says why not, where OK is false: `answer it on "build-box"`, `this key
	// started the session: answer with another key`. Empty: there is no such
	// action for an ask of this kind.
	Why string
	// Effect says what it does beyond its name: `the turn ends`, `the agent goes on`.
	Effect string
	// Confirm is set where the action is asked about once more, with these words.
	Confirm string
}

// Offer returns what is offered for an action.
func (a *Ask) Offer(act Action) Offer { return a.Offers[act] }

// Offered marks actions as possible. Adapters build on it and then set Why,
// Effect and Confirm where there is something to say.
func Offered(acts ...Action) (o [actions]Offer) {
	for _, act := range acts {
		o[act].OK = true
	}
	return o
}

// Refused returns offers in which every action that fits the kind is refused with why.
func Refused(why string) (o [actions]Offer) {
	for i := range o {
		o[i].Why = why
	}
	return o
}
