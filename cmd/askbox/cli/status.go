package cli

import (
	"context"
	"errors"
	"syscall"

	"askbox/client"
	"askbox/client/config"
	"askbox/tui"
)

// The exit statuses.
const (
	statusDone = iota
	statusFailed
	statusUsage
	statusClosed
	statusUnreachable
	statusNotAllowed
	statusNotKnown
	// statusSignal and the number of the signal is what a shell has for a program that
	// one ended.
	statusSignal = 128
)

// outcomes are the words for the exit statuses in JSON.
var outcomes = [...]string{"done", "failed", "wrong", "closed", "unreachable", "not_allowed", "not_known"}

// usageError means that a command was used wrongly, found only once it ran.
type usageError struct{ what string }

func (e *usageError) Error() string { return e.what }

// told is an error that was written to standard error already, where it happened.
type told struct{ err error }

func (e *told) Error() string { return e.err.Error() }
func (e *told) Unwrap() error { return e.err }

// unread means that a relay's asks could not be read, whatever the reason.
type unread struct {
	relay string
	err   error
}

func (e *unread) Error() string { return e.relay + ": " + e.err.Error() }
func (e *unread) Unwrap() error { return e.err }

// is reports whether an error of the type is in the chain.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// statusOf maps an error to the exit status. What is not known to have arrived, and
// what the person interrupted, come first: they hold an error that says less.
func statusOf(err error) int {
	ended, _ := errors.AsType[*signalled](err)
	unfinished, _ := errors.AsType[*tui.Unfinished](err)
	switch {
	case err == nil:
		return statusDone
	case ended != nil:
		if n, ok := ended.signal.(syscall.Signal); ok {
			return statusSignal + int(n)
		}
		return statusFailed
	case is[*notKnown](err), is[*client.Uncertain](err), unfinished != nil && unfinished.NotKnown:
		return statusNotKnown
	case errors.Is(err, context.Canceled):
		return statusFailed
	case is[*usageError](err), is[*config.Error](err), is[*config.Missing](err),
		is[*client.NoToken](err), is[*client.InvalidAnswer](err):
		return statusUsage
	case is[*client.Closed](err):
		return statusClosed
	case is[*client.NotAllowed](err), is[*client.TokenRefused](err), is[*client.Elsewhere](err):
		return statusNotAllowed
	case is[*client.Unreachable](err), is[*client.NotRelay](err), is[*unread](err):
		return statusUnreachable
	}
	return statusFailed
}

// worst returns the error that decides the exit status of several: a relay that
// was not reachable before all others, because then the output is not whole.
func worst(errs []error) error {
	for _, err := range errs {
		if statusOf(err) == statusUnreachable {
			return err
		}
	}
	if len(errs) > 0 {
		return errs[0]
	}
	return nil
}
