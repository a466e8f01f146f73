package ages

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var base = time.Date(2026, 3, 4, 14, 0, 0, 0, time.UTC)

func TestAge(t *testing.T) {
	for _, c := range []struct {
		age  time.Duration
		want string
	}{
		{-time.Hour, "<1m"}, {0, "<1m"}, {59 * time.Second, "<1m"}, {time.Minute, "1m"}, {59*time.Minute + 59*time.Second, "59m"},
		{time.Hour, "1h"}, {23*time.Hour + 59*time.Minute, "23h"}, {24 * time.Hour, "1d"}, {999 * 24 * time.Hour, "999d"}, {1001 * 24 * time.Hour, "old"},
	} {
		if got := Age(base.Add(-c.age), base); got != c.want {
			t.Errorf("Age(%s) = %q, want %q", c.age, got, c.want)
		}
	}
	if got := Age(time.Time{}, base); got != "-" {
		t.Errorf("an unknown age is %q", got)
	}
}

func TestLeft(t *testing.T) {
	for _, c := range []struct {
		left time.Duration
		want string
	}{
		{11 * time.Minute, ""}, {10 * time.Minute, "⧗10m"}, {9*time.Minute + 59*time.Second, "⧗9m"}, {time.Minute, "⧗1m"},
		{59 * time.Second, "⧗59s"}, {1, "⧗1s"}, {0, "over"}, {-time.Hour, "over"},
	} {
		if got, ok := Left(base.Add(c.left), base); got != c.want || ok != (c.want != "") {
			t.Errorf("Left(%s) = %q, want %q", c.left, got, c.want)
		}
	}
	if _, ok := Left(time.Time{}, base); ok {
		t.Error("an ask without an expiry counts down")
	}
	if _, ok := Left(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), base); ok {
		t.Error("an ask that never expires counts down")
	}
}

// A text stays as it is until the moment that is told for its change, and is
// another one right then or soon after: no wake-up is missed, and none is for nothing
// more often than the text could change.
func TestChangesComeWhenTold(t *testing.T) {
	kinds := map[string]struct {
		text   func(at, now time.Time) string
		change func(at, now time.Time) time.Time
		sign   time.Duration
		exact  bool
	}{
		"age":  {Age, AgeChange, -1, true},
		"left": {func(at, now time.Time) string { s, _ := Left(at, now); return s }, LeftChange, 1, false},
		"try":  {Try, TryChange, 1, false},
	}
	for name, k := range kinds {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := time.Duration(rapid.Int64Range(-int64(5*time.Minute), int64(90*24*time.Hour)).Draw(t, "distance"))
				if rapid.Bool().Draw(t, "near") {
					d %= 12 * time.Minute
				}
				at := base.Add(k.sign * d)
				change := k.change(at, base)
				if change.IsZero() {
					if k.text(at, base) != k.text(at, base.Add(24*time.Hour)) {
						t.Fatalf("%q changes, and nobody is told", k.text(at, base))
					}
					return
				}
				if !change.After(base) {
					t.Fatalf("the change is %s ago", base.Sub(change))
				}
				if before := k.text(at, change.Add(-2)); before != k.text(at, base) {
					t.Fatalf("%q turns into %q before the told moment", k.text(at, base), before)
				}
				if k.exact && k.text(at, change) == k.text(at, base) {
					t.Fatalf("%q is the same at the told moment", k.text(at, base))
				}
			})
		})
	}
}

func TestClock(t *testing.T) {
	old := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = old })
	if got := Clock(base.Add(2*time.Minute), base); got != "14:02" {
		t.Errorf("today is %q", got)
	}
	if got := Clock(base.Add(-24*time.Hour), base); got != "3 Mar 14:00" {
		t.Errorf("yesterday is %q", got)
	}
}
