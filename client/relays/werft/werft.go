// Package werft reaches a Werft server.
//
// The open asks are the requests of the sessions that need input: one listing of
// the sessions, and then the requests of each. A request ends as a denial when
// nobody answers it in time, and there is no way to dismiss one.
package werft

import (
	"sync"
	"time"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// Kind is the configuration's word for such a relay.
const Kind = "werft"

// Options describe the relay.
type Options = relays.Options

// Relay is one Werft server. It is safe for concurrent use.
type Relay struct {
	name string
	http *httpx.Client
	who  *relays.Identity
	// stranger says what stands at an address that is no Werft server.
	stranger *relays.Stranger
	// every is the pause before a receipt is read again.
	every time.Duration

	lists relays.Memory[relays.Who, *sessionPage] // by cursor
	pages relays.Memory[basis, *sessionRequests]  // by session
	notes *relays.Notes

	mu        sync.Mutex
	touched   map[string]bool // sessions that are to be read at the next listing
	elsewhere elsewhere
}

var (
	_ client.Relay  = (*Relay)(nil)
	_ client.Pauser = (*Relay)(nil)
)

// New makes a relay. Nothing is sent yet.
func New(o Options) (*Relay, error) {
	h, err := o.Client(0, 0)
	if err != nil {
		return nil, err
	}
	r := &Relay{name: o.Name, http: h, every: time.Second,
		stranger: &relays.Stranger{HTTP: h, Kind: "a Werft server", Of: "Werft"}, notes: o.Notes()}
	r.who = relays.NewIdentity(o.Me, r.readMe)
	return r, nil
}

// Close lets go of idle connections.
func (r *Relay) Close() error {
	r.http.Close()
	return nil
}

// touch has the next listing read a session, because something was done with it.
func (r *Relay) touch(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.touched == nil {
		r.touched = map[string]bool{}
	}
	r.touched[session] = true
}

// untouch returns the sessions that were touched, for a listing that reads them now.
func (r *Relay) untouch() map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	touched := r.touched
	r.touched = nil
	return touched
}
