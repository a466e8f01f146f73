package werft

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/fake"
	server "askbox/client/fake/werft"
	"askbox/client/relays/relaystest"
)

// against runs the adapter against the strict server that is written from the
// same page by other hands.
func against(t *testing.T, o server.Options, key fake.Key) (*server.Server, *Relay) {
	t.Helper()
	s, err := server.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	r, err := New(Options{Name: "prod", BaseURL: s.URL(), Token: key.Token})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	r.every = time.Millisecond
	return s, r
}

func openOf(t *testing.T, r *Relay, n int) []*client.Ask {
	t.Helper()
	batch, err := r.Open(context.Background())
	if err != nil || !batch.Complete || len(batch.Asks) != n {
		t.Fatalf("%d asks, want %d; complete %v, %q, %v", len(batch.Asks), n, batch.Complete, batch.Partial, err)
	}
	relaystest.StaysTheSame(t, r, batch.Asks)
	return batch.Asks
}

func askOf(t *testing.T, asks []*client.Ask, ref fake.Ref) *client.Ask {
	t.Helper()
	for _, a := range asks {
		if a.Ref.Session == ref.Session && a.ID == ref.Ask {
			return a
		}
	}
	t.Fatalf("%v is not listed", ref)
	return nil
}

func TestAgainstTheServer(t *testing.T) {
	ctx := context.Background()
	s, r := against(t, server.Options{Prefix: "/w"}, server.Ada)
	mine := s.AddSession(fake.Session{Title: "Mine", CreatedBy: server.Ada.Actor})
	bots := s.AddSession(fake.Session{Title: "Bot's", CreatedBy: server.Bot.Actor, Key: server.Bot.Token})
	allowed, always, denied := s.Bash(bots, "ls", "look"), s.Bash(bots, "rm -rf build", "clean"), s.Bash(mine, "curl x | sh", "fetch")
	one := s.Choice(mine, "Where?", "staging", "production")
	several := s.Questions(mine, fake.Question{ID: "q_1", Text: "Which?", Options: fake.Labels("a", "b", "c"), Several: true},
		fake.Question{ID: "q_2", Text: "Why?", Options: fake.Labels("x", "y")})
	s.SetPaging(1)
	asks := openOf(t, r, 5)

	answers := map[fake.Ref]client.Answer{
		allowed: {Decision: client.Allow}, always: {Decision: client.Always}, denied: {Decision: client.Deny, Message: "not from there"},
		one: {Questions: []client.QuestionAnswer{{ID: askOf(t, asks, one).Questions[0].ID, Text: "on my machine", HasText: true}}},
		several: {Questions: []client.QuestionAnswer{{ID: "q_1", Choices: []string{askOf(t, asks, several).Questions[0].Options[0].ID,
			askOf(t, asks, several).Questions[0].Options[2].ID}}, {ID: "q_2", Text: "because", HasText: true}}},
	}
	for ref, answer := range answers {
		ask := askOf(t, asks, ref)
		got, err := r.Answer(ctx, ask, answer)
		if err != nil || got.Status != client.Answered || !got.Closing.By.Me || got.Closing.Surface.Raw() != "api" {
			t.Errorf("%s: got %+v, %v", ask.What(), got, err)
		}
		if a, _ := s.Ask(ref); a.End.How != fake.Answered || a.End.By.ID != "u_1" {
			t.Errorf("%s ended as %+v", ask.What(), a.End)
		}
		// Sending it once more finds it over, and says in which way.
		if _, err := r.Answer(ctx, ask, answer); !is[*client.Closed](err) {
			t.Errorf("%s, twice: %v", ask.What(), err)
		}
	}
	openOf(t, r, 0)
}

func TestAgainstTheServersRefusals(t *testing.T) {
	ctx := context.Background()
	reader := fake.Key{Token: "wk_reader_0123456789", Actor: fake.Actor{Type: "user", ID: "u_9", Name: "Reader"}, Scopes: []string{}}
	s, r := against(t, server.Options{Keys: []fake.Key{server.Ada, server.Grace, reader}}, server.Ada)
	own := s.AddSession(fake.Session{Title: "Started by this key", CreatedBy: server.Ada.Actor, Key: server.Ada.Token})
	other := s.AddSession(fake.Session{Title: "Started by another", CreatedBy: server.Grace.Actor, Key: server.Grace.Token})
	ownRef, first := s.Bash(own, "ls", ""), s.Bash(other, "pwd", "")
	stale, over := s.Bash(other, "id", ""), s.Bash(other, "date", "")
	asks := openOf(t, r, 4)
	try := func(ref fake.Ref, a client.Answer) error {
		_, err := r.Answer(ctx, askOf(t, asks, ref), a)
		return err
	}
	if err := try(ownRef, allow); !is[*client.NotAllowed](err) || !strings.Contains(err.Error(), "another key") {
		t.Errorf("its own session: %v", err)
	}
	s.AnswerAs(server.Grace.Actor, first, fake.Deny(""))
	if err := try(first, allow); !is[*client.Closed](err) {
		t.Errorf("somebody was first: %v", err)
	}
	s.Interrupt(stale)
	if err := try(stale, allow); !is[*client.Closed](err) || !strings.Contains(err.Error(), "moved on") {
		t.Errorf("the turn moved on: %v", err)
	}
	s.SetAdmission(other, server.Paused)
	if got := askOf(t, openOf(t, r, 2), over); got.Session.Trouble == "" || !got.Session.CanResume || got.Offer(client.ActAllow).OK {
		t.Errorf("paused: %+v", got.Session)
	}
	if err := try(over, allow); !is[*client.Elsewhere](err) {
		t.Errorf("paused meanwhile: %v", err)
	}
	s.SetAdmission(other, server.Active)
	s.SetClock(29 * time.Minute)
	asks = openOf(t, r, 2)
	s.SetClock(31 * time.Minute)
	if err := try(over, allow); !is[*client.Closed](err) || !strings.Contains(err.Error(), "denial") {
		t.Errorf("expired: %v", err)
	}

	_, weak := against(t, server.Options{}, reader)
	if _, err := weak.Open(ctx); !is[*client.TokenRefused](err) {
		t.Errorf("a key of another server: %v", err)
	}
	s.SetClock(0)
	weak, err := New(Options{Name: "prod", BaseURL: s.URL(), Token: reader.Token})
	if err != nil {
		t.Fatal(err)
	}
	late := s.Bash(other, "true", "")
	list, err := weak.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := weak.Answer(ctx, askOf(t, list.Asks, late), allow); !is[*client.NotAllowed](err) || !strings.Contains(err.Error(), "sessions:approve") {
		t.Errorf("without the scope: %v", err)
	}
	if _, err := weak.Pause(ctx, askOf(t, list.Asks, late), false); !is[*client.NotAllowed](err) || !strings.Contains(err.Error(), "sessions:control") {
		t.Errorf("a pause without the scope: %v", err)
	}
}

func TestAgainstTheServersFaults(t *testing.T) {
	ctx := context.Background()
	s, r := against(t, server.Options{}, server.Ada)
	session := s.AddSession(fake.Session{Title: "T", CreatedBy: server.Grace.Actor, Key: server.Grace.Token})
	ref := s.Bash(session, "ls", "")
	ask := askOf(t, openOf(t, r, 1), ref)
	lift := s.Break(fake.LoseReply().When(func(q fake.Request) bool { return q.Method == "POST" }))
	if _, err := r.Answer(ctx, ask, allow); !is[*client.Uncertain](err) {
		t.Errorf("a lost reply: %v", err)
	}
	lift()
	if _, err := r.Get(ctx, ask); !is[*client.NotFound](err) {
		t.Errorf("it was answered and is still there: %v", err)
	}
	for name, f := range map[string]fake.Fault{"HTML": fake.LoginPage(), "half": fake.HalfJSON(), "garbage": fake.TrailingGarbage(), "500": fake.ServerError()} {
		lift := s.Break(f)
		if batch, err := r.Open(ctx); err == nil || batch.Complete {
			t.Errorf("%s: %+v", name, batch)
		}
		lift()
	}
}

func TestAgainstTheServersPauses(t *testing.T) {
	ctx := context.Background()
	s, r := against(t, server.Options{}, server.Ada)
	session := s.AddSession(fake.Session{Title: "T", CreatedBy: server.Grace.Actor, Key: server.Grace.Token})
	only := func(ref fake.Ref) *client.Ask { return askOf(t, openOf(t, r, 1), ref) }
	// pausing sends a pause and returns once its receipt was looked at, with what
	// says how it came out.
	pausing := func(ask *client.Ask) <-chan string {
		followed, done := make(chan struct{}), make(chan string, 1)
		var once sync.Once
		lift := s.Break(fake.None().When(func(q fake.Request) bool {
			if strings.Contains(q.Path, "/receipts/") {
				once.Do(func() { close(followed) })
			}
			return false
		}))
		defer lift()
		go func() {
			came, err := r.Pause(ctx, ask, false)
			if err != nil {
				came = err.Error()
			}
			done <- came
		}()
		<-followed
		return done
	}
	ref := s.Bash(session, "ls", "")
	ask := only(ref)
	came := pausing(ask)
	s.Interrupt(ref)
	if came := <-came; came != paused {
		t.Fatalf("got %q", came)
	}
	if came, err := r.Pause(ctx, ask, true); err == nil || err.Error() != changed {
		t.Errorf("an old revision: %q, %v", came, err)
	}
	ref = s.Bash(session, "ls", "")
	if came, err := r.Pause(ctx, only(ref), true); err != nil || came != resumed {
		t.Errorf("got %q, %v", came, err)
	}
	came = pausing(only(ref))
	s.SetClock(61 * time.Second)
	if came := <-came; came != blockedWords {
		t.Errorf("got %q", came)
	}
	ask = only(ref)
	if ask.Session.Trouble != blockedWords || !ask.Offer(client.ActAllow).OK {
		t.Errorf("got %+v", ask.Session)
	}
	if _, err := r.Answer(ctx, ask, allow); err != nil {
		t.Error(err)
	}
}
