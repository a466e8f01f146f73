package httpx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	json "github.com/go-json-experiment/json"

	"askbox/client"
)

// The bounds of a call where [Options] and [Request] say nothing.
const (
	DefaultTimeout = 10 * time.Second
	DefaultLimit   = 8 << 20 // bytes, after decompression
)

// Options set a client up.
type Options struct {
	// BaseURL is the configured address; see [ParseBase] for what it may hold.
	BaseURL string
	// Token goes into the Authorization header: as a bearer token, or as the
	// password of User. Without both no such header is sent.
	Token string
	// User makes it HTTP basic authentication.
	User string
	// Version is askbox's own, for the User-Agent header.
	Version string
	// Timeout is the deadline over a whole call, Limit the most bytes of a reply;
	// 0 is the default.
	Timeout time.Duration
	Limit   int64
	// Insecure allows plain http to any address.
	Insecure bool
	// Dial makes the connections; nil is the system's way, in which plain http goes to
	// near addresses alone.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Client talks to one relay. It is safe for concurrent use.
type Client struct {
	base      *url.URL
	authorize string
	agent     string
	timeout   time.Duration
	limit     int64
	redact    redactor
	transport *http.Transport
	http      *http.Client
}

// New makes a client. Its error says what is wrong with the address or the
// token, and repeats neither.
func New(o Options) (*Client, error) {
	base, err := ParseBase(o.BaseURL, o.Insecure)
	if err != nil {
		return nil, err
	}
	if strings.ContainsFunc(o.Token+o.User, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, errors.New("the token holds a line break or another control character")
	}
	c := &Client{base: base, timeout: o.Timeout, limit: o.Limit, redact: newRedactor(o.User, o.Token)}
	if c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	if c.limit <= 0 {
		c.limit = DefaultLimit
	}
	c.agent = "askbox/" + o.Version
	if o.Version == "" {
		c.agent = "askbox/dev"
	}
	c.authorize = authorization(o.User, o.Token)
	c.transport = newTransport(base.Scheme, o.Insecure)
	if o.Dial != nil {
		c.transport.DialContext = o.Dial
	}
	c.http = &http.Client{
		Transport:     c.transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

func authorization(user, token string) string {
	switch {
	case user != "" && token != "":
		r := http.Request{Header: http.Header{}}
		r.SetBasicAuth(user, token)
		return r.Header.Get("Authorization")
	case token != "":
		return "Bearer " + token
	}
	return ""
}

// newTransport makes the connections of one relay. They are shared with no
// other relay, so that one that hangs takes nothing from the others.
func newTransport(scheme string, insecure bool) *http.Transport {
	dialer := &net.Dialer{Timeout: DefaultTimeout, KeepAlive: 15 * time.Second}
	t := &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           2,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    DefaultTimeout,
		MaxResponseHeaderBytes: 256 << 10,
		// A connection that a sleeping laptop left behind is noticed by its pings.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second},
	}
	if scheme == "https" {
		t.Proxy = http.ProxyFromEnvironment
		return t
	}
	// A proxy would read the token of a plain http request, and addresses of this
	// machine or network need none.
	if !insecure {
		dialer.Control = onlyNear
	}
	return t
}

// Close lets go of idle connections. The client can still be used.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Base returns the address as it is used, without a slash at its end.
func (c *Client) Base() string { return c.base.String() }

// Authorized reports whether requests carry a token.
func (c *Client) Authorized() bool { return c.authorize != "" }

// String says which relay it talks to, and nothing secret.
func (c *Client) String() string { return "relay at " + c.base.Host }

// GoString is String, so that no way of printing shows the token.
func (c *Client) GoString() string { return c.String() }

// Format is String for every verb.
func (c *Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

// Request is one call.
type Request struct {
	Method string     // empty: GET, or POST where there is a body
	Path   string     // under the base URL, escaped; see [Path]
	Query  url.Values // may be nil
	Header http.Header
	Body   any // marshalled as JSON; nil: no body
	// Counts is set for what must not be done twice, such as an answer: when its
	// reply is lost after it may have arrived, the error is *client.Uncertain.
	Counts bool
	// Bare says that a good reply may have no body, or one that is not JSON.
	Bare bool
	// Timeout and Limit are the client's where they are 0.
	Timeout time.Duration
	Limit   int64
	// Before is the sum of the body of an earlier reply to the same request; 0: there is
	// none. Where that body comes again it is left out, and [Reply.Same] says so.
	Before Sum
	// Read takes the body of a good JSON reply as it arrives, in place of
	// [Reply.Body], for a listing that is too long to be held. Beyond Limit its
	// reads fail with *client.TooLarge.
	Read func(body io.Reader) error
}

// Do sends a request. It returns the reply wherever one arrived whole, also
// together with an error, so that an adapter can look at a refusal's status and
// [Reply.Problem]. With a nil error the reply is a good one and, unless Bare, its
// body claims to be JSON.
func (c *Client) Do(ctx context.Context, q Request) (*Reply, error) {
	timeout := q.Timeout
	if timeout <= 0 {
		timeout = c.timeout
	}
	limit := q.Limit
	if limit <= 0 {
		limit = c.limit
	}
	inner, cancel := context.WithTimeoutCause(ctx, timeout, errDeadline)
	defer cancel()
	// From the moment a connection was got on, bytes may have gone out. Nothing
	// that is later is certain, because writing and giving up run side by side.
	var sent atomic.Bool
	inner = httptrace.WithClientTrace(inner, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	})
	request, err := c.request(inner, q)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.lost(ctx, inner, q, sent.Load(), timeout, err)
	}
	defer response.Body.Close()
	var reply *Reply
	if q.Read != nil && response.StatusCode/100 == 2 && claimsJSON(response.Header) {
		if reply, err = c.pass(response, limit, q.Read); reply != nil {
			return reply, err
		}
	} else {
		reply, err = c.read(response, limit, q.Before)
	}
	var large *client.TooLarge
	var other *client.NotRelay
	switch {
	case errors.As(err, &large), errors.As(err, &other):
		return nil, unsure(q, err)
	case err != nil:
		return nil, c.lost(ctx, inner, q, true, timeout, err)
	}
	return reply, c.judge(reply, q)
}

func (c *Client) request(ctx context.Context, q Request) (*http.Request, error) {
	target := c.base.String() + q.Path
	if len(q.Query) > 0 {
		target += "?" + q.Query.Encode()
	}
	method := q.Method
	var body io.Reader
	if q.Body != nil {
		raw, err := json.Marshal(q.Body)
		if err != nil {
			return nil, &client.InvalidAnswer{Reason: "it holds characters that are not valid Unicode"}
		}
		body = bytes.NewReader(raw)
		if method == "" {
			method = http.MethodPost
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		return nil, &client.Failed{Why: "the address of the request cannot be built"}
	}
	for name, values := range q.Header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	request.Header.Set("User-Agent", c.agent)
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.authorize != "" {
		request.Header.Set("Authorization", c.authorize)
	}
	return request, nil
}

// lost makes the error of a call whose reply did not arrive.
func (c *Client) lost(outer, inner context.Context, q Request, sent bool, timeout time.Duration, err error) error {
	if cause := context.Cause(inner); cause != nil {
		err = cause
	}
	var result error = &client.Unreachable{Reason: c.reason(err, timeout), Err: c.redact.quiet(err)}
	switch {
	case errors.Is(outer.Err(), context.Canceled):
		// Whoever gave up knows, and is not told that the relay is at fault.
		result = outer.Err()
	case outer.Err() != nil:
		result = &client.Unreachable{Reason: "no answer in time", Err: outer.Err()}
	case strings.Contains(bare(err), "malformed HTTP"):
		result = &client.NotRelay{What: "it does not speak HTTP"}
	}
	if sent {
		return unsure(q, result)
	}
	return result
}

// unsure turns an error after which it is open whether the request counted
// into one that says so.
func unsure(q Request, err error) error {
	if q.Counts {
		return &client.Uncertain{Err: err}
	}
	return err
}
