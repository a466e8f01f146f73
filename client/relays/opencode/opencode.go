// Package opencode reaches an opencode server, or one of Kilo, which speaks the same
// wire with a few differences.
//
// Asks live in the server's memory, in one instance for each folder, and there is no
// list over all folders. So the folders are learnt from the sessions and from the
// events, and each is listed: often where something waits, rarely otherwise, and all
// of them anew when the stream of events was interrupted. A batch says which folders
// it covers; what is open is the inbox's business.
//
// What is kept here, and why:
//
//	folders   there is no list of them, and to ask for one makes the server boot it
//	known     the requests told of: a folder's list can break while one of them is
//	          open, and what a denial closes depends on what else its session asks
//	calls     what the tool of a request gets is in no list, and is a call for each
//	sessions  neither is a title, nor for whom a subagent works
//
// The server has two engines with lists and answers of their own. A request of the
// first one outlives its turn when that is aborted, and can then still be answered:
// such a ghost is shown as one, and never allowed.
//
//	wire.go, request.go, call.go, session.go   what is read
//	folder.go, list.go, get.go, watch.go       listing, reading one, events
//	ask.go, parts.go, change.go, offer.go      what is made of it
//	answer.go, closing.go                      answering, and how an ask closed
//	rules.go                                   what was always allowed
package opencode

import (
	"cmp"
	"context"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// Kind is the configuration's word for such a relay.
const Kind = "opencode"

// DefaultUser is whose password it is where the configuration does not say.
const DefaultUser = "opencode"

// Options describe the relay.
type Options = relays.Options

// Relay is one opencode server. It is safe for concurrent use.
type Relay struct {
	name        string
	user        string
	http        *httpx.Client
	stranger    relays.Stranger
	directories []string
	now         func() time.Time

	// opening makes one reading of the whole server wait for the one before.
	opening sync.Mutex
	// more asks whoever follows the events to have the server listed again.
	more chan struct{}
	// followed says that somebody follows the events, or has once: whoever does
	// lists again and again.
	followed atomic.Bool
	// noSecond says that the server turned out to have no second engine.
	noSecond atomic.Bool

	mu sync.Mutex
	// brand is whose server it is, as it said last; branded says that it said so since
	// the events are followed.
	brand    brand
	branded  bool
	folders  map[string]*folder
	known    map[string]*known // by the ids of requests, which occur once
	sessions map[string]*session
	scan     scan
	// live says that the events are followed and come.
	live   bool
	since  uint64 // the moment since when they do
	moment uint64
}

var (
	_ client.Relay   = (*Relay)(nil)
	_ client.Watcher = (*Relay)(nil)
)

// New makes a relay. The token is the password of the user; without one nothing of the
// kind is sent. Nothing is sent yet.
func New(o Options) (*Relay, error) {
	o.User = cmp.Or(o.User, DefaultUser)
	h, err := o.Client(0, 0)
	if err != nil {
		return nil, err
	}
	r := &Relay{name: o.Name, user: o.User, http: h, now: time.Now, more: make(chan struct{}, 1),
		stranger: relays.Stranger{HTTP: h, Kind: "an opencode server", Of: "opencode"},
		folders:  map[string]*folder{}, known: map[string]*known{}, sessions: map[string]*session{}}
	for _, dir := range o.Directories {
		r.directories = append(r.directories, path.Clean(dir))
	}
	for _, dir := range r.directories {
		r.folder(dir)
	}
	return r, nil
}

// Close lets go of idle connections.
func (r *Relay) Close() error {
	r.http.Close()
	return nil
}

// Closed returns nothing: the server keeps no history of asks.
func (r *Relay) Closed(context.Context, time.Time) (client.Batch, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return client.Batch{Complete: true, Partial: r.brand.String() + " keeps no list of what was answered"}, nil
}

// About says what the server is.
func (r *Relay) About(ctx context.Context) (client.About, error) {
	about := client.About{Kind: Kind, Auth: "no password"}
	if r.http.Authorized() {
		about.Auth = "the password of the user " + text.New(r.user).Fit(40)
	}
	reply, err := r.get(ctx, httpx.Path("global", "health"), nil)
	if err != nil {
		return about, r.stranger.Name(ctx, err)
	}
	var health struct {
		Healthy *bool  `json:"healthy"`
		Version string `json:"version"`
	}
	if err := httpx.Decode(reply.Body, &health); err != nil || health.Healthy == nil {
		return about, &client.NotRelay{What: "JSON that does not say whether the server is well"}
	}
	about.Version, about.Skew = text.New(health.Version), r.http.Skew()
	if b, err := r.readBrand(ctx, ""); err == nil && b == kilo {
		about.Kind = b.command()
	}
	about.May = []string{"answer every ask of " + r.where()}
	return about, nil
}

// where says in words which folders are looked at.
func (r *Relay) where() string {
	switch len(r.directories) {
	case 0:
		return "every folder that the server knows"
	case 1:
		return "the folder " + text.New(r.directories[0]).Fit(80)
	}
	return "the folders in the configuration"
}
