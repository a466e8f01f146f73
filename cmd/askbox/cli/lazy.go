package cli

import (
	"context"
	"slices"
	"sync"
	"time"

	"askbox/client"
	"askbox/client/config"
)

// lazy is a relay that is made when it is first used, so that no command reads
// the token of a relay that it does not ask.
type lazy struct {
	config *config.Relay
	mu     sync.Mutex
	relay  client.Relay
	err    error // why it can never be had in this run
}

// get returns the relay. A token that could not be had is looked for again the
// next time, unless that may ask the person for a passphrase, which must not
// happen while the screen has the terminal.
func (l *lazy) get(ctx context.Context) (client.Relay, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.relay != nil || l.err != nil {
		return l.relay, l.err
	}
	token, err := l.config.Token(ctx)
	if err != nil {
		if l.config.Interactive() && ctx.Err() == nil {
			l.err = err
		}
		return nil, err
	}
	l.relay, l.err = adapter(l.config, token)
	return l.relay, l.err
}

// Open reads every open ask.
func (l *lazy) Open(ctx context.Context) (client.Batch, error) {
	relay, err := l.get(ctx)
	if err != nil {
		return client.Batch{}, err
	}
	batch, err := relay.Open(ctx)
	return l.ownAll(batch), err
}

// Closed reads what was closed since a moment.
func (l *lazy) Closed(ctx context.Context, since time.Time) (client.Batch, error) {
	relay, err := l.get(ctx)
	if err != nil {
		return client.Batch{}, err
	}
	batch, err := relay.Closed(ctx, since)
	return l.ownAll(batch), err
}

// own returns an ask under the relay's configured name, which an adapter need not
// know. An ask is shared, so one that has another name is copied.
func (l *lazy) own(ask *client.Ask) *client.Ask {
	if ask == nil || ask.Relay == l.config.Name {
		return ask
	}
	named := *ask
	named.Relay = l.config.Name
	return &named
}

// ownAll is own for a batch. One of which every ask has the name keeps its slice: it
// may be that of the batch before.
func (l *lazy) ownAll(batch client.Batch) client.Batch {
	if !slices.ContainsFunc(batch.Asks, func(ask *client.Ask) bool { return l.own(ask) != ask || ask == nil }) {
		return batch
	}
	asks := make([]*client.Ask, 0, len(batch.Asks))
	for _, ask := range batch.Asks {
		if ask != nil {
			asks = append(asks, l.own(ask))
		}
	}
	batch.Asks = asks
	return batch
}

// Get reads one ask again.
func (l *lazy) Get(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	relay, err := l.get(ctx)
	if err != nil {
		return nil, err
	}
	now, err := relay.Get(ctx, ask)
	return l.own(now), err
}

// Answer sends an answer or a dismissal, once.
func (l *lazy) Answer(ctx context.Context, ask *client.Ask, answer client.Answer) (*client.Ask, error) {
	relay, err := l.get(ctx)
	if err != nil {
		return nil, err
	}
	closed, err := relay.Answer(ctx, ask, answer)
	return l.own(closed), err
}

// About says what the relay is.
func (l *lazy) About(ctx context.Context) (client.About, error) {
	relay, err := l.get(ctx)
	if err != nil {
		return client.About{}, err
	}
	return relay.About(ctx)
}

// Watch follows the relay's stream of events, where it has one.
func (l *lazy) Watch(ctx context.Context, on func(client.Event)) error {
	relay, err := l.get(ctx)
	if err != nil {
		return err
	}
	if watcher, ok := relay.(client.Watcher); ok {
		return watcher.Watch(ctx, on)
	}
	return nil
}

// Find reads an ask by its id alone, where the relay can.
func (l *lazy) Find(ctx context.Context, id string) (*client.Ask, error) {
	relay, err := l.get(ctx)
	if err != nil {
		return nil, err
	}
	if finder, ok := relay.(client.Finder); ok {
		found, err := finder.Find(ctx, id)
		return l.own(found), err
	}
	return nil, &client.NotFound{}
}

// Pause pauses or resumes the session of an ask, where the relay can.
func (l *lazy) Pause(ctx context.Context, ask *client.Ask, resume bool) (string, error) {
	relay, err := l.get(ctx)
	if err != nil {
		return "", err
	}
	if pauser, ok := relay.(client.Pauser); ok {
		return pauser.Pause(ctx, ask, resume)
	}
	return "", &client.NotAllowed{Why: "this relay cannot pause a session"}
}

// Repeats says whether the relay knows one's own answer when it comes again.
func (l *lazy) Repeats() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	repeater, ok := l.relay.(client.Repeater)
	return ok && repeater.Repeats()
}

// Rules reads what was always allowed and is stored, where the relay stores it.
func (l *lazy) Rules(ctx context.Context) ([]client.Rule, error) {
	keeper, err := l.ruleKeeper(ctx)
	if err != nil {
		return nil, err
	}
	return keeper.Rules(ctx)
}

// Revoke takes a stored rule back.
func (l *lazy) Revoke(ctx context.Context, id string) error {
	keeper, err := l.ruleKeeper(ctx)
	if err != nil {
		return err
	}
	return keeper.Revoke(ctx, id)
}

func (l *lazy) ruleKeeper(ctx context.Context) (client.RuleKeeper, error) {
	relay, err := l.get(ctx)
	if err != nil {
		return nil, err
	}
	keeper, ok := relay.(client.RuleKeeper)
	if !ok {
		return nil, &client.NotAllowed{Why: "a relay of this kind lists no rules"}
	}
	return keeper, nil
}

var (
	_ client.Relay    = (*lazy)(nil)
	_ client.Watcher  = (*lazy)(nil)
	_ client.Pauser   = (*lazy)(nil)
	_ client.Finder   = (*lazy)(nil)
	_ client.Repeater = (*lazy)(nil)
)
