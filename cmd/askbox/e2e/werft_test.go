//go:build unix

package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/oar"
	"askbox/client/fake/werft"
)

// yard is a world with one Werft relay that has one session.
type yard struct {
	*world
	relay   *werft.Server
	session string
}

func newYard(t testing.TB, settings string, o werft.Options) *yard {
	t.Helper()
	relay, err := werft.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	y := &yard{world: newWorld(t, settings), relay: relay}
	y.configure("yard", "werft", relay.URL(), relay.Token())
	y.session = relay.AddSession(fake.Session{Title: "Release 2.4"})
	return y
}

// opens starts the inbox and waits for texts.
func (y *yard) opens(texts ...string) *story {
	y.Helper()
	return y.open("120x40").see(texts...)
}

// got waits until a request is over and checks the one answer that arrived for
// it; the body is compared as JSON.
func (y *yard) got(s *story, ref fake.Ref, body string) {
	y.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if _, err := y.relay.WaitClosed(ctx, ref); err != nil {
		y.Fatalf("it is still open, after %v; on the screen:\n%s", y.relay.Answers(ref), s.Screen())
	}
	body = strings.Replace(body, "{", `{"request_id":"`+ref.Ask+`",`, 1)
	sent, err := y.relay.WaitAnswer(ctx, ref)
	if err != nil || len(sent) != 1 || sent[0].Code != "" || !sameJSON(sent[0].Body, body) {
		y.Fatalf("the relay got %+v, want one %s", sent, body)
	}
}

// unanswered checks that no answer arrived.
func (y *yard) unanswered(s *story) {
	y.Helper()
	s.settle()
	if n := y.relay.Count(fake.To("POST", "/answer")); n > 0 {
		y.Errorf("%d answers arrived", n)
	}
}

func (y *yard) calls(ref fake.Ref) func() int {
	return func() int { return len(y.relay.Answers(ref)) }
}

// TestWerftDecisions allows, and denies with a reason.
func TestWerftDecisions(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	allowed := y.relay.Bash(y.session, "make release", "build it")
	s := y.opens("make release", "Release 2.4", "Approval · the session waits", "All 1").decide("a")
	y.got(s, allowed, `{"kind":"permission","action":"allow"}`)
	s.see("done: allow", "by you", "api")
	denied := y.relay.Bash(y.session, "make publish", "")
	s.see("make publish").press("g").see("Ask │ " + denied.Ask).decide("D").see("Deny with a reason").write("not on a Friday").decide("enter")
	y.got(s, denied, `{"kind":"permission","action":"deny","reason":"not on a Friday"}`)
	s.see("done: deny").press("h").see("Answered in the last day", "make release", "make publish")
}

// TestWerftRemember shows the rule word for word before the second key.
func TestWerftRemember(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	ref := y.relay.Approve(y.session, "Bash", map[string]string{"command": "git show"}, "Bash(git *)")
	s := y.opens("git show").decide("A").see("Bash(git *)")
	y.unanswered(s)
	s.press("enter", "space")
	y.unanswered(s)
	s.decide("A")
	y.got(s, ref, `{"kind":"permission","action":"allow","remember":"session"}`)
}

// TestWerftNoRule has nothing to remember, and nothing to dismiss: x says to deny.
func TestWerftNoRule(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	y.relay.Approve(y.session, "Bash", map[string]string{"command": "git show"}, "")
	s := y.opens("git show").decide("A").see("Nothing was sent").decide("x").see("deny")
	s.decide("m")
	y.unanswered(s)
}

// TestWerftQuestions sends ids of options, and typed text without any.
func TestWerftQuestions(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	ref := y.relay.Questions(y.session,
		fake.Question{ID: "q_1", Header: "Environment", Text: "Which environment?", Options: []fake.Option{
			{Label: "staging", Description: "safe"}, {Label: "production", Description: "live"}}},
		fake.Question{ID: "q_2", Header: "Parts", Text: "Which parts?", Several: true, Options: fake.Labels("api", "web", "docs")},
		fake.Question{ID: "q_3", Header: "Name", Text: "Which name?", Options: fake.Labels("Anna")})
	s := y.opens("Which environment?", "production", "live").decide("2").see("2 (x)")
	s.press("tab").see("▌ 1 [ ] │ api").decide("3").press("1").see("1 [x] │ api", "3 [x] │ docs")
	s.press("tab").see("▌ 1 ( ) │ Anna").decide("t").write("Berta").see("Berta").finish(y.calls(ref))
	y.got(s, ref, `{"kind":"question","answers":[{"question_id":"q_1","selected_option_ids":["o_12"]},`+
		`{"question_id":"q_2","selected_option_ids":["o_21","o_23"]},{"question_id":"q_3","selected_option_ids":[],"free_text":"Berta"}]}`)
}

// TestWerftExpiry counts down by the relay's clock, which is hours ahead, says
// that it ended as a denial, and sends nothing after that.
func TestWerftExpiry(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	y.relay.SetClock(5 * time.Hour)
	now := y.relay.Now()
	y.relay.Open(y.session, fake.Ask{Command: "make release",
		OpenedAt: now.Add(-25 * time.Minute), ExpiresAt: now.Add(5*time.Minute + 30*time.Second)})
	s := y.opens("make release", "in 5m", "expires in 5")
	y.relay.SetClock(5*time.Hour + 6*time.Minute)
	s.see("expired", "denial").decide("a")
	y.unanswered(s)
	s.never("done: allow")
}

// TestWerftExpiresUnreachable knows by itself that the time is over, while the
// relay says nothing.
func TestWerftExpiresUnreachable(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	y.relay.SetClock(-3 * time.Hour)
	s := y.opens("Nothing is open")
	y.relay.Open(y.session, fake.Ask{Command: "make release",
		ExpiresAt: y.relay.Now().Add(8 * time.Second)})
	s.see("make release")
	lift := y.relay.Break(fake.Hang())
	defer lift()
	s.see("expired, counted as a denial", "expired │").never("d  deny", "the relay decides").decide("a").decide("d").decide("D")
	y.unanswered(s)
	lift()
	s.see("denial").never("done: allow")
	y.unanswered(s)
}

// TestWerftTooLate learns at the answer that the request had expired.
func TestWerftTooLate(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		first func(*yard, fake.Ref)
		see   string
	}{
		{"expired", func(y *yard, _ fake.Ref) { y.relay.SetClock(31 * time.Minute) }, "denial"},
		{"moved on", func(y *yard, ref fake.Ref) { y.relay.Interrupt(ref) }, "too late"},
		{"conflict", func(y *yard, ref fake.Ref) {
			y.relay.AnswerAs(werft.Grace.Actor, ref, fake.Deny(""))
		}, "different answer"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			y := newYard(t, "", werft.Options{})
			ref := y.relay.Bash(y.session, "make release", "")
			s := y.opens("make release")
			s.read()
			lift := y.relay.Break(fake.Hang().When(fake.To("POST", "/answer")))
			s.press("a").see("sending")
			tc.first(y, ref)
			lift()
			s.see(tc.see).never("done: allow")
			if n := y.calls(ref)(); n != 1 {
				t.Errorf("it was sent %d times", n)
			}
		})
	}
}

// TestWerftNotAllowed says in plain words what this key may not do, and keeps the
// request open.
func TestWerftNotAllowed(t *testing.T) {
	t.Parallel()
	reader := werft.Ada
	reader.Scopes = []string{}
	for _, tc := range []struct {
		name string
		key  fake.Key
		own  string
		see  string
	}{
		{"own session", werft.Ada, werft.Ada.Token, "answer with another"},
		{"scope", reader, "", "sessions:approve"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			y := newYard(t, "", werft.Options{Keys: []fake.Key{tc.key}})
			session := y.relay.AddSession(fake.Session{Title: "Own", Key: tc.own})
			ref := y.relay.Bash(session, "make release", "")
			s := y.opens("make release").decide("a").see(tc.see).never("done: allow")
			if a, _ := y.relay.Ask(ref); !a.Open() {
				t.Error("the request is over")
			}
			s.press("q").quits(0)
		})
	}
}

// TestWerftPause pauses the session of the ask, which comes true once nothing is
// open in it, and resumes a session that is paused.
func TestWerftPause(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	ref := y.relay.Bash(y.session, "make release", "")
	s := y.opens("make release").decide("p")
	if _, err := y.relay.WaitFor(t.Context(), pauseTaken); err != nil {
		t.Fatal(err)
	}
	y.relay.Interrupt(ref)
	y.becomes(s, func(n fake.Session) bool { return n.State == werft.Paused })
	y.relay.Bash(y.session, "make publish", "")
	s.see("make publish").press("g").see("resume it, then").gone("pausing the session").decide("a")
	y.unanswered(s)
	s.decide("p")
	y.becomes(s, func(n fake.Session) bool { return n.State == werft.Active })
	if got := y.relay.Pauses(); len(got) != 2 {
		t.Errorf("the relay took %v", got)
	}
}

// pauseTaken fits a pause that the relay has taken.
func pauseTaken(r fake.Request) bool {
	return r.Method == "POST" && strings.HasSuffix(r.Path, "/pause") && r.Done
}

// becomes waits until the session is as f wants it.
func (y *yard) becomes(s *story, f func(fake.Session) bool) {
	y.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if n, err := y.relay.WaitSession(ctx, y.session, f); err != nil {
		y.Fatalf("the session is %+v; on the screen:\n%s", n, s.Screen())
	}
}

// TestWerftPauseBlocked says that an open request has to be answered, and still
// takes the answer.
func TestWerftPauseBlocked(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	ref := y.relay.Bash(y.session, "make release", "")
	s := y.opens("make release").decide("p")
	if _, err := y.relay.WaitFor(t.Context(), pauseTaken); err != nil {
		t.Fatal(err)
	}
	y.relay.SetClock(61 * time.Second)
	s.see("the pause is blocked: an open request has to be").decide("a")
	y.got(s, ref, `{"kind":"permission","action":"allow"}`)
}

// TestWerftPauseConflict reads again and asks again where the session changed.
func TestWerftPauseConflict(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	y.relay.Bash(y.session, "make release", "")
	s := y.opens("make release")
	s.read()
	lift := y.relay.Break(fake.Hang().When(fake.To("POST", "/pause")))
	s.press("p")
	if _, err := y.relay.WaitFor(t.Context(), fake.To("POST", "/pause")); err != nil {
		t.Fatal(err)
	}
	y.relay.Change(y.session, func(n *fake.Session) { n.Title = "Release 2.5" })
	lift()
	s.see("changed").never("paused.")
	if got := y.relay.Pauses(); len(got) != 0 {
		t.Errorf("the relay took %v", got)
	}
}

// TestWerftStates shows that nothing can be answered in a session that stopped.
func TestWerftStates(t *testing.T) {
	t.Parallel()
	for state, word := range map[string]string{werft.Stopped: "stopped", werft.RecoveryRequired: "recover", werft.Closed: "closed"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			y := newYard(t, "", werft.Options{})
			y.relay.Bash(y.session, "make release", "")
			y.relay.SetAdmission(y.session, state)
			s := y.opens("make release", word).decide("a").decide("d")
			y.unanswered(s)
		})
	}
}

// TestWerftOneBadSession costs that session only.
func TestWerftOneBadSession(t *testing.T) {
	t.Parallel()
	y := newYard(t, "", werft.Options{})
	bad := y.relay.AddSession(fake.Session{Title: "Broken"})
	y.relay.Bash(y.session, "make release", "")
	y.relay.Bash(bad, "make trouble", "")
	y.relay.Break(fake.ServerError().When(fake.To("GET", "/"+bad+"/requests")))
	y.opens("make release").never("make trouble", "Not reachable")
}

// TestOtherKindsOfRelay are said to be just that.
func TestOtherKindsOfRelay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "open")
	y := newYard(t, "", werft.Options{})
	studio := w.addOAR(oar.Options{Name: "studio"})
	w.configure("as-werft", "werft", studio.URL(), studio.Token())
	w.configure("as-oar", "oar", y.relay.URL(), y.relay.Token())
	w.relays["open"].Bash(w.session("open", "Build"), "make", "")
	w.open("160x40").see("make", "as-werft", "an OAR", "as-oar", "a Werft", "set its type")
}
