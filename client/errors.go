package client

import (
	"fmt"
	"time"

	"askbox/client/text"
)

// The errors of a relay, told apart with errors.As. Their texts are whole
// sentences for a person, hold no token, and are safe to print.

// Unreachable is that no reply came: no connection, no name, no certificate, or
// the deadline passed before anything was sent that could have counted.
type Unreachable struct {
	Reason string // short, in the program's words: "ECONNREFUSED", "no answer within 10 s"
	Err    error
}

func (e *Unreachable) Error() string { return "not reachable: " + e.Reason }
func (e *Unreachable) Unwrap() error { return e.Err }

// TokenRefused is that the relay does not take the token.
type TokenRefused struct {
	Detail text.Text
	// None says that the relay wants a token and the configuration has none for it.
	None bool
}

func (e *TokenRefused) Error() string {
	if e.None {
		return "the relay wants a token, and the configuration names none for it; name one there, then start askbox again" + because(e.Detail)
	}
	return "the relay refused the token; check it in the configuration, then press R" + because(e.Detail)
}

// NotAllowed is that the token may not do this. Why is in the program's words.
type NotAllowed struct {
	Scope text.Text // the missing scope, where the relay names it
	Why   string
}

func (e *NotAllowed) Error() string {
	switch {
	case e.Why != "":
		return "not allowed: " + e.Why
	case !e.Scope.Empty():
		return "not allowed: the token lacks the scope " + e.Scope.String()
	}
	return "not allowed with this token"
}

// Closed is that the ask is over: somebody was first, it expired, or it was withdrawn.
type Closed struct {
	// Ask is the ask as it is now; nil where the relay does not tell.
	Ask *Ask
	// Why is what is known of it, in the program's words.
	Why string
}

func (e *Closed) Error() string {
	if e.Why != "" {
		return e.Why
	}
	if e.Ask != nil && e.Ask.Status.Closed() {
		return "the ask is already " + e.Ask.Status.String()
	}
	return "the ask is already closed"
}

// InvalidAnswer is that an answer does not fit its ask.
type InvalidAnswer struct {
	Field  string // as the wire calls it: "decision", "answers[0].choices"; may be empty
	Reason string // in the program's words, or the relay's through text.Text.String
}

func (e *InvalidAnswer) Error() string {
	if e.Field == "" {
		return "invalid answer: " + e.Reason
	}
	return "invalid answer: " + e.Field + ": " + e.Reason
}

// Elsewhere is that the ask has to be answered elsewhere.
type Elsewhere struct{ Where string }

func (e *Elsewhere) Error() string { return e.Where }

// NotRelay is a reply that no relay of this kind gives: HTML, other JSON, another kind.
type NotRelay struct {
	What string // "an HTML page (a login page or a proxy?)"
}

func (e *NotRelay) Error() string { return "not the answer of such a relay: " + e.What }

// TooLarge is a reply beyond the size cap, in bytes.
type TooLarge struct{ Limit int64 }

func (e *TooLarge) Error() string {
	return fmt.Sprintf("the reply is larger than %d MiB and was not read to its end", e.Limit>>20)
}

// RateLimited is that the relay took nothing and wants to be left alone for After.
type RateLimited struct{ After time.Duration }

func (e *RateLimited) Error() string {
	if e.After <= 0 {
		return "not sent: the relay limits the rate of requests"
	}
	return fmt.Sprintf("not sent: the relay limits the rate of requests, try again in %s", e.After.Round(time.Second))
}

// Uncertain is that an answer was sent and it is not known whether it counted.
type Uncertain struct{ Err error }

func (e *Uncertain) Error() string { return "not known whether it arrived: " + e.Err.Error() }
func (e *Uncertain) Unwrap() error { return e.Err }

// NotFound is that the relay does not know the ask or the session.
type NotFound struct{ Detail text.Text }

func (e *NotFound) Error() string { return "the relay does not know this ask" + because(e.Detail) }

// Failed is any other refusal of a relay.
type Failed struct {
	Status  int    // the HTTP status, or 0
	Code    string // the relay's own code, raw, for adapters to look at
	Message text.Text
}

func (e *Failed) Error() string {
	if e.Status == 0 {
		return "the relay failed" + because(e.Message)
	}
	return fmt.Sprintf("the relay failed with status %d", e.Status) + because(e.Message)
}

func because(t text.Text) string {
	if t.Empty() {
		return ""
	}
	return ": " + t.Fit(200)
}
