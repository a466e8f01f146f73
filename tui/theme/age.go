package theme

import (
	"strconv"
	"time"
)

// countdown is how long before its expiry an ask shows the time that is left
// instead of its age.
const countdown = 10 * time.Minute

// ShortAge returns how old something is in at most four cells: <1m, 5m, 3h, 12d. An
// unknown time is a dash. A clock that is ahead never makes it negative.
func ShortAge(opened, now time.Time) string {
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

// Left returns the time that is left until an expiry, for the last ten minutes
// of it: "in 9m", "in 42s", or "over" once it has passed. ok is false before that.
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
		return "in " + strconv.Itoa(int((d+time.Second-1)/time.Second)) + "s", true
	}
	return "in " + strconv.Itoa(int(d/time.Minute)) + "m", true
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

// Clock returns a time of day, with the day where it is not today.
func Clock(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04")
	}
	return t.Format("2 Jan 15:04")
}
