package werft

import (
	"bytes"
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// Get reads one ask as it is now. A request that is not listed any more is not found:
// the relay does not tell how it ended.
func (r *Relay) Get(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	if err := usable(ask); err != nil {
		return nil, err
	}
	defer r.touch(ask.Ref.Session)
	if ask.Kind == client.Paused {
		return r.getPaused(ctx, ask)
	}
	var s session
	var items []jsontext.Value
	group, inner := errgroup.WithContext(ctx)
	group.Go(func() error {
		return httpx.Contain(func() (err error) {
			s, err = r.read(inner, ask.Ref.Session)
			return err
		})
	})
	group.Go(func() error {
		return httpx.Contain(func() error {
			reply, err := r.requests(inner, ask.Ref.Session, 0)
			if err == nil {
				items, err = requestsIn(reply.Body)
			}
			return err
		})
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var found *client.Ask
	for _, raw := range items {
		now := r.readRequest(raw, s)
		switch {
		case now.ID != ask.ID:
		case found != nil && !bytes.Equal(found.Raw, now.Raw):
			return r.unreadable(now.Raw, s, twoUnderOneID), nil
		default:
			found = now
		}
	}
	if found == nil {
		return nil, &client.NotFound{}
	}
	return r.listed(found), nil
}

func usable(ask *client.Ask) error {
	return relays.Usable("the request or its session has no usable id", ask.Ref.Session, ask.ID)
}

// decision answers a permission request.
type decision struct {
	ID       string `json:"request_id"`
	Kind     string `json:"kind"`
	Action   string `json:"action"`
	Reason   string `json:"reason,omitempty"`
	Remember string `json:"remember,omitempty"`
}

// answers answers a question request.
type answers struct {
	ID      string     `json:"request_id"`
	Kind    string     `json:"kind"`
	Answers []answered `json:"answers"`
}

// answered answers one question. The list of options is never null.
type answered struct {
	ID       string   `json:"question_id"`
	Options  []string `json:"selected_option_ids"`
	FreeText *string  `json:"free_text,omitempty"`
}

// Answer sends an answer, once. After a request's time is over none is sent: it
// has ended as a denial already.
func (r *Relay) Answer(ctx context.Context, ask *client.Ask, answer client.Answer) (*client.Ask, error) {
	if err := client.Validate(ask, answer); err != nil {
		return nil, err
	}
	if err := usable(ask); err != nil {
		return nil, err
	}
	if now, known := r.http.Clock(); known && ask.RunOut(now) {
		return nil, &client.Closed{Ask: expired(ask), Why: expiredWords + "; nothing was sent"}
	}
	defer r.touch(ask.Ref.Session)
	reply, code, err := r.do(ctx, httpx.Request{
		Path: "/v1/sessions" + httpx.Path(ask.Ref.Session, "requests", ask.ID, "answer"),
		Body: body(ask, answer), Counts: true,
	})
	if err != nil {
		return nil, r.refused(ask, code, err)
	}
	return r.receipt(ask, answer, reply)
}

func body(ask *client.Ask, answer client.Answer) any {
	if ask.Kind == client.Approval {
		d := decision{ID: ask.ID, Kind: "permission", Action: "allow"}
		switch answer.Decision {
		case client.Always:
			d.Remember = "session"
		case client.Deny:
			d.Action, d.Reason = "deny", answer.Message
		}
		return d
	}
	a := answers{ID: ask.ID, Kind: "question"}
	for _, q := range answer.Questions {
		one := answered{ID: q.ID, Options: append([]string{}, q.Choices...)}
		if q.HasText {
			one.FreeText = &q.Text
		}
		a.Answers = append(a.Answers, one)
	}
	return a
}

// refused turns the codes into what they say: that the request is over, or that this key
// may answer nothing in its session, which is noted.
func (r *Relay) refused(ask *client.Ask, code string, err error) error {
	if _, lost := errors.AsType[*client.Uncertain](err); lost {
		return err
	}
	closed := func(over *client.Ask, why string) error { return &client.Closed{Ask: over, Why: why} }
	gone := func(how client.Status, why string) error {
		return closed(relays.Over(ask, how, client.Closing{Note: why}), why)
	}
	switch why := refusals[code]; {
	case why != "":
		r.notes.Add(relays.Note{Session: ask.Ref.Session, Title: ask.Session.Title.Raw(), What: code}, true)
		return &client.NotAllowed{Why: why}
	case code == "request_expired":
		return closed(expired(ask), tooLate)
	case code == "request_stale":
		return gone(client.Gone, "too late: someone else answered, or the turn moved on")
	case code == "request_conflict":
		return gone(client.Answered, "a conflict: a different answer went first")
	}
	return err
}

const tooLate = "too late: it ended as a denial"

// receipt reads the reply to an answer. Only "accepted" says that it counted.
func (r *Relay) receipt(ask *client.Ask, answer client.Answer, reply *httpx.Reply) (*client.Ask, error) {
	o, err := httpx.Split(reply.Body)
	switch status := relays.Word(o, "receipt_status"); {
	case err != nil || status == "":
		return nil, relays.Unsure("its reply does not say that the answer was accepted")
	case status == "expired":
		return nil, &client.Closed{Ask: expired(ask), Why: tooLate}
	case status != "accepted":
		return nil, relays.Unsure("its receipt says " + text.New(status).Quoted(40))
	}
	approval, _ := httpx.Split(o.Get("approval"))
	by := answerer(approval.Get("answered_by"), r.who.Who())
	if by.MaybeMe {
		// It accepted this answer, and does not say that it was anybody else's.
		by.Me, by.MaybeMe = true, false
	}
	return relays.Over(ask, client.Answered, client.Closing{By: by, At: reply.Now, Surface: text.New(relays.Word(approval, "surface")),
		Decision: answer.Decision, Answer: ask.AnswerLines(answer), Given: &answer}), nil
}
