package oar

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/fake"
	server "askbox/client/fake/oar"
)

const canary = "QTOK-canary"

var now = time.Date(2026, 11, 30, 9, 12, 0, 0, time.UTC)

// stand is the strict relay with canned JSON in place of its replies, which keeps
// what it was asked.
type stand struct {
	*server.Server
	t  *testing.T
	mu sync.Mutex
	// replies are by method, path and, where it matters, the query: the longest
	// key that fits counts.
	replies map[string]string
	status  map[string]int
	seen    []seen
	relay   *Relay
}

type seen struct {
	what string // "POST /api/…"
	body string
	head http.Header
}

func newStand(t *testing.T, replies map[string]string) *stand {
	t.Helper()
	s := &stand{t: t, replies: map[string]string{
		"GET /api/relay-questions?status=pending": `{"questions":[]}`,
		"GET /api/conversations":                  `{"conversations":[],"pageInfo":{"hasMore":false,"nextCursor":null}}`,
	}, status: map[string]int{}}
	for k, v := range replies {
		s.replies[k] = v
	}
	s.Server, s.relay = against(t, server.Options{Prefix: "/base", Token: canary})
	s.Break(fake.Instead(s))
	return s
}

func (s *stand) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	path := strings.TrimPrefix(r.URL.Path, "/base")
	what := r.Method + " " + path
	if r.URL.RawQuery != "" {
		what += "?" + r.URL.RawQuery
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, seen{what, string(body), r.Header})
	w.Header().Set("Set-Cookie", "copilot_auth="+canary)
	w.Header().Set("Date", now.Format(http.TimeFormat))
	best := ""
	for key := range s.replies {
		if strings.HasPrefix(what, key) && len(key) > len(best) {
			best = key
		}
	}
	if best == "" {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(404)
		_, _ = io.WriteString(w, "<!doctype html><title>OAR</title>")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if code := s.status[best]; code != 0 {
		w.WriteHeader(code)
	}
	_, _ = io.WriteString(w, s.replies[best])
}

func (s *stand) reply(what, body string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies[what], s.status[what] = body, status
}

// calls returns what was asked that begins with a prefix.
func (s *stand) calls(prefix string) (all []seen) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.seen {
		if strings.HasPrefix(c.what, prefix) {
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

// only returns the one open ask.
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

// is reports whether an error has a type.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// card writes a card with changes of the usual one.
func card(changes string) string {
	base := map[string]json.RawMessage{}
	must(`{"id":"q1","conversationId":"c4","sdkSessionId":"c4","mode":"agent","prompt":"Which database?",
		"choices":["Postgres","SQLite"],"requestSchema":null,"context":{"source":"AskUserQuestion","header":"Database"},
		"allowFreeform":true,"status":"pending","answer":null,"structuredAnswer":null,
		"createdAt":"2026-11-30T09:00:00.000Z","answeredAt":null,"expiresAt":"2026-11-30T17:00:00.000Z"}`, &base)
	must(changes, &base)
	out, err := json.Marshal(base)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func must(raw string, into any) {
	if err := json.Unmarshal([]byte(raw), into); err != nil {
		panic(raw + ": " + err.Error())
	}
}

func cards(all ...string) map[string]string {
	return map[string]string{"GET /api/relay-questions?status=pending": `{"questions":[` + strings.Join(all, ",") + `]}`}
}

// taken makes a relay that takes an answer and says that the card is as changed.
func (s *stand) takes(changes string) {
	s.replies["POST /api/relay-question/q1/"] = `{"ok":true,"question":` + card(changes) + `}`
}

func choose(ids ...string) client.Answer {
	return client.Answer{Questions: []client.QuestionAnswer{{ID: "q1", Choices: ids}}}
}

func typed(s string) client.Answer {
	return client.Answer{Questions: []client.QuestionAnswer{{ID: "q1", Text: s, HasText: true}}}
}

func both(text string, ids ...string) client.Answer {
	return client.Answer{Questions: []client.QuestionAnswer{{ID: "q1", Choices: ids, Text: text, HasText: true}}}
}

func as[E error](err error, into *E) bool { return errors.As(err, into) }
