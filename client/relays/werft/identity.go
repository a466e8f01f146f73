package werft

import (
	"cmp"
	"context"
	"time"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// readMe asks the relay whose key it is.
func (r *Relay) readMe(ctx context.Context, timeout time.Duration) ([]byte, int, error) {
	reply, _, err := r.do(ctx, httpx.Request{Path: "/v1/me", Timeout: timeout})
	if reply == nil {
		return nil, 0, err
	}
	return reply.Body, reply.Status, err
}

// About says what the relay is and whose key it has.
func (r *Relay) About(ctx context.Context) (client.About, error) {
	about := client.About{Kind: Kind, Auth: "no key"}
	for _, note := range r.notes.List() {
		if why := refusal(note); why != "" {
			about.May = append(about.May, "not answer in the session "+text.New(cmp.Or(note.Title, note.Session)).Quoted(40)+": "+why)
		}
	}
	if r.http.Authorized() {
		about.Auth = "key"
		about.May = append([]string{"what its scopes allow, which the relay does not tell: answering needs " + answerScope +
			", to pause and resume " + controlScope}, about.May...)
	}
	about, err := r.who.About(ctx, about, func() error {
		reply, err := r.list(ctx, "status", "needs_input", "", "1", 0)
		if err == nil {
			_, err = readPage(reply.Body, r.who.Who())
		}
		if err != nil {
			err = r.stranger.Name(ctx, err)
		}
		return err
	})
	about.Skew = r.http.Skew()
	return about, err
}
