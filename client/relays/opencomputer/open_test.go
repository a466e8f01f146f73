package opencomputer

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
	"askbox/client/relays"
)

// page is the example of the wire's documentation.
const example = `{"sessions":[
{"id":"cs_0123456789abcdef","title":"Fix the flaky build","status":"waiting",
 "url":"https://oc.example/s/cs_0123456789abcdef",
 "createdBy":{"type":"user","id":"usr_1","name":"Ada"},"parentId":null,
 "createdAt":"2026-11-30T09:00:00Z","updatedAt":"2026-11-30T09:12:00Z",
 "asks":[
  {"id":"ak_0123456789ab","sessionId":"cs_0123456789abcdef","kind":"approval","status":"open",
   "openedAt":"2026-11-30T09:12:00Z",
   "approval":{"toolName":"Bash","input":{"command":"rm -rf build","description":"clean build"},
               "alwaysAllows":"Bash(rm -rf build)"}},
  {"id":"ak_0123456789ac","sessionId":"cs_0123456789abcdef","kind":"question","status":"open",
   "openedAt":"2026-11-30T09:11:00Z",
   "question":{"questions":[{"questionId":"q1","header":"Database","question":"Which database?",
     "options":[{"label":"Postgres","description":"what we run"},{"label":"SQLite","description":"one file"}],
     "multiSelect":false}]}},
  {"id":"ak_0123456789ad","sessionId":"cs_0123456789abcdef","kind":"secret","status":"open",
   "openedAt":"2026-11-30T09:10:00Z","secret":{"name":"STRIPE_KEY","description":"for the sandbox"}}]}],"nextCursor":null}`

func TestExample(t *testing.T) {
	both(t, func(asked) said { return ok(example) }, func(t *testing.T, r *Relay, s *script) {
		b := open(t, r)
		if !b.Complete || b.Partial != "" || len(b.Asks) != 3 || time.Since(b.Now) > time.Minute {
			t.Fatalf("%+v", b)
		}
		if got := s.asked(); len(got) != 1 || got[0] != "GET /sessions?limit=100&status=waiting " {
			t.Errorf("asked for %q", got)
		}
		a := find(t, b, "ak_0123456789ab")
		if a.Ref != (client.Ref{Relay: "work", Session: "cs_0123456789abcdef", ID: "ak_0123456789ab"}) || a.Kind != client.Approval ||
			a.Status != client.Open || !a.Waits || a.Opened.IsZero() || a.What().Raw() != "rm -rf build" {
			t.Errorf("%+v", a)
		}
		if a.Session.Title.Raw() != "Fix the flaky build" || a.Session.Link != "https://oc.example/s/cs_0123456789abcdef" || a.Session.Starter != client.StarterMe {
			t.Errorf("%+v", a.Session)
		}
		if d := cmp.Diff([]string{"Bash(rm -rf build)"}, raw(a.Approval.Always)); d != "" || !a.Offer(client.ActAlways).OK || !a.Offer(client.ActDenyReason).OK {
			t.Errorf("always: %s", d)
		}
		if last := a.Approval.Parts[len(a.Approval.Parts)-1]; last.Kind != client.PartSays || last.Text.Raw() != "clean build" {
			t.Errorf("the agent says %+v", last)
		}
		q := find(t, b, "ak_0123456789ac").Questions[0]
		if q.ID != "q1" || q.Text.Raw() != "Which database?" || len(q.Options) != 2 || q.Options[1].ID != "SQLite" || q.Multi || !q.OwnText {
			t.Errorf("%+v", q)
		}
		k := find(t, b, "ak_0123456789ad")
		if k.Secret.Name.Raw() != "STRIPE_KEY" || k.Secret.Where == "" || k.Offer(client.ActAnswer).OK || !k.Offer(client.ActDismiss).OK {
			t.Errorf("%+v", k)
		}
	})
}

func TestOddAsksCostThemselvesOnly(t *testing.T) {
	items := []string{
		bash("ak_1", "ls"),
		`{"id":2,"kind":"approval","status":"open"}`,
		`{"id":"ak_3","kind":"approval","status":"open","approval":{"toolName":["Bash"],"input":{}}}`,
		`{"id":"ak_4","kind":"secret","status":"open","openedAt":"yesterday","secret":{"name":"X"}}`,
		`null`,
		`{"id":"ak_6","kind":"payment_approval","status":"open","amount":100}`,
		`{"id":"ak_7","kind":"approval","status":"open ","approval":{"toolName":"Bash","input":{"command":"ls"}}}`,
		`{"id":"ak_8","kind":"approval","status":"open","approval":{"toolName":"Bash","input":{"command":"ls","command":"rm -rf ~"}}}`,
		`{"id":"ak_9","kind":"approval","status":"open","approval":{"toolName":"Bash","input":{"command":"ls \ud800 x"}}}`,
		`{"id":"ak_10","kind":"approval","status":"open","approval":{"toolName":"Bash","input":{}}}`,
		`{"id":"ak_11","kind":"approval","status":"open"}`,
		`{"id":"ak_12","kind":"question","status":"open","question":{"questions":[{"question":"?"}]}}`,
		`{"id":"ak_13","kind":"approval","status":"answered"}`,
		`{"id":"..","kind":"secret","status":"open"}`,
		`{"id":"ak_15","sessionId":"cs_other","kind":"secret","status":"open"}`,
		`{"id":"ak_16","kind":"APPROVAL","status":"open","approval":{"toolName":"Bash","input":{"command":"ls"}}}`,
		`{"id":"ak_17","kind":"approval","status":"open","approval":{"toolName":"Bash","input":{"command":"ls"},"alwaysAllows":{"all":true}}}`,
		`{"id":"ak_18","kind":"approval","status":"open","approval":{"toolName":"Bash","input":{"command":"ls"},"alwaysAllows":["a","b"]}}`,
		`{"id":"ak_19","kind":"secret"}`,
	}
	both(t, func(asked) said { return ok(waiting(items...)) }, func(t *testing.T, r *Relay, _ *script) {
		b := open(t, r)
		if len(b.Asks) != len(items)-1 || !b.Complete {
			t.Fatalf("%d of %d: %v", len(b.Asks), len(items), ids(b))
		}
		for id, want := range map[string]string{"2": "/id", "ak_3": "/approval/toolName", "ak_8": `key "command" stands in it twice`,
			"ak_9": "not valid Unicode", "..": "no usable id", "ak_15": "names another"} {
			a := find(t, b, id)
			if id == ".." && a.ID != ".." {
				continue
			}
			if !strings.Contains(a.Unreadable, want) || a.Approval != nil || len(a.Raw) == 0 {
				t.Errorf("%s: %q", id, a.Unreadable)
			}
		}
		unreadable := 0
		for _, a := range b.Asks {
			if a.Unreadable != "" {
				unreadable++
			}
			certain := a.Unreadable == "" && a.Status == client.Open && a.Kind != client.Unknown
			for act := client.ActAllow; act <= client.ActDismissMessage; act++ {
				if a.Offer(act).OK && !certain {
					t.Errorf("%s offers %v", a.ID, act)
				}
			}
		}
		if unreadable != 7 {
			t.Errorf("%d are unreadable", unreadable)
		}
		if a := find(t, b, "ak_4"); !a.Opened.IsZero() || a.Unreadable != "" {
			t.Errorf("%+v", a)
		}
		if a := find(t, b, "ak_6"); a.Kind != client.Unknown || a.KindName.Raw() != "payment_approval" || len(a.Fields) != 4 || a.Status != client.Open {
			t.Errorf("%+v", a)
		}
		for _, id := range []string{"ak_7", "ak_19"} {
			if a := find(t, b, id); a.Status != client.StatusUnknown || a.Status.Closed() {
				t.Errorf("%s is %v", id, a.Status)
			}
		}
		for _, id := range []string{"ak_10", "ak_11"} {
			if a := find(t, b, id); a.Offer(client.ActAllow).OK || !a.Offer(client.ActDeny).OK || a.Offer(client.ActAllow).Why == "" {
				t.Errorf("%s: nothing is shown, and it offers %+v", id, a.Offers)
			}
		}
		if a := find(t, b, "ak_12"); a.Offer(client.ActAnswer).OK || !strings.Contains(a.Offer(client.ActAnswer).Why, "no id") {
			t.Errorf("%+v", a.Offer(client.ActAnswer))
		}
		if find(t, b, "ak_17").Offer(client.ActAlways).OK {
			t.Error("a rule that cannot be shown is offered")
		}
		if d := cmp.Diff([]string{"a", "b"}, raw(find(t, b, "ak_18").Approval.Always)); d != "" {
			t.Error(d)
		}
		again := open(t, r)
		if d := cmp.Diff(ids(b), ids(again)); d != "" {
			t.Errorf("the second poll lists others: %s", d)
		}
	})
}

func TestSessions(t *testing.T) {
	ask := func(id string) string { return `{"id":"` + id + `","kind":"secret","status":"open"}` }
	page := `{"sessions":[
{"id":"s1","asks":[` + ask("mine") + `],"createdBy":{"type":"user","id":"usr_1"},"title":"x\ud83d","url":"https://a.example/\u001b[2J"},
{"id":"s2","asks":[` + ask("other") + `],"createdBy":{"type":"user","id":"usr_2","name":"Grace"},"url":"javascript:alert(1)"},
{"id":"s3","asks":[` + ask("agent") + `],"createdBy":{"type":"agent","id":"ag_1","name":"lead"},"title":5},
{"id":"s4","asks":[` + ask("child") + `],"createdBy":{"type":"user","id":"usr_1"},"parentId":"s1"},
{"id":"s5","asks":[` + ask("nobody") + `],"createdBy":"Ada"},
{"id":"s6","title":"a","title":"b","asks":[` + ask("twice") + `]},
{"asks":[` + ask("noid") + `]},
{"id":"s8","asks":{"a":1}},
null,
{"id":"s1","asks":[]}],"new":{"field":1}}`
	both(t, func(asked) said { return ok(page) }, func(t *testing.T, r *Relay, _ *script) {
		b := open(t, r)
		for id, want := range map[string]client.Starter{"mine": client.StarterMe, "other": client.StarterPerson, "agent": client.StarterAgent,
			"child": client.StarterAgent, "nobody": client.StarterUnknown} {
			if a := find(t, b, id); a.Session.Starter != want || a.Unreadable != "" || a.Session.Link != "" {
				t.Errorf("%s: %+v %s", id, a.Session, a.Unreadable)
			}
		}
		for id, want := range map[string]string{"twice": "title", "noid": "no usable id", "s8": "does not list its asks"} {
			if a := find(t, b, id); !strings.Contains(a.Unreadable, want) || a.Offer(client.ActDismiss).OK {
				t.Errorf("%s: %q", id, a.Unreadable)
			}
		}
		if len(b.Asks) != 9 {
			t.Errorf("%v", ids(b))
		}
	})
}

func TestWhoseTokenItIs(t *testing.T) {
	for name, test := range map[string]struct {
		me         said
		configured string
		want       client.Starter
	}{
		"the relay tells":           {ok(`{"id":"usr_1","name":"Ada"}`), "", client.StarterMe},
		"the configuration differs": {ok(`{"id":"usr_1","name":"Ada"}`), "usr_9", client.StarterPerson},
		"it does not":               {said{status: 404, body: `{"error":{"code":"not_found"}}`}, "usr_1", client.StarterMe},
		"it does not, another":      {said{status: 404, body: `{"error":{"code":"not_found"}}`}, "usr_9", client.StarterPerson},
		"nobody does":               {said{status: 404, body: `{"error":{"code":"not_found"}}`}, "", client.StarterUnknown},
		"it fails":                  {said{status: 500, body: `{}`}, "usr_1", client.StarterMe},
		"it says something strange": {ok(`{"id":7}`), "usr_1", client.StarterMe},
	} {
		both(t, func(asked) said { return ok(waiting(bash("ak_1", "ls"))) }, func(t *testing.T, r *Relay, s *script) {
			s.me, r.who = test.me, relays.NewIdentity(test.configured, r.readMe)
			if got := open(t, r).Asks[0].Session.Starter; got != test.want {
				t.Errorf("%s: %v", name, got)
			}
		})
	}
}

// Two asks of two sessions with one id are two asks (R5).
func TestOneIDInTwoSessions(t *testing.T) {
	page := `{"sessions":[` + sessionOf("A", bash("1", "ls")) + `,` + sessionOf("B", bash("1", "rm")) + `]}`
	both(t, func(a asked) said {
		if a.verb == "POST" {
			return ok(`{"ask":{"id":"1","sessionId":"B","kind":"approval","status":"answered","answer":{"decision":"allow"}}}`)
		}
		return ok(page)
	}, func(t *testing.T, r *Relay, s *script) {
		b := open(t, r)
		if len(b.Asks) != 2 {
			t.Fatalf("%v", ids(b))
		}
		i := slices.IndexFunc(b.Asks, func(a *client.Ask) bool { return a.Ref.Session == "B" })
		if b.Asks[i].What().Raw() != "rm" {
			t.Fatalf("%+v", b.Asks[i])
		}
		if _, err := r.Answer(context.Background(), b.Asks[i], client.Answer{Decision: client.Allow}); err != nil {
			t.Fatal(err)
		}
		if got := s.asked()[1]; got != `POST /sessions/B/asks/1/answer {"decision":"allow"}` {
			t.Errorf("sent %s", got)
		}
	})
}

func TestTwoContentsUnderOneID(t *testing.T) {
	both(t, func(asked) said {
		return ok(waiting(bash("1", "ls"), bash("1", "rm -rf ~"), bash("2", "ls"), bash("2", "ls")))
	},
		func(t *testing.T, r *Relay, _ *script) {
			b := open(t, r)
			if a := find(t, b, "1"); len(b.Asks) != 2 || a.Unreadable == "" || a.Offer(client.ActAllow).OK {
				t.Errorf("%v, offers %+v", ids(b), a.Offers)
			}
			if a := find(t, b, "2"); a.Unreadable != "" {
				t.Errorf("%s", a.Unreadable)
			}
		})
}

func TestUnchangedAsksStayTheSame(t *testing.T) {
	page := waiting(bash("1", "ls"), bash("2", "ls"))
	both(t, func(asked) said { return ok(page) }, func(t *testing.T, r *Relay, s *script) {
		first := open(t, r)
		second := open(t, r)
		page = waiting(bash("1", "ls"), bash("2", "rm"))
		third := open(t, r)
		if &first.Asks[0] != &second.Asks[0] || first.Asks[0].Digest() != third.Asks[0].Digest() || first.Asks[1] == third.Asks[1] {
			t.Error("an ask that did not change was read anew, or one that did was not")
		}
		if third.Asks[1].What().Raw() != "rm" || len(s.asked()) != 3 {
			t.Errorf("%v, asked %v", third.Asks[1].What(), s.asked())
		}
		page = waiting(bash("1", "ls"), bash("2", "ls"))
	})
}

func TestNoSuchRelay(t *testing.T) {
	for name, reply := range map[string]said{
		"html":        ok(`<!doctype html><title>Sign in</title>`),
		"other JSON":  ok(`{"healthy":true}`),
		"a list":      ok(`[]`),
		"no sessions": {status: 404, body: `{"error":{"code":"not_found","message":"no route"}}`},
		"null":        ok(`{"sessions":null}`),
		"breaks off":  ok(`{"sessions":[{`),
	} {
		both(t, func(asked) said { return reply }, func(t *testing.T, r *Relay, _ *script) {
			b, err := r.Open(context.Background())
			if !is[*client.NotRelay](err) || b.Complete {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := r.Closed(context.Background(), time.Now()); !is[*client.NotRelay](err) {
				t.Errorf("%s: closed: %v", name, err)
			}
		})
	}
}

func TestAbout(t *testing.T) {
	both(t, func(asked) said { return ok(waiting()) }, func(t *testing.T, r *Relay, s *script) {
		about, err := r.About(context.Background())
		if err != nil || about.Who.Raw() != "Ada" || about.Kind != "opencomputer" || about.Auth != "token" {
			t.Errorf("%+v %v", about, err)
		}
		s.me = said{status: 404, body: `{"error":{"code":"not_found"}}`}
		r.who = relays.NewIdentity("", r.readMe)
		if about, err := r.About(context.Background()); err != nil || !about.Who.Empty() {
			t.Errorf("%+v %v", about, err)
		}
		s.me = said{status: 401, body: `{"error":{"code":"unauthorized"}}`}
		if _, err := r.About(context.Background()); !is[*client.TokenRefused](err) {
			t.Errorf("%v", err)
		}
	})
}
