package client

import "sync"

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

// Offers are what is offered of an ask, by action.
type Offers [actions]Offer

// Offer returns what is offered for an action.
func (a *Ask) Offer(act Action) Offer {
	if a.Offers == nil {
		return Offer{}
	}
	return a.Offers[act]
}

// AllOffers returns what is offered, by action.
func (a *Ask) AllOffers() (all Offers) {
	if a.Offers != nil {
		all = *a.Offers
	}
	return all
}

// Offered marks actions as possible. Adapters build on it, set Why, Effect and Confirm
// where there is something to say, and share what came of it.
func Offered(acts ...Action) *Offers {
	var o Offers
	for _, act := range acts {
		o[act].OK = true
	}
	return &o
}

// Refused returns offers in which every action that fits the kind is refused with why.
func Refused(why string) *Offers {
	var o Offers
	for i := range o {
		o[i].Why = why
	}
	return &o
}

// Shared returns the one copy of offers that all asks with the same ones have: there are
// few different ones, and many asks. It is not changed any more.
func (o *Offers) Shared() *Offers {
	const most = 512
	sharedOffers.Lock()
	defer sharedOffers.Unlock()
	if known := sharedOffers.all[*o]; known != nil {
		return known
	}
	if len(sharedOffers.all) >= most || sharedOffers.all == nil {
		sharedOffers.all = map[Offers]*Offers{}
	}
	sharedOffers.all[*o] = o
	return o
}

var sharedOffers struct {
	sync.Mutex
	all map[Offers]*Offers
}
