package werft

import (
	"context"
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/fake"
	server "askbox/client/fake/werft"
)

// keeping is a relay that keeps what it noted in a folder.
func keeping(t *testing.T, s *server.Server, key fake.Key, folder string) *Relay {
	t.Helper()
	r, err := New(Options{Name: "prod", BaseURL: s.URL(), Token: key.Token, State: folder})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	r.every = time.Millisecond
	return r
}

// A session that was paused from here stays in sight, also at the next start, with what
// resumes it, until it runs or is over (I13).
func TestAPausedSessionStaysInSight(t *testing.T) {
	ctx := t.Context()
	s, _ := against(t, server.Options{}, server.Ada)
	folder := t.TempDir()
	r := keeping(t, s, server.Ada, folder)
	id := s.AddSession(fake.Session{Title: "Release 2.4", CreatedBy: server.Bot.Actor, Key: server.Bot.Token})
	ref := s.Bash(id, "ls", "")
	ask := askOf(t, openOf(t, r, 1), ref)
	if ask.Session.PauseEffect == "" {
		t.Error("nothing says what a pause does to the request")
	}
	pausing := make(chan string)
	go func() {
		came, err := r.Pause(ctx, ask, false)
		pausing <- came
		if err != nil {
			t.Error(err)
		}
	}()
	if _, err := s.WaitFor(ctx, func(q fake.Request) bool { return strings.Contains(q.Path, "/receipts/") }); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Answer(ctx, askOf(t, openOf(t, r, 1), ref), allow); err != nil {
		t.Fatal(err)
	}
	if came := <-pausing; came != paused {
		t.Fatalf("got %q", came)
	}
	r = keeping(t, s, server.Ada, folder)
	row := openOf(t, r, 1)[0]
	if row.Kind != client.Paused || row.Ref.Session != id || !row.Session.CanResume || row.Session.Title.Raw() != "Release 2.4" || row.Waits || row.Opened.IsZero() {
		t.Fatalf("got %+v", row)
	}
	for act, o := range row.Offers {
		if o.OK || o.Why == "" {
			t.Errorf("%v is offered", client.Action(act))
		}
	}
	if came, err := r.Pause(ctx, row, true); err != nil || came != resumed {
		t.Fatalf("got %q, %v", came, err)
	}
	openOf(t, r, 0)
	if now, err := r.Get(ctx, row); err != nil || now.Status != client.Gone || now.Closing.Note != resumed {
		t.Errorf("got %+v, %v", now, err)
	}
	if notes := r.notes.List(); len(notes) > 0 {
		t.Errorf("it is still noted: %+v", notes)
	}
}

// One that could not be read for a while stays, and one that is over goes.
func TestAPausedSessionThatIsOver(t *testing.T) {
	s, r := against(t, server.Options{}, server.Ada)
	id := s.AddSession(fake.Session{Title: "T", CreatedBy: server.Bot.Actor, Key: server.Bot.Token})
	ref := s.Bash(id, "ls", "")
	ask := askOf(t, openOf(t, r, 1), ref)
	s.Interrupt(ref)
	ask.Session.Revision = 3 // as the end of the request left it
	if came, err := r.Pause(context.Background(), ask, false); err != nil || came != paused {
		t.Fatalf("got %q, %v", came, err)
	}
	openOf(t, r, 1)
	lift := s.Break(fake.ServerError().When(fake.To("GET", "/sessions/"+id)))
	batch, err := r.Open(context.Background())
	if err != nil || batch.Complete || batch.Covers(&client.Ask{Ref: client.Ref{Session: id}}) || !strings.Contains(batch.Partial, `"T"`) {
		t.Errorf("it could not be read: %+v, %v", batch, err)
	}
	lift()
	openOf(t, r, 1)
	s.SetAdmission(id, server.Closed)
	openOf(t, r, 0)
	if notes := r.notes.List(); len(notes) > 0 {
		t.Errorf("it is still noted: %+v", notes)
	}
}

// Of the sessions that were paused elsewhere the person's own are in sight, whether or not
// the relay can list them alone.
func TestASessionThatWasPausedElsewhere(t *testing.T) {
	s, r := against(t, server.Options{}, server.Ada)
	mine := s.AddSession(fake.Session{Title: "Mine", CreatedBy: server.Ada.Actor})
	s.SetAdmission(s.AddSession(fake.Session{Title: "Grace's", CreatedBy: server.Grace.Actor}), server.Paused)
	s.AddSession(fake.Session{Title: "Running", CreatedBy: server.Ada.Actor})
	s.SetAdmission(mine, server.Paused)
	anew := func() client.Batch {
		batch, err := r.Open(client.Anew(context.Background()))
		if err != nil || !batch.Complete {
			t.Fatalf("got %+v, %v", batch, err)
		}
		return batch
	}
	if got := anew().Asks; len(got) != 1 || got[0].Ref.Session != mine || !got[0].Session.CanResume {
		t.Errorf("got %+v", got)
	}
	for name, f := range map[string]fake.Fault{"down": fake.ServerError(), "silent": fake.Hang()} {
		lift := s.Break(f.When(func(q fake.Request) bool { return q.Query.Has("admission_state") }))
		if got := anew().Asks; len(got) != 1 {
			t.Errorf("%s: got %+v", name, got)
		}
		lift()
	}
	s.Bash(mine, "ls", "")
	if got := anew().Asks; len(got) != 1 || got[0].Kind != client.Approval {
		t.Errorf("with a request of its own: got %+v", got)
	}
}

// What the relay refuses this key in a whole session is kept for it: nothing is offered
// there any more, askbox relays says so, and another key may (I19, I25).
func TestARefusalHoldsForItsSession(t *testing.T) {
	ctx := context.Background()
	keys := []fake.Key{server.Ada, server.Grace}
	for code, tc := range map[string]struct {
		key  fake.Key
		says string
	}{
		"self_approval": {server.Ada, "answer with another key"},
		"FORBIDDEN":     {server.Grace, "only its creator, its agent's admins, owners and admins answer"},
	} {
		s, _ := against(t, server.Options{Keys: keys}, tc.key)
		folder := t.TempDir()
		own := s.AddSession(fake.Session{Title: "Started here", CreatedBy: server.Ada.Actor, Key: server.Ada.Token})
		first, second := s.Bash(own, "ls", ""), s.Choice(own, "Where?", "here", "there")
		r := keeping(t, s, tc.key, folder)
		if _, err := r.Answer(ctx, askOf(t, openOf(t, r, 2), first), allow); !is[*client.NotAllowed](err) || !strings.Contains(err.Error(), tc.says) {
			t.Fatalf("%s: got %v", code, err)
		}
		for range 2 {
			for _, ask := range openOf(t, r, 2) {
				for act, o := range ask.Offers {
					if o.OK || !o.NotAllowed || !strings.Contains(o.Why, tc.says) {
						t.Errorf("%s: %v of %s: %+v", code, client.Action(act), ask.ID, o)
					}
				}
				if now, err := r.Get(ctx, ask); err != nil || now.Digest() != ask.Digest() || now.Offers != ask.Offers {
					t.Errorf("%s: read again: %+v, %v", code, now, err)
				}
			}
			r = keeping(t, s, tc.key, folder) // the next start
		}
		about, err := r.About(ctx)
		if err != nil || len(about.May) != 2 || !strings.Contains(about.May[1], `"Started here"`) || !strings.Contains(about.May[1], tc.says) {
			t.Errorf("%s: about says %q, %v", code, about.May, err)
		}
		if other := s.AddSession(fake.Session{Title: "Another", CreatedBy: server.Grace.Actor}); other != "" {
			ref := s.Bash(other, "pwd", "")
			if !askOf(t, openOf(t, r, 3), ref).Offer(client.ActAllow).OK {
				t.Errorf("%s: it holds for another session", code)
			}
		}
		another := server.Ada
		if tc.key.Token == server.Ada.Token {
			another = server.Grace
		}
		if !askOf(t, openOf(t, keeping(t, s, another, folder), 3), second).Offer(client.ActAnswer).OK {
			t.Errorf("%s: it holds for another key", code)
		}
	}
}

// A session that does not change is not read each time, one that changes at once, and
// all of them where somebody wants to know (L23).
func TestSessionsThatDidNotChangeAreLeftAlone(t *testing.T) {
	s, r := against(t, server.Options{}, server.Ada)
	var all []string
	for range 8 {
		id := s.AddSession(fake.Session{Title: "T", CreatedBy: server.Bot.Actor, Key: server.Bot.Token})
		s.Bash(id, "ls", "")
		all = append(all, id)
	}
	read := func() int { return s.Count(fake.To("GET", "/requests")) }
	list := func(n int) (calls int) {
		t.Helper()
		before := read()
		batch, err := r.Open(context.Background())
		if err != nil || !batch.Complete || len(batch.Asks) != n {
			t.Fatalf("got %+v, %v", batch, err)
		}
		return read() - before
	}
	for range 2 {
		list(8) // the second reading finds that nothing changed
	}
	for range 5 {
		if n := list(8); n != 0 {
			t.Errorf("%d sessions were read that did not change", n)
		}
	}
	s.Bash(all[3], "pwd", "")
	if n := list(9); n != 1 {
		t.Errorf("%d sessions were read after one changed", n)
	}
	list(9)
	batch, _ := r.Open(context.Background())
	if _, err := r.Get(context.Background(), batch.Asks[0]); err != nil {
		t.Fatal(err)
	}
	if n := list(9); n != 1 {
		t.Errorf("%d sessions were read after one was touched", n)
	}
	before := read()
	if _, err := r.Open(client.Anew(context.Background())); err != nil || read()-before != 8 {
		t.Errorf("%d of 8 sessions were read anew, %v", read()-before, err)
	}
}
