package werft

import (
	"context"
	"errors"
	"time"

	"askbox/client"
	"askbox/client/relays"
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

// Pause pauses or resumes the session of an ask, as it was when the ask was shown, and
// follows the relay's receipt to its end. A session that may be paused now is noted.
func (r *Relay) Pause(ctx context.Context, ask *client.Ask, resume bool) (string, error) {
	id := ask.Ref.Session
	if err := relays.Usable("the session has no usable id", id); err != nil {
		return "", err
	}
	verb := "pause"
	if resume {
		verb = "resume"
	}
	defer r.touch(id)
	reply, code, err := r.do(ctx, httpx.Request{Path: "/v1/sessions" + httpx.Path(id, verb),
		Body: control{Revision: ask.Session.Revision}, Counts: true})
	_, unsure := errors.AsType[*client.Uncertain](err)
	if !resume && (err == nil || unsure || code == "session_paused") {
		r.notes.Add(relays.Note{Session: id, Title: ask.Session.Title.Raw(), What: pausedWord}, false)
	}
	_, not := errors.AsType[*client.NotAllowed](err)
	switch {
	case unsure:
		return r.stands(ctx, id, resume, takingLong), nil
	case code == "revision_conflict":
		return "", errors.New(changed)
	case code == "pause_blocked":
		return blockedWords, nil
	case code == "session_paused" && !resume:
		return paused, nil
	case not && code == "missing_scope" && reply.Problem().Scope == "":
		return "", &client.NotAllowed{Scope: text.New(controlScope)}
	case err != nil:
		return "", err
	}
	o, err := httpx.Split(reply.Body)
	receipt, _ := httpx.String(o.Get("receipt_id"))
	if err != nil || !httpx.Segment(receipt) {
		return r.stands(ctx, id, resume, takingLong), nil
	}
	return r.follow(ctx, id, receipt, resume)
}

// follow reads a receipt until it is not pending any more.
func (r *Relay) follow(ctx context.Context, id, receipt string, resume bool) (string, error) {
	succeeded, failed := paused, pauseFailed
	if resume {
		succeeded, failed = resumed, goOnFailed
	}
	ctx, cancel := context.WithTimeout(ctx, pauseLimit)
	defer cancel()
	for n := 1; ; n++ {
		status, err := r.receiptStatus(ctx, receipt)
		switch {
		case status == "succeeded":
			if resume {
				r.notes.Remove(id, pausedWord)
			}
			return succeeded, nil
		case status == "failed":
			came := r.stands(context.WithoutCancel(ctx), id, resume, failed)
			if came == failed {
				return "", errors.New(failed)
			}
			return came, nil
		case err != nil && ctx.Err() == nil && !passing(err):
			return "", err
		}
		// A pause that is blocked stays pending until somebody does something.
		if !resume && n%blockedEvery == 0 {
			if s, err := r.read(ctx, id); err == nil && s.blocked {
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
	return relays.Word(o, "status"), err
}

// stands says where a session stands, where its receipt does not: otherwise is
// what is said when the session does not tell either.
func (r *Relay) stands(ctx context.Context, id string, resume bool, otherwise string) string {
	s, err := r.read(ctx, id)
	switch {
	case err != nil:
		return otherwise
	case s.refuses != "" && s.state != pausedState:
		return s.refuses
	case s.blocked && !resume:
		return blockedWords
	case s.state == pausedState && !resume:
		return paused
	case s.state == "active" && resume:
		r.notes.Remove(id, pausedWord)
		return resumed
	}
	return otherwise
}
