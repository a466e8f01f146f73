package httpx

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"askbox/client"
)

// TestWaits: a request that the relay answers once it has something to tell is sent once,
// however long that takes, makes no other request wait longer, and ends with the
// connections that were dropped.
func TestWaits(t *testing.T) {
	waiting := Request{Path: "/events", Waits: true, Timeout: 45 * time.Second}
	onLine(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/events" {
			select {
			case <-time.After(25 * time.Second):
			case <-r.Context().Done():
			}
		}
		reply(200, "application/json", `{}`)(w, r)
	}, func(l *line) {
		_, _ = get(l.Client)
		before := l.got.Load()
		var err error
		if d := took(func() { _, err = l.Do(context.Background(), waiting) }); err != nil || d != 25*time.Second || l.got.Load() != before+1 {
			t.Errorf("after %v, %d requests: %v", d, l.got.Load()-before, err)
		}
		if slow := time.Duration(l.slow.Load()); slow >= time.Second {
			t.Errorf("the relay is taken for one that takes %v", slow)
		}
		done := make(chan error)
		go func() {
			_, err := l.Do(context.Background(), waiting)
			done <- err
		}()
		time.Sleep(time.Second)
		l.replace(l.current(), nil)
		if _, lost := errors.AsType[*client.Unreachable](<-done); !lost {
			t.Error("it outlives its connections")
		}
	})
}
