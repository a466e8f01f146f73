package httpx

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
	"askbox/client/fake"
)

// line is a relay in fake time, whose connections can be frozen.
type line struct {
	*Client
	pipe *fake.Pipe
	got  atomic.Int32 // requests that arrived
}

func onLine(t *testing.T, h http.HandlerFunc, play func(l *line)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := &line{pipe: fake.NewPipe()}
		server, err := fake.Start(fake.Options{Network: l.pipe, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			l.got.Add(1)
			h(w, r)
		})})
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		l.Client, err = New(Options{BaseURL: server.URL(), Insecure: true, Dial: l.pipe.DialContext})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		play(l)
	})
}

func took(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// TestFrozenConnections: a connection that was used before and is silent costs a few
// seconds and not a deadline; what counts is sent once all the same, and what was
// dropped is not used again.
func TestFrozenConnections(t *testing.T) {
	onLine(t, reply(200, "application/json", `{}`), func(l *line) {
		ask := func(want time.Duration) {
			t.Helper()
			var err error
			if d := took(func() { _, err = get(l.Client) }); err != nil || d != want {
				t.Errorf("after %v: %v, want after %v", d, err, want)
			}
		}
		ask(0)
		l.pipe.Freeze()
		ask(patience)
		ask(0)
		l.pipe.Freeze()
		before := l.got.Load()
		var err error
		if d := took(func() { _, err = send(l.Client) }); !is[*client.Uncertain](err) || d != DefaultTimeout || l.got.Load() != before {
			t.Errorf("an answer gave %v after %v, and was sent %d times", err, d, l.got.Load()-before)
		}
		ask(0)
	})
}

// TestSlowIsNotFrozen: a relay that is slow is asked a second time, and the reply that
// begins first is taken; one that is always slow is asked once.
func TestSlowIsNotFrozen(t *testing.T) {
	var wait atomic.Int64
	onLine(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Duration(wait.Load()))
		reply(200, "application/json", `{}`)(w, r)
	}, func(l *line) {
		for i, step := range []struct {
			wait time.Duration
			asks int32
		}{{0, 1}, {6 * time.Second, 2}, {6 * time.Second, 1}, {0, 1}} {
			wait.Store(int64(step.wait))
			before := l.got.Load()
			var err error
			if d := took(func() { _, err = get(l.Client) }); err != nil || d != step.wait || l.got.Load()-before != step.asks {
				t.Errorf("%d: after %v: %v, asked %d times", i, d, err, l.got.Load()-before)
			}
			time.Sleep(time.Minute)
		}
	})
}

// TestFrozenInTheBody: a body that stops on a connection used before is read anew.
func TestFrozenInTheBody(t *testing.T) {
	half := make(chan struct{}, 1)
	onLine(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"a":`)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-half:
			<-r.Context().Done()
		default:
			_, _ = io.WriteString(w, `1}`)
		}
	}, func(l *line) {
		if _, err := get(l.Client); err != nil {
			t.Fatal(err)
		}
		half <- struct{}{}
		var r *Reply
		var err error
		if d := took(func() { r, err = get(l.Client) }); err != nil || d != DefaultTimeout || string(r.Body) != `{"a":1}` {
			t.Errorf("after %v: %v", d, err)
		}
	})
}

// TestAStreamGoesWithItsConnections: a stream whose neighbours were found dead is given
// up, and not after minutes.
func TestAStreamGoesWithItsConnections(t *testing.T) {
	onLine(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/events" {
			reply(200, "application/json", `{}`)(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}, func(l *line) {
		ended := make(chan error, 1)
		go func() {
			ended <- l.Stream(context.Background(), Request{Path: "/events"}, StreamOptions{}, func(Event) {})
		}()
		synctest.Wait()
		_, _ = get(l.Client)
		synctest.Wait()
		l.pipe.Freeze()
		if _, err := get(l.Client); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		select {
		case err := <-ended:
			if !is[*client.Unreachable](err) || !errors.Is(err, errFrozen) {
				t.Errorf("the stream ended with %v", err)
			}
		default:
			t.Error("the stream still waits on a dead connection")
		}
	})
}

// TestAPauseHoldsEverything: while a relay wants to be left alone nothing is sent to it,
// a stream as little as an answer; the person can lift that.
func TestAPauseHoldsEverything(t *testing.T) {
	for _, after := range []string{"9", "", "abc", "-1", "1e3", "99999999999", "date"} {
		onLine(t, func(w http.ResponseWriter, r *http.Request) {
			value := after
			if after == "date" {
				value = time.Now().Add(9 * time.Second).UTC().Format(http.TimeFormat)
			}
			w.Header().Set("Retry-After", value)
			w.WriteHeader(429)
		}, func(l *line) {
			want, asked := ownPause, false
			switch after {
			case "9", "date":
				want, asked = 9*time.Second, true
			case "99999999999":
				want, asked = longestPause, true
			}
			_, err := get(l.Client)
			var limited *client.RateLimited
			if !errors.As(err, &limited) || limited.Until.IsZero() == asked || limited.Longer != (after == "99999999999") {
				t.Fatalf("%q: %v", after, err)
			}
			calls := func() {
				_, _ = get(l.Client)
				_, _ = send(l.Client)
				_ = l.Stream(context.Background(), Request{Path: "/events"}, StreamOptions{}, nil)
			}
			for time.Sleep(time.Millisecond); want > time.Second; want -= time.Second {
				calls()
				time.Sleep(time.Second)
			}
			if n := l.got.Load(); n != 1 {
				t.Errorf("%q: it was asked %d times", after, n)
			}
			l.hold.Lift()
			calls()
			if n := l.got.Load(); n != 2 {
				t.Errorf("%q: the person wants it asked now, and it was asked %d times", after, n)
			}
		})
	}
}
