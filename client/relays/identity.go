package relays

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

const (
	// identityTimeout bounds what the first listing may wait for it.
	identityTimeout = 2 * time.Second
	// identityTries is after how many failures a listing does without it.
	identityTries = 3
)

// Who is who the person in front of the program is, and whose token a relay has, as far
// as that is known. They need not be the same: a token may be made for approvals alone.
type Who struct {
	// ID is what the relay told of the token; empty where it does not tell.
	ID   string
	Name text.Text

	configured string
}

// Me is the id of the person: what was configured, or else what the relay told of the
// token. It is empty where nobody knows it.
func (w Who) Me() string { return cmp.Or(w.configured, w.ID) }

// Actor reads somebody who did something through a token, as [Actor] does. Whoever acts
// under this token is the person too, also where that is another id than theirs, and
// where the relay does not tell who it was it may have been.
func (w Who) Actor(raw jsontext.Value) client.Actor {
	a := Actor(raw, w.Me())
	switch {
	case a.Type == client.ActorAgent || a.Type == client.ActorSystem:
	case a.ID != "" && a.ID == w.ID:
		a.Me, a.MaybeMe = true, false
	case (w.ID == "" || a == (client.Actor{})) && !a.Me:
		a.MaybeMe = true
	}
	return a
}

// Shown is what a person is called on the screen; empty where the relay does not
// tell who it is.
func (w Who) Shown() text.Text {
	if w.Name.Empty() {
		return text.New(w.ID)
	}
	return w.Name
}

// ReadMe asks a relay once whose token it has. It returns the reply's body,
// {"id","name"}, and its HTTP status, 0 where there was no reply. A timeout of 0 is
// the usual one.
type ReadMe func(ctx context.Context, timeout time.Duration) (body []byte, status int, err error)

// Identity is whose token a relay has, remembered once the relay told. It is
// safe for concurrent use.
type Identity struct {
	read ReadMe

	mu       sync.Mutex
	who      Who
	told     bool // the relay told, or told that it does not
	failures int
}

// NewIdentity returns one of which nothing is known but the configured id of the
// person, which may be empty. Nothing is asked yet.
func NewIdentity(configured string, read ReadMe) *Identity {
	return &Identity{read: read, who: Who{configured: configured}}
}

// Who returns what is known by now.
func (i *Identity) Who() Who {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.who
}

// Begin asks the relay, side by side with a listing, unless it told already or
// failed too often to be waited for again. The function that it returns waits for
// what is known then, and has to be called in any case. A failure is no error: then
// nobody's sessions are Mine yet.
func (i *Identity) Begin(ctx context.Context) func() Who {
	i.mu.Lock()
	who, settled := i.who, i.told || i.failures >= identityTries
	i.mu.Unlock()
	if settled {
		return func() Who { return who }
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = httpx.Contain(func() error {
			_, err := i.Ask(ctx, identityTimeout)
			return err
		})
	}()
	return func() Who {
		<-done
		return i.Who()
	}
}

// About adds whose token it is to what a relay says of itself. One that does not tell may
// be no relay of its kind at all: then lists says whether it has the listing of one.
func (i *Identity) About(ctx context.Context, about client.About, lists func() error) (client.About, error) {
	who, err := i.Ask(ctx, 0)
	if err != nil {
		return about, err
	}
	if about.Who, about.WhoID = who.Shown(), who.ID; who.ID == "" {
		err = lists()
	}
	return about, err
}

// Ask asks the relay now; a timeout of 0 is the usual one. A relay that cannot
// tell is no error.
func (i *Identity) Ask(ctx context.Context, timeout time.Duration) (Who, error) {
	body, status, err := i.read(ctx, timeout)
	var missing *client.NotFound
	var other *client.NotRelay
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case errors.As(err, &missing), errors.As(err, &other),
		status == http.StatusMethodNotAllowed, status == http.StatusNotImplemented:
		i.told = true
		return i.who, nil
	case err != nil:
		// Giving up is not the relay's failure.
		if ctx.Err() == nil {
			i.failures++
		}
		return i.who, err
	}
	var me struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	if httpx.Decode(body, &me) == nil {
		i.who.ID, i.who.Name = me.ID, text.New(me.Name)
	}
	i.told = true
	return i.who, nil
}
