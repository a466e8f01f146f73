//go:build unix

package e2e

import (
	"strings"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// TestAllowOnTheSecondRelay allows on the second of two relays, and only there.
func TestAllowOnTheSecondRelay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work", "home")
	first := w.relays["work"].Bash(w.session("work", "Fix the flaky build"), "make clean", "")
	second := w.relays["home"].Bash(w.session("home", "Tidy up"), "rm -rf build", "clean build")
	s := w.open("120x40").see("make clean", "rm -rf build", "work", "home")
	s.press("j").see("clean build").decide("a")
	s.answered("home", second, `{"decision":"allow"}`).see("done: allow", "by you")
	if ask, _ := w.relays["work"].Ask(first); ask.Status != "open" {
		t.Errorf("the first ask is %s", ask.Status)
	}
	s.press("q").quits(0)
}

// TestDenyWithAReason types a reason that holds letters which are keys elsewhere.
func TestDenyWithAReason(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Fix the flaky build"), "rm -rf /", "")
	s := w.open("120x40").see("rm -rf /")
	s.decide("D").see("enter sends").write("quad, axe mad?").see("quad, axe mad?").nothingSent()
	s.press("left", "backspace", "delete").decide("enter") // takes out d and ?
	s.answered("work", ask, `{"decision":"deny","message":"quad, axe ma"}`).see("done: deny", "by you")
}

func TestAllowWithAMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("80x24").see("make").press("enter").see("Approval · the session waits")
	s.decide("m").see("enter sends").write("once").decide("enter")
	s.answered("work", ask, `{"decision":"allow","message":"once"}`)
}

// TestAlways shows the exact rule and wants the key twice (C23).
func TestAlways(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Approve(w.session("work", "Look"), "Bash", map[string]string{"command": "git show"}, "Bash(git *)")
	s := w.open("120x40").see("git show")
	s.decide("A").see("Bash(git *)").nothingSent()
	s.press("enter", "space").nothingSent().see("Bash(git *)")
	s.decide("A").answered("work", ask, `{"decision":"always"}`).see("done: allow always")
}

// TestPlan chooses the mode of a plan; none is chosen beforehand.
func TestPlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Plan(w.session("work", "Importer"), "1. Split the importer.\n2. Test it.")
	s := w.open("120x40").see("Split the importer", "Test it", "How it may be carried out")
	s.decide("2").see("is chosen").nothingSent().decide("a")
	s.answered("work", ask, `{"decision":"allow","mode":"acceptEdits"}`)
}

// TestEdit shows the change of a file.
func TestEdit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Edit(w.session("work", "Fix"), "app/main.go", "return nil\n", "return err\n")
	s := w.open("120x40").see("app/main.go", "return nil", "return err")
	s.decide("d").answered("work", ask, `{"decision":"deny"}`)
}

// TestTwoQuickKeys sends once, whatever comes behind the first key (C21).
func TestTwoQuickKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	lift := w.relays["work"].Break(fake.HangAfter().When(fake.To("POST", "/answer")))
	s := w.open("120x40").see("make")
	s.decide("a").see("sending").press("a", "d", "x", "enter").see("sending")
	lift()
	s.answered("work", ask, `{"decision":"allow"}`).see("done: allow", "by you")
}

// TestEnterNeverApproves tries everything that is no decision key (C12).
func TestEnterNeverApproves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make install", "")
	for _, size := range []string{"120x40", "80x24"} {
		s := w.open(size).see("make install").decide("enter").decide("enter").decide("space")
		s.press("tab", "enter", "1", "esc", "esc", "enter", "left", "ctrl+j").nothingSent().see("make install")
		s.press("ctrl+c").quits(0)
	}
}

// TestReadToTheEndFirst locks allow until all of a command was on the screen,
// and leaves deny open (C01).
func TestReadToTheEndFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), strings.Repeat("echo step\n", 80)+"rm -rf ~", "")
	s := w.open("80x24").see("echo step").press("enter").see("more rows")
	s.decide("a").see("Nothing was sent: read it to the end").nothingSent()
	for range 12 {
		s.press("pgdn")
	}
	s.see("rm -rf ~", "read to the end").decide("a").answered("work", ask, `{"decision":"allow"}`)
}

// TestNewAskBesideTheOneRead keeps the key on the ask that is read, while a newer
// and an urgent one arrive above it (C06, C15).
func TestNewAskBesideTheOneRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay, session := w.relays["work"], w.session("work", "Build")
	first := relay.Bash(session, "echo first", "")
	s := w.open("120x40").see("echo first", "All 1")
	s.read()
	second := relay.Bash(session, "echo second", "")
	s.see("All 2", "echo second").press("a")
	s.answered("work", first, `{"decision":"allow"}`)
	if got := relay.Answers(second); len(got) > 0 {
		t.Errorf("the new ask was answered: %s", got[0].Body)
	}
}

// TestChangedWhileRead has an agent exchange the command under the same id.
func TestChangedWhileRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	relay := w.add("work", opencomputer.Options{NoEvents: true})
	ask := relay.Bash(w.session("work", "Build"), "ls", "")
	s := w.open("120x40").see("ls")
	s.read()
	relay.Replace(ask, func(a *fake.Ask) { a.Command = "rm -rf ~" })
	s.see("rm -rf ~").press("a").see("Nothing was sent").nothingSent()
	s.rest(slack(noticing))
	s.decide("d").answered("work", ask, `{"decision":"deny"}`)
}
