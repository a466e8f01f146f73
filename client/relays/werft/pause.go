package werft

import (
	"context"
	"errors"
	"time"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// pauseLimit bounds how long a receipt is followed. The relay itself gives up on
// draining a session after 60 seconds and says so.
const pauseLimit = 80 * time.Second

// blockedEvery is after how many looks at a receipt the session is looked at too.
const blockedEvery = 5

// What came of a pause or resume.
const (
	paused      = "the session is paused"
	resumed     = "the session goes on"
	changed     = "the session changed in between, so nothing was done: read it again, then press p again"
	takingLong  = "the relay is still at it; whether it comes to its end is not known yet"
	pauseFailed = "the relay could not pause the session"
	goOnFailed  = "the relay could not resume the session"
)

type control struct {
	Revision int64 `json:"expected_revision"`
}

// Pause pauses or resumes the session of an ask, as it was when the ask was
// shown, and follows the relay's receipt to its end.
func (r *Relay) Pause(ctx context.Context, ask *client.Ask, resume bool) (string, error) {
	if !httpx.Segment(ask.Ref.Session) {
		return "", &client.InvalidAnswer{Reason: "the session has no usable id"}
	}
	verb := "pause"
	if resume {
		verb = "resume"
	}
	reply, code, err := r.do(ctx, httpx.Request{Path: "/v1/sessions" + httpx.Path(ask.Ref.Session, verb),
		Body: control{Revision: ask.Session.Revision}, Counts: true})
	var lost *client.Uncertain
	var not *client.NotAllowed
	switch {
	case errors.As(err, &lost):
		return r.state(ctx, ask, resume, takingLong), nil
	case code == "REVISION_CONFLICT":
		return changed, nil
	case code == pauseBlocked:
		return blockedWords, nil
	case code == "SESSION_PAUSED" && !resume:
		return paused, nil
	case errors.As(err, &not) && code == "MISSING_SCOPE" && reply.Problem().Scope == "":
		return "", &client.NotAllowed{Scope: text.New(controlScope)}
	case err != nil:
		return "", err
	}
	o, err := httpx.Split(reply.Body)
	id, _ := httpx.String(o.Get("receipt_id"))
	if err != nil || !httpx.Segment(id) {
		return r.state(ctx, ask, resume, takingLong), nil
	}
	return r.follow(ctx, ask, id, resume)
}

// follow reads a receipt until it is not pending any more.
func (r *Relay) follow(ctx context.Context, ask *client.Ask, id string, resume bool) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, pauseLimit)
	defer cancel()
	for n := 1; ; n++ {
		status, err := r.receiptStatus(ctx, id)
		switch {
		case status == "succeeded" && resume:
			return resumed, nil
		case status == "succeeded":
			return paused, nil
		case status == "failed" && resume:
			return r.state(context.WithoutCancel(ctx), ask, resume, goOnFailed), nil
		case status == "failed":
			return r.state(context.WithoutCancel(ctx), ask, resume, pauseFailed), nil
		case err != nil && ctx.Err() == nil && !passing(err):
			return "", err
		}
		// A pause that is blocked stays pending until somebody does something.
		if !resume && n%blockedEvery == 0 {
			if s, err := r.session(ctx, ask.Ref.Session); err == nil && s.blocked {
				return blockedWords, nil
			}
		}
		timer := time.NewTimer(r.every)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return takingLong, nil
		}
	}
}

// passing reports whether an error says nothing about the receipt.
func passing(err error) bool {
	var unreachable *client.Unreachable
	var limited *client.RateLimited
	var failed *client.Failed
	return errors.As(err, &unreachable) || errors.As(err, &limited) || errors.As(err, &failed) && failed.Status >= 500
}

func (r *Relay) receiptStatus(ctx context.Context, id string) (string, error) {
	reply, _, err := r.do(ctx, httpx.Request{Path: "/v1/receipts" + httpx.Path(id)})
	if err != nil {
		return "", err
	}
	o, err := httpx.Split(reply.Body)
	status, _ := httpx.String(o.Get("status"))
	return status, err
}

// state says where a session stands, where its receipt does not: otherwise is
// what is said when the session does not tell either.
func (r *Relay) state(ctx context.Context, ask *client.Ask, resume bool, otherwise string) string {
	s, err := r.session(ctx, ask.Ref.Session)
	switch {
	case err != nil:
		return otherwise
	case s.refuses != "" && s.state != "paused":
		return s.refuses
	case s.blocked && !resume:
		return blockedWords
	case s.state == "paused" && !resume:
		return paused
	case s.state == "active" && resume:
		return resumed
	}
	return otherwise
}
