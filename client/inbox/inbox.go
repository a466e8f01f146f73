package inbox

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
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
	// Look has every ask read once more before an answer to it is sent, and not only
	// where that lets an agent do something.
	Look bool
	Log  *slog.Logger // nil: nothing is logged
}

// Inbox is the running inbox.
type Inbox struct {
	opt Options
	log *slog.Logger

	// polls ends with Close at once; sends ends with the time that Close is given.
	polls, sends       context.Context
	endPolls, endSends context.CancelFunc
	polling, flying    sync.WaitGroup
	flush              chan struct{} // closed when what is held is to be sent now
	start              sync.Once
	started            bool // guarded by mu: it polls
	ended, out         bool // guarded by mu: no more is taken, no more is published
	crash              atomic.Pointer[Crash]
	crashed            chan struct{} // closed once there is a crash

	moment atomic.Uint64 // counts what happens, see news

	// listed is closed once every relay was asked for its open asks.
	listed chan struct{}

	mu      sync.Mutex
	relays  []*relay
	flights map[client.Ref]*flight

	closed      Items
	closedOrder []client.Ref // oldest first
	day         day
	left        []history.Entry  // what the last run left to be said
	leftOut     int              // how many lines of the history were too long
	seen        []*history.Entry // to be written, see keepSeen
	notices     []Notice
	precedents  history.Precedents
	dirty       bool // something changed that is not in a group

	latest  *Snapshot
	changed chan struct{} // closed and replaced with each snapshot
}

// Bounds of what a snapshot holds.
const (
	maxClosed  = 1000
	maxNotices = 20
)

// New makes an inbox; Start starts it.
func New(o Options) *Inbox {
	if o.Poll <= 0 {
		o.Poll = 2 * time.Second
	}
	b := &Inbox{opt: o, log: o.Log, flush: make(chan struct{}), crashed: make(chan struct{}), listed: make(chan struct{}), flights: map[client.Ref]*flight{},
		changed: make(chan struct{}), latest: &Snapshot{}}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	b.polls, b.endPolls = context.WithCancel(context.Background())
	b.sends, b.endSends = context.WithCancel(context.Background())
	for _, s := range o.Sources {
		b.relays = append(b.relays, newRelay(s))
	}
	b.mu.Lock()
	b.dirty = true
	b.publish()
	b.mu.Unlock()
	return b
}

// Start begins to poll, until Close. A second call does nothing.
func (b *Inbox) Start() {
	b.start.Do(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.ended {
			return
		}
		b.started = true
		// A long history does not hold up the first frame.
		b.background(&b.polling, b.dayLoop)
		for _, r := range b.relays {
			b.background(&b.polling, func() { b.pollLoop(r) })
			b.background(&b.polling, func() { b.closedLoop(r) })
			if w, ok := r.Relay.(client.Watcher); ok {
				b.background(&b.polling, func() { b.watchLoop(r, w) })
			}
		}
	})
}

// Learn takes a listing of a relay that was read a moment ago. An inbox that learns of
// asks so need not be started to take answers to them.
func (b *Inbox) Learn(relay string, batch client.Batch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.relay(relay); r != nil {
		b.listing(r, batch, nil, b.tick(), time.Now())
		b.publish()
	}
}

// Latest returns the newest snapshot; never nil.
func (b *Inbox) Latest() *Snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.latest
}

// Next waits for a snapshot with a number above after and returns the newest.
// It returns the context's error, io.EOF once the inbox is closed, or *Crash
// where the inbox can go on no more.
func (b *Inbox) Next(ctx context.Context, after uint64) (*Snapshot, error) {
	for {
		if c := b.crash.Load(); c != nil {
			return nil, c
		}
		b.mu.Lock()
		s, changed, out := b.latest, b.changed, b.out
		b.mu.Unlock()
		switch {
		case s.Number > after:
			return s, nil
		case out:
			return nil, io.EOF
		}
		select {
		case <-changed:
		case <-b.crashed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Refresh asks a relay at once, or every one with an empty name, also one that wants to
// be left alone or whose token was refused.
func (b *Inbox) Refresh(relay string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.relays {
		if relay != "" && r.Name != relay {
			continue
		}
		if held, ok := r.Relay.(client.Refresher); ok {
			held.Refresh()
		}
		r.backoff.Reset()
		r.slow.Reset()
		r.closedUpto = time.Time{}
		signal(r.wake)
		signal(r.wakeClosed)
		signal(r.wakeWatch)
	}
}

// Fresh reports whether a whole list of the relay is known that was asked for
// after the moment; used after a pause of the program (suspend, sleep). A reading
// that was under way during the pause does not count, because its reply may be
// from before it.
func (b *Inbox) Fresh(relay string, since time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.relay(relay)
	return r != nil && r.state.Reachable && !r.whole.IsZero() && !r.whole.Before(wall(since))
}

// Pause pauses or resumes the session of an ask, where its relay can. What came
// of it is in the snapshots (Item.Pausing).
func (b *Inbox) Pause(ref client.Ref, resume bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pause(ref, resume)
}

// relay returns a configured relay by its name, or nil.
func (b *Inbox) relay(name string) *relay {
	for _, r := range b.relays {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// item returns the open item of an ask with its relay, or nil.
func (b *Inbox) item(ref client.Ref) (*relay, *Item) {
	r := b.relay(ref.Relay)
	if r == nil {
		return nil, nil
	}
	return r, r.list.find(ref)
}

// tick returns the next moment. It needs no lock.
func (b *Inbox) tick() uint64 { return b.moment.Add(1) }

// notice keeps one thing to tell, of an ask or of none. The text is the program's, and safe.
func (b *Inbox) notice(of client.Ref, text string) {
	seq := uint64(1)
	if n := len(b.notices); n > 0 {
		seq = b.notices[n-1].Seq + 1
	}
	b.notices = append(b.notices, Notice{Seq: seq, At: time.Now(), Ref: of, Text: text})
	b.notices = b.notices[max(0, len(b.notices)-maxNotices):]
	b.dirty = true
}

// signal wakes whoever waits at a channel of one place, once for any number of signals.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// wall drops the monotonic part of a time: the monotonic clock stands still
// while a laptop sleeps, and what was fresh before would look fresh after.
func wall(t time.Time) time.Time { return t.Round(0) }
