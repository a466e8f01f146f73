package opencomputer

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// call is one thing asked of a relay, whichever way it is sent: over HTTP as a
// path with a query and a body, over JSON-RPC as a method with parameters.
type call struct {
	path   []string
	method string
	// ids are the parameters that stand in the path over HTTP.
	ids map[string]string
	// query stands behind the path, limit is a number there and in the parameters.
	query map[string]string
	limit int
	// body is sent over HTTP; over JSON-RPC it is the parameter inside, or, where
	// that is empty, its keys are parameters themselves.
	body    any
	inside  string
	spread  map[string]any
	counts  bool
	timeout time.Duration
	// before is the sum of an earlier reply to the same call; result.same says that it
	// came again.
	before httpx.Sum
}

// result is what came back.
type result struct {
	raw jsontext.Value // not read where same is set
	now time.Time
	// sum and size are of the whole body of a reply that is no refusal.
	sum  httpx.Sum
	size int
	same bool
	// status is the HTTP status, problem what a refusal says; set with an error.
	status  int
	problem httpx.Problem
}

// do sends a call. Its error is one of package client; result.problem says more
// where the relay refused.
func (r *Relay) do(ctx context.Context, c call) (result, error) {
	if r.rpc {
		return r.overRPC(ctx, c)
	}
	return r.overHTTP(ctx, c)
}

func (r *Relay) overHTTP(ctx context.Context, c call) (result, error) {
	query := url.Values{}
	for name, value := range c.query {
		query.Set(name, value)
	}
	if c.limit > 0 {
		query.Set("limit", strconv.Itoa(c.limit))
	}
	reply, err := r.http.Do(ctx, httpx.Request{Path: httpx.Path(c.path...), Query: query, Body: c.body,
		Counts: c.counts, Timeout: c.timeout, Before: c.before})
	if err == nil {
		return result{raw: reply.Body, now: reply.Now, sum: reply.Sum, size: reply.Size, same: reply.Same}, nil
	}
	if reply == nil {
		return result{}, err
	}
	out := result{now: reply.Now, status: reply.Status, problem: reply.Problem()}
	if reply.Status >= 400 && reply.Status < 500 {
		err = refused(out.problem, err)
	}
	return out, err
}

// request is a JSON-RPC 2.0 request.
type request struct {
	Version string         `json:"jsonrpc"`
	ID      int            `json:"id"`
	Method  string         `json:"method"`
	Params  map[string]any `json:"params"`
}

// rpcID is the id of every request: each travels alone, in a reply of its own.
const rpcID = 1

func (r *Relay) overRPC(ctx context.Context, c call) (result, error) {
	params := map[string]any{}
	for name, value := range c.ids {
		params[name] = value
	}
	for name, value := range c.query {
		params[name] = value
	}
	if c.limit > 0 {
		params["limit"] = c.limit
	}
	maps.Copy(params, c.spread)
	if c.inside != "" {
		params[c.inside] = c.body
	}
	reply, err := r.http.Do(ctx, httpx.Request{Path: "/rpc", Counts: c.counts, Timeout: c.timeout, Before: c.before,
		Body: request{Version: "2.0", ID: rpcID, Method: c.method, Params: params}})
	if reply == nil {
		return result{}, err
	}
	out := result{now: reply.Now, status: reply.Status}
	var missing *client.NotFound
	switch {
	case errors.As(err, &missing), reply.Status == 405:
		// It is the address that is not known, and not what was asked about.
		return out, &client.NotRelay{What: "it has no JSON-RPC at /rpc; try transport = \"http\""}
	case err != nil && (reply.Status/100 == 3 || reply.Status >= 500 || !isRPC(reply)):
		out.problem = reply.Problem()
		if reply.Status < 500 {
			err = refused(out.problem, err)
		}
		return out, err
	case err == nil && reply.Same:
		out.sum, out.size, out.same = reply.Sum, reply.Size, true
		return out, nil
	}
	out.sum, out.size = reply.Sum, reply.Size
	return r.fromRPC(reply, out, c)
}

// isRPC reports whether a reply is a JSON-RPC response, which some servers send
// with the status of the failure.
func isRPC(reply *httpx.Reply) bool {
	o, err := httpx.Split(reply.Body)
	return err == nil && o.Get("jsonrpc") != nil
}

// fromRPC takes the result or the error out of a JSON-RPC response.
func (r *Relay) fromRPC(reply *httpx.Reply, out result, c call) (result, error) {
	o, err := httpx.Split(reply.Body)
	if err == nil {
		if id := o.Get("id"); string(id) != strconv.Itoa(rpcID) && o.Get("error") == nil {
			err = &client.NotRelay{What: "a JSON-RPC response to another request"}
		}
	}
	if err != nil {
		return out, lost(c, err)
	}
	if raw := o.Get("result"); raw != nil && o.Get("error") == nil {
		out.raw = raw
		return out, nil
	}
	failure, err := httpx.Split(o.Get("error"))
	if err != nil {
		return out, lost(c, &client.NotRelay{What: "a JSON-RPC response without a result"})
	}
	message, _ := httpx.String(failure.Get("message"))
	if data := failure.Get("data"); data != nil {
		out.problem = reply.ProblemIn(data)
	}
	if out.problem.Message == "" {
		out.problem.Message = message
	}
	code, _ := strconv.Atoi(string(failure.Get("code")))
	failed := &client.Failed{Code: out.problem.Code, Message: text.New(out.problem.Message)}
	if err := refused(out.problem, failed); err != error(failed) {
		return out, err
	}
	switch {
	case code == -32601:
		return out, &client.NotFound{Detail: text.New(out.problem.Message)}
	case code <= -32600 && code > -32603 || code == -32700 || known[out.problem.Code]:
		return out, failed
	}
	// The relay failed while it did it, or in a way that is not known here.
	return out, lost(c, failed)
}

// known are the codes of refusals that are looked at elsewhere, and after which
// nothing has happened.
var known = map[string]bool{"ask_closed": true, "invalid_cursor": true}

// lost says that it is open whether a call that counts has counted.
func lost(c call, err error) error {
	if c.counts {
		return &client.Uncertain{Err: err}
	}
	return err
}

// secretElsewhere says why a secret is not answered here, and secretWhere, as a
// sentence, where it is.
const (
	secretElsewhere = "a secret is not given here; open the session in OpenComputer"
	secretWhere     = "Open the session in OpenComputer and give it there."
)

// refused turns the code of a refusal into the error that it means, whichever
// way it came, and leaves other errors as they are.
func refused(p httpx.Problem, err error) error {
	message := text.New(p.Message)
	switch p.Code {
	case "missing_scope":
		scope := p.Scope
		if scope == "" {
			scope = "asks:answer"
		}
		return &client.NotAllowed{Scope: text.New(scope)}
	case "invalid_answer":
		return &client.InvalidAnswer{Field: p.Field, Reason: "the relay does not take it", Said: message}
	case "answer_with_secret":
		return &client.Elsewhere{Where: secretElsewhere}
	case "unauthorized", "invalid_token":
		return &client.TokenRefused{Detail: message}
	case "forbidden":
		var already *client.NotAllowed
		if !errors.As(err, &already) {
			return &client.NotAllowed{Said: message}
		}
	case "not_found", "session_not_found", "ask_not_found":
		return &client.NotFound{Detail: message}
	case "rate_limited":
		var already *client.RateLimited
		if !errors.As(err, &already) {
			return &client.RateLimited{}
		}
	}
	return err
}
