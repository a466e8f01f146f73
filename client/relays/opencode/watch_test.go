package opencode

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"askbox/client"
)

// followed is an adapter whose stream lives, and what it tells.
type followed struct {
	t      *testing.T
	events chan client.Event
	ended  chan error
	stop   context.CancelFunc
}

func follow(t *testing.T, s *server, r *Relay) *followed {
	ctx, cancel := context.WithCancel(t.Context())
	f := &followed{t: t, events: make(chan client.Event, 100), ended: make(chan error, 1), stop: cancel}
	go func() { f.ended <- r.Watch(ctx, func(e client.Event) { f.events <- e }) }()
	<-s.joined
	if e := f.next(); e != (client.Event{}) {
		t.Fatalf("the first event is %+v", e)
	}
	t.Cleanup(func() {
		cancel()
		s.cut()
	})
	return f
}

func (f *followed) next() client.Event {
	f.t.Helper()
	for {
		if e := f.any(); e.After == client.AfterUnknown {
			return e
		}
	}
}

// any is next, also for what an agent did after an ask had closed.
func (f *followed) any() client.Event {
	f.t.Helper()
	select {
	case e := <-f.events:
		return e
	case <-time.After(10 * time.Second):
		f.t.Fatal("nothing is told")
		return client.Event{}
	}
}

// TestWatchTellsWhatTheAgentDoes after an ask of its session was closed.
func TestWatchTellsWhatTheAgentDoes(t *testing.T) {
	s := newServer(t)
	r := s.relay(Options{})
	f := follow(t, s, r)
	part := func(state string) string {
		return `{"sessionID":"ses_1","part":{"type":"tool","callID":"c1","tool":"bash","state":` + state + `}}`
	}
	for _, c := range []struct {
		kind, properties string
		want             client.After
	}{
		{"session.status", `{"sessionID":"ses_1","status":{"type":"busy"}}`, client.AfterWentOn},
		{"session.status", `{"sessionID":"ses_1","status":{"type":"idle"}}`, client.AfterStopped},
		{"session.idle", `{"sessionID":"ses_1"}`, client.AfterStopped},
		{"message.part.updated", part(`{"status":"error","error":"no such file"}`), client.AfterFailed},
		{"message.part.updated", part(`{"status":"error","error":"The user rejected permission to use this specific tool call."}`), client.AfterUnknown},
		{"message.part.updated", part(`{"status":"error","error":"Tool execution aborted"}`), client.AfterUnknown},
		{"message.part.updated", part(`{"status":"completed","output":"\"status\":\"error\""}`), client.AfterUnknown},
		{"session.error", `{"sessionID":"ses_1","error":{"name":"ProviderError"}}`, client.AfterUnknown},
	} {
		s.event("/srv/a", c.kind, c.properties)
		if c.want == client.AfterUnknown {
			continue
		}
		if e := f.any(); e.After != c.want || e.Session != "ses_1" {
			t.Errorf("%s %s told %+v", c.kind, c.properties, e)
		}
	}
	f.quiet(s)
}

// quiet makes sure that nothing more is told than what an event brings that
// comes after everything else.
func (f *followed) quiet(s *server) {
	f.t.Helper()
	s.event("/quiet", "session.created", `{"sessionID":"ses_q","info":{"id":"ses_q","directory":"/quiet"}}`)
	if e := f.next(); !e.List {
		f.t.Errorf("told: %+v", e)
	}
}

func TestWatchOpensAndCloses(t *testing.T) {
	s := newServer(t)
	s.session("ses_1", "/srv/a", "Fix the build", "")
	s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", `{"status":"running","input":{"command":"make","workdir":"/etc"}}`)
	r := s.relay(Options{})
	f := follow(t, s, r)
	s.event("/srv/a", "permission.asked", bash(bashID, "ses_1", "make"))
	e := f.next()
	if e.Opened == nil || e.Opened.ID != bashID || e.Opened.Session.Title.Raw() != "Fix the build" || e.Opened.Session.Folder.Raw() != "/srv/a" {
		t.Fatalf("told: %+v", e.Opened)
	}
	if got := partsOf(e.Opened.Approval); len(got) != 2 || got[1] != "field workdir  /etc" {
		t.Errorf("it shows %q", got)
	}
	s.event("/srv/a", "permission.replied", `{"sessionID":"ses_1","requestID":"`+bashID+`","reply":"once"}`)
	e = f.next()
	if e.Closed == nil || e.Closed.ID != bashID || e.Closed.Status != client.Answered || e.Closed.Closing.Answer[0].Raw() != "allowed" ||
		e.Closed.Closing.By.Me || e.Closed.Closing.Note != "" {
		t.Errorf("told: %+v", e.Closed)
	}
	s.event("/srv/a", "permission.replied", `{"sessionID":"ses_1","requestID":"`+bashID+`","reply":"once"}`)
	f.quiet(s)
}

func TestWatchQuestions(t *testing.T) {
	s := newServer(t)
	s.session("ses_1", "/srv/a", "Fix the build", "")
	r := s.relay(Options{})
	f := follow(t, s, r)
	for _, kind := range []string{"question", "question.v2"} {
		s.event("/srv/a", kind+".asked", question("que_1"+kind, "ses_1"))
		s.event("/srv/a", kind+".asked", question("que_2"+kind, "ses_1"))
		f.next()
		f.next()
		s.event("/srv/a", kind+".replied", `{"sessionID":"ses_1","requestID":"que_1`+kind+`","answers":[["SQLite"]]}`)
		if c := f.next().Closed; c == nil || c.Status != client.Answered || c.Closing.Answer[0].Raw() != "SQLite" || c.Closing.Given.Questions[0].Choices[0] != "SQLite" {
			t.Errorf("told: %+v", c)
		}
		s.event("/srv/a", kind+".rejected", `{"sessionID":"ses_1","requestID":"que_2`+kind+`"}`)
		if c := f.next().Closed; c == nil || c.Status != client.Dismissed {
			t.Errorf("told: %+v", c)
		}
	}
}

// A denial closes the other permissions of its session. Before that each says how many
// it would close.
func TestWatchDenialTakesOthersAlong(t *testing.T) {
	s := newServer(t)
	s.session("ses_1", "/srv/a", "Fix the build", "")
	r := s.relay(Options{})
	f := follow(t, s, r)
	s.event("/srv/a", "permission.asked", bash(bashID, "ses_1", "one"))
	f.next()
	s.event("/srv/a", "permission.asked", bash(editID, "ses_1", "two"))
	for range 2 {
		a := f.next().Opened
		if a == nil || !strings.Contains(a.Offer(client.ActDeny).Effect, "the other permission") {
			t.Errorf("told: %+v", a)
		}
	}
	for _, id := range []string{bashID, editID} {
		s.event("/srv/a", "permission.replied", `{"sessionID":"ses_1","requestID":"`+id+`","reply":"reject"}`)
	}
	first, again, second := f.next(), f.next(), f.next()
	if first.Closed == nil || first.Closed.ID != bashID || first.Closed.Closing.Note != "" {
		t.Errorf("told: %+v", first)
	}
	if again.Opened == nil || again.Opened.Offer(client.ActDeny).Effect != "the turn ends" {
		t.Errorf("told: %+v", again)
	}
	if second.Closed == nil || second.Closed.ID != editID || second.Closed.Closing.Decision != client.Deny {
		t.Errorf("told: %+v", second)
	}
}

func TestWatchGhosts(t *testing.T) {
	for name, event := range map[string][2]string{
		"idle":    {"session.idle", `{"sessionID":"ses_1"}`},
		"status":  {"session.status", `{"sessionID":"ses_1","status":{"type":"idle"}}`},
		"aborted": {"session.error", `{"sessionID":"ses_1","error":{"name":"MessageAbortedError","data":{}}}`},
		"deleted": {"session.deleted", `{"sessionID":"ses_1","info":{"id":"ses_1","directory":"/srv/a"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			s.session("ses_1", "/srv/a", "Fix the build", "")
			r := s.relay(Options{})
			f := follow(t, s, r)
			s.event("/srv/a", "permission.asked", bash(bashID, "ses_1", "make"))
			s.event("/srv/a", "session.status", `{"sessionID":"ses_1","status":{"type":"busy"}}`)
			s.event("/srv/a", "session.error", `{"sessionID":"ses_1","error":{"name":"ProviderError","data":{}}}`)
			s.event("/srv/a", "session.idle", `{"sessionID":"ses_other"}`)
			if a := f.next().Opened; a == nil || !a.Offer(client.ActAllow).OK {
				t.Fatalf("told: %+v", a)
			}
			s.event("/srv/a", event[0], event[1])
			a := f.next().Opened
			if a == nil || a.Offer(client.ActAllow).OK || !a.Offer(client.ActDeny).OK || a.Waits {
				t.Errorf("told: %+v", a)
			}
			if e := f.next(); !e.List {
				t.Errorf("no listing is asked for: %+v", e)
			}
		})
	}
}

func TestWatchAsksForAListing(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "make")
	s.lists["api/permission /srv/b"] = []string{`{"id":"per_v2","sessionID":"ses_2","action":"bash","resources":["ls"]}`}
	s.session("ses_2", "/srv/b", "Second", "")
	r := s.relay(Options{})
	f := follow(t, s, r)
	open(t, r)
	for _, e := range [][3]string{
		{"/srv/a", "server.instance.disposed", `{"directory":"/srv/a"}`},
		{"global", "global.disposed", `{}`},
		{"/srv/b", "session.next.tool.failed", `{"sessionID":"ses_2"}`},
		{"/srv/new", "session.created", `{"sessionID":"ses_3","info":{"id":"ses_3","directory":"/srv/new"}}`},
	} {
		s.event(e[0], e[1], e[2])
		if got := f.next(); !got.List {
			t.Errorf("%s told %+v", e[1], got)
		}
	}
	s.event("/srv/a", "session.next.step.ended", `{"sessionID":"ses_1"}`)
	s.event("/srv/c", "server.instance.disposed", `{"directory":"/srv/c"}`)
	s.event("/srv/a", "message.part.updated", `{"part":{"text":"\"permission.asked\""}}`)
	f.quiet(s)
}

func TestWatchPassesOddEventsOver(t *testing.T) {
	s := newServer(t)
	s.session("ses_1", "/srv/a", "Fix the build", "")
	r := s.relay(Options{Directories: []string{"/srv/a", "/quiet"}})
	f := follow(t, s, r)
	s.event("/srv/other", "permission.asked", bash("per_other", "ses_1", "make"))
	s.event("/srv/a", "permission.asked", `["no object"]`)
	s.event("/srv/a", "sync", `{"type":"permission.asked"}`)
	s.change(func() {
		for _, c := range s.streams {
			c <- `not json "permission.asked"`
			c <- `{"payload":"permission.asked"}`
			c <- `[{"payload":{"type":"permission.asked"}}]`
		}
	})
	s.event("/srv/a", "permission.asked", `{"id":7,"sessionID":"ses_1","permission":"bash"}`)
	a := f.next().Opened
	if a == nil || a.Unreadable == "" {
		t.Errorf("an ask that cannot be read is told of as %+v", a)
	}
}

func TestWatchTellsOfATitle(t *testing.T) {
	s := newServer(t)
	s.session("ses_1", "/srv/a", "New session", "")
	r := s.relay(Options{})
	f := follow(t, s, r)
	s.event("/srv/a", "permission.asked", bash(bashID, "ses_1", "make"))
	f.next()
	s.event("/srv/a", "session.updated", `{"sessionID":"ses_1","info":{"id":"ses_1","directory":"/srv/a","title":"Fix it"}}`)
	if a := f.next().Opened; a == nil || a.Session.Title.Raw() != "Fix it" {
		t.Errorf("told: %+v", a)
	}
}

// The stream has no replay: what was asked and answered while it was cut is
// found by listing every folder anew, and only then are folders left alone again.
func TestWatchReconnects(t *testing.T) {
	s := newServer(t)
	for i := range 5 {
		s.session(fmt.Sprintf("ses_%d", i), fmt.Sprintf("/srv/%d", i), "Work", "")
	}
	r := s.relay(Options{})
	f := follow(t, s, r)
	open(t, r)
	s.total()
	if open(t, r); s.count("GET /permission") != 0 {
		t.Error("folders in which nothing waits are listed again beside a stream")
	}
	s.cut()
	if err := <-f.ended; err != nil {
		t.Errorf("the stream ended with %v", err)
	}
	s.change(func() { s.lists["permission /srv/3"] = []string{bash(bashID, "ses_3", "make")} })
	follow(t, s, r)
	if asks, _ := open(t, r); asks[bashID] == nil {
		t.Error("what was asked meanwhile is missing")
	}
	if n := s.count("GET /permission"); n != 5 {
		t.Errorf("%d folders of 5 were listed anew", n)
	}
}

// What is connected and says nothing, as behind a proxy that holds it back, is no stream
// that lives: folders are listed as often as without it.
func TestWatchOfASilentStream(t *testing.T) {
	s := newServer(t)
	s.silent = true
	s.session("ses_1", "/srv/a", "Work", "")
	at := &clock{at: time.Date(2026, 11, 30, 21, 40, 0, 0, time.UTC)}
	r := s.relay(Options{})
	r.now = at.now
	events := make(chan client.Event, 10)
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { ended <- r.Watch(ctx, func(e client.Event) { events <- e }) }()
	<-s.joined
	open(t, r)
	s.change(func() { s.lists["permission /srv/a"] = []string{bash(bashID, "ses_1", "make")} })
	at.move(coldPoll)
	if asks, _ := open(t, r); len(asks) != 1 {
		t.Error("what a silent stream does not tell of is not found")
	}
	select {
	case e := <-events:
		t.Errorf("told: %+v", e)
	default:
	}
	s.event("", "server.heartbeat", "{}")
	if e := <-events; e != (client.Event{}) {
		t.Errorf("told: %+v", e)
	}
	stop()
	<-ended
}

// What a folder was asked for before the events began does not tell what happened since.
func TestOpenUnderWayWhenTheStreamBegins(t *testing.T) {
	s := newServer(t)
	s.session("ses_1", "/srv/a", "Work", "")
	r := s.relay(Options{})
	began := false
	s.change(func() {
		s.handler = http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			s.serve(w, q)
			if q.URL.Path == "/question" && !began {
				began = true
				r.lived(true)
			}
		})
	})
	if _, batch := open(t, r); batch.Complete {
		t.Error("a folder that was read before the events began counts as read")
	}
	s.total()
	if _, batch := open(t, r); !batch.Complete || s.count("GET /permission") != 1 {
		t.Error("it is not read again")
	}
}

// Whose server it is stays known while it is asked again, so that no ask becomes another.
func TestKiloStaysKilo(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "make")
	s.replies["/path"] = canned{404, "application/json", `{"error":"Not Found"}`}
	r := s.relay(Options{})
	before, _ := open(t, r)
	if e := before[bashID].Offer(client.ActAlways).Effect; !strings.Contains(e, "is asked in this folder") || !strings.Contains(before[bashID].Approval.AlwaysScope, "Kilo server") {
		t.Fatalf("it is told as %q, %q", e, before[bashID].Approval.AlwaysScope)
	}
	s.change(func() { s.replies["/path"] = canned{502, "text/plain", ""} })
	f := follow(t, s, r)
	if now, err := r.Get(t.Context(), before[bashID]); err != nil || now.Digest() != before[bashID].Digest() {
		t.Errorf("read again it is another ask: %v", err)
	}
	if asks, _ := open(t, r); asks[bashID].Digest() != before[bashID].Digest() {
		t.Error("listed again it is another ask")
	}
	s.change(func() { s.replies["/path"] = ok200(`{"state":"/home/x/.local/state/opencode"}`) })
	if asks, _ := open(t, r); strings.Contains(asks[bashID].Approval.AlwaysScope, "Kilo") {
		t.Error("another server at the address is still Kilo")
	}
	f.stop()
}

func TestWatchWithoutAStream(t *testing.T) {
	s := newServer(t)
	s.replies["/global/event"] = page
	if err := s.relay(Options{}).Watch(t.Context(), func(client.Event) { t.Error("something is told") }); err != nil {
		t.Errorf("the error is %v", err)
	}
}

// A server that wants a password says so with a reply of no words. It is told
// apart whether none is configured or a wrong one.
func TestPasswordsThatAreMissingOrWrong(t *testing.T) {
	s := newServer(t)
	for _, path := range []string{"/global/health", "/experimental/session"} {
		s.replies[path] = canned{401, "", ""}
	}
	for password, words := range map[string]string{"": "the configuration names none", "wrong": "it is the password of the configured user"} {
		r := s.relay(Options{Token: password})
		_, about := r.About(t.Context())
		_, listing := r.Open(t.Context())
		for _, err := range []error{about, listing} {
			var refused *client.TokenRefused
			if !errors.As(err, &refused) || refused.None != (password == "") || !strings.Contains(err.Error(), words) {
				t.Errorf("with the password %q: %v", password, err)
			}
		}
	}
}

func TestAbout(t *testing.T) {
	s := newServer(t)
	about, err := s.relay(Options{}).About(t.Context())
	if err != nil || about.Auth != "no password" || about.Version.Raw() != "1.18.33" || about.Kind != Kind {
		t.Errorf("%+v, %v", about, err)
	}
	about, _ = s.relay(Options{Token: "secret words"}).About(t.Context())
	if about.Auth != "the password of the user opencode" {
		t.Errorf("signs in by %q", about.Auth)
	}
	for _, c := range []canned{page, ok200(`{"ok":true}`), ok200(`[]`)} {
		s.change(func() { s.replies["/global/health"] = c })
		if _, err := s.relay(Options{}).About(t.Context()); err == nil || !strings.Contains(err.Error(), "not the answer of such a relay") {
			t.Errorf("%s gives %v", c.body, err)
		}
	}
}
