package oar

import (
	"context"

	"askbox/client"
)

// About says what the relay is. It has one token, and neither users nor scopes.
func (r *Relay) About(ctx context.Context) (client.About, error) {
	about := client.About{Kind: Kind, Auth: "no token"}
	if r.http.Authorized() {
		about.Auth = "token"
		about.May = []string{"everything: such a relay has one token, and no scopes"}
	}
	me, err := r.identify(ctx)
	if err != nil {
		return about, r.stranger.Name(ctx, err)
	}
	about.Version, about.Identity = me.version, me.id
	if me.id != "" {
		return about, nil
	}
	// A relay that does not tell its id is an old one, or none.
	if got := r.list(ctx, cardsPath, pending(), "questions"); got.err != nil {
		r.forget()
		return about, r.stranger.Name(ctx, got.err)
	}
	return about, nil
}
