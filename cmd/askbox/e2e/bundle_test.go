//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// TestSeveralAtOnce marks asks that are alike and allows all of them with one key: each gets
// its own answer, once.
func TestSeveralAtOnce(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"40x10", "80x24", "120x40"} {
		t.Run(size, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "work")
			relay := w.relays["work"]
			other := relay.Choice(w.session("work", "Plan"), "Which one?", "This", "That")
			var asks []fake.Ref
			for i := range 3 {
				asks = append(asks, relay.Bash(w.session("work", fmt.Sprint("Test ", i)), fmt.Sprint("go test -run Test", i), ""))
			}
			s := w.open(size).see("All 4").press("*").see("1 marked").press("*").see("3 marked")
			if size != "120x40" {
				s.press("enter")
			}
			s.see("marked asks")
			for i := 0; i < 60 && !strings.Contains(s.Screen(), "read to the end"); i++ {
				s.read().press("pgdn")
			}
			s.see("read to the end").rest(slack(alone))
			s.decide("a")
			for _, ask := range asks {
				s.answered("work", ask, `{"decision":"allow"}`)
			}
			s.see("3 asks allowed.", "All 1")
			if ask, _ := relay.Ask(other); ask.Status != "open" {
				t.Errorf("the question is %s", ask.Status)
			}
		})
	}
}

// TestSeveralOfWhichOneIsTakenFirst says by name which one somebody else was first with.
func TestSeveralOfWhichOneIsTakenFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `undo = "4s"`, "work")
	relay := w.relays["work"]
	var asks []fake.Ref
	for i := range 3 {
		asks = append(asks, relay.Bash(w.session("work", "Test"), fmt.Sprint("go test -run Test", i), ""))
	}
	s := w.open("120x40").see("All 3").press("*", "*").see("3 marked", "read to the end").decide("d").see("deny · 3 asks")
	relay.AnswerAs(opencomputer.Grace.Actor, asks[1], fake.Allow)
	s.answered("work", asks[0], `{"decision":"deny"}`).answered("work", asks[2], `{"decision":"deny"}`)
	s.see("2 asks denied. But", "Test1: too late, allowed by")
}
