package opencomputer

import (
	"context"
	"time"

	"askbox/client"
	"askbox/client/relays"
)

// readMe asks the relay whose token it is.
func (r *Relay) readMe(ctx context.Context, timeout time.Duration) ([]byte, int, error) {
	out, err := r.do(ctx, call{path: []string{"me"}, method: "me.get", timeout: timeout})
	return out.raw, out.status, err
}

// About says what the relay is and whose token it has.
func (r *Relay) About(ctx context.Context) (client.About, error) {
	about := client.About{Kind: Kind, Auth: "no token"}
	if r.http.Authorized() {
		about.Auth = "token"
	}
	about, err := r.who.About(ctx, about, func() error {
		out, err := r.do(ctx, call{path: []string{"sessions"}, method: "sessions.list", limit: 1, query: map[string]string{"status": "waiting"}})
		if err != nil {
			return r.stranger.Name(ctx, err)
		}
		_, _, err = relays.Page(out.raw, "sessions", nextCursor)
		return err
	})
	about.Skew = r.http.Skew()
	return about, err
}
