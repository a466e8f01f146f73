//go:build unix

package e2e

import (
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/oar"
)

// ship opens an ask of which every story here says that its session is compacted.
func (st *studio) ship() fake.Ref {
	return st.relay.Open(st.session, fake.Ask{OpenedAt: st.relay.Now().Add(-time.Hour),
		Wire: &oar.Ask{Question: "Ship today?", Options: []string{"Yes", "Tomorrow"},
			AskedBy: &oar.AskedBy{ConversationID: st.session, Title: "Cut episode 41"}}})
}

// compact moves the session's asks to a new one, which has another title.
func (st *studio) compact() {
	id := st.relay.Compact(st.session)
	st.relay.Change(id, func(n *fake.Session) { n.Title = "Episode 41, continued" })
}

// TestOARMovedWhileHeld sends the answer that is held to the ask where it is now (I10).
func TestOARMovedWhileHeld(t *testing.T) {
	t.Parallel()
	st := newStudio(t, `undo = "4s"`, oar.Options{})
	ask := st.ship()
	s := st.opens("Ship today?").decide("2").see("2 (x)").decide("enter").see("u takes it back")
	st.compact()
	s.see("Episode 41, continued").never("too late", "did not count")
	st.got(s, ask, "answer", `{"option":"Tomorrow"}`)
	s.see("done: answer", "│ Tomorrow").never("Gone", "gone")
	s.press("h").see("Answered in the last day", "Tomorrow")
}

// TestOARMovedWhileItsReplyIsLost is settled by what the relay has under the id, and sent
// once.
func TestOARMovedWhileItsReplyIsLost(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	ask := st.ship()
	s := st.opens("Ship today?")
	st.relay.Break(fake.LoseReply().When(fake.To("POST", "/answer")).Next(1))
	st.relay.OnClose(func(fake.Ask) { go st.compact() })
	s.decide("1").see("1 (x)").finish(st.calls(ask)).see("done: answer", "│ Yes").never("not known", "did not count")
	if sent := st.relay.Answers(ask); len(sent) != 1 {
		t.Errorf("it was sent %d times: %+v", len(sent), sent)
	}
}

// TestOARMovedDismissal: a dismissal that is held goes out too, after two moves.
func TestOARMovedDismissal(t *testing.T) {
	t.Parallel()
	st := newStudio(t, `undo = "4s"`, oar.Options{})
	ask := st.ship()
	s := st.opens("Ship today?").decide("x").see("u takes it back")
	st.compact()
	s.see("Episode 41, continued")
	now, _ := st.relay.Ask(ask)
	st.relay.Compact(now.Session)
	st.got(s, ask, "dismiss", "")
	s.see("dismissed").never("Gone", "did not count")
}

// TestOARMovedRightBefore is answered in the moment before a poll tells (I11).
func TestOARMovedRightBefore(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	ask := st.ship()
	s := st.opens("Ship today?").decide("1").see("1 (x)").read()
	lift := st.relay.Break(fake.Hang().When(fake.To("GET", "/api/asks")))
	st.compact()
	s.press("enter")
	lift()
	st.got(s, ask, "answer", `{"option":"Yes"}`)
	s.see("done: answer", "│ Yes").never("not known").press("h").see("Answered in the last day", "Ship today?")
}

// TestOARMovedWithADraft keeps what was typed and the cursor, also over a restart (I12).
func TestOARMovedWithADraft(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	st.relay.OpenAsk(st.session, oar.Ask{Question: "Which colour?"})
	ask := st.ship()
	s := st.opens("Ship today?", "Which colour?").press("G").see("Tomorrow").decide("t").write("not before noon").see("not before noon").press("esc")
	st.compact()
	s.see("Episode 41, continued", "not before noon", "Tomorrow").press("esc", "q").quits(0)
	s = st.opens("Ship today?").press("G").see("not before noon").decide("enter")
	s.finish(st.calls(ask))
	st.got(s, ask, "answer", `{"answer":"not before noon"}`)
	s.see("done: answer")
}

// TestOARMovedOnTheCommandLine answers an ask by the name that was shown before (I11).
func TestOARMovedOnTheCommandLine(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	first, second := st.ship(), st.relay.OpenAsk(st.session, oar.Ask{Question: "Which colour?"})
	shown, err := st.command("show", "studio/"+first.Ask, "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, digest, _ := strings.Cut(string(shown), `"digest": "`)
	digest, _, _ = strings.Cut(digest, `"`)
	st.compact()
	if out, err := st.command("answer", "studio/"+first.Ask, "--choose", "Yes", "--digest", digest).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// The session that it was in names it no more, and the one in which it is does.
	now, _ := st.relay.Ask(second)
	if out, err := st.command("answer", "studio/"+now.Session+"/"+second.Ask, "--text", "green").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := st.command("history").Output()
	if err != nil || !strings.Contains(string(out), "Ship today?") || !strings.Contains(string(out), "Which colour?") {
		t.Errorf("%v: the history is %s", err, out)
	}
}

// TestOARDismissedTwice says who dismissed a card that the relay lists no more, and when:
// status 3, from this machine's history or from the card itself (K14).
func TestOARDismissedTwice(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	here := func(ref fake.Ref) {
		if out, err := st.command("dismiss", "studio/"+ref.Ask).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for _, tc := range []struct {
		name, says string
		ref        fake.Ref
		dismiss    func(fake.Ref)
	}{
		{"here", "dismissed by you at ", st.relay.Question(st.session, "Which?", "A", "B"), here},
		{"a board, here", "dismissed by you at ", st.relay.Plan(st.session, "1. Cut"), here},
		{"elsewhere", "dismissed by someone", st.relay.Question(st.session, "Which?", "A", "B"), func(ref fake.Ref) {
			st.relay.DismissAs(fake.Actor{}, ref, "")
		}},
	} {
		tc.dismiss(tc.ref)
		for _, args := range [][]string{{"dismiss", tc.ref.Ask}, {"answer", "--choose", "1", tc.ref.Ask}, {"dismiss", tc.ref.Ask[:12]}} {
			if tc.name == "elsewhere" && len(args[len(args)-1]) == 12 {
				continue // no list has the whole of it
			}
			args[len(args)-1] = "studio/" + args[len(args)-1]
			cmd := st.command(args...)
			if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 3 || !strings.Contains(string(out), tc.says) {
				t.Errorf("%s: status %d: %s", tc.name, cmd.ProcessState.ExitCode(), out)
			}
		}
		if out, err := st.command("show", "studio/"+tc.ref.Ask).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", tc.name, err, out)
		}
	}
	cmd := st.command("dismiss", "studio/nobody-knows-it")
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("status %d: %s", cmd.ProcessState.ExitCode(), out)
	}
}
