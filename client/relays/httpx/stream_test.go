package httpx

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"askbox/client"
)

func follow(c *Client, ctx context.Context, o StreamOptions, on func(Event)) error {
	return c.Stream(ctx, Request{Path: "/events"}, o, on)
}

func TestStream(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+canary || r.Header.Get("Accept") != "text/event-stream" {
			w.WriteHeader(401)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_, _ = io.WriteString(w, ": hello\n\nevent: ask.opened\r\ndata: {\"seq\":9,\r\ndata: \"a\":1}\r\n\r\ndata: x\n\nevent: cut\ndata: y")
	})
	var events []Event
	opened := 0
	err := follow(c, context.Background(), StreamOptions{Open: func() { opened++ }}, func(e Event) { events = append(events, e) })
	if err != nil || opened != 1 {
		t.Fatalf("%v, opened %d times", err, opened)
	}
	if len(events) != 2 || events[0].Type != "ask.opened" || string(events[0].Data) != "{\"seq\":9,\n\"a\":1}" || string(events[1].Data) != "x" {
		t.Errorf("%q", events)
	}
}

func TestStreamOutlivesTheDeadlineOfCalls(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for i := range 30 {
			<-tick.C
			_, _ = io.WriteString(w, ": still here\n\n")
			if i == 29 {
				_, _ = io.WriteString(w, "data: late\n\n")
			}
			w.(http.Flusher).Flush()
		}
	}, func(o *Options) { o.Timeout = 100 * time.Millisecond })
	var got []string
	err := follow(c, context.Background(), StreamOptions{Idle: 5 * time.Second}, func(e Event) { got = append(got, string(e.Data)) })
	if err != nil || strings.Join(got, ",") != "late" {
		t.Errorf("%q %v", got, err)
	}
}

func TestStreamThatIsNone(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"404":     reply(404, "application/json", `{"error":{"code":"not_found"}}`),
		"html":    reply(200, "text/html", "<html>"),
		"404html": reply(404, "text/html", "<html>"),
		"json":    reply(200, "application/json", `{}`),
		"405":     reply(405, "", ""),
	} {
		if err := follow(serve(t, h), context.Background(), StreamOptions{}, nil); !errors.Is(err, ErrNoStream) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := follow(serve(t, reply(401, "", "")), context.Background(), StreamOptions{}, nil); !is[*client.TokenRefused](err) {
		t.Errorf("401: %v", err)
	}
	moved := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://elsewhere.example/")
		w.WriteHeader(302)
	})
	if err := follow(moved, context.Background(), StreamOptions{}, nil); err == nil || !strings.Contains(err.Error(), "redirect to elsewhere.example") {
		t.Errorf("redirect: %v", err)
	}
}

func TestStreamEnds(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	var down *client.Unreachable
	err := follow(serve(t, hang), context.Background(), StreamOptions{Idle: 50 * time.Millisecond}, nil)
	if !errors.As(err, &down) || !strings.Contains(down.Reason, "silent for 50ms") {
		t.Errorf("silence: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	first := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: x\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	err = follow(serve(t, first), ctx, StreamOptions{Open: cancel}, func(Event) {})
	if !errors.Is(err, context.Canceled) || is[*client.Unreachable](err) {
		t.Errorf("given up: %v", err)
	}
	quiet := serve(t, reply(200, "text/event-stream", ": nothing\n\n"))
	err = follow(quiet, context.Background(), StreamOptions{Open: func() { t.Error("a stream without an event is alive") }}, nil)
	if !errors.As(err, &down) || !strings.Contains(down.Reason, "before it told anything") {
		t.Errorf("no event: %v", err)
	}
	never := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		func(o *Options) { o.Timeout = 50 * time.Millisecond })
	if err := follow(never, context.Background(), StreamOptions{}, nil); !errors.As(err, &down) {
		t.Errorf("no reply: %v", err)
	}
	flood := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: ")
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
				return
			}
		}
	})
	if err := follow(flood, context.Background(), StreamOptions{Limit: 1 << 18}, func(Event) { t.Error("an event came") }); !errors.As(err, &down) {
		t.Errorf("flood: %v", err)
	}
}
