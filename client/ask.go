package client

import (
	"time"

	"askbox/client/text"
)

// Ref names one ask among all relays. An id alone does not: two sessions may
// use the same one. The ids are as the relay sent them, to be echoed to it and
// never to be printed; [Ref.String] is for printing.
type Ref struct {
	// Relay is the name of the configured relay that the ask is answered through.
	Relay string
	// Session is the id of the session whose ask it is, where its own id counts in that
	// session alone. Where an ask can move to another session it is the id of the relay
	// that the ask lives on, if that is told, and [Session.ID] says where it is.
	Session string
	// ID is the id of the ask.
	ID string
}

// String returns RELAY/ID, safe to print.
func (r Ref) String() string {
	return text.New(r.Relay).String() + "/" + text.New(r.ID).String()
}

// Full returns RELAY/SESSION/ID, safe to print, for where an ask's id may occur in
// two sessions of one relay. Where no session is part of the name it is [Ref.String].
func (r Ref) Full() string { return text.New(r.Raw()).String() }

// Raw is [Ref.Full] with the ids as the relay sent them.
func (r Ref) Raw() string {
	if r.Session == "" {
		return r.Relay + "/" + r.ID
	}
	return r.Relay + "/" + r.Session + "/" + r.ID
}

// Kind is what an ask wants.
type Kind int

// The kinds of ask. An Unknown one is shown with its raw fields and never answered.
const (
	Unknown Kind = iota
	Approval
	Question
	Secret
	Paused // nothing is asked: a session that stands still until it is resumed
)

// String returns the word that stands on the screen.
func (k Kind) String() string {
	return [...]string{"Unknown kind", "Approval", "Question", "Secret", "Paused session"}[k]
}

// Name returns the word that stands in JSON written for scripts.
func (k Kind) Name() string {
	return [...]string{"unknown", "approval", "question", "secret", "paused"}[k]
}

// Status is where an ask is in its life.
type Status int

// The statuses. StatusUnknown is one that this version does not know: it is
// neither open nor closed, and such an ask is not answered.
const (
	StatusUnknown Status = iota
	Open
	Answered
	Dismissed
	Declined    // a message was steered into the turn instead of an answer
	Interrupted // an interrupt, a suspend, or the runner ending
	Expired     // nobody answered in time; it counts as a denial
	Withdrawn   // the agent took it back
	Ended       // its session ended
	Gone        // not listed any more, and the relay does not say why
)

// String returns the word that stands on the screen.
func (s Status) String() string {
	return [...]string{"unknown status", "open", "answered", "dismissed", "declined",
		"interrupted", "expired", "withdrawn", "ended", "gone"}[s]
}

// Closed reports whether the ask is over. An unknown status is not.
func (s Status) Closed() bool { return s >= Answered }

// ActorType is what somebody is.
type ActorType int

// The types of actor.
const (
	ActorUnknown ActorType = iota
	ActorUser
	ActorAgent
	ActorSystem // the relay itself, or a rule of it
)

// Actor is somebody who started a session or closed an ask.
type Actor struct {
	Type ActorType
	ID   string    // raw, to be compared and never printed
	Name text.Text // may be empty
	Me   bool      // the person whose token this is
	// MaybeMe says of a person that nobody can tell whether it is that one, because
	// the relay says too little of one of the two.
	MaybeMe bool
}

// Starter says who started a session, for the filters.
type Starter int

// The starters. Mine shows StarterMe, Agents shows StarterAgent, All shows every one.
const (
	StarterUnknown Starter = iota
	StarterMe
	StarterPerson // another person
	StarterAgent
)

// Unclaimed says why nobody can tell whether a session is the person's, so that its asks
// stand under All alone; empty where it is known whose it is.
func (s *Session) Unclaimed() string {
	switch {
	case s.Starter != StarterUnknown || s.StartedBy.Type == ActorSystem:
		return ""
	case s.StartedBy.ID != "":
		return whoseUnknown
	}
	return "the relay does not tell who started the session"
}

// whoseUnknown says why nothing of a relay may stand under Mine, and what helps.
const whoseUnknown = "the relay does not tell whose token this is; set me to your id for it in the configuration"

// Filter narrows the inbox by who started the sessions.
type Filter int

// The filters, in the order in which f goes through them.
const (
	All Filter = iota
	Mine
	Agents
)

// String returns the word that stands on the screen.
func (f Filter) String() string { return [...]string{"All", "Mine", "Agents"}[f] }

// Passes reports whether the filter lets an ask through.
func (f Filter) Passes(a *Ask) bool {
	switch f {
	case Mine:
		return a.Session.Starter == StarterMe
	case Agents:
		return a.Session.Starter == StarterAgent
	}
	return true
}

// Unclaimed says why nobody can tell whether the filter lets an ask through, as it then does
// not; empty where that is known.
func (f Filter) Unclaimed(a *Ask) string {
	if f == All || a.Unreadable != "" || f == Agents && a.Session.StartedBy.Type == ActorUser {
		return ""
	}
	return a.Session.Unclaimed()
}

// Session is the session that an ask belongs to.
type Session struct {
	ID    string // raw, as in [Ref]
	Title text.Text
	Link  string // an absolute http or https URL without control characters, or empty
	// Attach is what a shell runs to go to the session, quoted for it and without a
	// password; empty where there is no such command, or a Link instead.
	Attach    string
	Starter   Starter
	StartedBy Actor
	// Origin is where an agent that started it works: the title of its session,
	// and the relay it is on, where the relay tells.
	Origin, OriginRelay text.Text
	// Folder is the directory that it works in, where the relay tells.
	Folder text.Text
	// Trouble says in the program's words why nothing can be answered in it or
	// what else holds it up ("paused", "the pause is blocked: …"); empty when all is well.
	Trouble string
	// CanPause and CanResume say what p does.
	CanPause, CanResume bool
	// PauseEffect says in the program's words what a pause does beyond its name: `it pauses
	// once this request is answered`.
	PauseEffect string
	// Revision is what the relay wants back with a pause or resume, to see that
	// the session has not changed in between.
	Revision int64
}

// Party is a session or a subagent that asks for another session's sake.
type Party struct {
	Session string // raw id
	Title   text.Text
}

// Ask is one thing that an agent wants from a person. Adapters make it, nobody
// changes it afterwards: it is shared between goroutines by pointer.
type Ask struct {
	Ref
	// Paired is the id of the paired relay on which it lives ([Paired.ID]), empty
	// when it lives on the configured relay itself.
	Paired string
	Kind   Kind
	// KindName is the kind as the relay calls it; shown where Kind is Unknown.
	KindName text.Text
	Status   Status
	// StatusName is the status as the relay calls it; shown where Status is StatusUnknown.
	StatusName text.Text
	// Waits says that the session stands still until this is answered, or stood
	// still until it closed.
	Waits   bool
	Urgent  bool
	Session Session
	// AskedBy is set where another session, or a subagent, asks on behalf of Session.
	AskedBy *Party
	// Opened and Expires are by the relay's clock; zero when not known, or never.
	Opened, Expires time.Time
	// Mode is the mode in which the session works on, as the relay calls it
	// (autopilot); empty where it does not tell.
	Mode text.Text
	// ExpiredWords says in the program's words what it means that Expires has
	// passed, where that is final: `expired, counted as a denial`. Empty: the ask is
	// only overdue then, and the relay has the last word.
	ExpiredWords string
	// Offers are what may be done with it here; nil: nothing is offered. Asks share them.
	Offers *Offers
	// Exactly one of these is set, by Kind. None is when Unreadable is.
	Approval  *ApprovalAsk
	Questions []QuestionAsk
	Secret    *SecretAsk
	// Fields shows what an ask of an unknown kind holds.
	Fields []Part
	// Extra shows the members that the relay sent in the ask, its approval, questions,
	// options or secret beside those that the adapter knows: a relay may act on them.
	// Each is a PartField whose Key is the path to it (`approval.env`) and whose Text
	// is the value's JSON. The relay's own ids are not in it.
	Extra []Part
	// Unreadable says in the program's words why the relay's item could not be
	// read as an ask: `it is no object`. Such an ask is counted, shown with Raw, and never answered.
	Unreadable string
	// Closing says how it closed, once Status.Closed.
	Closing *Closing
	// Raw is the item as the relay sent it, bounded by the size cap of a reply.
	Raw []byte
	// Private is what the adapter wants to find again when this ask is answered
	// (a folder, a message id). Nobody else looks at it.
	Private any
}

// RunOut reports whether the time of an open ask has run out for good, at a moment
// by its relay's clock: nothing is answered any more then, whether or not the relay
// has said so yet.
func (a *Ask) RunOut(now time.Time) bool {
	return a.ExpiredWords != "" && !a.Expires.IsZero() && !a.Status.Closed() && !now.Before(a.Expires)
}

// What returns the one line that says what is asked, untrusted as a whole: an
// approval's command or path, the first question, a secret's name.
func (a *Ask) What() text.Text {
	switch {
	case a.Unreadable != "":
		return text.New("it could not be read: " + a.Unreadable)
	case a.Approval != nil:
		return a.Approval.What()
	case len(a.Questions) > 0:
		return a.Questions[0].Text
	case a.Secret != nil:
		return a.Secret.Name
	case a.Kind == Paused && a.Status.Closed():
		return text.New("the session was paused")
	case a.Kind == Paused:
		return text.New("nothing is asked until it is resumed")
	}
	return a.KindName
}

// Brief returns what a row shows of [Ask.What], which may be more.
func (a *Ask) Brief() text.Text {
	if a.Unreadable == "" && a.Approval != nil && !a.Approval.Brief.Empty() {
		return a.Approval.Brief
	}
	return a.What()
}

// Reads says how [Ask.What] and [Ask.Brief] are to be read: as a command or as prose.
func (a *Ask) Reads() text.Mode {
	if a.Unreadable != "" || a.Approval == nil {
		return text.Words
	}
	for _, p := range a.Approval.Parts {
		if p.Kind != PartSays {
			if p.Kind == PartDiff && !p.Path.Empty() {
				return text.Exact
			}
			return p.Kind.Mode()
		}
	}
	return text.Exact
}

// SecretAsk is the wish for a secret. askbox never takes one: Where says how
// to give it.
type SecretAsk struct {
	Name, Description text.Text
	// Where says, in the program's words, where it is answered.
	Where string
}

// Closing says how an ask came to its end.
type Closing struct {
	By Actor
	At time.Time // by the relay's clock; zero when not known
	// Surface is where it was answered, where the relay tells: a program (web, slack),
	// or the relay that it was answered on.
	Surface text.Text
	// Answer is what was answered, one line each: the decision in the program's
	// words first, then what was chosen or typed.
	Answer []text.Text
	// Decision is what an approval was answered with, where the relay tells.
	Decision Decision
	// Given is the same as it would be given here, where the adapter can tell
	// exactly; nil where it cannot. An answer whose reply was lost is compared with it.
	Given *Answer
	// Ran says that Allow is concluded from what ran: it may have been allowed always.
	Ran bool
	// Untold says that the relay does not tell what closed it, so that it may have been
	// an answer from here: how it closed is concluded, or says nothing of the answer.
	Untold bool
	// After is what the agent did once the ask was closed, where the relay tells.
	After After
	// Note is what else there is to say, in the program's words.
	Note string
}

// After is what became of the agent after an ask of it was closed.
type After int

// What can become of it. AfterUnknown is that the relay does not tell, or not yet.
const (
	AfterUnknown    After = iota
	AfterWentOn           // it works on with what it was told
	AfterAskedAgain       // its session has asked something since
	AfterFailed           // what was allowed was tried, and failed
	AfterStopped          // its turn or its session ended
)
