// Package inbox polls the relays, merges what they tell, publishes snapshots,
// and owns the answers that are under way.
package inbox

import (
	"context"
	"log/slog"
	"time"

	"askbox/client"
	"askbox/client/history"
)

// Source is one configured relay.
type Source struct {
	Name  string // as configured; the heading of its group
	Kind  string // the configuration's word
	Relay client.Relay
	// Insecure says that the connection is not protected by the user's own choice;
	// the group says so.
	Insecure bool
}

// Options set an inbox up.
type Options struct {
	Sources []Source      // in the order of the configuration
	Poll    time.Duration // how often each relay is asked
	Undo    time.Duration // how long an answer can be taken back; 0: sent at once
	History *history.Store
	Log     *slog.Logger // nil: nothing is logged
}

// Inbox is the running inbox.
type Inbox struct{}

// New makes an inbox; Start starts it.
func New(o Options) *Inbox { return nil }

// Start begins to poll, until Close.
func (b *Inbox) Start() {}

// Latest returns the newest snapshot; never nil.
func (b *Inbox) Latest() *Snapshot { return nil }

// Next waits for a snapshot with a number above after and returns the newest.
// It returns the context's error, or io.EOF once the inbox is closed.
func (b *Inbox) Next(ctx context.Context, after uint64) (*Snapshot, error) { return nil, nil }

// Send takes an answer for an ask whose content had the digest when it was
// shown, and holds it for Options.Undo. It returns an error, and takes nothing,
// where the ask is not there or not open any more (*client.Closed), has another
// content (*Changed), has an answer under way (*Busy), or the answer does not
// fit (client.Validate). What comes of it later is in the snapshots.
func (b *Inbox) Send(ref client.Ref, digest string, answer client.Answer) error { return nil }

// Undo takes back the answer that is held for an ask, and reports whether it was in time.
func (b *Inbox) Undo(ref client.Ref) (client.Answer, bool) { return client.Answer{}, false }

// Forget drops the outcome of an answer that failed, so that the ask can be answered again.
func (b *Inbox) Forget(ref client.Ref) {}

// Refresh asks a relay at once, or every one with an empty name, also one whose
// polling was stopped because it refused the token.
func (b *Inbox) Refresh(relay string) {}

// Fresh reports when the ask was last seen open by a poll that ended after the
// moment; used after a pause of the program (suspend, sleep).
func (b *Inbox) Fresh(relay string, since time.Time) bool { return false }

// Pause pauses or resumes the session of an ask, where its relay can. What came
// of it is in the snapshots (Item.Pausing).
func (b *Inbox) Pause(ref client.Ref, resume bool) error { return nil }

// Unsent returns the answers that are held or under way.
func (b *Inbox) Unsent() []client.Ref { return nil }

// Close stops polling and ends the streams. Answers that are held are dropped
// unless flush is set, in which case they are sent at once; answers under way get
// until the context ends. It returns what is not known to have arrived.
func (b *Inbox) Close(ctx context.Context, flush bool) []Loose { return nil }

// Loose is an answer whose outcome is not known when the inbox closes.
type Loose struct {
	Ref  client.Ref
	What string // safe: what was asked, short
	Why  string // "not sent", "sent, not confirmed"
}
