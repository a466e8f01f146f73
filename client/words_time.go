package client

import (
	"strconv"
	"time"
)

// Count writes a number with its noun: `1 row`, `12,000 rows`.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Number writes a number that is not negative, with a comma between each three digits.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Span says how long a duration is, in the coarsest unit that still tells something. It is
// never negative.
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return Count(int(max(d, 0)/time.Second), "second")
	case d < time.Hour:
		return Count(int(d/time.Minute), "minute")
	case d < 48*time.Hour:
		return Count(int(d/time.Hour), "hour")
	}
	return Count(int(d/(24*time.Hour)), "day")
}

// Age says how old something is, without seconds, so that it changes at most once a minute.
// Clocks differ, so it is never in the future.
func Age(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return Span(d)
}

// Ago says how long ago something was.
func Ago(d time.Duration) string {
	if d < time.Minute {
		return Age(d)
	}
	return Span(d) + " ago"
}

// Remaining says how long is left: in seconds for the last two minutes only, because a
// figure that moves all the time draws the eye.
func Remaining(d time.Duration) string {
	if d > 2*time.Minute {
		return Span(d)
	}
	return Count(int((d+time.Second-1)/time.Second), "second")
}

// Overdue says of an open ask that its time has passed, where that alone closes nothing.
const Overdue = "its time is over, the relay decides"

// TimeLeft says how long an open ask can still be answered, by its relay's clock; empty
// where it has no end.
func (a *Ask) TimeLeft(now time.Time) string {
	switch left := a.Expires.Sub(now); {
	case a.Expires.IsZero() || a.Status.Closed():
		return ""
	case a.RunOut(now):
		return a.ExpiredWords
	case left <= 0:
		return Overdue
	default:
		return "expires in " + Remaining(left)
	}
}
