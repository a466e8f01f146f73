package demo

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
)

func TestAgentsReact(t *testing.T) {
	for _, tc := range []struct {
		relay  string
		answer fake.Answer
		want   string
	}{
		{"studio", fake.Allow, "At 12:40 the guest is silent"},
		{"studio", fake.Deny(""), "Only measure how loud it is"},
		{"studio", fake.Deny("too loud for the intro"), "(you wrote: too loud for the intro)"},
		{"releases", fake.Allow, "git push origin v2.4.0"},
		{"releases", fake.Deny("not yet"), "(you wrote: not yet)"},
		{"lab", fake.Allow, "npx playwright test"},
		{"lab", fake.Deny(""), "npm outdated"},
		{"lab", fake.Deny("only look"), "(you wrote: only look)"},
	} {
		play(t, Options{}, func(w *World, wait func(time.Duration)) {
			s := stages(w, tc.relay)[0]
			before := waiting(w, s)
			if len(before) != 1 || !s.AnswerAs(ada, before[0], tc.answer) {
				t.Fatalf("at the start %d agents wait", len(before))
			}
			wait(reacting.to + time.Millisecond)
			after := waiting(w, s)
			if len(after) != 1 || after[0].Session != before[0].Session {
				t.Fatalf("%v led to nothing in its session", tc.answer)
			}
			if a, _ := s.Ask(after[0]); !strings.Contains(fmt.Sprint(a.Command, a.Says, a.Questions), tc.want) {
				t.Errorf("%v led to %+v", tc.answer, a)
			}
		})
	}
}

// waiting returns the asks that agents wait for on a stage.
func waiting(w *World, s *stage) (out []fake.Ref) {
	for _, a := range w.director.agents {
		if a.waits && a.pool.stage == s {
			out = append(out, a.ask)
		}
	}
	return out
}

func TestAsksCloseOnEveryKindOfRelay(t *testing.T) {
	play(t, Options{Seed: 5}, func(w *World, wait func(time.Duration)) {
		wait(3 * time.Hour)
		for _, s := range stages(w, "work", "studio", "build-box", "releases", "lab") {
			if !slices.ContainsFunc(s.Everything(), func(a fake.Ask) bool { return !a.Open() }) {
				t.Errorf("in three hours nothing was closed on %s", s.name)
			}
		}
	})
}
