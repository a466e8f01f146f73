//go:build unix

package e2e

import (
	"strings"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/werft"
)

// TestWerftPausedStaysInSight pauses a session, answers its request, starts again, and
// resumes the session from where it stands (I13).
func TestWerftPausedStaysInSight(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	ref := y.relay.Bash(y.session, "make release", "")
	s := y.opens("make release").decide("p").see("it pauses once this request is answered")
	if _, err := y.relay.WaitFor(t.Context(), pauseTaken); err != nil {
		t.Fatal(err)
	}
	s.decide("a")
	y.got(s, ref, `{"kind":"permission","action":"allow"}`)
	y.becomes(s, func(n fake.Session) bool { return n.State == werft.Paused })
	s.see("nothing is asked until").press("q").quits(0)
	s = y.opens("This session is paused", "Paused session", "Release 2.4", "All 1").decide("a")
	y.unansweredBy(s, 1)
	s.decide("p").see("The session goes on")
	y.becomes(s, func(n fake.Session) bool { return n.State == werft.Active })
	s.press("j").see("All 0")
}

// unansweredBy checks that no more answers arrived than so many.
func (y *yard) unansweredBy(s *story, most int) {
	y.Helper()
	s.settle()
	if n := y.relay.Count(func(q fake.Request) bool { return q.Method == "POST" && strings.HasSuffix(q.Path, "/answer") }); n > most {
		y.Errorf("%d answers arrived", n)
	}
}

// TestWerftRefusalIsKept offers nothing any more in a session in which the relay refuses
// this key, and says why, at the next start and in askbox relays too (I19, I25).
func TestWerftRefusalIsKept(t *testing.T) {
	t.Parallel()
	guest := fake.Key{Token: "wk_guest_0123456789", Actor: fake.Actor{Type: "user", ID: "u_7", Name: "Guest"}}
	for _, tc := range []struct {
		name string
		key  fake.Key
		own  string
		says string
	}{
		{"own session", werft.Ada, werft.Ada.Token, "answer with another key"},
		{"neither creator nor admin", guest, "", "only its creator, its agent's admins, owners and admins answer"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			y := newYard(t, "", werft.Options{Keys: []fake.Key{tc.key}})
			session := y.relay.AddSession(fake.Session{Title: "Started there", Key: tc.own, CreatedBy: werft.Ada.Actor})
			y.relay.Bash(session, "make one", "")
			y.relay.Bash(session, "make two", "")
			flat := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, "│", " ")), " ") }
			s := y.opens("make one", "make two", "All 2").decide("a").see("refused")
			s.press("j").decide("a")
			y.unansweredBy(s, 1)
			s.press("q").quits(0)
			s = y.opens("make one", "make two", "All 2").decide("a")
			y.unansweredBy(s, 1)
			if screen := flat(s.Screen()); !strings.Contains(screen, tc.says[:20]) {
				t.Errorf("nothing says %q on\n%s", tc.says, s.Screen())
			}
			if out, err := y.command("relays").Output(); err != nil || !strings.Contains(string(out), tc.says) {
				t.Errorf("askbox relays says\n%s, %v", out, err)
			}
		})
	}
}
