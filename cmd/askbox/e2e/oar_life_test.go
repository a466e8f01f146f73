//go:build unix

package e2e

import (
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/oar"
	"askbox/client/fake/werft"
)

// TestOARBoardClosedElsewhere says how a board ended that somebody has in front,
// and takes no answer to it any more.
func TestOARBoardClosedElsewhere(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, see string
		end       fake.Answer
	}{
		{"acted", "Answered", fake.Choose("interactive")},
		{"dismissed", "Dismissed", fake.Answer{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			st := newStudio(t, "", oar.Options{})
			board := st.relay.Plan(st.session, "1. Cut the intro")
			s := st.opens("Plan ready", "All 1").decide("1")
			if tc.name == "dismissed" {
				st.relay.DismissAs(fake.Actor{}, board, "")
			} else {
				st.relay.AnswerAs(fake.Actor{}, board, tc.end)
			}
			s.see("All 0", tc.see).decide("enter").decide("1").decide("x")
			st.unanswered(s)
			s.never("done:")
		})
	}
}

// TestOARLostReplies are settled by what the relay has where it tells, and said
// not to be known where it does not. Nothing is sent twice.
func TestOARLostReplies(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, key, see, never string
		open                  func(*studio) fake.Ref
		enter                 bool
	}{
		{"approval", "a", "done: allow", "not known", func(st *studio) fake.Ref {
			return st.relay.Approval(st.session, oar.OnPermissionRequest, "Copilot wants to run:\nmake\n\nApprove this action?")
		}, false},
		{"question", "1", "done: answer", "not known", func(st *studio) fake.Ref { return st.relay.Question(st.session, "Go on?", "Yes", "No") }, true},
		{"skipped", "x", "done: dismiss", "not known", func(st *studio) fake.Ref { return st.relay.Question(st.session, "Go on?", "Yes", "No") }, false},
		{"ask", "1", "done: answer", "not known", func(st *studio) fake.Ref {
			return st.relay.OpenAsk(st.session, oar.Ask{Question: "Ship?", Options: []string{"Yes", "No"}})
		}, true},
		{"board", "x", "done: dismiss", "not known", func(st *studio) fake.Ref { return st.relay.Plan(st.session, "1. Cut") }, false},
		{"board, by its exit", "3", "done: answer", "not known", func(st *studio) fake.Ref { return st.relay.Plan(st.session, "1. Cut") }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			st := newStudio(t, "", oar.Options{})
			id := tc.open(st)
			s := st.opens("All 1")
			st.relay.Break(fake.LoseReply().When(func(r fake.Request) bool { return r.Method == "POST" }).Next(1))
			s.decide(tc.key)
			if tc.enter {
				s.finish(st.calls(id))
			}
			s.see(tc.see).settle().never(tc.never)
			if sent := st.relay.Answers(id); len(sent) != 1 {
				t.Errorf("it was sent %d times: %+v", len(sent), sent)
			}
		})
	}
}

// TestWerftLostReply does not claim more than the relay tells, which lists no
// request that is over.
func TestWerftLostReply(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	ref := y.relay.Bash(y.session, "make release", "")
	s := y.opens("make release")
	y.relay.Break(fake.LoseReply().When(fake.To("POST", "/answer")).Next(1))
	s.decide("a").see("not known whether your answer", "does not say whether your answer").never("done:", "did not count")
	if n := y.calls(ref)(); n != 1 {
		t.Errorf("it was sent %d times", n)
	}
}

// TestWerftLostReplyNearTheEnd does not take an answer that may have counted for
// an expired request.
func TestWerftLostReplyNearTheEnd(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	ref := y.relay.Bash(y.session, "make release", "")
	s := y.opens("make release")
	s.read()
	y.relay.Break(fake.LoseReply().When(fake.To("POST", "/answer")).Next(1))
	lift := y.relay.Break(fake.Hang().When(func(r fake.Request) bool {
		return r.Method == "GET" && y.relay.Count(fake.To("POST", "/answer")) > 0
	}))
	s.press("a")
	if _, err := y.relay.WaitAnswer(y.patience(), ref); err != nil {
		t.Fatal(err)
	}
	y.relay.SetClock(31 * time.Minute)
	lift()
	s.see("not known whether your answer").never("done:", "did not count")
}

// TestOARPairedComesAndGoes meets a relay that is paired, lost, back and unpaired
// while askbox runs.
func TestOARPairedComesAndGoes(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	st.relay.Question(st.session, "Here?", "Yes")
	box := startOAR(t, oar.Options{Name: "build-box"})
	ask := box.OpenAsk(box.AddSession(fake.Session{Title: "Nightly build"}), oar.Ask{Question: "Build without ARM?", Options: []string{"Yes", "No"}})
	s := st.opens("Here?", "All 1").never("build-box")
	st.relay.Pair(box)
	s.see("via studio ── 1 │ build-box", "Build without ARM?", "All 2")
	if err := box.Down(); err != nil {
		t.Fatal(err)
	}
	s.see("Not reachable", "Build without ARM?", "All 2")
	if err := box.Up(); err != nil {
		t.Fatal(err)
	}
	s.gone("Not reachable").press("G").see("▌").decide("2").see("2 (x)").finish(st.calls(ask))
	s.see("done: answer", "│ No")
	second := box.OpenAsk(box.AddSession(fake.Session{Title: "Weekly build"}), oar.Ask{Question: "And with RISC-V?", Options: []string{"Yes"}})
	s.see("And with RISC-V?")
	st.relay.Unpair(box)
	s.press("g").gone("And with RISC-V?").gone("build-box").see("Here?", "All 1").never("Not reachable")
	if a, _ := box.Ask(second); a.Status != "pending" {
		t.Errorf("the ask is %s", a.Status)
	}
}

// TestOARAsksSwitchedOn finds the asks of a relay that came back from an update
// with them, and loses them again without a word when it goes back.
func TestOARAsksSwitchedOn(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{NoAsks: true})
	st.relay.Question(st.session, "Only a card?", "Yes")
	s := st.opens("Only a card?", "All 1")
	if err := st.relay.Down(); err != nil {
		t.Fatal(err)
	}
	s.see("Not reachable")
	st.relay.SetAsks(true)
	ask := st.relay.OpenAsk(st.session, oar.Ask{Question: "Ship today?", Options: []string{"Yes"}})
	if err := st.relay.Up(); err != nil {
		t.Fatal(err)
	}
	s.press("R").see("Ship today?", "All 2").press("g").see("Ask │ " + ask.Ask).decide("1").finish(st.calls(ask))
	st.got(s, ask, "answer", `{"option":"Yes"}`)
	st.relay.SetAsks(false)
	next := st.relay.Question(st.session, "Another card?", "Yes")
	s.see("Another card?").never("not be whole", "Not reachable")
	st.relay.Interrupt(next)
}

// TestOARNarrowRows leaves the room of a row to the command.
func TestOARNarrowRows(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	st.relay.Approval(st.session, oar.OnPermissionRequest, "Copilot wants to run:\nrm -rf build\n\nApprove this action?")
	s := st.open("40x10").see("rm -rf build").never("Copilot")
	s.press("enter").see("Copilot wants to run:", "Approval")
	s = st.opens("Asked through │ onPermissionRequest")
	if rows := s.Screen(); !strings.Contains(rows, "Tool │ rm -rf build…") {
		t.Errorf("the row is another one:\n%s", rows)
	}
}
