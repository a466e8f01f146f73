package cli

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"askbox/client"
	"askbox/client/config"
)

// lazy is a relay that is made when it is first used, so that no command reads the token
// of a relay that it does not ask. Where the relay refuses the token its source is read
// again; another token is another relay, of which nothing is known that was learnt with
// the one before.
type lazy struct {
	config *config.Relay
	// onTerminal lets a token_command ask for a passphrase; not while a screen is drawn.
	onTerminal bool
	// patience is how long a call waits for the token; 0 is as long as that takes.
	patience time.Duration
	share    *share // of the memory for what relays list; nil: as much as it lists
	line     line

	mu      sync.Mutex
	made    *made
	err     error         // why the newest reading of the token gave no relay
	again   time.Time     // before then a command that failed is not run again by itself
	reading chan struct{} // closed when the reading that is under way ends; nil when none is
	stop    context.CancelFunc
}

// made is a relay with the token that it was made with.
type made struct {
	client.Relay
	token    string
	replaced chan struct{} // closed when another one took its place
}

// tokenPatience is how long a call of the inbox waits for a token before it is said that
// the token is being waited for.
const tokenPatience = time.Second

// commandGap is how long a token_command that failed is left alone: it may have asked
// the person for something.
const commandGap = 5 * time.Second

// get returns the relay. A token that could not be had is read again where anew says so,
// which is the pace of the polls; other calls get the reason of the last time.
func (l *lazy) get(ctx context.Context, anew bool) (*made, error) {
	l.mu.Lock()
	switch {
	case l.made != nil:
		defer l.mu.Unlock()
		return l.made, nil
	case l.err != nil && (!anew || time.Now().Before(l.again)):
		defer l.mu.Unlock()
		return nil, l.err
	}
	done := l.read(ctx)
	l.mu.Unlock()
	if err := l.await(ctx, done); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.made, l.err
}

// locked reports whether the token comes from a command that has failed without the
// terminal.
func (l *lazy) locked() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.made == nil && l.err != nil && l.reading == nil && l.config.MayPrompt() && l.config.CheckToken() == nil
}

// prompt reads the token while its command has the terminal, however long that takes.
func (l *lazy) prompt(ctx context.Context) {
	l.mu.Lock()
	patience := l.patience
	l.onTerminal, l.patience, l.again = true, 0, time.Time{}
	l.mu.Unlock()
	// What goes wrong is told again where the relay is asked.
	_, _ = l.get(ctx, true)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onTerminal, l.patience = false, patience
}

// read begins to read the token, or joins the reading that is under way. It is called
// with the lock held.
func (l *lazy) read(ctx context.Context) <-chan struct{} {
	if l.reading != nil {
		return l.reading
	}
	if l.patience > 0 { // the call may give up before the source does
		ctx = context.WithoutCancel(ctx)
	}
	ctx, l.stop = context.WithCancel(ctx)
	done, onTerminal := make(chan struct{}), l.onTerminal
	l.reading = done
	go func() {
		token, err := l.config.Token(ctx, onTerminal)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.take(token, err)
		if l.config.MayPrompt() {
			l.again = time.Now().Add(commandGap)
		}
		l.stop()
		l.reading = nil
		close(done)
	}()
	return done
}

// take makes the relay of a token, unless there is one with this token.
func (l *lazy) take(token config.Token, err error) {
	var relay client.Relay
	if err == nil && (l.made == nil || l.made.token != token.Reveal()) {
		relay, err = adapter(l.config, token, &l.line)
	}
	if l.err = err; err != nil || relay == nil {
		return
	}
	if l.made != nil {
		close(l.made.replaced)
		if old, ok := l.made.Relay.(io.Closer); ok {
			_ = old.Close()
		}
	}
	l.made = &made{Relay: relay, token: token.Reveal(), replaced: make(chan struct{})}
}

// await waits for a reading of the token, within the patience.
func (l *lazy) await(ctx context.Context, done <-chan struct{}) error {
	var late <-chan time.Time
	if l.patience > 0 {
		timer := time.NewTimer(l.patience)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-done:
		return nil
	case <-late:
	case <-ctx.Done():
	}
	return &client.NoToken{Relay: l.config.Name, From: l.config.TokenFrom(), Waiting: true}
}

// renew reads the token again that a relay refused. It returns the relay of another
// token, or nil where there is none.
func (l *lazy) renew(ctx context.Context, refused *made) *made {
	l.mu.Lock()
	if l.made == refused && l.config.Renewable() {
		done := l.read(ctx)
		l.mu.Unlock()
		_ = l.await(ctx, done)
		l.mu.Lock()
	}
	defer l.mu.Unlock()
	if l.made == refused {
		return nil
	}
	return l.made
}

// close ends a reading of the token that is under way, with what it started.
func (l *lazy) close() {
	l.mu.Lock()
	reading := l.reading
	if reading != nil {
		l.stop()
	}
	l.mu.Unlock()
	if reading != nil {
		select {
		case <-reading:
		case <-time.After(time.Second):
		}
	}
}

// Refresh has the relay asked now, whatever it wants to be left alone for.
func (l *lazy) Refresh() {
	l.line.hold.Lift()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.again = time.Time{}
}

// call asks the relay for something, and once more where it refused the token and its
// source has another one by now.
func call[T any](ctx context.Context, l *lazy, anew bool, do func(*made) (T, error)) (out T, err error) {
	relay, err := l.get(ctx, anew)
	if err != nil {
		return out, err
	}
	out, err = do(relay)
	refused, is := errors.AsType[*client.TokenRefused](err)
	if _, maybe := errors.AsType[*client.Uncertain](err); maybe || !is || refused.None {
		return out, err
	}
	if next := l.renew(ctx, relay); next != nil {
		out, err = do(next)
	}
	if refused, is := errors.AsType[*client.TokenRefused](err); is {
		refused.From = l.config.TokenFrom()
	}
	return out, err
}

// Open reads every open ask.
func (l *lazy) Open(ctx context.Context) (client.Batch, error) {
	batch, err := call(ctx, l, true, func(r *made) (client.Batch, error) { return r.Open(ctx) })
	return l.share.cut(l, batch), err
}

// Closed reads what was closed since a moment.
func (l *lazy) Closed(ctx context.Context, since time.Time) (client.Batch, error) {
	return call(ctx, l, false, func(r *made) (client.Batch, error) { return r.Closed(ctx, since) })
}

// Get reads one ask again.
func (l *lazy) Get(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	return call(ctx, l, false, func(r *made) (*client.Ask, error) { return r.Get(ctx, ask) })
}

// Answer sends an answer or a dismissal, once.
func (l *lazy) Answer(ctx context.Context, ask *client.Ask, answer client.Answer) (*client.Ask, error) {
	return call(ctx, l, false, func(r *made) (*client.Ask, error) { return r.Answer(ctx, ask, answer) })
}

// About says what the relay is.
func (l *lazy) About(ctx context.Context) (client.About, error) {
	return call(ctx, l, false, func(r *made) (client.About, error) { return r.About(ctx) })
}

// Watch follows the relay's stream of events, where it has one, as long as the token is
// the same.
func (l *lazy) Watch(ctx context.Context, on func(client.Event)) error {
	_, err := call(ctx, l, false, func(r *made) (struct{}, error) {
		watcher, ok := r.Relay.(client.Watcher)
		if !ok {
			return struct{}{}, nil
		}
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			select {
			case <-r.replaced:
				cancel()
			case <-inner.Done():
			}
		}()
		err := watcher.Watch(inner, on)
		if inner.Err() != nil && ctx.Err() == nil {
			err = &client.Unreachable{Reason: "its token is another one now"}
		}
		return struct{}{}, err
	})
	return err
}

// Find reads an ask by its id alone, where the relay can.
func (l *lazy) Find(ctx context.Context, id string) (*client.Ask, error) {
	return call(ctx, l, false, func(r *made) (*client.Ask, error) {
		if finder, ok := r.Relay.(client.Finder); ok {
			return finder.Find(ctx, id)
		}
		return nil, &client.NotFound{}
	})
}

// Pause pauses or resumes the session of an ask, where the relay can.
func (l *lazy) Pause(ctx context.Context, ask *client.Ask, resume bool) (string, error) {
	return call(ctx, l, false, func(r *made) (string, error) {
		if pauser, ok := r.Relay.(client.Pauser); ok {
			return pauser.Pause(ctx, ask, resume)
		}
		return "", &client.NotAllowed{Why: "this relay cannot pause a session"}
	})
}

// Repeats says whether the relay knows one's own answer when it comes again.
func (l *lazy) Repeats() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made == nil {
		return false
	}
	repeater, ok := l.made.Relay.(client.Repeater)
	return ok && repeater.Repeats()
}

// Rules reads what was always allowed and is stored, where the relay stores it.
func (l *lazy) Rules(ctx context.Context) ([]client.Rule, error) {
	return call(ctx, l, false, func(r *made) ([]client.Rule, error) {
		if keeper, ok := r.Relay.(client.RuleKeeper); ok {
			return keeper.Rules(ctx)
		}
		return nil, errNoRules
	})
}

// Revoke takes a stored rule back.
func (l *lazy) Revoke(ctx context.Context, id string) error {
	_, err := call(ctx, l, false, func(r *made) (struct{}, error) {
		if keeper, ok := r.Relay.(client.RuleKeeper); ok {
			return struct{}{}, keeper.Revoke(ctx, id)
		}
		return struct{}{}, errNoRules
	})
	return err
}

var errNoRules = &client.NotAllowed{Why: "a relay of this kind lists no rules"}

var (
	_ client.Relay      = (*lazy)(nil)
	_ client.Watcher    = (*lazy)(nil)
	_ client.Refresher  = (*lazy)(nil)
	_ client.Pauser     = (*lazy)(nil)
	_ client.Finder     = (*lazy)(nil)
	_ client.Repeater   = (*lazy)(nil)
	_ client.RuleKeeper = (*lazy)(nil)
)
