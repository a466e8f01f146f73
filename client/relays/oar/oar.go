// Package oar reaches an OAR (Open Agent Relay) relay.
//
// Three kinds of thing come from it: cards, on which sessions wait (questions and
// approvals are one object there), plan boards, and asks, after which the session
// goes on. Of these only cards are required: a relay that does not know boards or
// asks has none, and nothing is said about it.
//
// The server checks neither that an answer is one of the choices nor that own
// text is allowed, and it tells an approval from a denial by the text alone. So
// this package does.
package oar

import (
	"net/url"
	"strings"
	"sync"
	"time"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// Kind is the configuration's word for such a relay.
const Kind = "oar"

// The bounds that OAR itself keeps between relays.
const (
	callTimeout = 15 * time.Second
	callLimit   = 5 << 20 // bytes of one reply
)

// Options describe the relay.
type Options = relays.Options

// Relay is one OAR relay. It is safe for concurrent use.
type Relay struct {
	name string
	http *httpx.Client
	// stranger says what stands at an address that is no OAR relay.
	stranger *relays.Stranger
	pages    relays.Memory[struct{}, *page] // by path

	mu       sync.Mutex
	begun    bool                 // everything was asked for once
	missing  map[string]time.Time // what the relay does not have, and when that was seen; see list
	sessions sessionCache
	self     identity
	paired   pairings
	closed   closedReading
}

var _ client.Relay = (*Relay)(nil)

// New makes a relay. Of a link that was copied from OAR's own page only the origin and
// the path are kept. Nothing is sent yet.
func New(o Options) (*Relay, error) {
	o.BaseURL = clean(o.BaseURL)
	h, err := o.Client(callTimeout, callLimit)
	if err != nil {
		return nil, err
	}
	return &Relay{name: o.Name, http: h, stranger: &relays.Stranger{HTTP: h, Kind: "an OAR relay", Of: "OAR"},
		missing:  map[string]time.Time{},
		sessions: sessionCache{known: map[string]knownSession{}}}, nil
}

// Close lets go of idle connections.
func (r *Relay) Close() error {
	r.http.Close()
	return nil
}

// clean takes off a link what OAR's page puts behind the path: the token, the
// session that was open, the file.
func clean(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		// The error of an address that cannot be read must not repeat it.
		return ":"
	}
	u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = "", false, "", ""
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/index.html")
	u.RawPath = strings.TrimSuffix(strings.TrimRight(u.RawPath, "/"), "/index.html")
	return u.String()
}

// origin tells what an ask was made of, to find the way to answer it again.
type origin int

const (
	fromCard origin = iota
	fromBoard
	fromAsk
)

// private is what an ask keeps for its answer: the id as it is sent, which may
// differ from the one in its reference where two things share one.
type private struct {
	from origin
	id   string
}

// privateOf returns what is kept of an ask that came from here.
func privateOf(ask *client.Ask) private {
	if p, ok := ask.Private.(private); ok {
		return p
	}
	return private{from: fromCard, id: ask.ID}
}

// quote puts a relay's or an agent's word into a sentence of the program.
func quote(s string) string { return text.New(s).Quoted(60) }
