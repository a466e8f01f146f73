package httpx

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"askbox/client"
)

const canary = "QTOK-canary/+=&"

// serve runs a relay that is one handler, and a client of it.
func serve(t *testing.T, h http.HandlerFunc, change ...func(*Options)) *Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	o := Options{BaseURL: server.URL + "/api/", Token: canary, Version: "1.2.3"}
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func reply(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func get(c *Client) (*Reply, error) {
	return c.Do(context.Background(), Request{Path: "/x"})
}

func send(c *Client) (*Reply, error) {
	return c.Do(context.Background(), Request{Path: "/x", Body: map[string]string{"decision": "allow"}, Counts: true})
}

// is reports whether an error, or what it is made of, has a type.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func TestRequestAsSent(t *testing.T) {
	var seen *http.Request
	var body []byte
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r
		body, _ = io.ReadAll(r.Body)
		w.Header().Set("Set-Cookie", "auth="+canary)
		reply(200, "application/json", `{}`)(w, r)
	})
	r, err := c.Do(context.Background(), Request{Path: Path("sessions", "a/b c"), Query: url.Values{"limit": {"100"}},
		Body: map[string]string{"decision": "<allow>"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := seen.RequestURI, "/api/sessions/a%2Fb%20c?limit=100"; got != want {
		t.Errorf("asked for %q, want %q", got, want)
	}
	if string(body) != `{"decision":"<allow>"}` || seen.Method != "POST" {
		t.Errorf("sent %s %s", seen.Method, body)
	}
	if seen.Header.Get("Authorization") != "Bearer "+canary || seen.Header.Get("User-Agent") != "askbox/1.2.3" {
		t.Errorf("headers %v", seen.Header)
	}
	if r.Header.Get("Set-Cookie") != "" {
		t.Error("a cookie of the relay came through")
	}
	if _, err := get(c); err != nil || seen.Header.Get("Cookie") != "" {
		t.Errorf("a cookie was sent back: %q, %v", seen.Header.Get("Cookie"), err)
	}
	if r.Now.IsZero() || time.Since(r.Now) > time.Minute {
		t.Errorf("the relay's clock is %v", r.Now)
	}
}

func TestBasicAuthentication(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if user != "opencode" || password != canary {
			w.WriteHeader(401)
			return
		}
		reply(200, "application/json", `true`)(w, r)
	}, func(o *Options) { o.User = "opencode" })
	if _, err := get(c); err != nil {
		t.Fatal(err)
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	var reached atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		target := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", target+"/x?token="+url.QueryEscape(canary))
			w.WriteHeader(status)
		})
		for counts, do := range map[bool]func(*Client) (*Reply, error){false: get, true: send} {
			_, err := do(c)
			if err == nil || !strings.Contains(err.Error(), "unexpected redirect to") || !strings.Contains(err.Error(), "localhost:") {
				t.Errorf("%d: %v", status, err)
			}
			// What was sent may have been done before the client was sent elsewhere.
			if errors.As(err, new(*client.Uncertain)) != counts {
				t.Errorf("%d: %v, which counts: %v", status, err, counts)
			}
			if err != nil && strings.Contains(err.Error(), "QTOK") {
				t.Errorf("%d: the token is in %q", status, err)
			}
		}
	}
	if reached.Load() != 0 {
		t.Errorf("the other host was reached %d times", reached.Load())
	}
}

func TestTokenIsInNoError(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		auth := r.Header.Get("Authorization")
		quoted := strings.ReplaceAll(auth, "/", `\/`)
		switch r.URL.Query().Get("as") {
		case "text":
			reply(401, "text/plain", "bad header "+auth)(w, r)
		case "long":
			reply(400, "text/plain", strings.Repeat("x", 1995)+auth)(w, r)
		case "kind":
			reply(200, "text/x-"+strings.ReplaceAll(canary, "/", "."), "x")(w, r)
		case "garbage":
			conn, _, _ := w.(http.Hijacker).Hijack()
			fmt.Fprintf(conn, "%s\r\n\r\n", auth)
			conn.Close()
		default:
			reply(400, "application/json", `{"error":{"code":"`+quoted+`","message":"`+quoted+`","field":"`+quoted+`"}}`)(w, r)
		}
	}
	for _, user := range []string{"", "opencode"} {
		c := serve(t, echo, func(o *Options) { o.User = user })
		for _, as := range []string{"json", "text", "long", "garbage"} {
			r, err := c.Do(context.Background(), Request{Path: "/x", Query: url.Values{"as": {as}}})
			if err == nil {
				t.Fatalf("%s: no error", as)
			}
			seen := fmt.Sprintf("%v %+v %#v", err, err, err)
			var down *client.Unreachable
			if errors.As(err, &down) {
				seen += down.Err.Error()
			}
			if r != nil {
				p := r.Problem()
				seen += p.Code + p.Message + p.Field
			}
			secret := strings.TrimPrefix(strings.TrimPrefix(c.authorize, "Basic "), "Bearer ")
			if strings.Contains(seen, secret) || strings.Contains(seen, "QTOK") {
				t.Errorf("%s: the token is in %s", as, seen)
			}
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
			if s := fmt.Sprintf(verb, c); strings.Contains(s, "QTOK") || !strings.Contains(s, "relay at") {
				t.Errorf("%s prints %s", verb, s)
			}
		}
	}
}

func TestBaseURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://oc.example/api/":         "",
		"http://127.0.0.1:3333":           "",
		"http://[::1]:1/x":                "",
		"http://localhost:4096":           "",
		"http://192.168.1.7:80":           "",
		"http://10.0.0.1":                 "",
		"https://user:QTOK@oc.example/":   "user name",
		"https://oc.example/?token=QTOK":  "query",
		"https://oc.example/#QTOK":        "fragment",
		"http://oc.example":               "plain http to oc.example",
		"http://8.8.8.8/":                 "plain http",
		"http://127.0.0.1.evil.example/":  "plain http",
		"ftp://oc.example/QTOK":           "begin with https://",
		"oc.example/QTOK":                 "begin with https://",
		"https:///QTOK":                   "no host",
		"https://oc.example:QTOK/":        "cannot be read",
		"http://localhost.evil.example/x": "plain http",
	} {
		base, err := ParseBase(raw, false)
		switch {
		case want == "" && (err != nil || strings.HasSuffix(base.String(), "/")):
			t.Errorf("%s: %v %v", raw, base, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: error %v, want %q", raw, err, want)
		case err != nil && strings.Contains(err.Error(), "QTOK"):
			t.Errorf("%s: the secret is in %v", raw, err)
		}
	}
	if _, err := ParseBase("http://oc.example", true); err != nil {
		t.Error(err)
	}
	if _, err := New(Options{BaseURL: "https://x.example", Token: "QT\nOK"}); err == nil || strings.Contains(err.Error(), "OK") {
		t.Errorf("a token with a line break: %v", err)
	}
}

func TestPlainHTTPStaysNear(t *testing.T) {
	for address, near := range map[string]bool{"127.0.0.1:80": true, "[::1]:80": true, "10.1.1.1:80": true, "[fd00::1]:1": true,
		"8.8.8.8:80": false, "[2001:db8::1]:80": false, "[::ffff:8.8.8.8]:80": false, "nonsense": false} {
		if got := onlyNear("tcp", address, nil) == nil; got != near {
			t.Errorf("%s: taken %v", address, got)
		}
	}
}

func TestSizeCap(t *testing.T) {
	bomb := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		zeros := make([]byte, 1<<20)
		for range 512 {
			if _, err := z.Write(zeros); err != nil {
				return
			}
		}
		_ = z.Close()
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		spaces := []byte(strings.Repeat(" ", 1<<16))
		for {
			if _, err := w.Write(spaces); err != nil {
				return
			}
		}
	}
	for name, h := range map[string]http.HandlerFunc{"bomb": bomb, "endless": endless} {
		c := serve(t, h)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := get(c)
		runtime.ReadMemStats(&after)
		if !is[*client.TooLarge](err) {
			t.Errorf("%s: %v", name, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 96<<20 {
			t.Errorf("%s: %d MiB were allocated", name, grown>>20)
		}
		if _, err := send(c); !is[*client.Uncertain](err) {
			t.Errorf("%s: an answer gave %v", name, err)
		}
	}
}

func TestCertificates(t *testing.T) {
	var heard atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard.Add(1) }))
	server.Config.ErrorLog = nil
	defer server.Close()
	c, err := New(Options{BaseURL: server.URL, Token: canary})
	if err != nil {
		t.Fatal(err)
	}
	_, err = send(c)
	var down *client.Unreachable
	if !errors.As(err, &down) || !strings.HasPrefix(down.Reason, "certificate signed by an unknown authority; ") || is[*client.Uncertain](err) {
		t.Errorf("self-signed: %v", err)
	}
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	c.pool.transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	c.base.Host = "localhost:" + port
	_, err = get(c)
	if !errors.As(err, &down) || down.Reason != "certificate is for another host" {
		t.Errorf("wrong host: %v", err)
	}
	if heard.Load() != 0 {
		t.Error("the relay was sent something")
	}
	plain := serve(t, reply(200, "application/json", `{}`))
	plain.base.Scheme = "https"
	if _, err := get(plain); !errors.As(err, &down) || !strings.Contains(down.Reason, "TLS") {
		t.Errorf("no TLS there: %v", err)
	}
}
