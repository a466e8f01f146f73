// Package oar reaches an OAR (Open Agent Relay) relay.
//
// Three kinds of thing come from it: cards, on which sessions wait (questions and
// approvals are one object there), plan boards, and asks, after which the session
// goes on. Of these only cards are required: a relay that does not know boards or
// asks has none, and nothing is said about it. Each is known by its id alone; the
// conversation that it belongs to can become another one.
//
// The server checks neither that an answer is one of the choices nor that own
// text is allowed, and it tells an approval from a denial by the text alone. So
// this package does.
//
// Its events come by Socket.IO ([httpx.Client.SocketIO]). They tell of cards and boards
// and not of asks: while they come the asks alone are listed as often as without them.
package oar

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

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
	hello    func() any                     // who follows its events

	mu       sync.Mutex
	begun    bool                 // everything was asked for once
	live     bool                 // events tell of cards and boards
	asks     bool                 // the relay lists asks
	whole    time.Time            // when everything was asked for last; zero: it has to be
	absent   map[string]time.Time // what the relay does not have, and when that was seen; see fetch
	sessions sessions
	self     identity
	paired   pairings
	closed   closed
}

var (
	_ client.Relay   = (*Relay)(nil)
	_ client.Finder  = (*Relay)(nil)
	_ client.Watcher = (*Relay)(nil)
)

// New makes a relay. Nothing is sent yet. Of a link that was copied from OAR's own page
// only the origin and the path are kept.
func New(o Options) (*Relay, error) {
	o.BaseURL = clean(o.BaseURL)
	h, err := o.Client(callTimeout, callLimit)
	if err != nil {
		return nil, err
	}
	return &Relay{name: o.Name, http: h, stranger: &relays.Stranger{HTTP: h, Kind: "an OAR relay", Of: "OAR"},
		hello: hello(o.Token), absent: map[string]time.Time{}, sessions: sessions{known: map[string]session{}}}, nil
}

// Close lets go of idle connections.
func (r *Relay) Close() error {
	r.http.Close()
	return nil
}

// About says what the relay is. It has one token, and neither users nor scopes.
func (r *Relay) About(ctx context.Context) (client.About, error) {
	about := client.About{Kind: Kind, Auth: "no token"}
	if r.http.Authorized() {
		about.Auth, about.May = "token", []string{"everything: such a relay has one token, and no scopes"}
	}
	me, err := r.identify(ctx)
	if err == nil && me.id == "" {
		// A relay that does not tell its id is an old one, or none.
		if err = r.list(ctx, kinds[fromCard].listing, pending, kinds[fromCard].list).err; err != nil {
			r.forget()
		}
	}
	if err != nil {
		return about, r.stranger.Name(ctx, err)
	}
	about.Version, about.Identity, about.Skew = me.version, me.id, r.http.Skew()
	return about, nil
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

// origin tells what an ask was made of.
type origin int

const (
	fromCard origin = iota
	fromBoard
	fromAsk
)

// kinds are where each of them stands, and under which key.
var kinds = [...]struct{ listing, list, path, item, what string }{
	fromCard:  {"/api/relay-questions", "questions", "/api/relay-question", "question", "cards"},
	fromBoard: {"/api/relay-boards", "boards", "/api/relay-board", "board", "plan boards"},
	fromAsk:   {"/api/asks", "asks", "/api/ask", "ask", "asks"},
}

// read makes an ask of an item. What cannot be read becomes an unreadable ask.
func (r *Relay) read(from origin, raw jsontext.Value) *client.Ask {
	return [...]func(jsontext.Value) *client.Ask{r.readCard, r.readBoard, r.readAsk}[from](raw)
}

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

// itemKeys are the names of what every item sends.
var itemKeys = relays.ItemKeys{ID: "id", Opened: "createdAt"}

// unreadable makes an ask of an item that could not be read.
func (r *Relay) unreadable(raw jsontext.Value, from origin, why string) *client.Ask {
	var session string
	place := client.Ref{Relay: r.name}
	if o, err := httpx.Split(raw); err == nil {
		place.Session, session = relays.Word(o, "relayId"), relays.Word(o, "conversationId")
	}
	ask := itemKeys.Unreadable(place, raw, why)
	ask.Session.ID, ask.Paired, ask.Waits = session, place.Session, from == fromCard
	ask.Private = private{from: from, id: ask.ID}
	return ask
}

// quote puts a relay's or an agent's word into a sentence of the program.
func quote(s string) string { return text.New(s).Quoted(60) }
