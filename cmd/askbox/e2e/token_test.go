//go:build unix

package e2e

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// configureToken adds a relay whose token is where a line says.
func (w *world) configureToken(name, url, line string) {
	w.more += fmt.Sprintf("\n[[relay]]\nname = %q\ntype = \"opencomputer\"\nurl = %q\n%s\n", name, url, line)
}

// TestNoTokenKeepsTheInboxAway: a variable that is not set, a keyring that is silent and a
// command that hangs cost their relays alone, and each says what is the matter (G04, J20).
func TestNoTokenKeepsTheInboxAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "good")
	bus, err := net.Listen("unix", filepath.Join(w.home, "bus")) // accepts and stays silent
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	w.relays["good"].Bash(w.session("good", "Build"), "make", "")
	w.env = []string{"DBUS_SESSION_BUS_ADDRESS=unix:path=" + filepath.Join(w.home, "bus")}
	url := w.relays["good"].URL()
	w.configureToken("unset", url, `token_env = "ASKBOX_E2E_NONE"`)
	w.configureToken("ring", url, `keyring = true`)
	w.configureToken("hang", url, `token_command = ["sleep", "1000"]`)
	s := w.open("157x50")
	s.see("make", "Waiting for its token · keyring", "hang: Waiting for its token · token_command", "unset: No token · token_env", "not set; set it")
	s.decide("a").see("done: allow").press("q").quits(0)
}

// TestAPassphraseIsAskedFor where a token command wants the terminal: before the first
// frame, and again on R where it was not given (L03).
func TestAPassphraseIsAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "good")
	w.relays["good"].Bash(w.session("good", "Build"), "make", "")
	other, err := opencomputer.Start(opencomputer.Options{NoEvents: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	other.Bash(other.AddSession(fake.Session{Title: "Store"}), "make store", "")
	w.configureToken("store", other.URL(), `token_command = ["sh", "-c", "printf 'Passphrase? ' >/dev/tty && read x </dev/tty && test \"$x\" = open && echo `+other.Token()+`"]`)
	s := w.open("157x50")
	s.see("Passphrase?").write("wrong\r")
	s.see("make", "No token", "status 1; run it by hand").press("R")
	s.see("Passphrase?").write("open\r")
	s.see("make store", "All 2").gone("No token")
	s.press("q").quits(0)
}

// TestARenewedTokenIsTaken without a key and without a new start, from a file (G03).
func TestARenewedTokenIsTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	person := opencomputer.Ada.Actor
	relay, err := opencomputer.Start(opencomputer.Options{Keys: []fake.Key{{Actor: person, Token: "old-token"}, {Actor: person, Token: "new-token"}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	session := relay.AddSession(fake.Session{Title: "Build"})
	relay.Bash(session, "make", "")
	file := filepath.Join(w.home, "token")
	if err := os.WriteFile(file, []byte("old-token\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.configureToken("work", relay.URL(), fmt.Sprintf("token_file = %q", file))
	s := w.open("120x40")
	s.see("make", "All 1")
	if err := os.WriteFile(file, []byte("new-token\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	relay.Break(fake.Unauthorized().When(func(r fake.Request) bool { return r.Header.Get("Authorization") == "Bearer old-token" }))
	relay.Bash(session, "make install", "")
	s.see("make install", "All 2").never("Token refused").decide("a").see("done: allow").press("q").quits(0)
}
