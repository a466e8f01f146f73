package opencode

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/fake"
	strict "askbox/client/fake/opencode"
)

// server is the strict server with canned JSON in place of its replies: what it
// lists and what it shows, and a count of what it was asked.
type server struct {
	*strict.Server
	t *testing.T

	mu       sync.Mutex
	handler  http.Handler
	lists    map[string][]string // "permission A", "api/question A": items
	sessions []string            // newest change first
	messages map[string]string   // "ses/msg": the message
	busy     map[string][]string // folder: sessions
	breaks   map[string]bool     // folders whose permissions cannot be listed
	replies  map[string]canned   // path: what it answers
	calls    map[string]int      // "GET /permission": how often
	sent     []sent
	streams  []chan string
	joined   chan struct{}
	silent   bool // the stream does not greet
	pageMost int  // sessions of one page
	perMilli int  // sessions that change in one millisecond
}

type canned struct {
	status int
	kind   string
	body   string
}

type sent struct{ path, query, body string }

func newServer(t *testing.T) *server {
	s := &server{t: t, lists: map[string][]string{}, messages: map[string]string{}, busy: map[string][]string{},
		breaks: map[string]bool{}, replies: map[string]canned{}, calls: map[string]int{}, joined: make(chan struct{}, 16), pageMost: 1000, perMilli: 1}
	s.handler = http.HandlerFunc(s.serve)
	s.Server = begin(t, strict.Options{})
	s.Break(fake.Instead(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		s.mu.Lock()
		h := s.handler
		s.mu.Unlock()
		h.ServeHTTP(w, q)
	})))
	t.Cleanup(s.cut)
	return s
}

// relay returns an adapter for the server.
func (s *server) relay(o Options) *Relay {
	s.t.Helper()
	o.Name, o.BaseURL = "oc", s.URL()
	r, err := New(o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = r.Close() })
	return r
}

func (s *server) serve(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	s.mu.Lock()
	s.calls[q.Method+" "+q.URL.Path]++
	if q.Method == "POST" {
		s.sent = append(s.sent, sent{q.URL.Path, q.URL.RawQuery, string(body)})
	}
	c, ok := s.replies[q.URL.Path]
	s.mu.Unlock()
	if ok {
		write(w, c)
		return
	}
	switch {
	case q.URL.Path == "/global/event":
		s.stream(w, q)
	case q.URL.Path == "/global/health":
		write(w, ok200(`{"healthy":true,"version":"1.18.33"}`))
	default:
		write(w, s.answer(w.Header(), q))
	}
}

func ok200(body string) canned { return canned{200, "application/json", body} }

var page = canned{200, "text/html", "<!doctype html><title>OpenCode</title>"}

func notFound(tag, message string) canned {
	return canned{404, "application/json", fmt.Sprintf(`{"_tag":%q,"message":%q}`, tag, message)}
}

func write(w http.ResponseWriter, c canned) {
	if c.kind != "" {
		w.Header().Set("Content-Type", c.kind)
	}
	w.WriteHeader(c.status)
	_, _ = io.WriteString(w, c.body)
}

func (s *server) answer(header http.Header, q *http.Request) canned {
	s.mu.Lock()
	defer s.mu.Unlock()
	part := strings.Split(strings.Trim(q.URL.Path, "/"), "/")
	folder := q.URL.Query().Get("directory")
	switch {
	case q.Method == "POST" && part[0] == "api":
		return canned{204, "", ""}
	case q.Method == "POST":
		return ok200("true")
	case q.URL.Path == "/experimental/session":
		return s.page(header, q)
	case q.URL.Path == "/permission" && s.breaks[folder]:
		return canned{400, "application/json", `{"name":"BadRequest","data":{"message":"Expected JSON value, got undefined\n  at [0]","kind":"Body"}}`}
	case q.URL.Path == "/permission", q.URL.Path == "/question":
		return ok200("[" + strings.Join(s.lists[part[0]+" "+folder], ",") + "]")
	case len(part) == 3 && part[0] == "api" && part[2] == "request":
		in := q.URL.Query().Get("location[directory]")
		return ok200(`{"location":{"directory":` + quote(in) + `},"data":[` + strings.Join(s.lists["api/"+part[1]+" "+in], ",") + "]}")
	case q.URL.Path == "/session/status":
		var all []string
		for _, id := range s.busy[folder] {
			all = append(all, quote(id)+`:{"type":"busy"}`)
		}
		return ok200("{" + strings.Join(all, ",") + "}")
	case len(part) == 2 && part[0] == "session":
		for _, raw := range s.sessions {
			if idOf(raw) == part[1] {
				return ok200(raw)
			}
		}
		return canned{404, "application/json", `{"name":"NotFoundError","data":{"message":"Session not found"}}`}
	case len(part) >= 4 && part[len(part)-2] == "message":
		if raw, ok := s.messages[strings.Join(slices.Delete(part, len(part)-2, len(part)-1), "/")]; ok {
			return ok200(raw)
		}
		return canned{404, "application/json", `{"name":"NotFoundError","data":{"message":"Message not found"}}`}
	}
	return page
}

// page is one page of the sessions, newest change first. The cursor is the time of
// the last one, and what changed in that same millisecond is left out.
func (s *server) page(header http.Header, q *http.Request) canned {
	limit, _ := strconv.Atoi(q.URL.Query().Get("limit"))
	before, err := strconv.ParseInt(q.URL.Query().Get("cursor"), 10, 64)
	var found []string
	for _, raw := range s.sessions {
		if err != nil || updatedAt(raw) < before {
			found = append(found, raw)
		}
	}
	if most := min(limit, s.pageMost); len(found) > most {
		found = found[:most]
		header.Set("x-next-cursor", strconv.FormatInt(updatedAt(found[most-1]), 10))
	}
	return ok200("[" + strings.Join(found, ",") + "]")
}

func (s *server) stream(w http.ResponseWriter, q *http.Request) {
	events := make(chan string, 100)
	s.mu.Lock()
	s.streams = append(s.streams, events)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	if !s.silent {
		_, _ = io.WriteString(w, "data: {\"payload\":{\"type\":\"server.connected\",\"properties\":{}}}\n\n")
	}
	_ = http.NewResponseController(w).Flush()
	s.joined <- struct{}{}
	for {
		select {
		case <-q.Context().Done():
			return
		case e, ok := <-events:
			if !ok {
				return
			}
			_, _ = io.WriteString(w, "data: "+e+"\n\n")
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// cut ends the streams.
func (s *server) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.streams {
		close(c)
	}
	s.streams = nil
}

// event sends an event to whoever follows the stream.
func (s *server) event(folder, kind, properties string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.streams {
		c <- fmt.Sprintf(`{"directory":%s,"payload":{"properties":%s,"type":%s}}`, quote(folder), properties, quote(kind))
	}
}

// change changes what the server holds.
func (s *server) change(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// total returns how many requests there were since the last call.
func (s *server) total() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		n += c
	}
	s.calls = map[string]int{}
	return n
}

func (s *server) count(call string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[call]
}

// session adds a session, newest last.
func (s *server) session(id, folder, title, parent string) {
	raw := fmt.Sprintf(`{"id":%q,"directory":%q,"title":%q,"time":{"created":1796070135437,"updated":%d}`, id, folder, title, 1796070135437+int64(len(s.sessions)/s.perMilli))
	if parent != "" {
		raw += fmt.Sprintf(`,"parentID":%q`, parent)
	}
	s.sessions = slices.Insert(s.sessions, 0, raw+"}")
	s.busy[folder] = append(s.busy[folder], id)
}

// call sets the tool call of an ask, as its state's JSON.
func (s *server) call(session, message, call, tool, state string) {
	s.messages["session/"+session+"/"+message] = fmt.Sprintf(
		`{"info":{"id":%q},"parts":[{"type":"step-start"},{"type":"tool","callID":%q,"tool":%q,"state":%s}]}`, message, call, tool, state)
}

const (
	bashID = "per_22e65b7f0001h43u3KQc9JN912" // 2026-11-30T21:39:07.888Z
	editID = "per_22e65b9a3001vZawoGpcpQHr8i"
	askID  = "que_22e65e4a9001a54MDhGzkFYcCO"
)

func bash(id, session, command string) string {
	return fmt.Sprintf(`{"id":%q,"sessionID":%q,"permission":"bash","patterns":[%q],"metadata":{"command":%q},"always":["echo *"],"tool":{"messageID":"msg_%s","callID":"call_%s"}}`,
		id, session, command, command, session, session)
}

const database = `"question":"Which database?","header":"Database","options":[{"label":"PostgreSQL","description":"One more server"},{"label":"SQLite","description":""}]`

func question(id, session string, more ...string) string {
	return fmt.Sprintf(`{"id":%q,"sessionID":%q,"questions":[%s],"tool":{"messageID":"msg_%s","callID":"call_%s"}}`,
		id, session, strings.Join(append([]string{"{" + database + "}"}, more...), ","), session, session)
}

const running200 = `{"status":"running","input":{},"time":{"start":1796074747000}}`

// waiting adds a session with one shell command that waits.
func (s *server) waiting(id, session, folder, command string) {
	s.session(session, folder, "Fix the build", "")
	s.lists["permission "+folder] = append(s.lists["permission "+folder], bash(id, session, command))
	s.call(session, "msg_"+session, "call_"+session, "bash", running200)
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func updatedAt(raw string) int64 {
	if s := readSession([]byte(raw)); s != nil {
		return s.updated
	}
	return 0
}

func idOf(raw string) string {
	var o struct{ ID string }
	_ = json.Unmarshal([]byte(raw), &o)
	return o.ID
}

// open reads the server and returns its asks by id.
func open(t *testing.T, r *Relay) (map[string]*client.Ask, client.Batch) {
	t.Helper()
	batch, err := r.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asks := map[string]*client.Ask{}
	for _, a := range batch.Asks {
		if asks[a.ID] != nil {
			t.Fatalf("%s is listed twice", a.ID)
		}
		asks[a.ID] = a
	}
	return asks, batch
}

// clock is a time that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// circle is a server whose pages of sessions never end.
type circle struct{ *server }

func (c circle) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.URL.Path == "/experimental/session" {
		w.Header().Set("x-next-cursor", "7")
	}
	c.serve(w, q)
}
