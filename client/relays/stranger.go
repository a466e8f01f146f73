package relays

import (
	"context"
	"errors"
	"sync"
	"time"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// lookAgain is after what time a strange address is looked at anew.
const lookAgain = 10 * time.Minute

// Stranger says what stands at an address where no relay of the configured kind
// does. It is safe for concurrent use.
type Stranger struct {
	// HTTP reaches the address.
	HTTP *httpx.Client
	// Kind is what should stand there, as [httpx.Client.LooksLike] calls it.
	Kind string
	// Of is whose kind that is: "opencode".
	Of string

	mu   sync.Mutex
	what string
	at   time.Time // zero: it was not looked at
}

// Name turns the failure of the listing that every relay of the kind has into a
// *client.NotRelay that says what stands at the address instead. An error that
// says nothing of the kind is returned as it is.
func (s *Stranger) Name(ctx context.Context, err error) error {
	var missing *client.NotFound
	var other *client.NotRelay
	what := "nothing of " + s.Of + " answers at this address; check the url " + text.New(s.HTTP.Base()).Fit(200)
	switch {
	case errors.As(err, &missing):
	case errors.As(err, &other):
		what = other.What
	default:
		return err
	}
	if found := s.look(ctx); found != "" && found != s.Kind {
		what = found + "; set its type in the configuration"
	}
	return &client.NotRelay{What: what}
}

// look returns what stands at the address, as it was found to a while ago.
func (s *Stranger) look(ctx context.Context) string {
	s.mu.Lock()
	what, at := s.what, s.at
	s.mu.Unlock()
	if !at.IsZero() && time.Since(at) <= lookAgain {
		return what
	}
	// The address is asked without the lock: that may take seconds.
	what = s.HTTP.LooksLike(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.what, s.at = what, time.Now()
	return what
}
