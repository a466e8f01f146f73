package opencomputer

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
)

func TestWatch(t *testing.T) {
	opened := func(session string) string {
		return `{"seq":9,"type":"ask.opened","ask":` + strings.Replace(bash("new", "ls"), `"kind"`, `"sessionId":"`+session+`","kind"`, 1) + `}`
	}
	events := []struct{ kind, data, want string }{
		{"ask.opened", opened("cs_1"), "opened new of cs_1"},
		{"ask.opened", opened("cs_unknown"), "opened new of cs_unknown"},
		{"", opened("cs_1"), "opened new of cs_1"},
		{"ask.closed", `{"type":"ask.closed","ask":{"id":"b","sessionId":"cs_1","kind":"approval","status":"answered","closedBy":{"type":"user","id":"usr_1"}}}`, "closed b answered, me true"},
		{"ask.closed", `{"type":"ask.closed","ask":{"id":"b","sessionId":"cs_9","kind":"approval","status":"interrupted"}}`, "closed b interrupted, me false"},
		{"ask.closed", `{"type":"ask.closed","askId":"b"}`, "list"},
		{"ask.opened", `{"type":"ask.opened","ask":{"id":"x","sessionId":"cs_1","kind":"approval","kind":"secret"}}`, "list"},
		{"ask.opened", `{"type":`, "list"},
		{"heartbeat", `{}`, ""},
		{"message", `hello`, ""},
		{"session.updated", `{"type":"session.updated"}`, ""},
		{"ask.moved", `{"type":"ask.moved"}`, "list"},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/me":
			send(w, 200, `{"id":"usr_1"}`, false)
		case "/sessions":
			send(w, 200, waiting(bash("b", "ls")), false)
		case "/events":
			w.Header().Set("Content-Type", "text/event-stream")
			for _, e := range events {
				if e.kind != "" {
					fmt.Fprintf(w, "event: %s\n", e.kind)
				}
				fmt.Fprintf(w, "data: %s\n\n", e.data)
			}
		}
	}))
	defer server.Close()
	r, err := New(Options{Name: "work", BaseURL: server.URL, Token: "t-canary"})
	if err != nil {
		t.Fatal(err)
	}
	open(t, r)
	var got []string
	err = r.Watch(context.Background(), func(e client.Event) {
		switch {
		case e.Opened != nil:
			got = append(got, "opened "+e.Opened.ID+" of "+e.Opened.Session.ID)
		case e.Closed != nil:
			got = append(got, fmt.Sprintf("closed %s %v, me %v", e.Closed.ID, e.Closed.Status, e.Closed.Closing.By.Me))
		case e.List:
			got = append(got, "list")
		default:
			got = append(got, "lives")
		}
	})
	want := []string{"lives"}
	for _, e := range events {
		if e.want != "" {
			want = append(want, e.want)
		}
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v %s", err, d)
	}
}

func TestNoStream(t *testing.T) {
	for _, body := range []string{`{"error":{"code":"not_found"}}`, `<html>`} {
		both(t, func(asked) said { return said{status: 404, body: body} }, func(t *testing.T, r *Relay, _ *script) {
			if err := r.Watch(context.Background(), func(client.Event) { t.Error("an event came") }); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestClosed(t *testing.T) {
	since := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	closed := func(id, at, status string) string {
		return `{"id":"` + id + `","kind":"secret","status":"` + status + `","closedAt":"` + at + `"}`
	}
	both(t, func(a asked) said {
		switch a.path {
		case "/sessions":
			return ok(`{"sessions":[` + sessionOf("A") + `,` + sessionOf("B") + `,` + sessionOf("gone") + `,null]}`)
		case "/sessions/A/asks":
			if a.query.Get("cursor") == "" {
				return ok(`{"asks":[` + closed("1", "2026-11-30T09:30:00Z", "answered") + `,` + closed("old", "2026-11-30T08:59:59Z", "answered") + `],"nextCursor":"n"}`)
			}
			return ok(`{"asks":[` + closed("2", "2026-11-30T09:40:00Z", "interrupted") + `,` + closed("open", "", "open") + `,` + closed("when", "", "answered") + `]}`)
		case "/sessions/B/asks":
			return ok(`{"asks":[` + closed("1", "2026-11-30T09:35:00Z", "dismissed") + `,null,{"id":5}]}`)
		}
		return said{status: 404, body: `{"error":{"code":"not_found"}}`}
	}, func(t *testing.T, r *Relay, s *script) {
		b, err := r.Closed(context.Background(), since)
		if err != nil || !b.Complete {
			t.Fatalf("%+v %v", b, err)
		}
		var got []string
		for _, a := range b.Asks {
			got = append(got, a.Ref.Session+"/"+a.ID+" "+a.Status.String())
		}
		if d := cmp.Diff([]string{"A/2 interrupted", "B/1 dismissed", "A/1 answered"}, got); d != "" {
			t.Error(d)
		}
		if first := s.asked()[0]; first != "GET /sessions?limit=100&updatedSince=2026-11-30T09%3A00%3A00Z " {
			t.Errorf("asked %s", first)
		}
		if got := s.asked()[1]; !strings.Contains(got, "status=answered%2Cdismissed%2Cdeclined%2Cinterrupted") {
			t.Errorf("asked %s", got)
		}
	})
}

func TestClosedIsBounded(t *testing.T) {
	var at, most, calls atomic.Int32
	both(t, func(a asked) said {
		if a.path == "/sessions" {
			var all []string
			for i := range 100 {
				all = append(all, sessionOf(fmt.Sprint(a.query.Get("cursor"), "s", i)))
			}
			return ok(`{"sessions":[` + strings.Join(all, ",") + `],"nextCursor":"` + a.query.Get("cursor") + `x"}`)
		}
		n := at.Add(1)
		defer at.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		calls.Add(1)
		return ok(`{"asks":[]}`)
	}, func(t *testing.T, r *Relay, _ *script) {
		calls.Store(0)
		b, err := r.Closed(context.Background(), time.Now())
		if err != nil || b.Complete || b.Partial == "" {
			t.Errorf("%+v %v", b, err)
		}
		if calls.Load() != 100*closedSessionPages || most.Load() > closedAtOnce {
			t.Errorf("%d calls, %d at once", calls.Load(), most.Load())
		}
	})
}
