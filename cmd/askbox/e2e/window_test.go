//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// TestFilters counts and narrows by who started the sessions.
func TestFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay := w.relays["work"]
	relay.Bash(w.session("work", "Mine"), "echo mine", "")
	relay.Bash(relay.AddSession(fake.Session{Title: "Hers", CreatedBy: opencomputer.Grace.Actor}), "echo hers", "")
	relay.Bash(relay.AddSession(fake.Session{Title: "Its", CreatedBy: fake.Actor{Type: "agent", ID: "ag_1", Name: "bot"}}), "echo its", "")
	s := w.open("120x40").see("All 3", "Mine 1", "Agents 1", "echo mine", "echo hers", "echo its")
	s.press("f").gone("echo hers").see("echo mine").never("echo its")
	s.press("f").see("echo its").gone("echo mine")
	s.press("f").see("echo mine", "echo hers", "echo its").press("F").gone("echo mine")
	s = w.open("120x40", "--filter", "mine").see("echo mine").never("echo hers", "echo its")
	s.press("q").quits(0)
}

// TestNarrow opens the ask over the list, and decides only there.
func TestNarrow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "build it")
	s := w.open("60x20").see("make").never("build it")
	s.decide("a").see("Nothing was sent").nothingSent()
	s.press("enter").see("Approval · the session waits", "build it").decide("a")
	s.answered("work", ask, `{"decision":"allow"}`).press("esc").see("work")
}

// TestSmallest works at 40x10, and takes no decision below.
func TestSmallest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("40x10").see("make").press("enter").see("the session waits")
	for _, size := range [][2]int{{39, 10}, {40, 9}, {1, 1}, {5, 3}} {
		if err := s.Terminal.Resize(size[0], size[1]); err != nil {
			t.Fatal(err)
		}
		s.decide("a").nothingSent()
	}
	if err := s.Terminal.Resize(40, 10); err != nil {
		t.Fatal(err)
	}
	s.see("make").decide("a").answered("work", ask, `{"decision":"allow"}`)
}

// TestResizeWhileTyping keeps the text and the field, and ends with the same
// screen as a fresh start (D05).
func TestResizeWhileTyping(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make").decide("D").see("enter sends").write("not ")
	for i, size := range []string{"80x24", "40x10", "200x60", "99x30", "100x30"} {
		var width, height int
		_, _ = fmt.Sscanf(size, "%dx%d", &width, &height)
		if err := s.Terminal.Resize(width, height); err != nil {
			t.Fatal(err)
		}
		s.write(string(rune('a' + i)))
	}
	s.see("not abcde").decide("enter").answered("work", ask, `{"decision":"deny","message":"not abcde"}`)
}

// TestManyResizes ends with the screen of a fresh start (D05).
func TestManyResizes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	session := w.session("work", "Build")
	for i := range 30 {
		w.relays["work"].Bash(session, fmt.Sprintf("echo %d", i), "")
	}
	s := w.open("80x24").see("echo 29")
	for range 100 {
		_ = s.Terminal.Resize(80, 24)
		_ = s.Terminal.Resize(40, 10)
	}
	_ = s.Terminal.Resize(100, 30)
	s.see("the session waits")
	fresh := w.open("100x30").see("echo 29", "the session waits")
	if err := fresh.Quiet(reading, limit); err != nil {
		t.Fatal(err)
	}
	want := fresh.Screen()
	if err := s.Wait(limit, func(screen string) bool { return screen == want }); err != nil {
		t.Errorf("a fresh start shows:\n%s\nbut %v", want, err)
	}
}

// TestSecret says where it is answered, and takes nothing.
func TestSecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].AskSecret(w.session("work", "Pay"), "STRIPE_KEY", "for the sandbox")
	s := w.open("120x40").see("Secret · the session waits", "STRIPE_KEY", "for the sandbox")
	s.press("t").write("sk_live").press("enter").nothingSent()
}

// TestAnsweredInTheLastDay shows what was answered here and elsewhere, once.
func TestAnsweredInTheLastDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay, session := w.relays["work"], w.session("work", "Build")
	hers := relay.Bash(session, "echo hers", "")
	mine := relay.Bash(session, "echo mine", "")
	relay.AnswerAs(opencomputer.Grace.Actor, hers, fake.Deny(""))
	s := w.open("120x40").see("echo mine").decide("a").answered("work", mine, `{"decision":"allow"}`)
	s.press("h").see("Answered in the last day", "echo mine", "echo hers", "Grace")
	s.press("esc").gone("Answered in the last day").press("?").see("allow always").press("esc").press("q").quits(0)
}

// TestSearch goes to what is searched for.
func TestSearch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	session := w.session("work", "Build")
	for _, command := range []string{"echo apple", "echo pear", "echo plum"} {
		w.relays["work"].Bash(session, command, "says "+command)
	}
	s := w.open("120x40").see("says echo plum").press("/").write("apple").press("enter").see("says echo apple").nothingSent()
	s.press("esc").see("echo plum")
}

// TestTitle has the number of open asks in the window's title, and nothing that an agent
// wrote; the old title is given back, also while an editor has the terminal (J19, R18).
func TestTitle(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay, session := w.relays["work"], w.session("work", "Build\x1b]2;evil\a")
	w.env = append(w.env, "EDITOR="+w.script("ed", "echo editing; read x\n"))
	called := func(s *story, want string) *story {
		t.Helper()
		if err := s.Wait(limit, func(string) bool { return s.Title() == want }); err != nil {
			t.Fatalf("the title is %q, want %q", s.Title(), want)
		}
		return s
	}
	s := called(w.open("120x40"), "askbox")
	relay.Bash(session, "make one", "")
	s.see("make one")
	called(s, "(1) askbox")
	relay.Bash(session, "make two", "")
	s.see("make two")
	called(s, "(2) askbox").decide("D").see("enter sends").press("ctrl+e").see("editing")
	called(s, "").send("\r").see("enter sends")
	called(s, "(2) askbox").press("esc").gone("enter sends").decide("d")
	called(s, "(1) askbox").press("q").quits(0)
	called(s, "")
	if out := string(s.Terminal.Output()); strings.Count(out, "\x1b[22;2t") != 2 || strings.Count(out, "\x1b[23;2t") != 2 {
		t.Error("the title was not kept and given back")
	}
	w.extra += "\ntitle = false"
	s = w.open("120x40").see("make").press("q")
	s.quits(0)
	if strings.Contains(string(s.Terminal.Output()), "\x1b]2;") {
		t.Error("the title was changed")
	}
}
