package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/history"
	"askbox/client/text"
)

// recently is how far back an ask that is not open is looked for.
const recently = 24 * time.Hour

// target is one ask that a command line names, with the relay it is on.
type target struct {
	relay *lazy
	ask   *client.Ask
	batch client.Batch // the reading that it was found in
	// unlisted says that no listing has it.
	unlisted bool
}

// find reads the relay that RELAY/ASK names and returns the ask: an open one, or
// one that closed in the last day.
func (a *app) find(ctx context.Context, ref string) (target, error) {
	name, id, ok := strings.Cut(ref, "/")
	if !ok || name == "" || id == "" {
		return target{}, &usageError{fmt.Sprintf("%q names no ask; write RELAY/ASK as askbox list shows it", text.New(ref).String())}
	}
	cfg, err := a.load()
	if err != nil {
		return target{}, err
	}
	picked, err := pick(cfg, []string{name})
	if err != nil {
		return target{}, err
	}
	found, err := search(ctx, picked[0], id, a.now())
	if found.ask != nil && !found.ask.Status.Closed() || err != nil && !found.unlisted {
		return found, err
	}
	return a.recall(found, id, err)
}

// recall adds what this machine's history knows of the end of an ask that is closed, or
// that its relay does not list any more. err is why it was not found.
func (a *app) recall(found target, id string, err error) (target, error) {
	name := found.relay.config.Name
	e := a.lastEnd(name, id[strings.LastIndexByte(id, '/')+1:])
	switch {
	case e == nil:
		return found, err
	case found.ask == nil:
		c := &client.Closing{By: client.Actor{Me: e.ByMe, Name: e.By}, At: e.At, Surface: e.Surface, Answer: e.With}
		return found, &client.Closed{Why: closedWords(name+"/"+text.New(id).String(), &client.Ask{Ref: e.Ref, Status: e.How, Closing: c})}
	case !e.ByMe || found.ask.Closing == nil || found.ask.Closing.By != (client.Actor{}):
		return found, err
	}
	ask, c := *found.ask, *found.ask.Closing
	if c.At.IsZero() && (ask.Status == e.How || ask.Status == client.Expired && e.How == client.Dismissed) {
		// It tells neither who nor when, and what was dismissed as what ran out of time.
		ask.Status, c.At = e.How, e.At
	}
	if ask.Status == e.How {
		c.By, ask.Closing, found.ask = client.Actor{Type: client.ActorUser, Me: true}, &c, &ask
	}
	return found, err
}

// lastEnd returns what the history has of the end of an ask in the last day, or nil. The
// beginning of an id stands for the whole where it fits no other.
func (a *app) lastEnd(relay, id string) *history.Entry {
	entries, _ := history.At(config.StateDir()).Since(a.now().Add(-recently))
	var found *history.Entry
	for _, e := range entries { // newest first
		whole := e.Ref.ID == id
		switch {
		case e.Ref.Relay != relay || !e.How.Closed() || !whole && (len(id) < leastPrefix || !strings.HasPrefix(e.Ref.ID, id)):
		case whole:
			return &e
		case found == nil:
			found = &e
		case found.Ref != e.Ref:
			return nil
		}
	}
	return found
}

func search(ctx context.Context, relay *config.Relay, id string, now time.Time) (target, error) {
	found := target{relay: once(relay)}
	open, openErr := found.relay.Open(ctx)
	var err error
	if found.ask, err = match(open.Asks, relay.Name, id); found.ask != nil || err != nil {
		found.batch = open
		return found, err
	}
	if openErr != nil {
		return found, &unread{relay.Name, openErr}
	}
	if !open.Now.IsZero() {
		now = open.Now
	}
	closed, closedErr := found.relay.Closed(ctx, now.Add(-recently))
	if found.ask, err = match(closed.Asks, relay.Name, id); found.ask != nil || err != nil {
		found.batch = closed
		return found, err
	}
	if closedErr != nil {
		return found, &unread{relay.Name, closedErr}
	}
	found.unlisted = true
	if found.ask, err = found.relay.Find(ctx, id); err == nil {
		found.batch = closed
		return found, nil
	}
	return found, notFound(relay.Name+" has no open ask "+text.New(id).String(), open.Partial, closed.Partial)
}

// notFound says what it means that an ask is neither open nor closed as far as
// the relay told: why its list of open asks may not be whole, and that of closed
// ones.
func notFound(what, open, closed string) error {
	switch {
	case open != "":
		return fmt.Errorf("%s, but the list may not be whole: %s", what, open)
	case closed != "":
		return &client.Closed{Why: what + ": it was answered, or it was never there; " + closed}
	}
	return fmt.Errorf("%s, and none with that name closed in the last day; askbox list shows what is open", what)
}

// leastPrefix is the fewest characters of an id that stand for the whole.
const leastPrefix = 4

// match returns the ask with the id, written as ASK or SESSION/ASK, raw or as it is shown,
// or with the beginning of one where that fits no other. It returns an error where there
// are several.
func match(asks []*client.Ask, relay, id string) (*client.Ask, error) {
	matches := named(asks, func(name string) bool { return name == id })
	if len(matches) == 0 && len(id) >= leastPrefix && !strings.HasSuffix(id, "/") {
		matches = named(asks, func(name string) bool { return strings.HasPrefix(name, id) })
	}
	switch len(matches) {
	case 0:
		return nil, nil
	case 1:
		return matches[0], nil
	}
	lines := []string{fmt.Sprintf("%s has several asks %s; name one of them in full:", relay, text.New(id))}
	for _, ask := range matches {
		lines = append(lines, "  "+argument(ask.Ref.Full()))
	}
	return nil, &usageError{strings.Join(lines, "\n")}
}

// named returns the asks of which one of the names fits.
func named(asks []*client.Ask, fits func(name string) bool) []*client.Ask {
	var out []*client.Ask
	for _, ask := range asks {
		names := []string{ask.ID, text.New(ask.ID).String()}
		for _, session := range []string{ask.Ref.Session, ask.Session.ID} {
			names = append(names, session+"/"+ask.ID, text.New(session+"/"+ask.ID).String())
		}
		if slices.ContainsFunc(names, fits) {
			out = append(out, ask)
		}
	}
	return out
}

// names gives each ask of one relay, for people, the shortest reference that names it
// alone: RELAY/ASK, or RELAY/SESSION/ASK where two sessions use the same id. Programs get
// [client.Ref.Raw], which stays the same whatever else is open.
type names map[string]int

func namesOf(asks []*client.Ask) names {
	n := names{}
	for _, ask := range asks {
		n[ask.ID]++
	}
	return n
}

// shown returns the reference safe to print.
func (n names) shown(ask *client.Ask) string {
	if n[ask.ID] > 1 {
		return ask.Ref.Full()
	}
	return ask.Ref.String()
}
