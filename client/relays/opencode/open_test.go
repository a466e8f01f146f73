package opencode

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"askbox/client"
)

func TestOpenFindsEveryFolderAndBothEngines(t *testing.T) {
	s := newServer(t)
	s.pageMost = 2
	s.waiting(bashID, "ses_1", "/srv/a", "make")
	s.session("ses_2", "/srv/b", "Plan", "")
	s.lists["question /srv/b"] = []string{question(askID, "ses_2")}
	s.session("ses_3", "/srv/c", "Second", "")
	s.lists["api/permission /srv/c"] = []string{`{"id":"per_v2","sessionID":"ses_3","action":"bash","resources":["ls"],"save":["ls"],"source":{"type":"tool","messageID":"msg_3","callID":"c3"}}`}
	s.lists["api/question /srv/c"] = []string{question("que_v2", "ses_3")}
	s.session("ses_4", "/srv/a", "Quiet", "")
	asks, batch := open(t, s.relay(Options{}))
	if len(asks) != 4 || !batch.Complete || batch.Partial != "" {
		t.Fatalf("%d asks, complete %v, partial %q", len(asks), batch.Complete, batch.Partial)
	}
	a := asks[bashID]
	if a.Kind != client.Approval || a.Status != client.Open || !a.Waits || a.Session.Title.Raw() != "Fix the build" ||
		a.Session.Folder.Raw() != "/srv/a" || a.Session.Starter != client.StarterMe || a.AskedBy != nil {
		t.Errorf("the permission came out as %+v", a)
	}
	if want := time.Date(2026, 11, 30, 21, 39, 7, 0, time.UTC); a.Opened.Truncate(time.Second) != want {
		t.Errorf("opened at %v", a.Opened)
	}
	if v2 := asks["per_v2"]; v2.Approval.Tool.Raw() != "bash" || v2.Approval.What().Raw() != "ls" || !strings.Contains(v2.Approval.AlwaysScope, "after a restart") {
		t.Errorf("the second engine's permission came out as %+v", v2.Approval)
	}
	if asks["que_v2"].Kind != client.Question || asks[askID].Kind != client.Question {
		t.Error("a question is none")
	}
}

func TestOpenKeepsTheSameAsk(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "make")
	r := s.relay(Options{})
	one, _ := open(t, r)
	two, _ := open(t, r)
	if one[bashID] != two[bashID] {
		t.Error("an ask that did not change was made anew")
	}
	if n := s.count("GET /session/ses_1/message/msg_ses_1"); n != 1 {
		t.Errorf("the tool call was read %d times", n)
	}
	s.change(func() { s.lists["permission /srv/a"] = nil })
	if three, _ := open(t, r); len(three) != 0 {
		t.Error("an ask that is not listed any more stays")
	}
}

func TestOpenKeepsWhatALaterEventTold(t *testing.T) {
	r := newServer(t).relay(Options{})
	f := r.folder("/srv/a")
	began := r.next()
	r.remember(readRequest(list{first, false}, []byte(bash(bashID, "ses_1", "make"))), f.path)
	whole := map[list]bool{{first, false}: true}
	if r.reconcile(f, nil, whole, began); r.known[bashID] == nil || f.asks != 1 {
		t.Error("a list that was asked for before the event took the ask out")
	}
	if r.reconcile(f, nil, whole, r.next()); r.known[bashID] != nil || f.asks != 0 {
		t.Error("a later list did not take it out")
	}
}

func TestOpenBrokenList(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "make")
	s.session("ses_2", "/srv/b", "Other", "")
	s.lists["question /srv/a"] = []string{question(askID, "ses_1")}
	r := s.relay(Options{})
	if asks, _ := open(t, r); len(asks) != 2 {
		t.Fatalf("%d asks", len(asks))
	}
	s.change(func() { s.breaks["/srv/a"] = true })
	asks, batch := open(t, r)
	if len(asks) != 2 || asks[bashID] == nil {
		t.Errorf("with a broken list there are %d asks", len(asks))
	}
	if !strings.HasPrefix(batch.Partial, "permissions that were asked for before askbox began may be missing") || !strings.Contains(batch.Partial, "/srv/a") {
		t.Errorf("partial says %q", batch.Partial)
	}
	s.change(func() { s.breaks["/srv/a"] = false })
	if _, batch := open(t, r); batch.Partial != "" {
		t.Errorf("mended, and partial still says %q", batch.Partial)
	}
}

func TestOpenOneBadItemCostsItself(t *testing.T) {
	for name, bad := range map[string]string{
		"number as id":   `{"id":2,"sessionID":"ses_1","permission":"bash","patterns":[]}`,
		"null":           `null`,
		"key twice":      `{"id":"per_x","sessionID":"ses_1","permission":"bash","permission":"edit","patterns":[],"metadata":{}}`,
		"key twice deep": `{"id":"per_x","sessionID":"ses_1","permission":"bash","patterns":[],"metadata":{"command":"ls","command":"rm -rf ~"}}`,
		"wrong type":     `{"id":"per_x","sessionID":"ses_1","permission":["bash"]}`,
		"no session":     `{"id":"per_x","permission":"bash"}`,
		"path as id":     `{"id":"..","sessionID":"ses_1","permission":"bash"}`,
		"no permission":  `{"id":"per_x","sessionID":"ses_1","patterns":["ls"]}`,
		"bad unicode":    `{"id":"per_x","sessionID":"ses_1","permission":"bash","metadata":{"command":"ls \ud800"}}`,
		"same id twice":  bash(bashID, "ses_1", "rm -rf ~"),
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			s.waiting(bashID, "ses_1", "/srv/a", "make")
			s.waiting(editID, "ses_2", "/srv/a", "true")
			s.lists["permission /srv/a"] = append(s.lists["permission /srv/a"], bad)
			asks, _ := open(t, s.relay(Options{}))
			if asks[editID] == nil || asks[editID].Unreadable != "" {
				t.Fatal("a good ask is lost")
			}
			unread := 0
			for _, a := range asks {
				if a.Unreadable != "" {
					unread++
					if client.Validate(a, client.Answer{Decision: client.Allow}) == nil {
						t.Error("what could not be read can be allowed")
					}
				}
			}
			if unread != 1 {
				t.Errorf("%d unreadable asks among %d", unread, len(asks))
			}
		})
	}
}

func TestOpenErrors(t *testing.T) {
	for name, c := range map[string]struct {
		reply canned
		want  any
	}{
		"password":   {canned{401, "", ""}, new(*client.TokenRefused)},
		"web page":   {page, new(*client.NotRelay)},
		"other JSON": {ok200(`{"data":[]}`), new(*client.NotRelay)},
		"cut JSON":   {ok200(`[{"id":"ses_1"`), new(*client.NotRelay)},
		"fails":      {canned{500, "application/json", `{"name":"UnknownError","data":{"message":"Unexpected server error."}}`}, new(*client.Failed)},
		"too many":   {canned{429, "text/plain", "slow down"}, new(*client.RateLimited)},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			s.replies["/experimental/session"] = c.reply
			_, err := s.relay(Options{Token: "pass word"}).Open(t.Context())
			if err == nil || !errors.As(err, c.want) {
				t.Errorf("the error is %v", err)
			}
		})
	}
	s := newServer(t)
	s.Close()
	var lost *client.Unreachable
	if _, err := s.relay(Options{}).Open(t.Context()); !errors.As(err, &lost) {
		t.Errorf("of a server that is gone the error is %v", err)
	}
}

// A url that lacks the prefix under which the server stands leads to something else.
func TestNothingOfOpencodeAtTheAddress(t *testing.T) {
	for name, c := range map[string]canned{
		"an empty 404": {404, "", ""}, "one in JSON": {404, "application/json", `{"error":"no such tunnel"}`}, "one in HTML": {404, "text/html", "<html>nginx</html>"},
		"another web page": {200, "text/html", "<html>It works</html>"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, o := range []Options{{}, {Directories: []string{"/srv/a"}}} {
				s := newServer(t)
				s.handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { write(w, c) })
				r := s.relay(o)
				_, listing := r.Open(t.Context())
				_, about := r.About(t.Context())
				for _, err := range []error{listing, about} {
					var other *client.NotRelay
					if !errors.As(err, &other) || strings.Contains(err.Error(), "ask") {
						t.Errorf("the error is %v", err)
					}
					if c.kind != "text/html" && !strings.Contains(err.Error(), "nothing of opencode answers at this address; check the url "+s.URL()) {
						t.Errorf("the error is %v", err)
					}
				}
			}
		})
	}
}

// A folder that the server has trouble with costs the others nothing.
func TestOpenOneFolderFails(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "make")
	s.session("ses_2", "/srv/file", "Odd", "")
	r := s.relay(Options{})
	r.noSecond.Store(true)
	s.replies["/question"] = canned{500, "application/json", `{"name":"UnknownError","data":{"message":"Unexpected server error."}}`}
	asks, batch := open(t, r)
	if len(asks) != 1 || !strings.Contains(batch.Partial, "could not be listed") {
		t.Errorf("%d asks, partial %q", len(asks), batch.Partial)
	}
}

func TestOpenWithoutTheSecondEngine(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "make")
	s.session("ses_2", "/srv/b", "Other", "")
	s.replies["/api/permission/request"], s.replies["/api/question/request"] = page, page
	r := s.relay(Options{})
	if asks, _ := open(t, r); len(asks) != 1 {
		t.Fatalf("%d asks", len(asks))
	}
	before := s.count("GET /api/permission/request")
	open(t, r)
	if n := s.count("GET /api/permission/request"); n != before {
		t.Error("an engine that is not there is asked again")
	}
}

func TestOpenDirectories(t *testing.T) {
	s := newServer(t)
	s.waiting("per_a", "ses_1", "/srv/a", "make")
	s.waiting("per_sub", "ses_2", "/srv/a/sub", "make")
	s.waiting("per_other", "ses_3", "/srv/abc", "make")
	// The server lists an instance under any path that leads to it.
	s.lists["permission /srv/link"] = []string{bash("per_link", "ses_1", "make")}
	asks, _ := open(t, s.relay(Options{Directories: []string{"/srv/a/", "/srv/link"}}))
	if len(asks) != 3 || asks["per_other"] != nil {
		t.Errorf("narrowed to two folders there are %d asks", len(asks))
	}
	if n := s.count("GET /permission"); n != 3 {
		t.Errorf("%d folders were listed", n)
	}
}

func TestOpenSubagent(t *testing.T) {
	s := newServer(t)
	s.session("ses_root", "/srv/a", "Fix the build", "")
	s.session("ses_mid", "/srv/a", "Look around (@general subagent)", "ses_root")
	s.waiting(bashID, "ses_leaf", "/srv/a", "date")
	s.sessions[0] = strings.Replace(s.sessions[0], `"title":"Fix the build"`, `"title":"Deeper","parentID":"ses_mid"`, 1)
	asks, _ := open(t, s.relay(Options{}))
	a := asks[bashID]
	if a.Session.ID != "ses_root" || a.Session.Title.Raw() != "Fix the build" || a.Session.Starter != client.StarterAgent {
		t.Errorf("the session is %+v", a.Session)
	}
	if a.Ref.Session != "ses_leaf" || a.AskedBy == nil || a.AskedBy.Title.Raw() != "Deeper" {
		t.Errorf("asked by %+v in %s", a.AskedBy, a.Ref.Session)
	}
	if e := a.Offer(client.ActDeny).Effect; !strings.Contains(e, "subagent") {
		t.Errorf("a denial says %q", e)
	}
}

// The command that goes to a session is one for a shell, without the password.
func TestAttach(t *testing.T) {
	for name, c := range map[string]struct {
		o               Options
		session, folder string
		kilo            bool
		want            string
	}{
		"plain":            {Options{Token: "s3cret"}, "ses_1", "/srv/a", false, "opencode attach URL --session ses_1 --dir /srv/a"},
		"to be quoted":     {Options{}, "ses_1", "/srv/my $(app) 'x'", false, `opencode attach URL --session ses_1 --dir '/srv/my $(app) '\''x'\'''`},
		"another user":     {Options{User: "me; ls", Token: "s3cret"}, "ses_1", "/srv/a", false, "opencode attach URL --session ses_1 --dir /srv/a --username 'me; ls'"},
		"Kilo":             {Options{User: "kilo", Token: "s3cret"}, "ses_1", "/srv/a", true, "kilo attach URL --session ses_1 --dir /srv/a"},
		"a line break":     {Options{}, "ses_1", "/srv/a\nrm -rf ~", false, ""},
		"turned around":    {Options{}, "ses_1", "/srv/\u202ea", false, ""},
		"an id for shells": {Options{}, "ses_1;ls", "/srv/a", false, ""},
		"an id as a flag":  {Options{}, "--dir=x", "/srv/a", false, ""},
	} {
		s := newServer(t)
		if c.kilo {
			s.replies["/path"] = ok200(`{"state":"/home/x/.local/state/kilo"}`)
		}
		s.session(c.session, c.folder, "Work", "")
		s.lists["permission "+c.folder] = []string{bash(bashID, c.session, "make")}
		asks, _ := open(t, s.relay(c.o))
		if got := strings.Replace(asks[bashID].Session.Attach, s.URL(), "URL", 1); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Sessions that name each other as parents must not hold anything up.
func TestOpenParentsInACircle(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "date")
	s.sessions[0] = strings.Replace(s.sessions[0], `"title"`, `"parentID":"ses_2","title"`, 1)
	s.session("ses_2", "/srv/a", "Other", "ses_1")
	if asks, _ := open(t, s.relay(Options{})); len(asks) != 1 {
		t.Errorf("%d asks", len(asks))
	}
}

func TestOpenCursorsThatLie(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "date")
	r := s.relay(Options{})
	s.change(func() { s.handler = circle{s} })
	_, batch := open(t, r)
	if len(batch.Asks) != 1 || !strings.Contains(batch.Partial, "again and again") {
		t.Errorf("%d asks, partial %q", len(batch.Asks), batch.Partial)
	}
}

// The server's cursor leaves out what changed in the same millisecond as the last
// session of a page. Those folders are found all the same, as far as pages can.
func TestOpenSessionsOfOneMillisecond(t *testing.T) {
	for _, perMilli := range []int{1, 3} {
		s := newServer(t)
		s.pageMost, s.perMilli = 4, perMilli
		for i := range 20 {
			s.session(fmt.Sprintf("ses_%d", i), fmt.Sprintf("/srv/%d", i), "Work", "")
		}
		r := s.relay(Options{})
		if open(t, r); len(r.folders) != 20 {
			t.Errorf("with %d of a millisecond %d folders of 20 are found", perMilli, len(r.folders))
		}
	}
	s := newServer(t)
	s.pageMost, s.perMilli = 4, 100
	for i := range 20 {
		s.session(fmt.Sprintf("ses_%d", i), fmt.Sprintf("/srv/%d", i), "Work", "")
	}
	if _, batch := open(t, s.relay(Options{})); batch.Partial != "" || s.count("GET /experimental/session") > 5 {
		t.Errorf("all of one millisecond: partial %q", batch.Partial)
	}
}

// Folders are few, but sessions many. What is asked of a server of that size is
// bounded: all folders once, then only those where something waits.
func TestOpenCallsOfALargeServer(t *testing.T) {
	const folders, sessions, hot = 200, 5000, 3
	s := newServer(t)
	for i := range sessions {
		s.session(fmt.Sprintf("ses_%d", i), fmt.Sprintf("/srv/%d", i%folders), "Some work", "")
	}
	for i := range hot {
		s.waiting(fmt.Sprintf("per_%d", i), fmt.Sprintf("ses_hot_%d", i), fmt.Sprintf("/srv/%d", i), "make")
	}
	at := &clock{at: time.Date(2026, 11, 30, 21, 40, 0, 0, time.UTC)}
	r := s.relay(Options{})
	r.now = at.now
	if asks, batch := open(t, r); len(asks) != hot || !batch.Complete {
		t.Fatalf("%d asks, complete %v", len(asks), batch.Complete)
	}
	// 11 pages, 4 lists for each folder, for each ask its turn, call and session, and
	// whose server it is, which those that are read side by side may each ask.
	if n := s.total(); n > 11+4*folders+4*hot {
		t.Errorf("the first reading took %d calls", n)
	}
	if n := len(r.sessions); n != hot {
		t.Errorf("%d sessions are kept in memory for %d asks", n, hot)
	}
	polls := func(n int, every time.Duration) (calls int) {
		for range n {
			at.move(every)
			if asks, batch := open(t, r); len(asks) != hot || !batch.Complete {
				t.Fatalf("%d asks, complete %v", len(asks), batch.Complete)
			}
		}
		return s.total()
	}
	// Without a stream: a page of sessions, five calls for each folder where
	// something waits, and each of the others once a minute or rarer.
	if n := polls(30, 2*time.Second); n > 30*(1+5*hot)+4*folders {
		t.Errorf("a minute of polls took %d calls", n)
	}
	r.followed.Store(true)
	r.lived(true)
	polls(1, time.Second)
	// With it, the others are as good as never listed.
	if n := polls(4, 15*time.Second); n > 4*(1+5*hot) {
		t.Errorf("a minute of polls beside a stream took %d calls", n)
	}
}
