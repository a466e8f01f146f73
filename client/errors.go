package client

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"askbox/client/text"
)

// The errors of a relay, told apart with errors.As. Their texts are whole
// sentences for a person, hold no token, and are safe to print: what a relay said
// stands in quotes at their end, and [Apart] tells it from the program's words.

// Apart returns what an error says in the program's words, and what of it a relay
// said, so that this can stand behind a gutter.
func Apart(err error) (words string, said text.Text) {
	var t telling
	switch {
	case err == nil:
		return "", text.Text{}
	case !errors.As(err, &t):
		return err.Error(), text.Text{}
	}
	own, said := t.parts()
	return strings.Replace(err.Error(), t.Error(), own, 1), said
}

// telling is an error that may hold a relay's words.
type telling interface {
	error
	// parts returns the program's words, and the relay's.
	parts() (words string, said text.Text)
}

// tell puts the parts of an error into one sentence.
func tell(words string, said text.Text) string {
	if said.Empty() {
		return words
	}
	return words + "; it says " + said.Quoted(200)
}

// name returns a name of the wire that a relay sent: in quotes where it is no such
// name but could pass for words of the program.
func name(t text.Text) string {
	if strings.Trim(t.Raw(), nameCharacters) == "" {
		return t.Fit(80)
	}
	return t.Quoted(80)
}

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.[]-"

// Unreachable means that no reply came: no connection, no name, no certificate, or
// the deadline passed before anything was sent that could have counted.
type Unreachable struct {
	Reason string // short, in the program's words: "ECONNREFUSED", "no answer within 10 s"
	Err    error
}

func (e *Unreachable) Error() string { return "not reachable: " + e.Reason }
func (e *Unreachable) Unwrap() error { return e.Err }

// TokenRefused means that the relay does not take the token.
type TokenRefused struct {
	Detail text.Text
	// None says that the relay wants a token and the configuration has none for it.
	None bool
	// From says where the token comes from, in the program's words: "token_file ~/t";
	// empty where that is not known.
	From string
}

func (e *TokenRefused) Error() string { return tell(e.parts()) }

func (e *TokenRefused) parts() (string, text.Text) {
	switch {
	case e.None:
		return "the relay wants a token, and the configuration names none for it; name one there, then start askbox again", e.Detail
	case e.From != "":
		return "the relay refused the token; check its " + e.From, e.Detail
	}
	return "the relay refused the token; check it in the configuration", e.Detail
}

// NoToken means that the token of a relay could not be had, so that nothing was sent.
// Its text holds no part of the token.
type NoToken struct {
	Relay string // as configured
	From  string // as in [TokenRefused]
	Why   string // what is wrong and what to do, in the program's words
	// Waiting says that nothing is wrong: its source has not given it yet.
	Waiting bool
}

func (e *NoToken) Error() string {
	if e.Waiting {
		return fmt.Sprintf("the token of %s is being waited for (%s)", e.Relay, e.From)
	}
	return fmt.Sprintf("the token of %s (%s) cannot be used: %s", e.Relay, e.From, e.Why)
}

// NotAllowed means that the token may not do this. Why is in the program's words.
type NotAllowed struct {
	Scope text.Text // the missing scope, where the relay names it
	Why   string
	Said  text.Text // the relay's words
}

func (e *NotAllowed) Error() string { return tell(e.parts()) }

func (e *NotAllowed) parts() (string, text.Text) {
	switch {
	case e.Why != "":
		return "not allowed: " + e.Why, e.Said
	case !e.Scope.Empty():
		return "not allowed: the token lacks the scope " + name(e.Scope), e.Said
	case !e.Said.Empty():
		return "the relay does not allow it", e.Said
	}
	return "not allowed with this token", e.Said
}

// Closed means that the ask is over: somebody was first, it expired, or it was withdrawn.
type Closed struct {
	// Ask is the ask as it is now; nil where the relay does not tell.
	Ask *Ask
	// Why is what is known of it, in the program's words.
	Why string
	// Said is what the relay said to it.
	Said text.Text
}

func (e *Closed) Error() string { return tell(e.parts()) }

func (e *Closed) parts() (string, text.Text) {
	switch {
	case e.Why != "":
		return e.Why, e.Said
	case e.Ask != nil && e.Ask.Status.Closed():
		return "the ask is already " + e.Ask.Status.String(), e.Said
	}
	return "the ask is already closed", e.Said
}

// InvalidAnswer means that an answer does not fit its ask.
type InvalidAnswer struct {
	Field  string    // as the wire calls it: "decision", "answers[0].choices"; may be empty
	Reason string    // in the program's words
	Said   text.Text // the relay's words
}

func (e *InvalidAnswer) Error() string { return tell(e.parts()) }

func (e *InvalidAnswer) parts() (string, text.Text) {
	if e.Field == "" {
		return "invalid answer: " + e.Reason, e.Said
	}
	return "invalid answer: " + name(text.New(e.Field)) + ": " + e.Reason, e.Said
}

// Elsewhere means that the ask has to be answered elsewhere.
type Elsewhere struct{ Where string }

func (e *Elsewhere) Error() string { return e.Where }

// NotRelay means a reply that no relay of this kind gives: HTML, other JSON, another kind.
type NotRelay struct {
	What string // "an HTML page (a login page or a proxy?)"
}

func (e *NotRelay) Error() string { return "not the answer of such a relay: " + e.What }

// TooLarge means a reply beyond the size cap, in bytes.
type TooLarge struct{ Limit int64 }

func (e *TooLarge) Error() string {
	return fmt.Sprintf("the reply is larger than %d MiB and was not read to its end", e.Limit>>20)
}

// RateLimited means that the relay took nothing and wants to be left alone.
type RateLimited struct {
	// Until is how long, by this machine's clock; zero where the relay names no time.
	Until time.Time
	// Longer says that it asked for more time than askbox leaves it alone.
	Longer bool
	// Busy says that it has too much to do, and does not count requests.
	Busy bool
}

func (e *RateLimited) Error() string {
	why := "it limits the rate of requests"
	if e.Busy {
		why = "it is overloaded"
	}
	if wait := e.wait(); wait != "" {
		why += "; " + wait
	}
	return "the relay took nothing, because " + why
}

// wait says how long the relay wants to be left alone. A moment and not a span, because
// a sentence may stand on the screen for a while.
func (e *RateLimited) wait() string {
	switch at := e.Until.Local().Format("15:04:05"); {
	case e.Until.IsZero():
		return ""
	case e.Longer:
		return "it asks to be left alone for longer than askbox does, which is until " + at
	default:
		return "it wants to be asked nothing before " + at
	}
}

// Uncertain means that an answer was sent and it is not known whether it counted.
type Uncertain struct{ Err error }

func (e *Uncertain) Error() string { return "not known whether it arrived: " + e.Err.Error() }
func (e *Uncertain) Unwrap() error { return e.Err }

// NotFound means that the relay does not know the ask or the session.
type NotFound struct{ Detail text.Text }

func (e *NotFound) Error() string { return tell(e.parts()) }

func (e *NotFound) parts() (string, text.Text) { return "the relay does not know this ask", e.Detail }

// Failed means any other refusal of a relay.
type Failed struct {
	Status  int       // the HTTP status, or 0
	Code    string    // the relay's own code, raw, for adapters to look at
	Why     string    // what is wrong with its reply, in the program's words
	Message text.Text // the relay's words
}

func (e *Failed) Error() string { return tell(e.parts()) }

func (e *Failed) parts() (string, text.Text) {
	words := "the relay failed"
	if e.Status != 0 {
		words = fmt.Sprintf("the relay failed with status %d", e.Status)
	}
	if e.Why != "" {
		words += ": " + e.Why
	}
	return words, e.Message
}
