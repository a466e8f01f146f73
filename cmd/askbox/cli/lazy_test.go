package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// loaded reads a configuration of one relay whose token is where the lines say.
func loaded(t *testing.T, relay *opencomputer.Server, lines string) *config.Relay {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	body := fmt.Sprintf("[[relay]]\nname = \"work\"\ntype = \"opencomputer\"\nurl = %q\n%s\n", relay.URL(), lines)
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return cfg.Relays[0]
}

func keep(t *testing.T, path, token string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// twoKeys is a relay that takes an old and a new token of the same person, and refuse has
// it refuse the old one from then on.
func twoKeys(t *testing.T) (relay *opencomputer.Server, refuse func()) {
	t.Helper()
	person := opencomputer.Ada.Actor
	relay, err := opencomputer.Start(opencomputer.Options{Keys: []fake.Key{{Actor: person, Token: "old-token"}, {Actor: person, Token: "new-token"}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	return relay, func() { relay.Break(fake.Unauthorized().When(withToken("old-token"))) }
}

func withToken(token string) func(fake.Request) bool {
	return func(r fake.Request) bool { return r.Header.Get("Authorization") == "Bearer "+token }
}

// TestARenewedToken is read again once the relay refuses the old one, from a file and from
// a command, for every call; an answer counts once (G03).
func TestARenewedToken(t *testing.T) {
	for _, from := range []string{"token_file = %q", "token_command = [\"cat\", %q]"} {
		for name, do := range map[string]func(ctx context.Context, l *lazy, ask *client.Ask) error{
			"open": func(ctx context.Context, l *lazy, _ *client.Ask) error { _, err := l.Open(ctx); return err },
			"closed": func(ctx context.Context, l *lazy, _ *client.Ask) error {
				_, err := l.Closed(ctx, time.Now())
				return err
			},
			"get":   func(ctx context.Context, l *lazy, ask *client.Ask) error { _, err := l.Get(ctx, ask); return err },
			"about": func(ctx context.Context, l *lazy, _ *client.Ask) error { _, err := l.About(ctx); return err },
			"answer": func(ctx context.Context, l *lazy, ask *client.Ask) error {
				_, err := l.Answer(ctx, ask, client.Answer{Decision: client.Deny})
				return err
			},
		} {
			t.Run(name, func(t *testing.T) {
				relay, refuse := twoKeys(t)
				relay.Bash(relay.AddSession(fake.Session{}), "ls", "")
				file := filepath.Join(t.TempDir(), "token")
				keep(t, file, "old-token")
				l := once(loaded(t, relay, fmt.Sprintf(from, file)))
				batch, err := l.Open(t.Context())
				if err != nil || len(batch.Asks) != 1 {
					t.Fatal(err)
				}
				refuse()
				if err := do(t.Context(), l, batch.Asks[0]); !is[*client.TokenRefused](err) || !strings.Contains(err.Error(), "check its token_") {
					t.Errorf("with the old token: %v", err)
				}
				keep(t, file, "new-token")
				old := relay.Count(withToken("old-token"))
				if err := do(t.Context(), l, batch.Asks[0]); err != nil {
					t.Errorf("with the new token: %v", err)
				}
				if _, err := l.Open(t.Context()); err != nil || relay.Count(withToken("old-token")) > old+2 {
					t.Errorf("the old token is sent again: %v", err)
				}
				if answers := relay.Count(func(r fake.Request) bool { return r.Method == "POST" && r.Status == 200 }); name == "answer" && answers != 1 {
					t.Errorf("%d answers counted", answers)
				}
			})
		}
	}
}

// TestAStreamGoesOnWithTheNewToken ends with the relay of the old one.
func TestAStreamGoesOnWithTheNewToken(t *testing.T) {
	relay, refuse := twoKeys(t)
	file := filepath.Join(t.TempDir(), "token")
	keep(t, file, "old-token")
	l := once(loaded(t, relay, fmt.Sprintf("token_file = %q", file)))
	ended := make(chan error, 1)
	go func() { ended <- l.Watch(t.Context(), func(client.Event) {}) }()
	if _, err := relay.WaitFor(t.Context(), fake.To("GET", "/events")); err != nil {
		t.Fatal(err)
	}
	refuse()
	keep(t, file, "new-token")
	if _, err := l.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if !is[*client.Unreachable](err) {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it goes on with the old token")
	}
}

// TestATokenThatDoesNotCome is waited for in the background: calls say so, and the relay is
// there once it came. One reading is under way at a time (G04).
func TestATokenThatDoesNotCome(t *testing.T) {
	relay := startRelay(t)
	dir := t.TempDir()
	gate, runs := filepath.Join(dir, "gate"), filepath.Join(dir, "runs")
	script := "echo run >>" + runs + "; while [ ! -e " + gate + " ]; do sleep 0.01; done; echo " + relay.Token()
	l := &lazy{config: loaded(t, relay, fmt.Sprintf("token_command = [\"sh\", \"-c\", %q]", script)), patience: time.Millisecond}
	defer l.close()
	for range 3 {
		_, err := l.Open(t.Context())
		if none, _ := errors.AsType[*client.NoToken](err); none == nil || !none.Waiting {
			t.Fatalf("while it is waited for: %v", err)
		}
	}
	keep(t, gate, "")
	l.patience = 20 * time.Second
	if _, err := l.Open(t.Context()); err != nil {
		t.Errorf("once it came: %v", err)
	}
	if lines, _ := os.ReadFile(runs); string(lines) != "run\n" {
		t.Errorf("the command ran %d times", strings.Count(string(lines), "run"))
	}
}

// TestATokenThatCannotBeHad is read again at the pace of the polls alone (L03).
func TestATokenThatCannotBeHad(t *testing.T) {
	relay := startRelay(t)
	file := filepath.Join(t.TempDir(), "token")
	l := once(loaded(t, relay, fmt.Sprintf("token_file = %q", file)))
	if _, err := l.Open(t.Context()); !is[*client.NoToken](err) {
		t.Fatal(err)
	}
	keep(t, file, relay.Token())
	if _, err := l.About(t.Context()); !is[*client.NoToken](err) {
		t.Errorf("another call reads it: %v", err)
	}
	if _, err := l.Open(t.Context()); err != nil {
		t.Errorf("the next poll: %v", err)
	}
}

// TestNothingOfTheKindThere names the url, and speaks of no ask (G25).
func TestNothingOfTheKindThere(t *testing.T) {
	relay := startRelay(t)
	relay.Break(fake.Reply(404, "", ""))
	for _, kind := range []string{config.OpenComputer, config.OAR, config.Werft, config.OpenCode} {
		c := loaded(t, relay, "token = \"t\"")
		c.Type = kind
		_, err := once(c).Open(t.Context())
		what, why := client.Trouble(err)
		if what != "Not such a relay" || !strings.HasPrefix(why, "nothing of ") || !strings.HasSuffix(why, "check the url "+relay.URL()) {
			t.Errorf("%s: %s · %s", kind, what, why)
		}
	}
}

// TestTheScreenWaitsForNoToken: what is wrong with the token of one relay costs that relay
// alone, and nothing waits for it (G04, J20).
func TestTheScreenWaitsForNoToken(t *testing.T) {
	relay := startRelay(t)
	var relays []*config.Relay
	for _, lines := range []string{"token_env = \"ASKBOX_TEST_NONE\"", "token_file = \"/nonexistent/token\"", "token_command = [\"sleep\", \"60\"]",
		"token_command = [\"false\"]", "token_command = [\"/nonexistent/askbox\"]", fmt.Sprintf("token = %q", relay.Token())} {
		relays = append(relays, loaded(t, relay, lines))
	}
	began := time.Now()
	a := newApp(Streams{InTerminal: true, Err: &strings.Builder{}})
	sources, err := a.prepare(t.Context(), relays)
	if took := time.Since(began); err != nil || len(sources) != len(relays) || took > 20*time.Second {
		t.Fatalf("%v after %v", err, took)
	}
	defer letGo(sources)
	for i, s := range sources {
		_, err := s.Relay.Open(t.Context())
		if none, is := errors.AsType[*client.NoToken](err); is == (i == len(sources)-1) || is && none.Waiting != (i == 2) {
			t.Errorf("%s: %v", relays[i].TokenFrom(), err)
		}
	}
}
