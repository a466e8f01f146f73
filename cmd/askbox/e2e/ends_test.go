//go:build unix

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
	"askbox/cmd/askbox/e2e/terminal"
)

// soon is how long an end may take.
const soon = time.Second

// TestSignals give the terminal back, with nothing of the frame left on it and nothing
// sent that was held, and the status names the signal (D10, D18, G32, G33).
func TestSignals(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "QUIT": syscall.SIGQUIT} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, `undo = "30s"`, "work")
			w.relays["work"].Bash(w.session("work", "Build"), "make", "")
			s := w.open("120x40").see("make").decide("a").see("u takes it back")
			start := time.Now()
			if err := s.Signal(sig); err != nil {
				t.Fatal(err)
			}
			s.quits(128 + int(sig))
			if took := time.Since(start); took > slack(soon) {
				t.Errorf("it took %v", took)
			}
			if !bytes.Contains(s.Terminal.Output(), []byte("\x1b[2J\x1b[H\x1b[?1049l")) {
				t.Error("the frame was not cleared")
			}
			s.see("not sent").nothingSent()
		})
	}
}

// slack gives the race detector's binary more time.
func slack(d time.Duration) time.Duration {
	if os.Getenv("ASKBOX_E2E_RACE") != "" {
		return 5 * d
	}
	return 2 * d
}

// TestTerminalGone ends with the terminal's window (D10).
func TestTerminalGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make")
	start := time.Now()
	if err := s.HangUp(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Exit(limit); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > slack(soon) {
		t.Errorf("it took %v", took)
	}
	s.nothingSent()
}

// TestSilentTerminal starts at once on a terminal that answers no question.
func TestSilentTerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	w.theme = "auto"
	cmd := w.command()
	term, err := terminal.Start(cmd, terminal.Options{Width: 120, Height: 40, Silent: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(term.Kill)
	start := time.Now()
	if err := term.Wait(limit, func(screen string) bool { return strings.Contains(screen, "make") }); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > slack(2*time.Second) {
		t.Errorf("the first asks took %v", took)
	}
}

// TestNoTerminal refuses at once, without an escape, and approves nothing from a
// pipe (D06, D08).
func TestNoTerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	for name, set := range map[string]func(*exec.Cmd){
		"no input":  func(c *exec.Cmd) {},
		"yes":       func(c *exec.Cmd) { c.Stdin = strings.NewReader(strings.Repeat("a\ry\r", 10000)) },
		"TERM dumb": func(c *exec.Cmd) { c.Env = append(c.Env, "TERM=dumb") },
		"a session of its own": func(c *exec.Cmd) {
			c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		},
	} {
		for _, args := range [][]string{nil, {"demo"}} {
			cmd := w.command(args...)
			set(cmd)
			start := time.Now()
			out, err := cmd.CombinedOutput()
			if err == nil || time.Since(start) > slack(soon) {
				t.Errorf("%s %v: %v after %v", name, args, err, time.Since(start))
			}
			if len(out) == 0 || bytes.ContainsRune(out, 0x1b) {
				t.Errorf("%s %v: it said %q", name, args, out)
			}
		}
	}
	for _, r := range w.relays["work"].Requests() {
		if r.Method == "POST" {
			t.Errorf("%s was sent", r.Path)
		}
	}
}

// TestDumbTerminal is refused on a terminal too, and one whose kind is not known
// (D06); a redirected output is no terminal (D08).
func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"dumb", ""} {
		w := newWorld(t, "", "work")
		w.env = []string{"TERM=" + kind}
		s := w.open("80x24")
		if status, err := s.Exit(limit); status == 0 || err != nil {
			t.Errorf("TERM=%q: status %d, %v", kind, status, err)
		}
		if bytes.ContainsRune(s.Terminal.Output(), 0x1b) {
			t.Errorf("TERM=%q: an escape was written: %q", kind, s.Terminal.Output())
		}
	}
	w := newWorld(t, "", "work")
	cmd := w.command()
	cmd.Stdout = new(bytes.Buffer)
	s := w.start("80x24", cmd)
	if status, err := s.Exit(limit); status == 0 || err != nil {
		t.Errorf("redirected: status %d, %v", status, err)
	}
}

// TestCommandsAskTheTerminalNothing writes no escape for plain commands.
func TestCommandsAskTheTerminalNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make \x1b[2J", "")
	for _, args := range [][]string{{"version"}, {"list"}, {"relays"}, {"config", "path"}, {"history"}} {
		s := w.open("80x24", args...)
		if status, err := s.Exit(limit); status != 0 || err != nil {
			t.Errorf("%v: status %d, %v", args, status, err)
		}
		if n := s.Replies(); n > 0 || bytes.Contains(s.Terminal.Output(), []byte("\x1b[2J")) {
			t.Errorf("%v: asked for %d bytes; wrote %q", args, n, s.Terminal.Output())
		}
	}
}

// TestSuspendWithoutAShell goes on by itself where nobody could continue it.
func TestSuspendWithoutAShell(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make").press("ctrl+z")
	if err := s.Wait(limit, func(string) bool { return !s.Mode(1049) }); err != nil {
		t.Fatal(err)
	}
	s.see("make", "the session waits").press("q").quits(0)
}

// TestSuspend stops in a shell and goes on: the terminal is the shell's meanwhile,
// the screen is drawn anew at the size of then, and no key decides before the
// relay was asked again (D11).
func TestSuspend(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay := w.relays["work"]
	ask := relay.Bash(w.session("work", "Build"), "make", "")
	inner := w.command()
	shell := exec.Command("/bin/sh", "-i")
	shell.Dir, shell.Env = inner.Dir, append(inner.Env, "PS1=$ ", "ENV=")
	s := w.start("120x40", shell)
	s.see("$").send(inner.Path+"\r").see("make", "the session waits").read()
	s.press("ctrl+z").see("topped")
	if s.Mode(1049) || s.Mode(2004) || s.Mode(1004) || !s.Mode(25) {
		t.Errorf("the shell did not get the terminal back:\n%s", s.Screen())
	}
	if raw, err := s.Raw(); raw && err == nil && !strings.Contains(s.Screen(), "$") {
		t.Error("the terminal is raw")
	}
	relay.AnswerAs(opencomputer.Grace.Actor, ask, fake.Deny(""))
	_ = s.Terminal.Resize(100, 30)
	s.send("fg\r")
	if err := s.Wait(limit, func(string) bool { return s.Mode(1049) }); err != nil {
		t.Fatal(err)
	}
	s.send("a").see("make", "Denied").nothingSent()
	if len(s.Rows()) != 30 || !strings.Contains(s.Rows()[0], "askbox") {
		t.Errorf("the screen was not drawn anew:\n%s", s.Screen())
	}
	s.press("q")
	if err := s.Wait(limit, func(screen string) bool { return strings.HasSuffix(strings.TrimSpace(screen), "$") }); err != nil {
		t.Fatal(err)
	}
	s.send("exit\r")
	if _, err := s.Exit(limit); err != nil {
		t.Fatal(err)
	}
}

// TestNobodyReadsTheTerminal ends all the same, within a second or two, and sends
// nothing that was held (L19).
func TestNobodyReadsTheTerminal(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]struct {
		by     func(*story) error
		status int
	}{
		"TERM": {func(s *story) error { return s.Signal(syscall.SIGTERM) }, 143},
		"HUP":  {func(s *story) error { return s.Signal(syscall.SIGHUP) }, 129},
		"keys": {func(s *story) error { return s.Send("\x03") }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "undo = \"30s\"", "work")
			w.cut = true
			session := w.session("work", "Build")
			for i := range 4 {
				w.relays["work"].Bash(session, "make "+strings.Repeat(string(rune('a'+i)), 12000), "")
			}
			s := w.open("200x60").see("make aaa", "make ddd").read()
			s.Ignore(true)
			// More than any terminal holds is drawn meanwhile.
			for range 60 {
				s.press("j", "k")
			}
			start := time.Now()
			if err := end.by(s); err != nil {
				t.Fatal(err)
			}
			if status, err := s.Exit(limit); status != end.status || err != nil {
				t.Errorf("status %d, %v", status, err)
			}
			if took := time.Since(start); took > slack(2*soon) {
				t.Errorf("it took %v", took)
			}
			if raw, err := s.Raw(); raw || err != nil {
				t.Errorf("the terminal is raw: %v", err)
			}
			s.nothingSent()
		})
	}
}

// TestScreenAfterNobodyRead is drawn anew once the terminal is read again.
func TestScreenAfterNobodyRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	session := w.session("work", "Build")
	for i := range 4 {
		w.relays["work"].Bash(session, "make "+strings.Repeat(string(rune('a'+i)), 12000), "")
	}
	s := w.open("200x60").see("make aaa", "make ddd").read()
	s.Ignore(true)
	for range 60 {
		s.press("j", "k")
	}
	s.press("?").rest(slack(time.Second))
	s.Ignore(false)
	s.see("Answer an approval", "allow with a message").press("q").gone("Answer an approval").press("q").quits(0)
}

// TestQuitTakesBack what is pressed a moment before (undo 0s).
func TestQuitTakesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "undo = \"0s\"", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make").read().press("a", "ctrl+c")
	s.quits(0)
	s.nothingSent()
}
