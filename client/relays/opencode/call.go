package opencode

import (
	"context"
	"errors"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// engine is one of the two engines of the server.
type engine int

const (
	first engine = iota
	second
)

// unknownRoute is what the server's answer to a route means that it does not
// have: every such route, with any method, is its web page.
const unknownRoute = "an HTML page (this version of opencode has no such route, or something stands before it)"

// get reads one route.
func (r *Relay) get(ctx context.Context, path string, query url.Values) (*httpx.Reply, error) {
	reply, err := r.http.Do(ctx, httpx.Request{Path: path, Query: query})
	return reply, r.meaning(reply, err)
}

// post sends what must not be done twice.
func (r *Relay) post(ctx context.Context, path string, query url.Values, body any) (*httpx.Reply, error) {
	reply, err := r.http.Do(ctx, httpx.Request{Method: "POST", Path: path, Query: query, Body: body, Counts: true, Bare: true})
	return reply, r.meaning(reply, err)
}

// meaning says in the words of opencode what an error means. A web page says
// that nobody took the request, so nothing of it has counted.
func (r *Relay) meaning(reply *httpx.Reply, err error) error {
	if err == nil || reply == nil {
		return err
	}
	var refused *client.TokenRefused
	switch {
	case reply.HTML() && (reply.Status == 200 || reply.Status == 404):
		return &client.NotRelay{What: unknownRoute}
	case errors.As(err, &refused) && !r.http.Authorized():
		return &client.TokenRefused{None: true, Detail: text.New("it is the password that opencode was started with")}
	case errors.As(err, &refused) && refused.Detail.Empty():
		return &client.TokenRefused{Detail: text.New("it is the password of the configured user")}
	}
	return err
}

// inFolder is the query that chooses a folder's instance.
func inFolder(folder string) url.Values { return url.Values{"directory": {folder}} }

// listPath returns the list of a kind of ask in a folder.
func listPath(e engine, question bool, folder string) (string, url.Values) {
	name := "permission"
	if question {
		name = "question"
	}
	if e == second {
		return httpx.Path("api", name, "request"), url.Values{"location[directory]": {folder}}
	}
	return httpx.Path(name), inFolder(folder)
}

// items takes the asks out of a list, which the second engine wraps.
func items(e engine, raw []byte) ([]jsontext.Value, error) {
	if e == second {
		o, err := httpx.Split(raw)
		if err != nil {
			return nil, err
		}
		if raw = o.Get("data"); raw == nil {
			return nil, &client.NotRelay{What: "JSON without a list of asks"}
		}
	}
	return httpx.List(raw)
}

// errBroken means that the server cannot write a folder's list, although the asks
// in it are there and can be answered.
var errBroken = errors.New("the server cannot list the permissions of this folder")

// broken reports whether a refusal is the fault of the server's own list.
func broken(reply *httpx.Reply, err error) bool {
	var failed *client.Failed
	return errors.As(err, &failed) && failed.Status == 400 && reply != nil && bodyKind(reply) == "Body"
}

// bodyKind is what of a request or reply a BadRequest is about.
func bodyKind(reply *httpx.Reply) string {
	o, err := httpx.Split(reply.Body)
	if err != nil {
		return ""
	}
	data, err := httpx.Split(o.Get("data"))
	if err != nil {
		return ""
	}
	kind, _ := httpx.String(data.Get("kind"))
	return kind
}

// readList reads the asks of a kind in a folder, as one of the lists of a reading.
func (r *Relay) readList(ctx context.Context, e engine, question bool, folder string, of *reading) ([]*request, *httpx.Reply, error) {
	path, query := listPath(e, question, folder)
	reply, err := r.http.Do(ctx, httpx.Request{Path: path, Query: query, Before: of.Before(path, none)})
	if err = r.meaning(reply, err); err != nil {
		if broken(reply, err) {
			return nil, reply, errBroken
		}
		return nil, reply, err
	}
	all, err := of.Take(path, none(), reply.Sum, reply.Same, func() ([]*request, error) {
		raws, err := items(e, reply.Body)
		all := make([]*request, 0, len(raws))
		for _, raw := range raws {
			all = append(all, readRequest(e, question, raw))
		}
		return all, err
	})
	return all, reply, err
}

// reading is one reading of the lists of a folder. A request is read by itself alone.
type reading = relays.Reading[struct{}, []*request]

func none() struct{} { return struct{}{} }
