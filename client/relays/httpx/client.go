package httpx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
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
	// Hold is shared with other clients of the same relay; nil is one of its own.
	Hold *Hold
}

// Client talks to one relay. It is safe for concurrent use.
type Client struct {
	base      *url.URL
	authorize string
	agent     string
	timeout   time.Duration
	limit     int64
	redact    redactor
	insecure  bool
	dial      func(ctx context.Context, network, address string) (net.Conn, error)
	hold      *Hold
	slow      atomic.Int64 // how long the last reply took to begin, in nanoseconds
	skew      atomic.Int64 // as Skew returns it, in nanoseconds
	told      atomic.Bool  // whether the relay ever told its time

	mu   sync.Mutex
	pool *pool
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
	c := &Client{base: base, timeout: o.Timeout, limit: o.Limit, redact: newRedactor(o.User, o.Token),
		insecure: o.Insecure, dial: o.Dial, hold: o.Hold}
	if c.hold == nil {
		c.hold = &Hold{}
	}
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
	c.pool = c.newPool()
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

// Close lets go of idle connections. The client can still be used.
func (c *Client) Close() { c.current().transport.CloseIdleConnections() }

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
	Body   any // marshalled as JSON, or a [Text]; nil: no body
	// Counts is set for what must not be done twice, such as an answer: when its
	// reply is lost after it may have arrived, the error is *client.Uncertain.
	Counts bool
	// Waits says that the relay replies once it has something to tell, so that its silence
	// says nothing before the time is over.
	Waits bool
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

// Text is a body that is sent as it is, and is no JSON.
type Text string
