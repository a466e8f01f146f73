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
			stages := everyStage(w)
			s := stages[slices.IndexFunc(stages, func(s Stage) bool { return s.Name() == tc.relay })].(*stage)
			before := waiting(w, s)
			if len(before) != 1 || !s.AnswerAs(ada, fake.Ref{Session: before[0].session, Ask: before[0].ask}, tc.answer) {
				t.Fatalf("at the start %d agents wait", len(before))
			}
			wait(reacting.to + time.Millisecond)
			after := waiting(w, s)
			if len(after) != 1 || after[0].session != before[0].session {
				t.Fatalf("%v led to nothing in its session", tc.answer)
			}
			if a, _ := s.Ask(fake.Ref{Session: after[0].session, Ask: after[0].ask}); !strings.Contains(fmt.Sprint(a.Command, a.Says, a.Questions), tc.want) {
				t.Errorf("%v led to %+v", tc.answer, a)
			}
		})
	}
}

// waits is where an agent waits.
type waits struct{ session, ask string }

// waiting returns the asks that are open on a stage.
func waiting(w *World, s Stage) []waits {
	var out []waits
	for _, a := range w.director.agents {
		if a.waits && a.pool.stage == s {
			out = append(out, waits{a.session, a.ask})
		}
	}
	return out
}

func TestAsksCloseOnEveryKindOfRelay(t *testing.T) {
	play(t, Options{Seed: 5}, func(w *World, wait func(time.Duration)) {
		ends := endsOf(w)
		wait(3 * time.Hour)
		closed := map[string]int{}
		for _, e := range ends() {
			closed[e.kind]++
		}
		for _, name := range []string{"work", "studio", "build-box", "releases", "lab"} {
			if closed[name] == 0 {
				t.Errorf("in three hours nothing was closed on %s: %v", name, closed)
			}
		}
	})
}
