package opencomputer

import (
	"context"
	"errors"
	"time"

	"askbox/client"
	"askbox/client/httpx"
	"askbox/client/text"
)

// identity is whose token it is.
type identity struct {
	configured string // from the configuration
	id         string // from the relay; empty where it does not tell
	name       text.Text
	asked      bool // the relay told, or told that it does not
	failures   int
}

// me is the id of the person, empty where nobody knows it.
func (i identity) me() string {
	if i.id != "" {
		return i.id
	}
	return i.configured
}

const (
	// identityTimeout bounds what the first listing may wait for it.
	identityTimeout = 2 * time.Second
	// identityTries is after how many failures a listing does without it.
	identityTries = 3
)

// begin asks the relay whose token it is, side by side with the first listing,
// and returns a function that waits for the id. It has to be called in any case.
func (r *Relay) begin(ctx context.Context) func() string {
	r.mu.Lock()
	who := r.who
	r.mu.Unlock()
	if who.asked || who.failures >= identityTries {
		return who.me
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = httpx.Contain(func() error {
			_, err := r.identify(ctx, identityTimeout)
			return err
		})
	}()
	return func() string {
		<-done
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.who.me()
	}
}

// identify asks the relay whose token it is; a timeout of 0 is the usual one. A
// relay that cannot tell is no error.
func (r *Relay) identify(ctx context.Context, timeout time.Duration) (identity, error) {
	out, err := r.do(ctx, call{path: []string{"me"}, method: "me.get", timeout: timeout})
	var missing *client.NotFound
	var other *client.NotRelay
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case errors.As(err, &missing), errors.As(err, &other), out.status == 405, out.status == 501:
		r.who.asked = true
		return r.who, nil
	case err != nil:
		if ctx.Err() == nil {
			r.who.failures++
		}
		return r.who, err
	}
	var me struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	if err := httpx.Decode(out.raw, &me); err == nil {
		r.who.id, r.who.name = me.ID, text.New(me.Name)
	}
	r.who.asked = true
	return r.who, nil
}

// About says what the relay is and whose token it has.
func (r *Relay) About(ctx context.Context) (client.About, error) {
	about := client.About{Kind: Kind, Auth: "no token"}
	if r.http.Authorized() {
		about.Auth = "token"
	}
	who, err := r.identify(ctx, 0)
	if err != nil {
		return about, err
	}
	about.Who = who.name
	if who.name.Empty() {
		about.Who = text.New(who.id)
	}
	if who.id != "" {
		return about, nil
	}
	// A relay that does not know /me may be no relay at all.
	if out, err := r.do(ctx, call{path: []string{"sessions"}, method: "sessions.list", limit: 1,
		query: map[string]string{"status": "waiting"}}); err != nil {
		return about, noSessions(err)
	} else if _, err := onePage(listing{items: "sessions", page: ignore}, out.raw); err != nil {
		return about, err
	}
	return about, nil
}

// noSessions says what a missing listing means: no relay stands at the address.
func noSessions(err error) error {
	var missing *client.NotFound
	if errors.As(err, &missing) {
		return &client.NotRelay{What: "there are no sessions at this address; check the url in the configuration"}
	}
	return err
}
