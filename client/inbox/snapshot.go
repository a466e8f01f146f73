package inbox

import (
	"time"

	"askbox/client"
	"askbox/client/history"
)

// Snapshot is the state of everything at one moment. It is immutable and shared:
// nobody changes it or anything it points to. Groups that did not change since
// the snapshot before share their memory with it.
type Snapshot struct {
	Number uint64
	Taken  time.Time // this machine's clock
	// Groups are the relays in the order of the configuration, each paired relay
	// under the one it is reached through.
	Groups []*Group
	// Answered is what was closed in the last day, newest first, from the relays
	// and from what was answered here, each once.
	Answered []*history.Entry
	// Mine is how many of them this person answered or dismissed, here or elsewhere.
	Mine int
	// AnsweredSince is the moment before which no answers are held any more, because
	// there were too many; zero where all of the last day are. What was answered here
	// is held longer.
	AnsweredSince time.Time
	// Closed holds the asks that closed while this program runs, by ref, for the
	// panes that still show one. Bounded to the newest 1,000.
	Closed Items
	// Left is what the last run left to be said, until [Inbox.Seen].
	Left []history.Entry
	// Notices are the last things to tell, newest last; bounded.
	Notices []Notice
	// Precedents are what was decided here about approvals before.
	Precedents history.Precedents

	// open finds open items without a walk through the groups.
	open map[string]Items
}

// Counts returns how many open asks each filter lets through.
func (s *Snapshot) Counts() [3]int {
	var all [3]int
	for _, g := range s.Groups {
		n := g.counts
		if !g.counted {
			n = count(g.Items)
		}
		for i := range all {
			all[i] += n[i]
		}
	}
	return all
}

// Find returns the item of an ask, open or closed, or nil.
func (s *Snapshot) Find(ref client.Ref) *Item {
	if open, ok := s.open[ref.Relay]; ok {
		if it := open.Find(ref); it != nil {
			return it
		}
		return s.Closed.Find(ref)
	}
	for _, g := range s.Groups {
		for _, it := range g.Items {
			if it.Ask.Ref == ref {
				return it
			}
		}
	}
	return s.Closed.Find(ref)
}

// Notice is one thing to tell.
type Notice struct {
	Seq  uint64 // grows; a notice is told once
	At   time.Time
	Ref  client.Ref // the ask that it is about; zero where it is about none
	Text string     // the program's words, safe
}

// Group is one relay with its open asks.
type Group struct {
	Name string // as configured, or the paired relay's name made safe
	Kind string
	// Via is the name of the configured relay that this one is reached through; empty
	// for a configured one.
	Via string
	// Version counts the changes of this group's Items.
	Version uint64
	// Items are its open asks, and those that closed in another way than with the answer
	// given here, until [Inbox.Forget]. Newest first; ties by ref, so the order is stable.
	Items []*Item
	State State
	// Skew is the relay's clock minus this machine's.
	Skew     time.Duration
	Insecure bool

	paired  string // the id of the paired relay, raw
	counts  [3]int // of Items, when counted
	counted bool
}

// State says how a relay does.
type State struct {
	// Asked says that at least one reading ended, well or not.
	Asked     bool
	Reachable bool
	// Trouble says in a few words what is the matter where it is not: "Not reachable",
	// "Token refused". Reason says why, and what can be done; it may be empty.
	Trouble, Reason string
	// Seen is when it last gave a complete list, Next when it is asked again; this
	// machine's clock, zero when never. While it is reachable both are of the
	// moment at which the group last changed: nothing is published for them alone.
	Seen, Next time.Time
	// Asking says that it is being asked at this moment after a failure.
	Asking bool
	// Partial says why the list of a relay that answers may not be whole; empty when it is.
	Partial string
	// Live says that a stream of events is followed.
	Live bool
	// Latency is how long the last reading took.
	Latency time.Duration
}

// Item is one ask with what this program does with it.
type Item struct {
	Ask    *client.Ask
	Digest string
	// Flight is the answer under way, or its outcome; nil when there is none.
	Flight *Flight
	// Together are the asks that this one stands for, where the screen shows several as one;
	// no snapshot holds such an item.
	Together []*client.Ask
	// Pausing says what a pause or resume of the session is doing or came to; safe.
	Pausing string
}

// FlightState is where an answer is.
type FlightState int

// The states, in the order in which an answer goes through them.
const (
	Held     FlightState = iota // can be taken back; not before Flight.Until it is sent
	Sending                     // on its way
	Checking                    // sent, the reply was lost: the relay is asked what it knows
	Done                        // the relay confirmed it
	Refused                     // the relay did not take it; Flight.Err says why. The ask is still open.
	TooLate                     // closed by someone or something else; Item.Ask says how
	NotKnown                    // it could not be settled
)

// Over reports whether nothing more happens to an answer by itself.
func (s FlightState) Over() bool { return s >= Done }

// Flight is one answer on its way.
type Flight struct {
	State  FlightState
	Answer client.Answer
	Until  time.Time // Held: when it is sent, once it was released and its ask was read once more
	Err    error     // why it is in this state; while it is held, *Unread
	At     time.Time // when it came into this state
	Sends  int       // how often it was sent so far
	// Differs is the ask as the relay says that it was answered, where that is not
	// what was shown when the answer was given; nil where there is no difference.
	Differs *client.Ask
}

// Changed means that an ask is not what was shown any more.
type Changed struct {
	Item  *Item       // what it is now
	Shown *client.Ask // what it was, where an answer had been taken
	Sent  bool        // the answer had left when that was seen
}

func (e *Changed) Error() string {
	if e.Sent {
		return "the ask has changed since it was shown, and is still open; read it again"
	}
	return "the ask has changed since it was shown; read it again"
}

// StillOpen means that an answer was sent, a few times, that the reply was lost each
// time, and that the relay has the ask as open. It is not sent again by itself.
type StillOpen struct {
	Sends int
	Err   error // what became of the last reply
}

func (e *StillOpen) Error() string {
	return "the relay has the ask open after the answer was sent " + Times(e.Sends) + ": " + reason(e.Err)
}
func (e *StillOpen) Unwrap() error { return e.Err }

// Times says how often an answer was sent.
func Times(n int) string {
	if n == 1 {
		return "once"
	}
	return client.Count(n, "time")
}

// Busy means that an answer to the ask is already under way.
type Busy struct{ Flight *Flight }

func (e *Busy) Error() string { return "an answer to this ask is already under way" }
