package werft

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/fake"
	server "askbox/client/fake/werft"
)

var now = time.Date(2026, 11, 30, 9, 20, 0, 0, time.UTC)

const (
	oneSession = `{"session_id":"ses_01","title":"Release 2.4","status":"needs_input","admission_state":"active","revision":7,
		"checkpoint_revision":1,"attention":null,"url":"https://werft.example/s/ses_01","created_by":{"type":"user","id":"u_1","name":"Ada"}}`
	permission = `{"request_id":"req_01","kind":"permission","tool":"Bash","input":{"command":"rm -rf build","description":"clean build"},
		"proposed_remember":"Bash(rm -rf build)","created_at":"2026-11-30T09:12:00Z","expires_at":"2026-11-30T09:42:00Z"}`
	question = `{"request_id":"req_02","kind":"question","created_at":"2026-11-30T09:12:00Z","expires_at":"2026-11-30T09:42:00Z",
		"questions":[{"question_id":"q_1","header":"Environment","prompt":"Which environment?","options":[
		{"option_id":"o_1","label":"staging","description":"safe"},{"option_id":"o_2","label":"production","description":"live"}],"multi_select":false},
		{"question_id":"q_2","prompt":"Which parts?","options":[{"option_id":"o_1","label":"web"},{"option_id":"o_3","label":"worker"}],"multi_select":true}]}`
	accepted = `{"receipt_status":"accepted","receipt_id":"rc_1","approval":{"answered_by":"u_1","surface":"api"}}`
	answerTo = "POST /v1/sessions/ses_01/requests/req_01/answer"
)

// stand is the strict server with canned JSON in place of its replies, which keeps
// what it was asked.
type stand struct {
	*server.Server
	t       *testing.T
	mu      sync.Mutex
	replies map[string]string // by method and path; the longest that fits counts
	status  map[string]int
	queue   map[string][]string // replies that are given once each, before the others
	seen    []string            // "POST /v1/… body"
	date    time.Time
	running int
	most    int
	hold    func(what string)
	relay   *Relay
}

func newStand(t *testing.T, replies map[string]string) *stand {
	t.Helper()
	s := &stand{t: t, date: now, status: map[string]int{}, queue: map[string][]string{}, replies: map[string]string{
		"GET /v1/me":                               `{"id":"u_1","name":"Ada"}`,
		"GET /v1/sessions?":                        `{"sessions":[` + oneSession + `],"next_cursor":null}`,
		"GET /v1/sessions/ses_01":                  oneSession,
		"GET /v1/sessions/ses_01/requests":         `{"requests":[` + permission + `]}`,
		answerTo:                                   accepted,
		"POST /v1/sessions/ses_01/requests/req_02": accepted,
	}}
	for k, v := range replies {
		s.replies[k] = v
	}
	key := fake.Key{Token: "key-1"}
	s.Server, s.relay = against(t, server.Options{Keys: []fake.Key{key}}, key)
	s.Break(fake.Instead(s))
	return s
}

func (s *stand) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	what := r.Method + " " + r.URL.Path
	if r.URL.RawQuery != "" {
		what += "?" + r.URL.RawQuery
	}
	s.mu.Lock()
	s.running++
	s.most = max(s.most, s.running)
	hold := s.hold
	s.mu.Unlock()
	if hold != nil {
		hold(what)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	s.seen = append(s.seen, strings.TrimSpace(what+" "+string(body)))
	if !s.date.IsZero() {
		w.Header().Set("Date", s.date.Format(http.TimeFormat))
	} else {
		w.Header()["Date"] = nil
	}
	best := ""
	for key := range s.replies {
		if strings.HasPrefix(what, key) && len(key) > len(best) {
			best = key
		}
	}
	if best == "" {
		http.NotFound(w, r)
		return
	}
	reply := s.replies[best]
	if q := s.queue[best]; len(q) > 0 {
		reply, s.queue[best] = q[0], q[1:]
	}
	w.Header().Set("Content-Type", "application/json")
	if code := s.status[best]; code != 0 {
		w.WriteHeader(code)
	}
	_, _ = io.WriteString(w, reply)
}

func (s *stand) reply(what, body string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies[what], s.status[what] = body, status
}

func (s *stand) calls(prefix string) (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.seen {
		if strings.HasPrefix(c, prefix) {
			all = append(all, c)
		}
	}
	return all
}

func (s *stand) open() client.Batch {
	s.t.Helper()
	batch, err := s.relay.Open(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	return batch
}

func (s *stand) only() *client.Ask {
	s.t.Helper()
	batch := s.open()
	if len(batch.Asks) != 1 {
		s.t.Fatalf("there are %d asks, want 1 (%s)", len(batch.Asks), batch.Partial)
	}
	return batch.Asks[0]
}

func (s *stand) answer(ask *client.Ask, a client.Answer) (*client.Ask, error) {
	return s.relay.Answer(context.Background(), ask, a)
}

func requests(all ...string) map[string]string {
	return map[string]string{"GET /v1/sessions/ses_01/requests": `{"requests":[` + strings.Join(all, ",") + `]}`}
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func as[E error](err error, into *E) bool { return errors.As(err, into) }

var allow = client.Answer{Decision: client.Allow}
