package httpx

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestRetry bounds what a relay can ask for, so that a mistake of its own
// does not take it off the screen for a day.
const longestRetry = 10 * time.Minute

// retryAfter reads the Retry-After header: seconds, or a date that is measured
// by the relay's own clock where it tells that. 0 means that it says nothing
// usable, and one's own backoff counts.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		if seconds > uint64(longestRetry/time.Second) {
			return longestRetry
		}
		return time.Duration(seconds) * time.Second
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
	return min(max(at.Sub(now), 0), longestRetry)
}
