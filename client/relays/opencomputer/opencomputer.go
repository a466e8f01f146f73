// Package opencomputer reaches an OpenComputer relay.
//
// One listing of the waiting sessions is the whole inbox, because a session
// holds its open asks. What the documentation of OpenComputer leaves open is read
// tolerantly: an unknown field is ignored, a missing one is empty, and an unknown
// kind or status is shown and never answered.
package opencomputer

import (
	"fmt"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// Kind is the configuration's word for such a relay.
const Kind = "opencomputer"

// The transports.
const (
	HTTP    = "http"
	JSONRPC = "jsonrpc"
)

// Options describe the relay.
type Options = relays.Options

// Relay is one OpenComputer relay. It is safe for concurrent use.
type Relay struct {
	name string
	http *httpx.Client
	rpc  bool

	// stranger says what stands at an address that is no OpenComputer relay.
	stranger *relays.Stranger
	// who is whose token it is; see identity.go.
	who *relays.Identity

	pages relays.Memory[relays.Who, *page] // by cursor, read for a person
}

var (
	_ client.Relay   = (*Relay)(nil)
	_ client.Watcher = (*Relay)(nil)
)

// New makes a relay. Nothing is sent yet.
func New(o Options) (*Relay, error) {
	if o.Transport != "" && o.Transport != HTTP && o.Transport != JSONRPC {
		return nil, fmt.Errorf("the transport %q is not known; use %s or %s", o.Transport, HTTP, JSONRPC)
	}
	h, err := o.Client(0, 0)
	if err != nil {
		return nil, err
	}
	r := &Relay{name: o.Name, http: h, rpc: o.Transport == JSONRPC,
		stranger: &relays.Stranger{HTTP: h, Kind: "an OpenComputer relay", Of: "OpenComputer"}}
	r.who = relays.NewIdentity(o.Me, r.readMe)
	return r, nil
}

// Close lets go of idle connections.
func (r *Relay) Close() error {
	r.http.Close()
	return nil
}
