//go:build unix

package e2e

import (
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/oar"
	"askbox/cmd/askbox/e2e/terminal"
)

// TestOARBoard is a question that nobody waits on. Autopilot is asked about once
// more, and the words on an action do not say what it does (F05).
func TestOARBoard(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	board := st.relay.OpenBoard(st.session, oar.Board{Title: "Plan ready", Body: "1. Cut the intro",
		RecommendedAction: "autopilot", Actions: []oar.Action{
			{ID: "autopilot", Label: "Stop here", Mode: "autopilot"}, {ID: "interactive", Label: "Go on", Mode: "agent"}}})
	s := st.opens("Plan ready", "1. Cut the intro", "Stop here", "nobody attends to").never("the session waits")
	s.decide("1").see("1 (x)").decide("enter")
	st.unanswered(s)
	s.decide("enter").decide("enter")
	s.rest(pace)
	if st.calls(board)() == 0 {
		s.decide("1")
	}
	st.got(s, board, "action", `{"actionId":"autopilot"}`)
}

// TestOARBoardDismissed is its exit_only.
func TestOARBoardDismissed(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	board := st.relay.Plan(st.session, "1. Cut the intro")
	s := st.opens("Plan ready").decide("x")
	st.got(s, board, "action", `{"actionId":"exit_only"}`)
}

// TestOARAsk answers an ask with one of its options: urgent, with a
// recommendation and a folded detail.
func TestOARAsk(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	lead := st.relay.AddSession(fake.Session{Title: "Lead of the release"})
	ask := st.relay.OpenAsk(st.session, oar.Ask{Question: "Ship today?", Options: []string{"Yes", "Tomorrow"}, Recommended: "Tomorrow",
		Detail: "Two links are dead until Thursday.", Now: true, AskedBy: &oar.AskedBy{ConversationID: lead, Title: "Lead of the release"}})
	s := st.opens("Ship today?", "now", "Recommended", "Lead of the release").never("Two links are dead", "the session waits")
	s.decide("2").see("2 (x)").finish(st.calls(ask))
	st.got(s, ask, "answer", `{"option":"Tomorrow"}`)
	s.see("done: answer", "│ Tomorrow")
}

// TestOARAskInOwnWords takes typed text beside a recommendation of its own.
func TestOARAskInOwnWords(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	ask := st.relay.OpenAsk(st.session, oar.Ask{Question: "Which title?", Options: []string{"A", "B"}, Recommended: "Something with cats"})
	s := st.opens("Which title?", "Something with cats").decide("t").write("Cats at work").see("Cats at work")
	s.finish(st.calls(ask))
	st.got(s, ask, "answer", `{"answer":"Cats at work"}`)
}

// TestOARAsksEnd are dismissed, withdrawn and over with their session, and one is
// answered elsewhere while it is read.
func TestOARAsksEnd(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	ask := st.relay.OpenAsk(st.session, oar.Ask{Question: "First?", Options: []string{"Yes"}})
	s := st.opens("First?").decide("x")
	st.got(s, ask, "dismiss", "")
	s.see("dismissed")
	second := st.relay.OpenAsk(st.session, oar.Ask{Question: "Second?", Options: []string{"Yes"}})
	s.press("g").see("Second?").press("g", "enter").see("Second?")
	st.relay.Interrupt(second)
	s.see("withdrawn")
	third := st.relay.OpenAsk(st.session, oar.Ask{Question: "Third?", Options: []string{"Yes"}})
	s.press("esc", "g").see("Third?").press("g")
	st.relay.AnswerAs(fake.Actor{}, third, fake.Answer{Words: "No, never"})
	s.see("No, never")
}

// TestOARPairedRelays stand as groups of their own, are answered through the
// relay that knows them, and say why they cannot be reached.
func TestOARPairedRelays(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	box, attic := startOAR(t, oar.Options{Name: "build-box"}), startOAR(t, oar.Options{Name: "attic-box"})
	st.relay.Pair(box)
	st.relay.Pair(attic)
	if err := attic.Down(); err != nil {
		t.Fatal(err)
	}
	ask := box.OpenAsk(box.AddSession(fake.Session{Title: "Nightly build"}), oar.Ask{Question: "Build without ARM?", Options: []string{"Yes", "No"}})
	s := st.opens("Build without ARM?", "build-box", "attic-box", "Not reachable · ECONNREFUSED")
	s.decide("1").see("1 (x)").finish(st.calls(ask))
	s.see("done: answer", "│ Yes")
	if a, _ := box.Ask(ask); a.Status != "answered" || a.End.Surface != "studio" {
		t.Errorf("the ask is %+v", a)
	}
	if err := box.Down(); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(limit, func(screen string) bool { return strings.Count(screen, "Not reachable") == 2 }); err != nil {
		t.Errorf("build-box is down: %v", err)
	}
}

// TestOARPairedAndConfigured appears once, and its card says nothing of another
// relay; a card that came through a pairing says where to answer it.
func TestOARPairedAndConfigured(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	box, other := st.addOAR(oar.Options{Name: "build-box"}), startOAR(t, oar.Options{Name: "other-box"})
	st.relay.Pair(box)
	st.relay.Pair(other)
	box.OpenAsk(box.AddSession(fake.Session{Title: "Nightly build"}), oar.Ask{Question: "Build without ARM?", Options: []string{"Yes"}})
	s := st.opens("Build without ARM?", "other-box")
	if n := strings.Count(s.settle().Screen(), "All 1"); n != 1 {
		t.Errorf("the ask is counted otherwise:\n%s", s.Screen())
	}
	st.relay.OpenCard(st.session, oar.Card{Prompt: "A card from afar", Choices: []string{"Yes"}, RelayID: other.RelayID(), Source: oar.AskUserQuestion})
	s.see("A card from afar").press("g").see(`answer it on "other-box"`).decide("1").decide("enter")
	st.unanswered(s)
}

// TestOARFilters: Mine is what a person started, Agents what an agent did.
func TestOARFilters(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	child := st.relay.AddSession(fake.Session{Title: "Research", CreatedBy: fake.Actor{Type: "agent", Name: "Plan of the week"}})
	st.relay.Question(st.session, "For the person?", "Yes")
	st.relay.Question(child, "For the agent?", "Yes")
	s := st.opens("For the person?", "For the agent?", "All 2", "Mine 1", "Agents 1")
	s.press("f").gone("For the agent?").press("f").see("For the agent?", "Plan of the week").gone("For the person?")
}

// TestOARWithoutAsks shows the cards of a relay that has nothing else, and says
// nothing about it.
func TestOARWithoutAsks(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{NoAsks: true, NoIdentity: true})
	st.relay.Question(st.session, "Only a card?", "Yes")
	st.opens("Only a card?", "All 1").settle().never("Not reachable", "not whole", "incomplete", "asks")
}

// TestOARClosedElsewhere shows how a card that is read was answered, though
// nothing says by whom.
func TestOARClosedElsewhere(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	card := st.relay.Approval(st.session, oar.OnPermissionRequest, "Copilot wants to run:\nmake\n\nApprove this action?")
	s := st.opens("make", "All 1")
	s.read()
	st.relay.AnswerAs(fake.Actor{}, card, fake.Deny(""))
	s.see("All 0").press("a")
	st.unanswered(s)
	s.never("done: allow")
}

// TestOARExpired was still pending behind its time, until the relay said
// otherwise (F07).
func TestOARExpired(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{Lag: time.Hour})
	card := st.relay.Open(st.session, fake.Ask{ExpiresAt: st.relay.Now().Add(-2 * time.Second),
		Wire: &oar.Card{Prompt: "Go on?", Choices: []string{"Yes"}, Source: oar.AskUserQuestion}})
	s := st.opens("Go on?", "its time is over").decide("1").see("1 (x)")
	st.relay.DismissAs(fake.Actor{}, card, "")
	s.finish(st.calls(card)).see("expired").never("done: answer")
}

// TestOARGrownListing costs the open asks nothing (F10).
func TestOARGrownListing(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	for range 2000 {
		card := st.relay.Approval(st.session, oar.ClaudeCloudPermission, strings.Repeat("x", 5000))
		st.relay.AnswerAs(fake.Actor{}, card, fake.Allow)
	}
	st.relay.Question(st.session, "Still there?", "Yes")
	s := st.opens("Still there?", "All 1")
	if _, err := st.relay.WaitFor(t.Context(), func(r fake.Request) bool {
		return r.Query.Get("status") == "answered" && r.Done
	}); err != nil {
		t.Fatal(err)
	}
	next := st.relay.Question(st.session, "And another?", "Yes")
	s.see("And another?", "All 2").never("Not reachable")
	st.relay.Interrupt(next)
	s.see("All 1")
}

// TestDemoHasEveryKind shows relays of every kind on one screen, one of them
// reached through another, and each of them with something open.
func TestDemoHasEveryKind(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	// The demo asks the terminal for its colours, as the other stories must not.
	window, err := terminal.Start(w.command("demo"), terminal.Options{Width: 160, Height: 60})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { window.Kill() })
	s := &story{TB: t, Terminal: window, world: w}
	s.see("work ──", "home ──", "laptop ──", "studio ──", "via studio ──", "│ build-box", "releases ──", "Not reachable · ECONNREFUSED")
	s.see("git tag -s v2.4.0", "The disk is nearly full").press("q").quits(0)
}
