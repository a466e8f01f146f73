package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/text"
)

// recently is how far back an ask that is not open is looked for.
const recently = 24 * time.Hour

// target is one ask that a command line names, with the relay it is on.
type target struct {
	relay *lazy
	ask   *client.Ask
	batch client.Batch // the reading that it was found in
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
	return search(ctx, picked[0], id, a.now())
}

func search(ctx context.Context, relay *config.Relay, id string, now time.Time) (target, error) {
	found := target{relay: &lazy{config: relay}}
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

// match returns the ask with the id, written as ASK or SESSION/ASK, raw or as it
// is shown. It returns an error where there are several.
func match(asks []*client.Ask, relay, id string) (*client.Ask, error) {
	var matches []*client.Ask
	for _, ask := range asks {
		shown := text.New(ask.ID).String()
		named := id == ask.ID || id == shown
		for _, in := range []string{ask.Ref.Session, ask.Session.ID} {
			named = named || id == in+"/"+ask.ID || id == text.New(in).String()+"/"+shown
		}
		if named {
			matches = append(matches, ask)
		}
	}
	switch len(matches) {
	case 0:
		return nil, nil
	case 1:
		return matches[0], nil
	}
	lines := []string{fmt.Sprintf("%s has several asks %s; name the session too:", relay, text.New(id))}
	for _, ask := range matches {
		lines = append(lines, "  "+argument(ask.Ref.Full()))
	}
	return nil, &usageError{strings.Join(lines, "\n")}
}

// names gives each ask of one relay the shortest reference that names it alone:
// RELAY/ASK, or RELAY/SESSION/ASK where two sessions use the same id.
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

// raw returns the reference with the ids as the relay sent them.
func (n names) raw(ask *client.Ask) string {
	if n[ask.ID] > 1 {
		return ask.Relay + "/" + ask.Ref.Session + "/" + ask.ID
	}
	return ask.Relay + "/" + ask.ID
}
