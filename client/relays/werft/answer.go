package werft

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// Get reads one ask as it is now. A request that is not listed any more is over;
// how it ended is known only where its time has run out.
func (r *Relay) Get(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	if err := usable(ask); err != nil {
		return nil, err
	}
	var s session
	var found *client.Ask
	group, inner := errgroup.WithContext(ctx)
	group.Go(func() error {
		return httpx.Contain(func() (err error) {
			s, err = r.session(inner, ask.Ref.Session)
			return err
		})
	})
	var items []jsontext.Value
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
	for _, raw := range items {
		now := r.readRequest(raw, s)
		switch {
		case now.ID != ask.ID || now.Ref.Session != ask.Ref.Session:
		case found != nil && !bytes.Equal(found.Raw, now.Raw):
			return r.unreadable(now.Raw, s, twoUnderOneID), nil
		default:
			found = now
		}
	}
	switch {
	case found == nil:
		return r.unlisted(ask)
	case found.Unreadable == "" && r.overdue(found):
		return expired(found), nil
	}
	return found, nil
}

// lookedOn is how long before its end a request was last seen open where it is
// taken to have stayed so until then.
const lookedOn = 30 * time.Second

// unlisted says what is known of a request that is not listed any more. The relay
// does not tell how one closed. That one whose time is over expired is concluded
// where it was seen open until about then; an answer may have come first.
func (r *Relay) unlisted(ask *client.Ask) (*client.Ask, error) {
	if !r.overdue(ask) {
		return nil, &client.NotFound{}
	}
	r.mu.Lock()
	at, seen := r.seen[ask.Ref]
	r.mu.Unlock()
	c := expired(ask)
	if !seen || ask.Expires.Sub(at) > lookedOn {
		c = relays.Over(ask, client.Gone, client.Closing{Note: "its time is over: it expired and counted as a denial, unless somebody answered it before"})
	}
	c.Closing.Untold = true
	return c, nil
}

func usable(ask *client.Ask) error {
	return relays.Usable("the request or its session has no usable id", ask.Ref.Session, ask.ID)
}

// session reads one session.
func (r *Relay) session(ctx context.Context, id string) (session, error) {
	reply, _, err := r.do(ctx, httpx.Request{Path: "/v1/sessions" + httpx.Path(id)})
	if err != nil {
		return session{}, err
	}
	raw := reply.Body
	if o, err := httpx.Split(raw); err == nil && o.Get("session_id") == nil && o.Get("session") != nil {
		raw = o.Get("session")
	}
	s := readSession(raw, r.who.Who().Me())
	if s.trouble != "" {
		return s, &client.NotRelay{What: "JSON that is no session"}
	}
	if s.ID != id {
		return s, &client.NotRelay{What: "another session than the one asked for"}
	}
	return s, nil
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
	if r.overdue(ask) {
		return nil, &client.Closed{Ask: expired(ask), Why: expiredWords + "; nothing was sent"}
	}
	reply, code, err := r.do(ctx, httpx.Request{
		Path: "/v1/sessions" + httpx.Path(ask.Ref.Session, "requests", ask.ID, "answer"),
		Body: body(ask, answer), Counts: true,
	})
	if err != nil {
		return nil, tooLate(ask, code, err)
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

// tooLate turns the codes that say that a request is over into that.
func tooLate(ask *client.Ask, code string, err error) error {
	var lost *client.Uncertain
	if errors.As(err, &lost) {
		return err
	}
	closed := func(how client.Status, why string) error {
		return &client.Closed{Ask: relays.Over(ask, how, client.Closing{Note: why}), Why: why}
	}
	switch code {
	case "REQUEST_EXPIRED":
		return closed(client.Expired, "too late: it ended as a denial")
	case "REQUEST_STALE":
		return closed(client.Gone, "too late: someone else answered, or the turn moved on")
	case "REQUEST_CONFLICT":
		return closed(client.Answered, "a conflict: a different answer went first")
	}
	return err
}

// receipt reads the reply to an answer. Only "accepted" says that it counted.
func (r *Relay) receipt(ask *client.Ask, answer client.Answer, reply *httpx.Reply) (*client.Ask, error) {
	o, err := httpx.Split(reply.Body)
	status, _ := httpx.String(o.Get("receipt_status"))
	switch {
	case err != nil || status == "":
		return nil, relays.Unsure("its reply does not say that the answer was accepted")
	case status == "expired":
		return nil, &client.Closed{Ask: expired(ask), Why: "too late: it ended as a denial"}
	case status != "accepted":
		return nil, relays.Unsure("its receipt says " + status)
	}
	who := r.who.Who()
	approval, _ := httpx.Split(o.Get("approval"))
	surface, _ := httpx.String(approval.Get("surface"))
	c := client.Closing{By: answerer(approval.Get("answered_by"), who), At: reply.Now,
		Surface: text.New(surface), Decision: answer.Decision, Answer: lines(ask, answer), Given: &answer}
	if by := &c.By; by.MaybeMe || *by == (client.Actor{}) {
		// It accepted this answer, and does not say that it was anybody else's.
		by.Me, by.MaybeMe = true, false
	}
	return relays.Over(ask, client.Answered, c), nil
}

// lines say what was answered, the decision in the program's words first.
func lines(ask *client.Ask, answer client.Answer) []text.Text {
	var all []text.Text
	switch answer.Decision {
	case client.NoDecision:
	case client.Always:
		all = append(all, text.New("allowed, always in this session"))
	default:
		all = append(all, text.New(answer.Decision.Done()))
	}
	if answer.Message != "" {
		all = append(all, text.New(answer.Message))
	}
	for i, q := range answer.Questions {
		var said []string
		if i < len(ask.Questions) {
			for _, o := range ask.Questions[i].Options {
				for _, id := range q.Choices {
					if id == o.ID {
						said = append(said, o.Label.Raw())
					}
				}
			}
		}
		if q.HasText {
			said = append(said, q.Text)
		}
		all = append(all, text.New(strings.Join(said, ", ")))
	}
	return all
}
