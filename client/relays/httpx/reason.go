package httpx

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// errDeadline is the cause with which this package ends a call that takes too
// long, to be told from a caller that gave up.
var errDeadline = errors.New("the deadline of the call has passed")

// failure makes the error of a call to which no reply came that could be read. Its text
// is in the program's words; the library's own are for the log.
func (c *Client) failure(err error, waited time.Duration) error {
	if what := unspoken(err); what != "" {
		return &client.NotRelay{What: what}
	}
	return &client.Unreachable{Reason: c.reason(err, waited), Err: c.redact.quiet(err)}
}

// nonsense are the words with which net/http calls what is no HTTP; it has no types for it.
var nonsense = []struct{ said, what string }{
	{"malformed HTTP", "it does not speak HTTP"},
	{"malformed MIME header", "it sends a broken header line"},
	{"response headers exceeded", fmt.Sprintf("it sends more than %d KiB of headers", largestHeader>>10)},
}

func unspoken(err error) string {
	for _, n := range nonsense {
		if strings.Contains(bare(err), n.said) {
			return n.what
		}
	}
	return ""
}

// reason says in a few plain words why no reply came, and what can be done about it.
func (c *Client) reason(err error, waited time.Duration) string {
	var proxy *net.OpError
	var refused *proxyRefused
	late := errors.Is(err, errDeadline) || errors.Is(err, context.DeadlineExceeded)
	through := c.proxy()
	switch {
	case errors.As(err, &refused):
		return "the proxy " + through + " " + refused.Error()
	case errors.As(err, &proxy) && proxy.Op == "proxyconnect":
		return "the proxy " + through + " is not reachable: " + c.connection(proxy.Err)
	case late && through != "":
		return "no answer within " + plain(waited) + " through the proxy " + through
	case late:
		return "no answer within " + plain(waited)
	}
	return c.connection(err)
}

// connection says what went wrong with a connection.
func (c *Client) connection(err error) string {
	var name *net.DNSError
	var record tls.RecordHeaderError
	var code syscall.Errno
	switch why := certificate(err); {
	case why != "":
		return why
	case errors.Is(err, errFar):
		return errFar.Error()
	case errors.As(err, &name) && name.IsNotFound:
		return "no such host"
	case errors.As(err, &name):
		return "the name of the host could not be looked up"
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "it does not speak TLS (is it http instead of https?)"
	case errors.As(err, &code):
		return errno(code)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed before the reply was whole"
	case strings.Contains(bare(err), "tls: "):
		return "no protected connection could be agreed on (TLS); is this the right port?"
	}
	return "the connection failed; the log says more"
}

// errno names the error of the system that people look for by its name.
func errno(code syscall.Errno) string {
	for _, known := range []struct {
		code syscall.Errno
		name string
	}{
		{syscall.ECONNREFUSED, "ECONNREFUSED"},
		{syscall.ECONNRESET, "ECONNRESET"},
		{syscall.EPIPE, "ECONNRESET"},
		{syscall.EHOSTUNREACH, "EHOSTUNREACH, no way to the host"},
		{syscall.ENETUNREACH, "ENETUNREACH, no way to the network"},
		{syscall.ETIMEDOUT, "ETIMEDOUT"},
		{syscall.EMFILE, "EMFILE, too many files are open here; raise the limit (ulimit -n)"},
		{syscall.ENFILE, "ENFILE, too many files are open on this machine"},
	} {
		if code == known.code {
			return known.name
		}
	}
	return text.New(code.Error()).Fit(80)
}

// certificate says what is wrong with a certificate; empty where nothing is.
func certificate(err error) string {
	var host x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var verify *tls.CertificateVerificationError
	switch {
	case errors.As(err, &host):
		return "certificate is for another host"
	case errors.As(err, &unknown):
		return "certificate signed by an unknown authority; if it is your own, name the file with its certificate in SSL_CERT_FILE"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "certificate has expired or is not valid yet; is the clock right?"
	case errors.As(err, &invalid), errors.As(err, &verify):
		return "certificate is not valid"
	}
	return ""
}

// proxyRefused means that a proxy did not let a connection through.
type proxyRefused struct{ status int }

func (e *proxyRefused) Error() string {
	if e.status == http.StatusProxyAuthRequired {
		return "wants a user and a password in its address"
	}
	return "refused the connection with status " + strconv.Itoa(e.status)
}

func proxied(_ context.Context, _ *url.URL, _ *http.Request, reply *http.Response) error {
	if reply.StatusCode != http.StatusOK {
		return &proxyRefused{reply.StatusCode}
	}
	return nil
}

// proxy names the proxy that requests go through, without a user or a password, and the
// variable that it comes from; empty where there is none.
func (c *Client) proxy() string {
	if c.base.Scheme != "https" {
		return ""
	}
	at, err := proxyOf(&http.Request{URL: c.base})
	if err != nil || at == nil {
		return ""
	}
	from := "https_proxy"
	if os.Getenv("HTTPS_PROXY") != "" {
		from = "HTTPS_PROXY"
	}
	return text.New(at.Host).Fit(80) + " (" + from + ")"
}

// plain writes a span as people say it: 10 s, not 10s.
func plain(d time.Duration) string {
	if d >= time.Second && d%time.Second == 0 {
		return strconv.Itoa(int(d/time.Second)) + " s"
	}
	return d.String()
}
