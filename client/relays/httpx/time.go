package httpx

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Time is a moment as relays write it, in RFC 3339. Anything else (null, a
// number, no zone, a year that nobody means) is not known, the zero time, and
// no error: an odd time never costs an ask.
type Time struct {
	time.Time
	// Given says that something stands there, a moment or not.
	Given bool
}

// UnmarshalJSON reads any JSON value.
func (t *Time) UnmarshalJSON(raw []byte) error {
	s, text := String(raw)
	t.Time, t.Given = ParseTime(s), s != "" || !text && string(raw) != "null"
	return nil
}

// ParseTime reads a moment in RFC 3339, or returns the zero time.
func ParseTime(s string) time.Time {
	if s == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return plausible(at)
}

// Millis is a moment in milliseconds since 1970, as lenient as [Time].
type Millis struct{ time.Time }

// UnmarshalJSON reads any JSON value.
func (t *Millis) UnmarshalJSON(raw []byte) error {
	t.Time = time.Time{}
	if jsontext.Value(raw).Kind() != '0' {
		return nil
	}
	if ms, err := strconv.ParseFloat(string(raw), 64); err == nil && ms > 0 && ms < 1e13 {
		t.Time = plausible(time.UnixMilli(int64(ms)).UTC())
	}
	return nil
}

// plausible drops moments that stand for "never" or "nothing", and that would
// come out as an age of two thousand years.
func plausible(at time.Time) time.Time {
	if at.Year() < 2000 || at.Year() > 2200 {
		return time.Time{}
	}
	return at
}
