package werft

import (
	"context"
	"errors"
	"net/http"
	"time"

	"askbox/client"
	"askbox/client/httpx"
	"askbox/client/text"
)

// identity is whose key it is.
type identity struct {
	configured string // from the configuration
	id         string // from the relay; empty where it does not tell
	name       text.Text
	asked      bool // the relay told, or told that it does not
	failures   int
}

func (i identity) me() string {
	if i.id != "" {
		return i.id
	}
	return i.configured
}

const (
	identityTimeout = 2 * time.Second // the first listing waits no longer for it
	identityTries   = 3               // failures after which listings do without it
)

// whoami asks the relay whose key it is, and returns at once where that is known
// or cannot be told. A failure is no error: then nobody's sessions are Mine yet.
func (r *Relay) whoami(ctx context.Context) identity {
	r.mu.Lock()
	who := r.who
	r.mu.Unlock()
	if who.asked || who.failures >= identityTries {
		return who
	}
	who, _ = r.identify(ctx, identityTimeout)
	return who
}

func (r *Relay) identify(ctx context.Context, timeout time.Duration) (identity, error) {
	reply, _, err := r.do(ctx, httpx.Request{Path: "/v1/me", Timeout: timeout})
	var missing *client.NotFound
	var other *client.NotRelay
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case errors.As(err, &missing), errors.As(err, &other),
		reply != nil && (reply.Status == http.StatusMethodNotAllowed || reply.Status == http.StatusNotImplemented):
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
	if httpx.Decode(reply.Body, &me) == nil {
		r.who.id, r.who.name = me.ID, text.New(me.Name)
	}
	r.who.asked = true
	return r.who, nil
}

// About says what the relay is and whose key it has.
func (r *Relay) About(ctx context.Context) (client.About, error) {
	about := client.About{Kind: Kind, Auth: "no key"}
	if r.http.Authorized() {
		about.Auth = "key"
		about.May = []string{"what its scopes allow, which the relay does not tell: answering needs " + answerScope +
			", to pause and resume " + controlScope}
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
	// A server that does not know whose key it is may be no Werft server at all.
	if _, _, err := r.page(ctx, "", "1"); err != nil {
		return about, r.stranger(ctx, err)
	}
	return about, nil
}
