package werft

import (
	"context"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// do sends a request and learns the relay's time. With an error comes the
// relay's code, where it gave one.
func (r *Relay) do(ctx context.Context, q httpx.Request) (*httpx.Reply, string, error) {
	reply, err := r.http.Do(ctx, q)
	if reply == nil {
		return nil, "", err
	}
	r.heard(reply.Now)
	if err == nil {
		return reply, "", nil
	}
	if reply.Status < 400 || reply.Status >= 500 {
		return reply, "", err
	}
	p := reply.Problem()
	return reply, p.Code, refused(p, err, q.Counts)
}

// The scopes that a key needs, where the relay does not name the one it missed.
const (
	answerScope  = "sessions:approve"
	controlScope = "sessions:control"
)

// refused turns the code of a refusal into the error that it means.
func refused(p httpx.Problem, err error, counts bool) error {
	code := p.Code
	if code == "" {
		code = p.Message // an error that is a word and nothing else
	}
	switch code {
	case "self_approval":
		return &client.NotAllowed{Why: "this key started the session: answer with another key"}
	case "MISSING_SCOPE", "missing_scope":
		scope := p.Scope
		if scope == "" && counts {
			scope = answerScope
		}
		return &client.NotAllowed{Scope: text.New(scope)}
	case "SESSION_PAUSED":
		return &client.Elsewhere{Where: "the session is paused: resume it (p), then answer"}
	}
	return err
}
