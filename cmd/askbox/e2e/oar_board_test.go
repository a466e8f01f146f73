//go:build unix

package e2e

import (
	"strings"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/oar"
)

// stops is a board of which an action that reads like a way out starts the agent (I09).
func (st *studio) stops() fake.Ref {
	return st.relay.OpenBoard(st.session, oar.Board{Title: "Plan ready", Body: "1. Cut the intro", RecommendedAction: "interactive",
		Actions: []oar.Action{{ID: "autopilot", Label: "Implement in autopilot"}, {ID: "interactive", Label: "Stop here and prompt myself"},
			{ID: "exit_only", Label: "Stop here"}}})
}

// TestOARBoardThatStartsTheAgent says what is sent in the person's name, and in which
// mode, before the key and once more after it.
func TestOARBoardThatStartsTheAgent(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"120x40", "80x24"} {
		t.Run(size, func(t *testing.T) {
			t.Parallel()
			st := newStudio(t, "", oar.Options{})
			board := st.stops()
			s := st.open(size).see("Plan ready")
			if size == "80x24" {
				s.press("enter")
			}
			s.see("message in your name", "in the mode").decide("2").see("2 (x)").decide("enter")
			st.unanswered(s)
			s.see("This starts the agent in the mode").decide("2")
			st.got(s, board, "action", `{"actionId":"interactive"}`)
			s.see("done: answer")
		})
	}
}

// TestOARBoardLeft needs no second word: its exit starts nothing.
func TestOARBoardLeft(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	board := st.stops()
	s := st.opens("Plan ready", "closes the board without").decide("3").see("3 (x)").never("This starts the agent").finish(st.calls(board))
	if end := st.got(s, board, "action", `{"actionId":"exit_only"}`); end.Status != "dismissed" {
		t.Errorf("it ended as %+v", end)
	}
	s.see("done: answer", "│ Stop here")
}

// TestOARBoardOnTheCommandLine wants --confirm for what starts the agent.
func TestOARBoardOnTheCommandLine(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	board := st.stops()
	for _, label := range []string{"Implement in autopilot", "Stop here and prompt myself", "2"} {
		cmd := st.command("answer", "studio/"+board.Ask, "--choose", label)
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "in your name") {
			t.Errorf("%s: status %d: %s", label, cmd.ProcessState.ExitCode(), out)
		}
	}
	if n := st.calls(board)(); n > 0 {
		t.Fatalf("%d actions arrived", n)
	}
	if out, err := st.command("answer", "studio/"+board.Ask, "--choose", "2", "--confirm").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if end, _ := st.relay.Ask(board); end.Status != "acted" {
		t.Errorf("it is %+v", end)
	}
}
