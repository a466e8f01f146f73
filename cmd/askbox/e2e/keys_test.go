//go:build unix

package e2e

import (
	"strings"
	"testing"
	"time"
)

// TestKeysFromTheConfiguration moves allow to another key, on the screen and in the
// help too (K25).
func TestKeysFromTheConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.more = "\n[keys]\nallow = \"ctrl+y\"\n"
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make", "ctrl+y")
	s.decide("a").nothingSent()
	s.press("?").see("ctrl+y").press("q").gone("Answer an approval")
	s.decide("\x19").answered("work", ask, `{"decision":"allow"}`)
	s.press("q").quits(0)
}

// TestKeysThatAreRefused name file, line and key: allow on enter, and two actions on
// one key (K25, R7).
func TestKeysThatAreRefused(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{
		"allow = \"enter\"":              "keys.allow: enter never approves",
		"allow = \"ctrl+m\"":             "keys.allow: enter never approves",
		"refresh = \"a\"":                "keys.refresh: a is the key of allow already",
		"alow = \"z\"":                   "keys.alow: there is no such action",
		"deny = \"z\"\nallow = \"z\"":    "keys.deny: z is the key of allow already",
		"allow = \"z\"\nquit = \"ctrl\"": "keys.quit: there is no key of this name",
	} {
		w := newWorld(t, "", "work")
		w.more = "\n[keys]\n" + lines + "\n"
		out, err := w.command("config", "check").CombinedOutput()
		if err == nil || !strings.Contains(string(out), "config.toml:") || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %s", lines, err, out)
		}
	}
}

// TestWalk answers asks one after the other in one column without going back to the
// list, next the one that has waited longest, and leaves with q from the list alone (J04, J08).
func TestWalk(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "undo = \"0s\"", "work")
	session := w.session("work", "Build")
	first := w.relays["work"].Bash(session, "make one", "says one")
	second := w.relays["work"].Bash(session, "make two", "says two")
	w.relays["work"].Bash(session, "make three", "says three")
	s := w.open("80x24").see("make one", "make three").press("enter").see("says three")
	s.send("\x0e").see("says two").send("\x0e").see("says one")
	s.decide("a").answered("work", first, `{"decision":"allow"}`)
	s.press("enter").see("says two").decide("d").answered("work", second, `{"decision":"deny"}`)
	s.press("enter").see("says three").press("q").gone("says three").press("q").quits(0)
}

// TestColonQ quits from an open ask.
func TestColonQ(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("80x24").see("make").press("enter").see("the session waits")
	s.rest(100 * time.Millisecond)
	s.press(":", "q").see(":q").press("enter").quits(0)
}
