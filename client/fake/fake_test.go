package fake_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"askbox/client/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const whole = `{"items":[1,2,3,4,5,6,7,8]}`

// counting is a relay that counts what it did.
type counting struct{ done chan string }

func (h counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	h.done <- r.Method + " " + string(body)
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, whole)
}

// setUp starts a relay on a network, nil for the real one, with a client.
func setUp(t *testing.T, pipe *fake.Pipe) (*fake.Server, *http.Client, chan string) {
	t.Helper()
	done := make(chan string, 100)
	options := fake.Options{Handler: counting{done}}
	transport := &http.Transport{}
	if pipe != nil {
		options.Network, transport.DialContext = pipe, pipe.DialContext
	}
	server, err := fake.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	client := &http.Client{Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return server, client, done
}

// get returns the response, as much of its body as came, and the error of either.
func get(t *testing.T, client *http.Client, server *fake.Server) (*http.Response, string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), "POST", server.URL()+"/x?token=q", strings.NewReader("answer"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer canary")
	response, err := client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, string(body), err
}

func TestFaultsReplyAsNamed(t *testing.T) {
	for _, tc := range []struct {
		fault       fake.Fault
		status      int
		contentType string
		body        string
		header      [2]string
		did         bool // the relay did what was asked
	}{
		{fault: fake.None(), status: 200, contentType: "application/json", body: whole, did: true},
		{fault: fake.ServerError(), status: 500, contentType: "text/plain", body: "internal"},
		{fault: fake.RateLimited("7"), status: 429, header: [2]string{"Retry-After", "7"}, body: "too many"},
		{fault: fake.Unauthorized(), status: 401},
		{fault: fake.EchoToken(), status: 401, body: "refused: Authorization: Bearer canary /x?token=q"},
		{fault: fake.LoginPage(), status: 200, contentType: "text/html", body: "<!doctype html>"},
		{fault: fake.TrailingGarbage(), status: 200, body: whole + "<html>", did: true},
		{fault: fake.Redirect(307, "http://other.example"), status: 307, header: [2]string{"Location", "http://other.example/x?token=q"}},
		{fault: fake.RedirectAfter(303, "http://other.example"), status: 303, header: [2]string{"Location", "http://other.example/x?token=q"}, did: true},
		{fault: fake.Reply(204, "", ""), status: 204},
	} {
		server, client, done := setUp(t, nil)
		server.Break(tc.fault)
		response, body, err := get(t, client, server)
		if err != nil {
			t.Errorf("%s: %v", tc.fault.Name, err)
			continue
		}
		if response.StatusCode != tc.status || !strings.HasPrefix(body, tc.body) || (tc.body == "" && body != "") {
			t.Errorf("%s: got %d %q", tc.fault.Name, response.StatusCode, body)
		}
		if got := response.Header.Get("Content-Type"); !strings.HasPrefix(got, tc.contentType) {
			t.Errorf("%s: content type %q", tc.fault.Name, got)
		}
		if tc.header[0] != "" && response.Header.Get(tc.header[0]) != tc.header[1] {
			t.Errorf("%s: headers %v", tc.fault.Name, response.Header)
		}
		if did := len(done) == 1; did != tc.did {
			t.Errorf("%s: the relay did %d things", tc.fault.Name, len(done))
		}
		if got := server.Requests()[0]; got.Fault != tc.fault.Name || string(got.Body) != "answer" || got.Query.Get("token") != "q" {
			t.Errorf("%s: logged %+v", tc.fault.Name, got)
		}
	}
}

func TestHalfJSONLooksWhole(t *testing.T) {
	server, client, _ := setUp(t, nil)
	server.Break(fake.HalfJSON())
	_, body, err := get(t, client, server)
	if err != nil || body != whole[:len(whole)/2] {
		t.Errorf("got %q, %v", body, err)
	}
}

func TestConnectionsThatAreCut(t *testing.T) {
	for _, tc := range []struct {
		fault fake.Fault
		body  string
		did   bool
	}{
		{fake.LoseReply(), "", true},
		{fake.Drop(), "", false},
	} {
		server, client, done := setUp(t, nil)
		server.Break(tc.fault.Next(1))
		_, body, err := get(t, client, server)
		if err == nil || body != tc.body {
			t.Errorf("%s: got %q, %v", tc.fault.Name, body, err)
		}
		if did := len(done) == 1; did != tc.did {
			t.Errorf("%s: the relay did %d things", tc.fault.Name, len(done))
		}
		if _, body, err := get(t, client, server); err != nil || body != whole {
			t.Errorf("%s: the request after it got %q, %v", tc.fault.Name, body, err)
		}
	}
}

func TestWhenAndNext(t *testing.T) {
	server, client, _ := setUp(t, nil)
	lift := server.Break(fake.ServerError().When(fake.To("POST", "/x")).Next(2))
	server.Break(fake.Unauthorized().When(fake.To("GET", "/x")))
	for i, want := range []int{500, 500, 200} {
		if response, _, err := get(t, client, server); err != nil || response.StatusCode != want {
			t.Errorf("request %d: %v, %v, want %d", i+1, response, err, want)
		}
	}
	lift()
	lift = server.Break(fake.ServerError())
	lift()
	lift()
	if response, _, err := get(t, client, server); err != nil || response.StatusCode != 200 {
		t.Errorf("after lifting: %v, %v", response, err)
	}
}

func TestDownRefusesAndComesBackOnTheSamePort(t *testing.T) {
	for name, pipe := range map[string]*fake.Pipe{"loopback": nil, "pipe": fake.NewPipe()} {
		server, client, _ := setUp(t, pipe)
		before := server.URL()
		for range 3 {
			if _, _, err := get(t, client, server); err != nil {
				t.Errorf("%s, up: %v", name, err)
			}
			if err := server.Down(); err != nil {
				t.Fatal(err)
			}
			// A pooled connection would fail by its end instead of being refused.
			client.CloseIdleConnections()
			if _, _, err := get(t, client, server); !errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("%s, down: %v", name, err)
			}
			if err := server.Up(); err != nil {
				t.Fatal(err)
			}
		}
		if server.URL() != before {
			t.Errorf("%s: the address went from %s to %s", name, before, server.URL())
		}
		if err := server.Down(); err != nil {
			t.Fatal(err)
		}
		server.Close()
		server.Close()
		if server.Up() == nil {
			t.Errorf("%s: a closed relay came up again", name)
		}
	}
}

func TestDownCutsWhatIsUnderWay(t *testing.T) {
	server, client, _ := setUp(t, nil)
	server.Break(fake.Hang())
	failed := make(chan error)
	go func() {
		_, _, err := get(t, client, server)
		failed <- err
	}()
	if _, err := server.WaitFor(t.Context(), fake.To("POST", "/x")); err != nil {
		t.Fatal(err)
	}
	if err := server.Down(); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err == nil {
		t.Error("the hanging request was answered")
	}
}

func TestHangsGoOnWhenLifted(t *testing.T) {
	for _, fault := range []fake.Fault{fake.Hang(), fake.HangAfter(), fake.HangMidBody()} {
		server, client, _ := setUp(t, nil)
		lift := server.Break(fault)
		got := make(chan string)
		go func() {
			_, body, err := get(t, client, server)
			if err != nil {
				body = err.Error()
			}
			got <- body
		}()
		if _, err := server.WaitFor(t.Context(), fake.To("POST", "/x")); err != nil {
			t.Fatal(err)
		}
		lift()
		if body := <-got; body != whole {
			t.Errorf("%s: got %q", fault.Name, body)
		}
	}
}

func TestTheLog(t *testing.T) {
	server, client, _ := setUp(t, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if _, err := server.WaitFor(ctx, fake.To("GET", "")); err == nil || err.Error() != "enough" {
		t.Errorf("waiting ended with %v", err)
	}
	for range 3 {
		if _, _, err := get(t, client, server); err != nil {
			t.Fatal(err)
		}
	}
	if err := server.WaitCount(t.Context(), 3, func(r fake.Request) bool { return r.Done && r.Status == 200 }); err != nil {
		t.Fatal(err)
	}
	if got := server.Requests()[2]; got.Seq != 3 || got.Header.Get("Authorization") != "Bearer canary" {
		t.Errorf("logged %+v", got)
	}
	if got := server.Count(nil); got != 3 {
		t.Errorf("%d requests are logged", got)
	}
}

func TestTheLogIsBounded(t *testing.T) {
	done := make(chan string, 100)
	server, err := fake.Start(fake.Options{Handler: counting{done}, Keep: 5})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 23 {
		if _, _, err := get(t, client, server); err != nil {
			t.Fatal(err)
		}
	}
	if got := server.Requests(); len(got) != 5 || got[0].Seq != 19 || got[4].Seq != 23 {
		t.Errorf("the log holds %d requests: %+v", len(got), got)
	}
}

func TestTheClockShowsInTheDateHeader(t *testing.T) {
	server, client, _ := setUp(t, nil)
	server.SetClock(-3 * time.Hour)
	response, _, err := get(t, client, server)
	if err != nil {
		t.Fatal(err)
	}
	date, err := http.ParseTime(response.Header.Get("Date"))
	if behind := time.Since(date); err != nil || behind < 2*time.Hour || behind > 4*time.Hour {
		t.Errorf("the relay says %v: %v", date, err)
	}
}
