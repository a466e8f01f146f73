package opencomputer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"askbox/client"
	"askbox/client/fake"
	"askbox/client/text"
)

// asked is one request as it reached the relay, whichever way it was sent.
type asked struct {
	verb, path string // the path escaped as it came, under the base URL
	query      url.Values
	body       string // of an answer or a dismissal, exactly
}

func (a asked) String() string {
	s := a.verb + " " + a.path
	if len(a.query) > 0 {
		s += "?" + a.query.Encode()
	}
	return s + " " + a.body
}

// said is what the relay replies: a status, and a body that holds {"error":…} for a refusal.
type said struct {
	status int
	body   string
	lost   bool // the connection is closed instead
}

func ok(body string) said { return said{status: 200, body: body} }

// script is a relay that says what a test tells it, over both transports.
type script struct {
	t  *testing.T
	mu sync.Mutex
	// log holds what was asked, without /me.
	log   []asked
	reply func(asked) said
	me    said
}

func (s *script) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, a := range s.log {
		all = append(all, a.String())
	}
	return all
}

func (s *script) ask(a asked) said {
	if a.path == "/me" {
		return s.me
	}
	s.mu.Lock()
	s.log = append(s.log, a)
	s.mu.Unlock()
	return s.reply(a)
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if r.Header.Get("Authorization") != "Bearer tok-canary" {
		s.t.Errorf("%s came without the token", r.URL)
	}
	path, under := strings.CutPrefix(r.URL.EscapedPath(), "/api")
	if !under {
		s.t.Errorf("%s is not under the base URL", r.URL)
	}
	if path == "/rpc" {
		s.rpc(w, body)
		return
	}
	out := s.ask(asked{r.Method, path, r.URL.Query(), string(body)})
	send(w, out.status, out.body, out.lost)
}

func send(w http.ResponseWriter, status int, body string, lost bool) {
	if lost {
		panic(http.ErrAbortHandler)
	}
	kind := "application/json"
	if strings.HasPrefix(body, "<") {
		kind = "text/html"
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// rpc turns a JSON-RPC request into what the same would be over HTTP.
func (s *script) rpc(w http.ResponseWriter, body []byte) {
	var q struct {
		JSONRPC, Method string
		ID              int
		Params          map[string]json.RawMessage
	}
	if err := json.Unmarshal(body, &q); err != nil || q.JSONRPC != "2.0" {
		s.t.Errorf("no JSON-RPC request: %s", body)
	}
	str := func(name string) string {
		var v string
		_ = json.Unmarshal(q.Params[name], &v)
		delete(q.Params, name)
		return url.PathEscape(v)
	}
	a := asked{verb: "GET", query: url.Values{}}
	switch q.Method {
	case "me.get":
		a.path = "/me"
	case "sessions.list":
		a.path = "/sessions"
	case "asks.list":
		a.path = "/sessions/" + str("sessionId") + "/asks"
	case "asks.get":
		a.path = "/sessions/" + str("sessionId") + "/asks/" + str("askId")
	case "asks.answer":
		a = asked{verb: "POST", path: "/sessions/" + str("sessionId") + "/asks/" + str("askId") + "/answer", body: string(q.Params["answer"])}
		q.Params = nil
	case "asks.dismiss":
		a = asked{verb: "POST", path: "/sessions/" + str("sessionId") + "/asks/" + str("askId") + "/dismiss"}
		rest, _ := json.Marshal(q.Params)
		a.body, q.Params = string(rest), nil
	default:
		s.t.Errorf("unknown method %q", q.Method)
	}
	for name, raw := range q.Params {
		var v any
		_ = json.Unmarshal(raw, &v)
		a.query.Set(name, fmt.Sprint(v))
	}
	out := s.ask(a)
	switch {
	case out.status/100 == 3 || out.status >= 500 || out.lost || strings.HasPrefix(out.body, "<"):
		send(w, out.status, out.body, out.lost)
	case out.status >= 400:
		var e struct{ Error json.RawMessage }
		_ = json.Unmarshal([]byte(out.body), &e)
		if len(e.Error) == 0 {
			e.Error = []byte("{}")
		}
		send(w, 200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"refused","data":%s}}`, q.ID, e.Error), false)
	default:
		send(w, 200, `{"jsonrpc":"2.0","id":`+strconv.Itoa(q.ID)+`,"result":`+out.body+`}`, false)
	}
}

// both runs a test over both transports, against a relay that is reply.
func both(t *testing.T, reply func(asked) said, test func(*testing.T, *Relay, *script)) {
	t.Helper()
	for _, transport := range []string{HTTP, JSONRPC} {
		t.Run(transport, func(t *testing.T) {
			s := &script{t: t, reply: reply, me: ok(`{"id":"usr_1","name":"Ada"}`)}
			relay, r := against(t, transport, fake.Key{Token: "tok-canary"})
			relay.Break(fake.Instead(s))
			test(t, r, s)
		})
	}
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// waiting is a page of one session that holds the items.
func waiting(items ...string) string {
	return `{"sessions":[` + sessionOf("cs_1", items...) + `],"nextCursor":null}`
}

func sessionOf(id string, items ...string) string {
	return `{"id":"` + id + `","title":"T","status":"waiting","createdBy":{"type":"user","id":"usr_1"},"asks":[` + strings.Join(items, ",") + `]}`
}

func bash(id, command string) string {
	return `{"id":"` + id + `","kind":"approval","status":"open","openedAt":"2026-11-30T09:12:00Z","approval":{"toolName":"Bash","input":{"command":"` +
		command + `"},"alwaysAllows":"Bash(` + command + `)"}}`
}

func open(t *testing.T, r *Relay) client.Batch {
	t.Helper()
	b, err := r.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func find(t *testing.T, b client.Batch, id string) *client.Ask {
	t.Helper()
	for _, a := range b.Asks {
		if a.ID == id {
			return a
		}
	}
	t.Fatalf("no ask %s in %v", id, ids(b))
	return nil
}

func ids(b client.Batch) []string {
	var all []string
	for _, a := range b.Asks {
		all = append(all, a.ID)
	}
	return all
}

func raw(all []text.Text) []string {
	var out []string
	for _, t := range all {
		out = append(out, t.Raw())
	}
	return out
}
