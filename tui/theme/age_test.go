package theme

import (
	"testing"
	"time"
)

var base = time.Date(2026, 3, 4, 14, 0, 0, 0, time.UTC)

func TestShortAge(t *testing.T) {
	for _, c := range []struct {
		age  time.Duration
		want string
	}{
		{-time.Hour, "<1m"}, {0, "<1m"}, {59 * time.Second, "<1m"}, {time.Minute, "1m"}, {59*time.Minute + 59*time.Second, "59m"},
		{time.Hour, "1h"}, {23*time.Hour + 59*time.Minute, "23h"}, {24 * time.Hour, "1d"}, {999 * 24 * time.Hour, "999d"}, {1001 * 24 * time.Hour, "old"},
	} {
		if got := ShortAge(base.Add(-c.age), base); got != c.want {
			t.Errorf("ShortAge(%s) = %q, want %q", c.age, got, c.want)
		}
	}
	if got := ShortAge(time.Time{}, base); got != "-" {
		t.Errorf("an unknown age is %q", got)
	}
}

func TestLeft(t *testing.T) {
	for _, c := range []struct {
		left time.Duration
		want string
	}{
		{11 * time.Minute, ""}, {10 * time.Minute, "in 10m"}, {9*time.Minute + 59*time.Second, "in 9m"}, {time.Minute, "in 1m"},
		{59 * time.Second, "in 59s"}, {1, "in 1s"}, {0, "over"}, {-time.Hour, "over"},
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

func TestTry(t *testing.T) {
	for _, c := range []struct {
		left time.Duration
		want string
	}{
		{-time.Second, "now"}, {0, "now"}, {1, "in 1 s"}, {8 * time.Second, "in 8 s"}, {10*time.Second + 1, "in 20 s"},
		{time.Minute, "in 60 s"}, {time.Minute + 1, "in 2 min"}, {time.Hour, "in 60 min"},
	} {
		if got := Try(base.Add(c.left), base); got != c.want {
			t.Errorf("Try(%s) = %q, want %q", c.left, got, c.want)
		}
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
