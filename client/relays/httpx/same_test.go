package httpx

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestSameBody holds each body against each other one: only what is the same is said
// to be, and anything else is given as it was sent.
func TestSameBody(t *testing.T) {
	long := `"` + strings.Repeat("0123456789abcdef", 3000) + `"`
	bodies := []string{`{}`, `{"a":1}`, `{"a":2}`, `{"a":1} `, long, long[:len(long)-1] + `!"`, "!" + long, long + long}
	for _, declared := range []bool{true, false} {
		var sent string
		status := 200
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if declared {
				w.Header().Set("Content-Length", fmt.Sprint(len(sent)))
			}
			w.WriteHeader(status)
			w.(http.Flusher).Flush()
			_, _ = io.WriteString(w, sent)
		})
		for i, before := range bodies {
			for j, now := range bodies {
				sent = now
				r, err := c.Do(context.Background(), Request{Path: "/x", Before: sumOf([]byte(before))})
				if err != nil || r.Same != (i == j) || r.Size != len(now) || r.Sum != sumOf([]byte(now)) {
					t.Fatalf("%d after %d: %d bytes of %d, same %v, %v", j, i, r.Size, len(now), r.Same, err)
				}
				if want := map[bool]string{true: "", false: now}[r.Same]; string(r.Body) != want {
					t.Errorf("%d after %d: the body has %d bytes", j, i, len(r.Body))
				}
			}
		}
		status, sent = 400, `{"error":"no"}`
		if r, err := c.Do(context.Background(), Request{Path: "/x", Before: sumOf([]byte(sent))}); err == nil || r.Same || r.Problem().Message != "no" {
			t.Errorf("a refusal counts as the reply of before: %+v, %v", r, err)
		}
	}
}

// TestSameBodyTellsTheTime is for the clock of a relay on which nothing happens.
func TestSameBodyTellsTheTime(t *testing.T) {
	date := "Mon, 02 Feb 2026 10:00:00 GMT"
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", date)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{}`)
	})
	first, err := c.Do(context.Background(), Request{Path: "/x"})
	if err != nil {
		t.Fatal(err)
	}
	date = "Mon, 02 Feb 2026 11:00:00 GMT"
	second, err := c.Do(context.Background(), Request{Path: "/x", Before: first.Sum})
	if err != nil || !second.Same || second.Now.Sub(first.Now).Hours() != 1 {
		t.Errorf("same %v, %v after %v, %v", second.Same, second.Now, first.Now, err)
	}
}
