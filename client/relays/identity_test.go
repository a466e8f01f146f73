package relays

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// relay answers who somebody is, and counts how often it was asked.
type relay struct {
	body   string
	status int
	err    error
	asked  int
}

func (r *relay) me(context.Context, time.Duration) ([]byte, int, error) {
	r.asked++
	return []byte(r.body), r.status, r.err
}

func TestWhoseTokenItIs(t *testing.T) {
	for name, test := range map[string]struct {
		relay          relay
		configured, me string
		asks           int // how often three listings ask it
	}{
		"it tells":                {relay{body: `{"id":"u1","name":"Ada"}`, status: 200}, "", "u1", 1},
		"it tells another one":    {relay{body: `{"id":"key_9","name":"approvals key"}`, status: 200}, "mine", "mine", 1},
		"it tells without a name": {relay{body: `{"id":"u1"}`, status: 200}, "", "u1", 1},
		"it says something odd":   {relay{body: `{"id":7}`, status: 200}, "mine", "mine", 1},
		"it has no such path":     {relay{status: 404, err: &client.NotFound{}}, "mine", "mine", 1},
		"it shows a page":         {relay{status: 200, err: &client.NotRelay{What: "an HTML page"}}, "mine", "mine", 1},
		"it has another method":   {relay{status: 405, err: errors.New("no such method")}, "mine", "mine", 1},
		"it cannot":               {relay{status: 501, err: errors.New("not here")}, "mine", "mine", 1},
		"it fails":                {relay{status: 500, err: errors.New("it fails")}, "mine", "mine", 3},
		"it is away":              {relay{err: errors.New("no connection")}, "mine", "mine", 3},
	} {
		identity := NewIdentity(test.configured, test.relay.me)
		for range 3 {
			if me := identity.Begin(t.Context())().Me(); me != test.me {
				t.Errorf("%s: got %q", name, me)
			}
		}
		if test.relay.asked != test.asks {
			t.Errorf("%s: it was asked %d times", name, test.relay.asked)
		}
		if identity.Begin(t.Context())(); test.relay.asked != test.asks {
			t.Errorf("%s: a listing waits for it a fourth time", name)
		}
	}
}

func TestGivingUpIsNotTheRelaysFailure(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	r := relay{err: context.Canceled}
	identity := NewIdentity("", r.me)
	for range identityTries + 1 {
		if me := identity.Begin(gone)().Me(); me != "" {
			t.Errorf("got %q", me)
		}
	}
	r = relay{body: `{"id":"u1"}`, status: 200}
	if me := identity.Begin(t.Context())().Me(); me != "u1" {
		t.Errorf("got %q", me)
	}
}

func TestAListingDoesNotStopAtAPanic(t *testing.T) {
	identity := NewIdentity("mine", func(context.Context, time.Duration) ([]byte, int, error) { panic("odd") })
	if me := identity.Begin(t.Context())().Me(); me != "mine" {
		t.Errorf("got %q", me)
	}
}

func TestWhatAPersonIsCalled(t *testing.T) {
	for body, want := range map[string]string{`{"id":"u1","name":"Ada"}`: "Ada", `{"id":"u1"}`: "u1", `{}`: ""} {
		r := relay{body: body, status: 200}
		if who, err := NewIdentity("mine", r.me).Ask(t.Context(), 0); err != nil || who.Shown().Raw() != want {
			t.Errorf("%s: got %+v, %v", body, who, err)
		}
	}
	r := relay{status: 500, err: errors.New("it fails")}
	if _, err := NewIdentity("", r.me).Ask(t.Context(), 0); !errors.Is(err, r.err) {
		t.Errorf("got %v", err)
	}
}

// stranger stands before a server that answers one path with JSON.
func stranger(t *testing.T, path, body string) (s *Stranger, looks func() int64) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path != path {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	h, err := httpx.New(httpx.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return &Stranger{HTTP: h, Kind: "a Werft server", Of: "Werft"}, asked.Load
}

func TestWhatStandsAtAnAddress(t *testing.T) {
	for _, test := range []struct{ path, body, says string }{
		{"/api/relay/identity", `{"relayId":"r1"}`, "an OAR relay; set its type"},
		{"/v1/sessions", `{"sessions":[]}`, "nothing of Werft answers at this address; check the url http://127.0.0.1"},
		{"/other", `{}`, "nothing of Werft answers at this address; check the url http://127.0.0.1"},
	} {
		s, _ := stranger(t, test.path, test.body)
		var other *client.NotRelay
		if err := s.Name(t.Context(), &client.NotFound{}); !errors.As(err, &other) || !strings.Contains(other.What, test.says) {
			t.Errorf("%s: got %v", test.path, err)
		}
	}
	s, _ := stranger(t, "/other", `{}`)
	if err := s.Name(t.Context(), &client.NotRelay{What: "a page"}); err == nil || !strings.Contains(err.Error(), "a page") {
		t.Errorf("got %v", err)
	}
}

func TestAFailureOfARelayIsNoStranger(t *testing.T) {
	s, looks := stranger(t, "/api/relay/identity", `{"relayId":"r1"}`)
	failed := &client.Failed{Status: 500}
	if err := s.Name(t.Context(), failed); err != failed || looks() != 0 {
		t.Errorf("got %v after %d requests", err, looks())
	}
}

func TestAStrangerIsLookedAtNowAndThen(t *testing.T) {
	s, looks := stranger(t, "/api/relay/identity", `{"relayId":"r1"}`)
	_ = s.Name(t.Context(), &client.NotFound{})
	once := looks()
	s.at = s.at.Add(time.Minute - lookAgain)
	_ = s.Name(t.Context(), &client.NotFound{})
	if once == 0 || looks() != once {
		t.Errorf("%d requests, then %d", once, looks())
	}
	s.at = s.at.Add(-time.Minute)
	if _ = s.Name(t.Context(), &client.NotFound{}); looks() == once {
		t.Error("it was never looked at again")
	}
}

// Who closed an ask is told by ids alone: under this token, or as the person that the
// configuration names, it was the person (I14, I15), and where not both are known nobody
// says that it was somebody else.
func TestWhoActed(t *testing.T) {
	for _, test := range []struct {
		by, me, configured string
		mine, maybe        bool
	}{
		{`{"id":"u1","name":"Ada"}`, `{"id":"u1"}`, "", true, false},
		{`{"type":"user","id":"u1"}`, `{"id":"u1"}`, "", true, false},
		{`{"type":"robot","id":"u1"}`, `{"id":"u1"}`, "", true, false},
		{`{"type":"agent","id":"u1"}`, `{"id":"u1"}`, "", false, false},
		{`{"type":"system","id":"u1"}`, `{"id":"u1"}`, "u1", false, false},
		{`{"id":"key_9"}`, `{"id":"key_9"}`, "u1", true, false},
		{`{"id":"u1"}`, `{"id":"key_9"}`, "u1", true, false},
		{`{"id":"u2"}`, `{"id":"key_9"}`, "u1", false, false},
		{`{"id":"key_9"}`, ``, "u1", false, true},
		{`{"id":"u1"}`, ``, "", false, true},
		{`{"name":"Ada"}`, `{"id":"u1"}`, "", false, true},
		{`{"type":"agent","id":"a1"}`, ``, "", false, false},
		{`null`, `{"id":"u1"}`, "", false, true},
	} {
		r := relay{body: test.me, status: 200}
		if test.me == "" {
			r = relay{status: 404, err: &client.NotFound{}}
		}
		if by := NewIdentity(test.configured, r.me).Begin(t.Context())().Actor([]byte(test.by)); by.Me != test.mine || by.MaybeMe != test.maybe {
			t.Errorf("%+v: got %+v", test, by)
		}
	}
}
