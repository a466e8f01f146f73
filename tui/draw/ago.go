package draw

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
)

// Span says how long a duration is, in the coarsest unit that still tells
// something: "just now" is left to the caller. It is never negative.
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return plural(int(max(d, 0)/time.Second), "second")
	case d < time.Hour:
		return plural(int(d/time.Minute), "minute")
	case d < 48*time.Hour:
		return plural(int(d/time.Hour), "hour")
	}
	return plural(int(d/(24*time.Hour)), "day")
}

// Age says how old something is, without seconds, so that it changes at most
// once a minute.
func Age(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return Span(d)
}

// AgeChange returns after how long Age gives another text.
func AgeChange(d time.Duration) time.Duration {
	unit := time.Minute
	switch {
	case d < 0:
		return time.Minute - d
	case d >= 48*time.Hour:
		unit = 24 * time.Hour
	case d >= time.Hour:
		unit = time.Hour
	}
	return unit - d%unit
}

// Remaining says how long is left: in seconds for the last two minutes only,
// because a figure that moves all the time draws the eye.
func Remaining(d time.Duration) string {
	if d > 2*time.Minute {
		return Span(d)
	}
	return plural(int((d+time.Second-1)/time.Second), "second")
}

// RemainingChange returns after how long Remaining gives another text.
func RemainingChange(d time.Duration) time.Duration {
	unit := time.Second
	switch {
	case d > 48*time.Hour:
		unit = 24 * time.Hour
	case d > time.Hour:
		unit = time.Hour
	case d > 2*time.Minute:
		unit = time.Minute
	}
	if d <= 0 {
		return 0
	}
	return d%unit + time.Millisecond
}

// Count writes a number with its noun: 1 row, 12,000 rows.
func Count(n int, noun string) string { return plural(n, noun) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%s %ss", humanize.Comma(int64(n)), noun)
}
