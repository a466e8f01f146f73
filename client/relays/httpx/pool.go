package httpx

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// pool holds the connections of one relay. They are shared with no other relay, so that
// one that hangs takes nothing from the others. A connection can die without a word
// (sleep, a VPN, an address translation that forgot it); where one was silent for too
// long the others may be dead as well, so that all of a pool are dropped together.
type pool struct {
	transport *http.Transport
	http      *http.Client
	// dropped ends with the pool, and with it the streams on its connections.
	dropped context.Context
	drop    context.CancelCauseFunc
}

var errFrozen = errors.New("the connections were dropped, because one of them was silent for too long")

func (c *Client) newPool() *pool {
	p := &pool{transport: newTransport(c.base.Scheme, c.insecure)}
	if c.dial != nil {
		p.transport.DialContext = c.dial
	}
	p.http = &http.Client{
		Transport:     p.transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	p.dropped, p.drop = context.WithCancelCause(context.Background())
	return p
}

func newTransport(scheme string, insecure bool) *http.Transport {
	dialer := &net.Dialer{Timeout: DefaultTimeout, KeepAlive: 15 * time.Second}
	t := &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           2,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    DefaultTimeout,
		MaxResponseHeaderBytes: largestHeader,
		// A connection that a sleeping laptop left behind is noticed by its pings.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second},
	}
	if scheme == "https" {
		t.Proxy = proxyOf
		t.OnProxyConnectResponse = proxied
		return t
	}
	// A proxy would read the token of a plain http request, and addresses of this
	// machine or network need none.
	if !insecure {
		dialer.Control = onlyNear
	}
	return t
}

// proxyOf is a variable for tests: the library looks at the environment once.
var proxyOf = http.ProxyFromEnvironment

// largestHeader is the most bytes of the headers of a reply.
const largestHeader = 256 << 10

// current returns the pool that requests go out on.
func (c *Client) current() *pool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pool
}

// replace puts a pool in the place of another one, which is dropped; a nil pool is a new
// one. Where the other one is not in use any more, it has been replaced already.
func (c *Client) replace(old, with *pool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pool != old {
		return
	}
	if c.pool = with; with == nil {
		c.pool = c.newPool()
	}
	old.drop(errFrozen)
	old.transport.CloseIdleConnections()
}

// release ends the use of a pool by one call.
func (c *Client) release(p *pool) {
	if c.current() != p {
		p.transport.CloseIdleConnections()
	}
}
