package oar

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// refused says what the refusal of an answer means; conflict does where the ask is
// not open any more.
func refused(reply *httpx.Reply, err error, conflict func(httpx.Problem) error) error {
	var lost *client.Uncertain
	if reply == nil || errors.As(err, &lost) {
		return err
	}
	p := reply.Problem()
	switch reply.Status {
	case http.StatusBadRequest:
		return invalid(p, err)
	case http.StatusForbidden:
		return forbidden(p)
	case http.StatusConflict:
		if closed := conflict(p); closed != nil {
			return closed
		}
	}
	return err
}

// already returns an error where the relay says that the ask is closed already, without
// how it closed.
func already(p httpx.Problem) error {
	if strings.Contains(p.Message, "already") {
		return &client.Closed{Why: "too late", Said: text.New(p.Message)}
	}
	return nil
}

// refusedCard reads the card to see what became of it, and says that.
func (r *Relay) refusedCard(ctx context.Context, ask *client.Ask, reply *httpx.Reply, err error) error {
	return refused(reply, err, func(p httpx.Problem) error {
		switch now, bad := r.Get(ctx, ask); {
		case bad != nil:
			return already(p)
		case now.Status.Closed():
			return &client.Closed{Ask: now}
		}
		return nil // it is still open, and the relay's word says why it took nothing
	})
}

// refusedOther looks for what became of a board or an ask in the refusal itself,
// under a key.
func (r *Relay) refusedOther(ask *client.Ask, reply *httpx.Reply, err error, key string, read func(jsontext.Value) *client.Ask) error {
	return refused(reply, err, func(p httpx.Problem) error {
		if o, bad := httpx.Split(reply.Body); bad == nil {
			if now, bad := r.sameAs(ask, o.Get(key), read); bad == nil && now.Status.Closed() {
				return &client.Closed{Ask: now}
			}
		}
		return already(p)
	})
}

// invalid returns the error for an answer that the relay found fault with: in a field of
// a form, where it names one.
func invalid(p httpx.Problem, err error) error {
	if p.Message == "" {
		return err
	}
	out := &client.InvalidAnswer{Reason: "the relay does not take it", Said: text.New(p.Message)}
	o, bad := httpx.Split(p.Raw)
	if bad != nil {
		return out
	}
	items, _ := httpx.List(o.Get("fields"))
	var more []string
	for _, item := range items {
		f, bad := httpx.Split(item)
		if bad != nil {
			continue
		}
		name := ""
		for _, key := range []string{"name", "field", "path", "key"} {
			if name == "" {
				name = relays.Word(f, key)
			}
		}
		says := relays.Word(f, "message")
		if out.Field == "" && len(more) == 0 {
			// The field is named as the form names it, to be found there again.
			out.Field, out.Said = name, text.New(says)
			continue
		}
		more = append(more, "\n"+name+": "+says)
	}
	if len(more) > 0 {
		out.Said = text.New(out.Said.Raw() + strings.Join(more, ""))
	}
	return out
}

// forbidden returns the error for a card that belongs to another session or owner by
// now. The relay names the other one; an answer meant for this one is not sent to it.
func forbidden(p httpx.Problem) error {
	return &client.NotAllowed{Said: text.New(p.Message),
		Why: "the relay did not record the answer; look at the ask again before you answer it"}
}
