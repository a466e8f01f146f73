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
	who, err := r.who.Ask(ctx, 0)
	if err != nil {
		return about, err
	}
	about.Who, about.WhoID, about.Skew = who.Shown(), who.ID, r.http.Skew()
	if who.ID != "" {
		return about, nil
	}
	// A relay that does not know /me may be no relay at all.
	if out, err := r.do(ctx, call{path: []string{"sessions"}, method: "sessions.list", limit: 1,
		query: map[string]string{"status": "waiting"}}); err != nil {
		return about, r.stranger.Name(ctx, err)
	} else if _, _, err := relays.Page(out.raw, "sessions", nextCursor); err != nil {
		return about, err
	}
	return about, nil
}
