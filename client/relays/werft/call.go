package werft

import (
	"cmp"
	"context"
	"strings"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// do sends a request. With an error comes the relay's code in small letters, where it
// gave one.
func (r *Relay) do(ctx context.Context, q httpx.Request) (*httpx.Reply, string, error) {
	reply, err := r.http.Do(ctx, q)
	if reply == nil {
		return nil, "", err
	}
	if err == nil || reply.Status < 400 || reply.Status >= 500 {
		return reply, "", err
	}
	p := reply.Problem()
	code := strings.ToLower(cmp.Or(p.Code, p.Message)) // an error may be a word and nothing else
	switch code {
	case "missing_scope":
		if p.Scope == "" && q.Counts {
			p.Scope = answerScope
		}
		err = &client.NotAllowed{Scope: text.New(p.Scope)}
	case "session_paused":
		err = &client.Elsewhere{Where: "the session is paused: resume it, then answer"}
	}
	return reply, code, err
}

// The scopes that a key needs, where the relay does not name the one it missed.
const (
	answerScope  = "sessions:approve"
	controlScope = "sessions:control"
)
