package oar

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// refusedCard says what the refusal of an answer to a card means.
func (r *Relay) refusedCard(ctx context.Context, ask *client.Ask, reply *httpx.Reply, err error) error {
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
		return r.conflict(ctx, ask, p, err)
	}
	return err
}

// invalid is that the relay found fault with an answer: with a field of a form,
// where it names one.
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
				name = word(f, key)
			}
		}
		says := word(f, "message")
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

// forbidden is that the card belongs to another session or owner by now. The
// relay names the other one; an answer meant for this one is not sent to it.
func forbidden(p httpx.Problem) error {
	return &client.NotAllowed{Said: text.New(p.Message),
		Why: "the relay did not record the answer; look at the ask again before you answer it"}
}

// conflict reads the card to see what became of it, and says that.
func (r *Relay) conflict(ctx context.Context, ask *client.Ask, p httpx.Problem, err error) error {
	now, bad := r.Get(ctx, ask)
	switch {
	case bad == nil && now.Status.Closed():
		return &client.Closed{Ask: now}
	case bad == nil:
		return err // it is still open, and the relay's word says why it took nothing
	}
	if strings.Contains(p.Message, "already") {
		return &client.Closed{Why: "too late", Said: text.New(p.Message)}
	}
	return err
}

// refused says what the refusal of an answer to a board or an ask means.
func (r *Relay) refused(ask *client.Ask, reply *httpx.Reply, err error, key string, read func(jsontext.Value) *client.Ask) error {
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
		if o, bad := httpx.Split(reply.Body); bad == nil {
			if now, bad := r.sameAs(ask, o.Get(key), read); bad == nil && now.Status.Closed() {
				return &client.Closed{Ask: now}
			}
		}
		if strings.Contains(p.Message, "already") {
			return &client.Closed{Why: "too late", Said: text.New(p.Message)}
		}
	}
	return err
}
