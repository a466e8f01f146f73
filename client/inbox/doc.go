// Package inbox polls the relays, reconciles what their listings and events say,
// publishes snapshots, and owns the answers that are under way.
//
// # Asks
//
// What is said of a relay comes in three ways: listings (pollLoop), events
// (watchLoop) and readings of one ask (lookUp, look, check). Each is a [news] with
// the moment at which its reading began; fold (fold.go) makes the next [listing] of
// it, and the method fold (reconcile.go) does what follows. A reading that began
// earlier never overrules one that began later, and only what a listing covers
// ([client.Batch.Covers]) is missing in it. An ask is in one of these states:
//
//	          listed, event, read                   event, read, answered here
//	(unknown) ────────────────────▶ open ──────────────────────────────▶ shut
//	    ▲                           │  ▲                                 │ │ ▲
//	    │                   lacked  │  │ listed again,            listed  │ │ │ read as closed,
//	    │                           ▼  │ or read as open          again  │ │ │ or not known
//	    │                         missing ──────────────────────────────▶│ │ │
//	    │                                 read as closed, not known,     ▼ │ │
//	    │                                 or not to be had          relisted─┘
//	    │                                                                │ │
//	    │                                  open ◀────────────────────────┘ │
//	    │                                  read as open, or not to be had  │
//	    └──────────────────────────────────────────────────────────────────┘
//	       a later listing that covers it lacks it too
//
// Open and missing asks are listed and can be answered; for a missing one, and for
// one that is relisted, the relay is asked alone (a [lookup], three tries). Where it
// does not answer the listing is believed.
//
// # Answers
//
// An answer (flight.go) is the only one of its ask, and goes through the states of
// [FlightState]:
//
//	Held ──▶ Sending ──▶ Done        the relay confirmed it
//	  │          │ ├───▶ Refused     it did not take it; the ask is open
//	  │          │ └───▶ TooLate     the ask closed in another way
//	  │          └─▶ Checking ──▶ Done, TooLate, NotKnown, or Refused: still open
//	  └─▶ Refused, TooLate, or taken back: nothing was sent
//
// hold.go takes and releases it, look.go reads the ask once more before it is sent,
// settle.go learns what became of it, verdict.go compares it with how the ask closed, and
// differs.go says where the relay answered something else than was shown. While a relay
// has the ask open whose reply was lost, the same answer is sent again after a pause, a few
// times; then the keys come back. Each end goes through outcome (outcome.go): an answer
// that did not count is said, stands in the history as an attempt, and its closed ask
// stays listed until it was seen (Forget). What is not known when the program ends is
// left for the next start to say (shutdown.go).
//
// A command that answers one ask tells an inbox of the listing that it read (Learn), and
// starts nothing: everything else is the same.
//
// # Snapshots
//
// Whoever changes something under the lock calls publish, which makes a [Snapshot]
// where something can be seen of it. All in it is shared and never changed; a change
// costs by what changes: [Items] and [listing] are values that share their parts, and
// day.go keeps the answers of the last day sorted as they come.
package inbox
