package httpx

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"askbox/client"
)

func TestDeadlineCoversTheBody(t *testing.T) {
	drip := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-r.Context().Done():
				return
			case <-tick.C:
				_, _ = w.Write([]byte(" "))
				w.(http.Flusher).Flush()
			}
		}
	}
	silent := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // only then is the end of the connection noticed
		<-r.Context().Done()
	}
	for name, h := range map[string]http.HandlerFunc{"drip": drip, "silent": silent} {
		c := serve(t, h, func(o *Options) { o.Timeout = 100 * time.Millisecond })
		begin := time.Now()
		_, err := get(c)
		var down *client.Unreachable
		if !errors.As(err, &down) || down.Reason != "no answer within 100ms" {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(begin); took > 3*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		if _, err := send(c); !is[*client.Uncertain](err) {
			t.Errorf("%s: an answer gave %v", name, err)
		}
	}
}

func TestGivingUp(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		cancel()
		<-r.Context().Done()
	})
	if _, err := c.Do(ctx, Request{Path: "/x"}); !errors.Is(err, context.Canceled) || is[*client.Unreachable](err) {
		t.Errorf("%v", err)
	}
}

func TestNotSentAndMaybeSent(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().String()
	listener.Close()
	c, err := New(Options{BaseURL: "http://" + closed, Token: canary})
	if err != nil {
		t.Fatal(err)
	}
	_, err = send(c)
	var down *client.Unreachable
	if !errors.As(err, &down) || down.Reason != "ECONNREFUSED" || is[*client.Uncertain](err) {
		t.Errorf("nobody listens: %v", err)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("the cause is lost: %v", err)
	}

	lost := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		conn, _, _ := w.(http.Hijacker).Hijack()
		conn.Close()
	})
	if _, err := send(lost); !is[*client.Uncertain](err) || !is[*client.Unreachable](err) {
		t.Errorf("the reply was lost: %v", err)
	}
	cut := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		reply(200, "application/json", `{"items":[`)(w, r)
	})
	if _, err := get(cut); !is[*client.Unreachable](err) {
		t.Errorf("a body that breaks off: %v", err)
	}
	if _, err := send(cut); !is[*client.Uncertain](err) {
		t.Errorf("an answer with a body that breaks off: %v", err)
	}
}

func TestAnswerIsSentOnce(t *testing.T) {
	var posts atomic.Int32
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			posts.Add(1)
			_, _ = io.ReadAll(r.Body)
			conn, _, _ := w.(http.Hijacker).Hijack()
			conn.Close()
			return
		}
		reply(200, "application/json", `{}`)(w, r)
	})
	if _, err := get(c); err != nil { // leaves a connection to be used again
		t.Fatal(err)
	}
	_, _ = send(c)
	if posts.Load() != 1 {
		t.Errorf("sent %d times", posts.Load())
	}
}
