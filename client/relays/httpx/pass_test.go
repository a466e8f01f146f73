package httpx

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"askbox/client"
)

// TestReadAsItArrives is for listings that are longer than what is held.
func TestReadAsItArrives(t *testing.T) {
	body := `{"items":[` + strings.Repeat(`{"id":"1"},`, 1000) + `{"id":"2"}]}`
	c := serve(t, reply(200, "application/json", body))
	var got strings.Builder
	read := func(r io.Reader) error { _, err := io.Copy(&got, r); return err }
	r, err := c.Do(context.Background(), Request{Path: "/x", Read: read})
	if err != nil || got.String() != body || r.Body != nil {
		t.Errorf("got %d of %d bytes, %v", got.Len(), len(body), err)
	}
	got.Reset()
	_, err = c.Do(context.Background(), Request{Path: "/x", Read: read, Limit: 100})
	if !is[*client.TooLarge](err) || got.String() != body[:100] {
		t.Errorf("beyond the limit: %d bytes, %v", got.Len(), err)
	}
	got.Reset()
	if _, err = c.Do(context.Background(), Request{Path: "/x", Read: read, Limit: int64(len(body))}); err != nil {
		t.Errorf("just within the limit: %v", err)
	}
	odd := errors.New("odd")
	if _, err = c.Do(context.Background(), Request{Path: "/x", Read: func(io.Reader) error { return odd }}); !errors.Is(err, odd) {
		t.Errorf("the reader's own error became %v", err)
	}
}

func TestReadIsForGoodRepliesOnly(t *testing.T) {
	unused := func(io.Reader) error { t.Error("it was handed on"); return nil }
	for _, h := range []http.HandlerFunc{reply(500, "application/json", `{}`), reply(200, "text/html", "<p>Sign in"), reply(401, "application/json", `{}`)} {
		if _, err := serve(t, h).Do(context.Background(), Request{Path: "/x", Read: unused}); err == nil {
			t.Error("no error")
		}
	}
	cut := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"items":[`)
	})
	_, err := cut.Do(context.Background(), Request{Path: "/x", Read: func(r io.Reader) error { _, _ = io.Copy(io.Discard, r); return nil }})
	if !is[*client.Unreachable](err) {
		t.Errorf("a body that breaks off gave %v", err)
	}
}

func TestLooksLike(t *testing.T) {
	for path, want := range map[string]string{
		`/api/api/relay/identity {"relayId":"r1"}`: "an OAR relay",
		`/api/global/health {"healthy":true}`:      "an opencode server",
		`/api/v1/sessions {"sessions":[]}`:         "a Werft server",
		`/api/sessions {"sessions":[]}`:            "an OpenComputer relay",
		`/api/sessions {"sessions":"none"}`:        "",
		`/api/other {}`:                            "",
	} {
		at, body, _ := strings.Cut(path, " ")
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != at {
				reply(404, "text/html", "<p>not found")(w, r)
				return
			}
			reply(200, "application/json", body)(w, r)
		})
		if got := c.LooksLike(context.Background()); got != want {
			t.Errorf("%s looks like %q, want %q", path, got, want)
		}
	}
}
