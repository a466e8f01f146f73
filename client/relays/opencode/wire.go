package opencode

import (
	"context"
	"errors"
	"net/url"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// engine is one of the two engines of the server.
type engine int

const (
	first engine = iota
	second
)

// list is one of the lists that a folder has.
type list struct {
	engine   engine
	question bool
}

var lists = []list{{first, false}, {first, true}, {second, false}, {second, true}}

// path returns the address of a list in a folder.
func (l list) path(folder string) (string, url.Values) {
	name := "permission"
	if l.question {
		name = "question"
	}
	if l.engine == second {
		return httpx.Path("api", name, "request"), url.Values{"location[directory]": {folder}}
	}
	return httpx.Path(name), inFolder(folder)
}

// inFolder is the query that chooses a folder's instance.
func inFolder(folder string) url.Values { return url.Values{"directory": {folder}} }

// unknownRoute is what the answer of opencode to a route means that it does not have:
// every such route, with any method, is its web page.
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

// missing reports whether an error says that what was asked for is not there,
// or that the server has no such route.
func missing(err error) bool {
	var not *client.NotFound
	var other *client.NotRelay
	return errors.As(err, &not) || errors.As(err, &other)
}

// gone reports whether the server says of what was asked for by its id that it
// is not there. A 404 of something that stands before the server says nothing.
func gone(reply *httpx.Reply, err error) bool {
	if reply == nil || err == nil || reply.Status != 404 {
		return false
	}
	switch reply.Problem().Code {
	case "NotFoundError", "SessionNotFoundError", "PermissionNotFoundError", "QuestionNotFoundError", "MessageNotFoundError":
		return true
	}
	return false
}

// errBroken means that the server cannot write a list, although the asks that belong
// into it are there and can be answered.
var errBroken = errors.New("the server cannot list the permissions of this folder")

// broken reports whether a refusal is the fault of the server's own list.
func broken(reply *httpx.Reply, err error) bool {
	var failed *client.Failed
	if !errors.As(err, &failed) || failed.Status != 400 {
		return false
	}
	o, _ := httpx.Split(reply.Body)
	data, _ := httpx.Split(o.Get("data"))
	kind, _ := httpx.String(data.Get("kind"))
	return kind == "Body"
}

// read reads a list in a folder. A request of which two different ones stand in it
// under one id is none that can be answered.
func (r *Relay) read(ctx context.Context, l list, folder string) ([]*request, error) {
	path, query := l.path(folder)
	reply, err := r.get(ctx, path, query)
	switch {
	case broken(reply, err):
		return nil, errBroken
	case err != nil:
		return nil, err
	}
	raws, err := items(l.engine, reply.Body)
	if err != nil {
		return nil, err
	}
	all := make([]*request, 0, len(raws))
	at := make(map[string]int, len(raws))
	for _, raw := range raws {
		q := readRequest(l, raw)
		if i, twice := at[q.id]; twice {
			if !all[i].same(q) {
				all[i] = q.refuse("the server lists two different asks under its id")
			}
			continue
		}
		at[q.id] = len(all)
		all = append(all, q)
	}
	return all, nil
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

// busy returns the sessions of a folder that have a turn of the first engine under way.
func (r *Relay) busy(ctx context.Context, folder string) (map[string]bool, error) {
	reply, err := r.get(ctx, httpx.Path("session", "status"), inFolder(folder))
	if err != nil {
		return nil, err
	}
	o, err := httpx.Split(reply.Body)
	if err != nil {
		return nil, err
	}
	busy := make(map[string]bool, len(o.Members))
	for _, m := range o.Members {
		state, err := httpx.Split(m.Value)
		kind, _ := httpx.String(state.Get("type"))
		if err == nil && kind != "idle" {
			busy[m.Name] = true
		}
	}
	return busy, nil
}

// brand is whose server it is.
type brand int

const (
	opencode brand = iota
	kilo
)

// String is what the server is called on the screen.
func (b brand) String() string {
	if b == kilo {
		return "Kilo"
	}
	return "opencode"
}

// command is the program that goes to a session. Its users are called so too where
// nobody says otherwise.
func (b brand) command() string {
	if b == kilo {
		return "kilo"
	}
	return "opencode"
}

// readBrand asks the server whose it is: its state is in a folder of its own name, and
// one of Kilo has an error in JSON where opencode has its web page.
func (r *Relay) readBrand(ctx context.Context, folder string) (brand, error) {
	var query url.Values
	if folder != "" {
		query = inFolder(folder)
	}
	reply, err := r.get(ctx, httpx.Path("path"), query)
	switch {
	case reply != nil && reply.Status == 404 && reply.Problem().Message == "Not Found":
		return kilo, nil
	case reply != nil && reply.HTML():
		return opencode, nil
	case err != nil:
		return opencode, err
	}
	var where struct {
		State string `json:"state"`
	}
	if httpx.Decode(reply.Body, &where) == nil && path.Base(strings.ReplaceAll(where.State, `\`, "/")) == "kilo" {
		return kilo, nil
	}
	return opencode, nil
}
