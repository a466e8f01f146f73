package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"askbox/client/text"
)

// Unreached is what is the matter with a relay that does not answer.
const Unreached = "Not reachable"

// Trouble says what is the matter with a relay whose asks could not be read: in two or
// three words that can stand as a heading, and why and what can be done about it. Both
// are safe, on one line each, and in the program's words up to what the relay says, which
// stands in quotes at the end; why may be empty.
func Trouble(err error) (what, why string) {
	var (
		unreachable *Unreachable
		refused     *TokenRefused
		none        *NoToken
		allowed     *NotAllowed
		limited     *RateLimited
		failed      *Failed
		other       *NotRelay
		missing     *NotFound
		large       *TooLarge
	)
	switch {
	case errors.As(err, &unreachable):
		return Unreached, unreachable.Reason
	case errors.Is(err, context.DeadlineExceeded):
		return Unreached, "no answer in time"
	case errors.As(err, &refused) && refused.None:
		return "It wants a token", "the configuration names none for it"
	case errors.As(err, &refused):
		return "Token refused", "check its " + cmp.Or(refused.From, "token in the configuration")
	case errors.As(err, &none) && none.Waiting:
		return "Waiting for its token", none.From
	case errors.As(err, &none):
		return "No token", none.From + ": " + none.Why
	case errors.As(err, &allowed):
		return "Not allowed", strings.TrimPrefix(allowed.Error(), "not allowed: ")
	case errors.As(err, &limited) && limited.Busy:
		return "Overloaded", limited.wait()
	case errors.As(err, &limited):
		return "Too many requests", limited.wait()
	case errors.As(err, &other):
		return "Not such a relay", other.What
	case errors.As(err, &missing):
		return "Not such a relay", "nothing of the kind is at this address; check the url in the configuration"
	case errors.As(err, &large):
		return "Too large", large.Error()
	case errors.As(err, &failed):
		return failed.trouble()
	case err == nil:
		return "", ""
	}
	return "It fails", text.Cut(text.Sentence(err.Error()), 200)
}

// trouble says what a status means that a relay, or what stands before it, gave.
func (e *Failed) trouble() (what, why string) {
	switch e.Status {
	case 502, 504:
		return Unreached, fmt.Sprintf("what stands before it gets no answer from it (status %d)", e.Status)
	case 503:
		return "Overloaded", "it is overloaded or being worked on (status 503)"
	}
	return "It fails", strings.TrimPrefix(e.Error(), "the relay failed with ")
}
