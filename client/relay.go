package client

import (
	"context"
	"time"

	"askbox/client/text"
)

// Relay is one configured relay, of whatever kind. Implementations are safe for
// concurrent use, honour the context, and return the errors of this package.
type Relay interface {
	// Open reads every open ask. A batch may come together with an error: what
	// was read counts, as far as [Batch.Covers] says also for what is not in it. Where
	// nothing changed its Asks may be the very slice of the batch before, so that nobody
	// has to look through it: neither the relay nor who reads it changes a slice of asks
	// or an ask in it.
	Open(ctx context.Context) (Batch, error)
	// Closed reads what was closed since a moment (by the relay's clock), newest
	// first. A relay without such a listing returns an empty batch whose Partial
	// says so.
	Closed(ctx context.Context, since time.Time) (Batch, error)
	// Get reads one ask again, as it is now. *NotFound where the relay does not
	// know it. The ask is given whole, because some relays need more than its id.
	Get(ctx context.Context, ask *Ask) (*Ask, error)
	// Answer sends an answer or a dismissal, once, and returns the closed ask
	// where the relay tells, or a copy of the given one with its Status and Closing set.
	// *Uncertain where the reply was lost after the answer may have counted.
	Answer(ctx context.Context, ask *Ask, answer Answer) (*Ask, error)
	// About says what the relay is and what its token may do.
	About(ctx context.Context) (About, error)
}

type anewKey struct{}

// Anew returns a context for a reading that takes nothing from the readings before: a
// person wants to know how it is now.
func Anew(ctx context.Context) context.Context { return context.WithValue(ctx, anewKey{}, true) }

// IsAnew reports whether a context is one of [Anew].
func IsAnew(ctx context.Context) bool { return ctx.Value(anewKey{}) != nil }

// Watcher is a relay with a stream of events.
type Watcher interface {
	// Watch follows the stream and calls on for each event, in order, until the
	// stream or the context ends. The first call says that the stream lives, with
	// an event that has nothing set: list again then, because streams have no replay.
	// It returns nil at once where the relay turns out to have no stream.
	Watch(ctx context.Context, on func(Event)) error
}

// Repeater is a relay that tells one's own answer from another's where the same answer is
// sent to its closed ask once more: it gives the ask for one's own, and [*Closed] for any other.
type Repeater interface {
	// Repeats reports whether it does. It says nothing of dismissals.
	Repeats() bool
}

// Finder is a relay that can read an ask by its id alone, also one that no listing has.
type Finder interface {
	// Find reads an ask. *NotFound where the relay knows none of that id.
	Find(ctx context.Context, id string) (*Ask, error)
}

// Refresher is a relay that holds calls back: because it was asked to, or because its
// token could not be had a while ago.
type Refresher interface {
	// Refresh ends that, because the person wants the relay asked now. It returns at once.
	Refresh()
}

// Pauser is a relay that can pause sessions.
type Pauser interface {
	// Pause pauses or, with resume set, resumes the session of an ask, follows it to its end,
	// and returns what came of it in the program's words.
	Pause(ctx context.Context, ask *Ask, resume bool) (string, error)
}

// RuleKeeper is a relay that stores what was always allowed.
type RuleKeeper interface {
	// Rules reads every stored rule.
	Rules(ctx context.Context) ([]Rule, error)
	// Revoke takes a rule back that was read.
	Revoke(ctx context.Context, id string) error
}

// Rule is something that is always allowed.
type Rule struct {
	ID string // raw, for [RuleKeeper.Revoke]
	// Permission is what kind of thing is allowed (bash, edit), Pattern which ones of it,
	// and Project the folder of the project that it holds in.
	Permission, Pattern, Project text.Text
}

// Event is one thing that a stream of events tells.
type Event struct {
	// Opened is a new ask. One of whose session nothing is known but its id gets the
	// session that another open ask of it has; where there is none the relay is listed.
	Opened *Ask
	// Closed is an ask that is over, with its Closing. What it asked for and its session
	// may be left out where the ask was listed before.
	Closed *Ask
	// List says that something changed that only a listing can tell.
	List bool
	// After is what an agent did now: that of the session with the raw id Session, as in
	// [Ref]. It is told of the asks there that were answered before.
	After   After
	Session string
}

// Batch is what one reading of a relay gave.
type Batch struct {
	Asks []*Ask
	// Complete says that every page was read: what is not in Asks is not open, as far
	// as Covers goes.
	Complete bool
	// Covers reports whether this reading would have listed an ask, were it open. A
	// relay that is read in parts (folders, sessions, kinds of ask) sets it to say which
	// of them were read to their end, also where Complete is not set or an error came
	// with the batch. Nil: everything was where Complete is set, and nothing elsewhere.
	// It only looks at the ask, and neither waits nor calls the inbox.
	Covers func(ask *Ask) bool
	// Untold says that some of what the relay lists is in none of its events, so that it is
	// asked as often as without them. The relay may then leave out, as Covers says, what
	// its events tell of.
	Untold bool
	// Partial says, in the program's words, why the list may not be whole; it is
	// shown on the relay's group. Empty when it is.
	Partial string
	// Now is the relay's clock when it replied; zero when it does not tell.
	Now time.Time
	// Paired are the relays that are reached through this one.
	Paired []Paired
}

// Paired is a relay that is reached through another one.
type Paired struct {
	ID   string // raw, as in [Ask.Paired]
	Name text.Text
	// Identity is the relay's own id where relays have one, raw: a paired relay that is
	// configured as well is listed once ([About.Identity]).
	Identity  string
	Reachable bool
	Reason    text.Text // why it is not
	Seen      time.Time // when it last was; zero when not known
}

// About says what a relay is.
type About struct {
	Kind    string // the configuration's word for it, or another make's own (kilo)
	Version text.Text
	// Who is whose token it is, and WhoID their id, raw, where the relay tells.
	Who   text.Text
	WhoID string
	// Identity is the relay's own id where it has one, raw.
	Identity string
	// Auth says how askbox shows who it is: "token", "no password".
	Auth string
	// Skew is the relay's clock minus this machine's; 0 also where it does not tell.
	Skew time.Duration
	// May says what the token may do, in the program's words, one line each; nil
	// where the relay does not tell.
	May []string
}
