package opencode

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/fake"
	strict "askbox/client/fake/opencode"
	"askbox/client/relays/relaystest"
)

// begin starts the strict server that is written from the same page by other hands.
func begin(t *testing.T, o strict.Options) *strict.Server {
	t.Helper()
	s, err := strict.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// against runs the adapter against the strict server.
func against(t *testing.T, o strict.Options) (*strict.Server, *Relay) {
	t.Helper()
	s := begin(t, o)
	r, err := New(Options{Name: "oc", BaseURL: s.URL(), User: s.User(), Token: s.Token()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return s, r
}

func TestAgainstTheServer(t *testing.T) {
	ctx := context.Background()
	s, r := against(t, strict.Options{})
	type story struct {
		ref    fake.Ref
		answer client.Answer
		check  func(fake.Ask) bool
	}
	var stories []story
	add := func(ref fake.Ref, answer client.Answer, check func(fake.Ask) bool) {
		stories = append(stories, story{ref, answer, check})
	}
	choose := func(labels ...string) client.Answer {
		return client.Answer{Questions: []client.QuestionAnswer{{ID: "1", Choices: labels}}}
	}
	options := fake.Labels("a", "b", "c")
	for engine := 1; engine <= 2; engine++ {
		in := func(title string) string {
			return s.AddSession(fake.Session{Title: title, Folder: "/srv/" + title, Engine: engine})
		}
		add(s.Bash(in("allow"), "make", ""), client.Answer{Decision: client.Allow}, func(a fake.Ask) bool { return a.End.Decision == "allow" && strict.Ran(a) })
		add(s.Edit(in("edit"), "x.txt", "a\n", "b\n"), client.Answer{Decision: client.Allow}, func(a fake.Ask) bool { return strict.Ran(a) })
		add(s.Bash(in("always"), "make all", ""), client.Answer{Decision: client.Always}, func(a fake.Ask) bool { return a.End.Decision == "always" && strict.Ran(a) })
		add(s.Bash(in("deny"), "rm -rf /", ""), client.Answer{Decision: client.Deny}, func(a fake.Ask) bool { return a.End.Decision == "deny" && !s.TurnRuns(a.Session) && !strict.Ran(a) })
		add(s.Bash(in("reason"), "rm -rf /", ""), client.Answer{Decision: client.Deny, Message: "use make"},
			func(a fake.Ask) bool { return a.End.Words == "use make" && s.TurnRuns(a.Session) && !strict.Ran(a) })
		add(s.Questions(in("one"), fake.Question{Text: "Which?", Options: options}), choose("b"),
			func(a fake.Ask) bool { return a.Status == fake.Answered && a.End.First() == "b" })
		add(s.Questions(in("multi"), fake.Question{Text: "Which?", Options: options, Several: true}), choose("a", "c"),
			func(a fake.Ask) bool { return len(a.End.Choices[0]) == 2 })
		add(s.Questions(in("dismiss"), fake.Question{Text: "Which?", Options: options}), client.Answer{Dismiss: true},
			func(a fake.Ask) bool { return a.Status == fake.Dismissed && !s.TurnRuns(a.Session) })
	}
	asks, batch := open(t, r)
	if len(asks) != len(stories) || !batch.Complete || batch.Partial != "" {
		t.Fatalf("%d asks, want %d; complete %v, partial %q", len(asks), len(stories), batch.Complete, batch.Partial)
	}
	relaystest.StaysTheSame(t, r, batch.Asks)
	for _, st := range stories {
		ask := asks[st.ref.Ask]
		got, err := r.Answer(ctx, ask, st.answer)
		if err != nil || !got.Status.Closed() {
			t.Errorf("%s in %s: %+v, %v", ask.What(), ask.Session.Title, got, err)
			continue
		}
		if now, _ := s.Ask(st.ref); !st.check(now) {
			t.Errorf("%s in %s became %+v", ask.What(), ask.Session.Title, now)
		}
		var closed *client.Closed
		if _, err := r.Answer(ctx, ask, st.answer); !errors.As(err, &closed) || closed.Ask == nil || !closed.Ask.Status.Closed() {
			t.Errorf("%s in %s once more: %v", ask.What(), ask.Session.Title, err)
		}
	}
	if asks, _ := open(t, r); len(asks) != 0 {
		t.Errorf("%d asks are left", len(asks))
	}
}

func TestAgainstTheServerGhosts(t *testing.T) {
	s, r := against(t, strict.Options{})
	session := s.AddSession(fake.Session{Title: "Fix", Folder: "/srv/a"})
	id := s.Edit(session, "x.txt", "a\n", "b\n")
	fresh, _ := open(t, r)
	s.Abort(session)
	if got, err := r.Answer(t.Context(), fresh[id.Ask], client.Answer{Decision: client.Allow}); err == nil {
		t.Errorf("a ghost was allowed: %+v", got)
	}
	asks, _ := open(t, r)
	if asks[id.Ask] == nil || asks[id.Ask].Offer(client.ActAllow).OK || asks[id.Ask].Waits {
		t.Fatalf("the ghost is %+v", asks[id.Ask])
	}
	if got, err := r.Get(t.Context(), asks[id.Ask]); err != nil || got.Status != client.Open || got.Offer(client.ActAllow).OK {
		t.Errorf("read by itself it is %+v, %v", got, err)
	}
	if _, err := r.Answer(t.Context(), asks[id.Ask], client.Answer{Decision: client.Deny}); err != nil {
		t.Error(err)
	}
	if a, _ := s.Ask(id); strict.Ran(a) || a.End.Decision != "deny" {
		t.Errorf("it became %+v", a)
	}
	if asks, _ := open(t, r); len(asks) != 0 {
		t.Error("it was not cleared")
	}
	// The session of the next one is deleted.
	other := s.AddSession(fake.Session{Title: "Gone", Folder: "/srv/a"})
	id = s.Bash(other, "make", "")
	asks, _ = open(t, r)
	polling, err := New(Options{Name: "oc", BaseURL: s.URL(), Token: s.Token()})
	if err != nil {
		t.Fatal(err)
	}
	open(t, polling)
	s.Delete(other)
	if got, err := r.Answer(t.Context(), asks[id.Ask], client.Answer{Decision: client.Allow}); err == nil {
		t.Errorf("an ask of a deleted session was allowed: %+v", got)
	}
	polling.now = func() time.Time { return time.Now().Add(2 * recheck) }
	if asks, _ := open(t, polling); asks[id.Ask] == nil || asks[id.Ask].Offer(client.ActAllow).OK || !strings.Contains(asks[id.Ask].Session.Trouble, "deleted") {
		t.Errorf("of a deleted session: %+v", asks[id.Ask])
	}
}

// told gathers what a stream tells until an event fits.
func (f *followed) until(fits func(client.Event) bool) client.Event {
	f.t.Helper()
	for {
		if e := f.next(); fits(e) {
			return e
		}
	}
}

func TestAgainstTheServerEvents(t *testing.T) {
	s, r := against(t, strict.Options{})
	root := s.AddSession(fake.Session{Title: "Fix the build", Folder: "/srv/a"})
	child := s.AddSession(fake.Session{Title: "Look around", Folder: "/srv/a", Parent: root})
	f := &followed{t: t, events: make(chan client.Event, 1000), ended: make(chan error, 1)}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { f.ended <- r.Watch(ctx, func(e client.Event) { f.events <- e }) }()
	f.next()
	open(t, r)
	broken := s.Approve(child, "webfetch", map[string]string{"url": "http://x"}, "*")
	a := f.until(func(e client.Event) bool { return e.Opened != nil }).Opened
	if a.ID != broken.Ask || a.AskedBy == nil || a.AskedBy.Title.Raw() != "Look around" || a.Session.Title.Raw() != "Fix the build" || a.Session.Starter != client.StarterAgent {
		t.Errorf("told: %+v, by %+v", a, a.AskedBy)
	}
	second := s.Bash(child, "make", "")
	f.until(func(e client.Event) bool { return e.Opened != nil && e.Opened.ID == second.Ask })
	asks, batch := open(t, r)
	if len(asks) != 2 || !strings.Contains(batch.Partial, "cannot list") {
		t.Errorf("%d asks, partial %q", len(asks), batch.Partial)
	}
	if !s.AnswerAs(fake.Actor{}, second, fake.Deny("")) {
		t.Fatal("somebody else cannot deny")
	}
	for range 2 {
		if c := f.until(func(e client.Event) bool { return e.Closed != nil }).Closed; c.Status != client.Answered || c.Closing.Answer[0].Raw() != "denied" {
			t.Errorf("told: %+v", c.Closing)
		}
	}
	if asks, batch := open(t, r); len(asks) != 0 || batch.Partial != "" {
		t.Errorf("%d asks are left, partial %q", len(asks), batch.Partial)
	}
	// What is asked while nobody follows is found by listing anew.
	if err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	<-f.ended
	missed := s.Bash(root, "make again", "")
	go func() { f.ended <- r.Watch(ctx, func(e client.Event) { f.events <- e }) }()
	f.until(func(e client.Event) bool { return e == client.Event{} })
	if asks, _ := open(t, r); len(asks) != 1 || asks[missed.Ask] == nil {
		t.Errorf("after a restart: %v", asks)
	}
	stop()
	<-f.ended
}

func TestAgainstTheServerLostReply(t *testing.T) {
	s, r := against(t, strict.Options{})
	id := s.Bash(s.AddSession(fake.Session{Title: "Fix"}), "make", "")
	asks, _ := open(t, r)
	s.Break(fake.LoseReply().When(fake.To("POST", "/reply")).Next(1))
	var unsure *client.Uncertain
	if _, err := r.Answer(t.Context(), asks[id.Ask], client.Answer{Decision: client.Allow}); !errors.As(err, &unsure) {
		t.Errorf("the error is %v", err)
	}
	if got, err := r.Get(t.Context(), asks[id.Ask]); err != nil || got.Status != client.Answered || got.Closing.Answer[0].Raw() != "allowed" {
		t.Errorf("read again it is %+v, %v", got, err)
	}
}

func TestAgainstTheServerOfFullSize(t *testing.T) {
	s, r := against(t, strict.Options{})
	const folders, sessions, waiting = 200, 5000, 20
	for i := range sessions {
		session := s.AddSession(fake.Session{Title: fmt.Sprint("Session ", i), Folder: fmt.Sprintf("/srv/many/%03d", i%folders),
			UpdatedAt: s.Now().Add(time.Duration(i-sessions) * time.Second)})
		if i < waiting {
			s.Bash(session, "make", "")
		}
	}
	began := time.Now()
	asks, batch := open(t, r)
	if len(asks) != waiting || !batch.Complete {
		t.Errorf("%d asks of %d, complete %v", len(asks), waiting, batch.Complete)
	}
	t.Logf("the first reading took %v", time.Since(began))
}
