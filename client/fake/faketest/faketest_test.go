package faketest

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestClient(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/nothing" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		_, _ = w.Write([]byte(`{"list":[{"token":"` + r.Header.Get("Authorization") + `","more":"` + r.Header.Get("More") + `"}]}`))
	}))
	closed := false
	t.Run("calls", func(t *testing.T) {
		c := New(t, nil, server.URL, "one", func() { server.Close(); closed = true })
		other := c.As("two").With("More", "here")
		for _, test := range []struct {
			c           *Client
			token, more string
		}{{c, "Bearer one", ""}, {other, "Bearer two", "here"}} {
			status, body := test.c.Call("GET", "/", "")
			if status != 200 || At(body, "list", 0, "token") != test.token || At(body, "list", 0, "more") != test.more {
				t.Errorf("got %d %v, want %q and %q", status, body, test.token, test.more)
			}
			if At(body, "list", 1) != nil || At(body, "list", "token") != nil || At(body, "no", 0) != nil {
				t.Errorf("there is something where nothing is: %v", body)
			}
		}
		if status, body := c.Call("POST", "/nothing", "x"); status != 204 || body != nil {
			t.Errorf("got %d %v", status, body)
		}
	})
	if !closed {
		t.Error("the relay was not closed with its test")
	}
}
