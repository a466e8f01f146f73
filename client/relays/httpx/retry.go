package httpx

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"askbox/client"
)

// longestPause bounds what a relay can ask for, so that a mistake of its own
// does not take it off the screen for a day.
const longestPause = 10 * time.Minute

// limited makes the error of a relay that wants to be left alone.
func (r *Reply) limited() *client.RateLimited {
	wanted := retryAfter(r.Header, r.Now)
	e := &client.RateLimited{Busy: r.Status == http.StatusServiceUnavailable, Longer: wanted > longestPause}
	if wanted > 0 {
		e.Until = time.Now().Add(min(wanted, longestPause))
	}
	return e
}

// retryAfter reads the Retry-After header: seconds, or a date that is measured
// by the relay's own clock where it tells that. 0 means that it says nothing
// usable, and one's own backoff counts.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(2*longestPause/time.Second))) * time.Second
	}
	if strings.Trim(value, "0123456789") == "" {
		// Digits that do not fit a number are no span that anybody meant.
		return 0
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if now.IsZero() {
		now = time.Now()
	}
	return max(at.Sub(now), 0)
}
