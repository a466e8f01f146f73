// Package ages says how old things are and how long they last, in a few cells,
// and when those words change: the screen is drawn anew only then.
package ages

import (
	"strconv"
	"time"
)

// countdown is how long before its expiry an ask shows the time that is left
// instead of its age.
const countdown = 10 * time.Minute

// Age returns how old something is in at most four cells: <1m, 5m, 3h, 12d. An
// unknown time is a dash. A clock that is ahead never makes it negative.
func Age(opened, now time.Time) string {
	if opened.IsZero() {
		return "-"
	}
	d := now.Sub(opened)
	switch {
	case d < time.Minute:
		return "<1m"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 24*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	case d < 1000*24*time.Hour:
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	}
	return "old"
}

// AgeChange returns when Age(opened, now) changes next; zero: never.
func AgeChange(opened, now time.Time) time.Time {
	if opened.IsZero() {
		return time.Time{}
	}
	d := max(now.Sub(opened), 0)
	step := time.Minute
	switch {
	case d >= 1000*24*time.Hour:
		return time.Time{}
	case d >= 24*time.Hour:
		step = 24 * time.Hour
	case d >= time.Hour:
		step = time.Hour
	}
	return now.Add(step - d%step + ahead(opened, now))
}

// ahead is how far a clock is ahead; an ask from the future stays young until
// then.
func ahead(opened, now time.Time) time.Duration { return max(opened.Sub(now), 0) }

// Left returns the time that is left until an expiry, for the last ten minutes
// of it: ⧗9m, ⧗42s, or "over" once it has passed. ok is false before that.
func Left(expires, now time.Time) (s string, ok bool) {
	if expires.IsZero() {
		return "", false
	}
	d := expires.Sub(now)
	switch {
	case d > countdown:
		return "", false
	case d <= 0:
		return "over", true
	case d < time.Minute:
		return "⧗" + strconv.Itoa(int((d+time.Second-1)/time.Second)) + "s", true
	}
	return "⧗" + strconv.Itoa(int(d/time.Minute)) + "m", true
}

// LeftChange returns when Left changes next; zero: never.
func LeftChange(expires, now time.Time) time.Time {
	if expires.IsZero() {
		return time.Time{}
	}
	d := expires.Sub(now)
	switch {
	case d <= 0:
		return time.Time{}
	case d > countdown:
		return expires.Add(-countdown)
	case d > time.Minute:
		return now.Add(d%time.Minute + 1)
	}
	return now.Add((d-1)%time.Second + 1)
}

// Try returns in how long a relay is asked again, coarse while it is far away
// so that the line does not move each second.
func Try(next, now time.Time) string {
	d := next.Sub(now)
	switch {
	case d <= 0:
		return "now"
	case d <= 10*time.Second:
		return "in " + strconv.Itoa(int((d+time.Second-1)/time.Second)) + " s"
	case d <= time.Minute:
		return "in " + strconv.Itoa(int((d+10*time.Second-1)/(10*time.Second))*10) + " s"
	}
	return "in " + strconv.Itoa(int((d+time.Minute-1)/time.Minute)) + " min"
}

// TryChange returns when Try changes next; zero: never.
func TryChange(next, now time.Time) time.Time {
	d := next.Sub(now)
	step := time.Minute
	switch {
	case d <= 0:
		return time.Time{}
	case d <= 10*time.Second:
		step = time.Second
	case d <= time.Minute:
		step = 10 * time.Second
	}
	return now.Add((d-1)%step + 1)
}

// Clock returns a time of day, with the day where it is not today.
func Clock(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04")
	}
	return t.Format("2 Jan 15:04")
}

// Sooner returns the earlier of two moments of which zero is never.
func Sooner(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}
