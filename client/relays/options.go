package relays

import (
	"context"
	"net"
	"time"

	"askbox/client/relays/httpx"
)

// Options describe one relay to the adapter of its kind, which leaves alone what its
// kind has no use for.
type Options struct {
	// Name is the relay's name in the configuration, for [client.Ref].
	Name string
	// BaseURL is the address under which the relay's paths stand; it may have a prefix.
	BaseURL string
	// Token says who asks. Where the kind signs in with a user and a password it is the
	// password, of User.
	Token, User string
	// Me is the id of the person whose sessions are Mine, whoever the relay says that the
	// token is; empty: it is the one that the relay tells.
	Me string
	// Transport is how an OpenComputer relay is called; empty is over HTTP.
	Transport string
	// Directories are absolute paths to which an opencode server is narrowed, with the
	// folders below them; none is every folder that it knows.
	Directories []string
	// State is the folder for what is kept across runs; empty: nothing is.
	State string
	// Version is askbox's own.
	Version string
	// Insecure allows plain http to any address.
	Insecure bool
	// Dial makes the connections; nil is the system's way.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Hold is the pause that the relay asked for, shared by all that are made for it; nil
	// is one of its own.
	Hold *httpx.Hold
}

// Client makes the client that reaches the relay. A timeout or a limit of 0 is the usual one.
func (o Options) Client(timeout time.Duration, limit int64) (*httpx.Client, error) {
	return httpx.New(httpx.Options{BaseURL: o.BaseURL, Token: o.Token, User: o.User, Version: o.Version,
		Insecure: o.Insecure, Timeout: timeout, Limit: limit,
		Dial: o.Dial, Hold: o.Hold})
}
