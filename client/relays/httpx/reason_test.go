package httpx

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"askbox/client"
)

// raw is a server that replies to each connection with the same bytes, and then closes it.
func raw(t *testing.T, says string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = bufio.NewReader(conn).ReadString('\n')
			fmt.Fprint(conn, says)
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

// TestReasonsAreInTheProgramsWords, whatever a server or a proxy sends, with what to do
// next, and without a path, a query or a token (L15, G22).
func TestReasonsAreInTheProgramsWords(t *testing.T) {
	closed := raw(t, "")
	defer func() { proxyOf = http.ProxyFromEnvironment }()
	for _, test := range []struct {
		name, scheme, says, proxy string
		want                      string
	}{
		{"no HTTP", "http", "SSH-2.0-OpenSSH\r\n", "", "it does not speak HTTP"},
		{"large headers", "http", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 300<<10) + "\r\n\r\n", "", "it sends more than 256 KiB of headers"},
		{"a broken header", "http", "HTTP/1.1 302 Found\r\n Location: http://h/secret?token=" + canary + "\r\n\r\n", "", "it sends a broken header line"},
		{"no TLS", "https", "HTTP/1.1 400 Bad Request\r\n\r\n", "", "it does not speak TLS (is it http instead of https?)"},
		{"garbage for TLS", "https", "\x16\x03\x01\xff\xff" + strings.Repeat("x", 100), "", "TLS"},
		{"closed at once", "https", "", "", "the connection was closed before the reply was whole"},
		{"a proxy that is gone", "https", "", "127.0.0.1:9", "the proxy 127.0.0.1:9 (https_proxy) is not reachable: ECONNREFUSED"},
		{"a proxy that says no", "https", "HTTP/1.1 403 no\r\n\r\n", "-", "(https_proxy) refused the connection with status 403"},
		{"a proxy that wants to know who", "https", "HTTP/1.1 407 no\r\n\r\n", "-", "(https_proxy) wants a user and a password"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("HTTPS_PROXY", "")
			at, base := raw(t, test.says), ""
			proxyOf = func(*http.Request) (*url.URL, error) { return nil, nil }
			base = test.scheme + "://" + at
			if test.proxy != "" {
				proxy := &url.URL{Scheme: "http", Host: test.proxy, User: url.UserPassword("ada", canary)}
				if test.proxy == "-" {
					proxy.Host = at
				}
				proxyOf = func(*http.Request) (*url.URL, error) { return proxy, nil }
				base = "https://" + closed
			}
			c, err := New(Options{BaseURL: base + "/secret", Token: canary})
			if err != nil {
				t.Fatal(err)
			}
			_, err = get(c)
			what, why := client.Trouble(err)
			if says := what + " · " + why; !strings.Contains(says, test.want) {
				t.Errorf("it says %q", says)
			}
			said := err.Error() + why
			if down, is := errors.AsType[*client.Unreachable](err); is {
				said += down.Err.Error() // what the log says
			}
			for _, never := range []string{"secret", "QTOK", "ada", "net/http", "tls: "} {
				if strings.Contains(err.Error()+why, never) || never != "tls: " && never != "net/http" && strings.Contains(said, never) {
					t.Errorf("%q is in %s", never, said)
				}
			}
		})
	}
}

// TestErrorsOfTheSystem keep the names that people look for.
func TestErrorsOfTheSystem(t *testing.T) {
	for code, want := range map[syscall.Errno]string{
		syscall.ECONNREFUSED: "ECONNREFUSED", syscall.EPIPE: "ECONNRESET", syscall.EMFILE: "EMFILE, too many files are open here; raise the limit (ulimit -n)",
		syscall.EADDRNOTAVAIL: syscall.EADDRNOTAVAIL.Error(),
	} {
		if got := errno(code); got != want {
			t.Errorf("%d is %q", code, got)
		}
	}
}
