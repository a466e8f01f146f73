package httpx

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"askbox/client"
)

// TestSameBody holds each body against each other one: what is given is what was
// sent, and only what is the same is said to be.
func TestSameBody(t *testing.T) {
	long := `"` + strings.Repeat("0123456789abcdef", 3*chunk/16) + `"`
	bodies := []string{`{}`, `{"a":1}`, `{"a":2}`, `{"a":1} `, long, long[:len(long)-1] + `!"`, "!" + long, long + " ",
		long[:chunk], long[:2*chunk], long[:chunk] + long}
	for _, declared := range []bool{true, false} {
		var sent string
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if declared {
				w.Header().Set("Content-Length", fmt.Sprint(len(sent)))
			} else {
				w.(http.Flusher).Flush()
			}
			_, _ = io.WriteString(w, sent)
		})
		for i, before := range bodies {
			for j, now := range bodies {
				sent = now
				like := []byte(before)
				r, err := c.Do(context.Background(), Request{Path: "/x", Like: like})
				if err != nil || string(r.Body) != now || r.Same != (i == j) || string(like) != before {
					t.Fatalf("%d after %d: %d bytes of %d, same %v, %v", j, i, len(r.Body), len(now), r.Same, err)
				}
				if shared := &r.Body[0] == &like[0]; shared != r.Same {
					t.Errorf("%d after %d: shares memory %v", j, i, shared)
				}
			}
		}
	}
}

func TestSameBodyKeepsTheCap(t *testing.T) {
	c := serve(t, reply(200, "application/json", `"`+strings.Repeat("x", 1000)+`"`))
	for _, like := range []string{"", `"`, `"` + strings.Repeat("x", 1000), `"` + strings.Repeat("x", 1000) + `"`} {
		if _, err := c.Do(context.Background(), Request{Path: "/x", Like: []byte(like), Limit: 1001}); !is[*client.TooLarge](err) {
			t.Errorf("after %d bytes: %v", len(like), err)
		}
		if r, err := c.Do(context.Background(), Request{Path: "/x", Like: []byte(like), Limit: 1002}); err != nil || len(r.Body) != 1002 {
			t.Errorf("after %d bytes: %v", len(like), err)
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
	second, err := c.Do(context.Background(), Request{Path: "/x", Like: first.Body})
	if err != nil || !second.Same || second.Now.Sub(first.Now).Hours() != 1 {
		t.Errorf("same %v, %v after %v, %v", second.Same, second.Now, first.Now, err)
	}
}

func TestSameBodyThatBreaksOff(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"items":[`)
	})
	for _, like := range []string{`{"items":[`, `{"items":[1]}`, `{"other":1}`} {
		if _, err := c.Do(context.Background(), Request{Path: "/x", Like: []byte(like)}); !is[*client.Unreachable](err) {
			t.Errorf("after %s: %v", like, err)
		}
	}
}
