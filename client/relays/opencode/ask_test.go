package opencode

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
)

func TestIDTime(t *testing.T) {
	now := time.Date(2026, 11, 30, 22, 0, 0, 0, time.UTC)
	for id, want := range map[string]string{
		bashID: "2026-11-30T21:39:07.888Z",
		askID:  "2026-11-30T21:39:19.337Z",
		// One that is a little ahead of this machine's clock is of the future, not of two years ago.
		"per_22e7a51a8001h43u3KQc9JN912": "2026-11-30T22:01:37.960Z",
		"per_22e65b7f0001":               "", "per_xxxxxxxxxxxxh43u3KQc9JN912": "", "nope": "", "": "",
		"per_-2e65b7f0001h43u3KQc9JN912": "",
	} {
		got := idTime(id, now)
		if want == "" && !got.IsZero() || want != "" && got.Format("2006-01-02T15:04:05.000Z") != want {
			t.Errorf("%s is of %v, not %s", id, got, want)
		}
	}
	// Two years later the same digits begin anew.
	later := now.AddDate(2, 2, 4)
	if got := idTime(bashID, later); later.Sub(got).Abs() > 400*24*time.Hour {
		t.Errorf("in two years it is of %v", got)
	}
}

func TestOpened(t *testing.T) {
	now := time.Date(2026, 11, 30, 22, 0, 0, 0, time.UTC)
	start := time.Date(2026, 11, 30, 21, 39, 7, 0, time.UTC)
	at := func(id string, call *toolCall) time.Time { return opened(&request{id: id}, call, now) }
	if got := at(bashID, &toolCall{start: start}); got.Equal(start) || got.Sub(start) > time.Second {
		t.Errorf("the id is not what counts: %v", got)
	}
	if got := at("per_odd", &toolCall{start: start}); !got.Equal(start) {
		t.Errorf("without a time in the id it is %v", got)
	}
	if got := at("per_ffffffffffffh43u3KQc9JN912", &toolCall{start: start}); !got.Equal(start) {
		t.Errorf("with a made-up id it is %v", got)
	}
	if got := at("per_odd", nil); !got.IsZero() {
		t.Errorf("a time was invented: %v", got)
	}
}

// shown writes the parts down for comparison.
func partsOf(a *client.ApprovalAsk) []string {
	kinds := map[client.PartKind]string{client.PartCommand: "command", client.PartArgs: "args", client.PartDiff: "diff",
		client.PartPlan: "plan", client.PartField: "field", client.PartSays: "says"}
	var all []string
	for _, p := range a.Parts {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", kinds[p.Kind], p.Key.Raw(), p.Path.Raw(), p.Text.Raw())))
	}
	return all
}

func TestApprovalParts(t *testing.T) {
	const tool = `"tool":{"messageID":"msg_1","callID":"c1"}`
	diff := `Index: /a/x.txt\n===\n--- /a/x.txt\n+++ /a/x.txt\n@@ -1 +1 @@\n-a\n+b\n`
	for name, c := range map[string]struct {
		item, tool, input string
		engine            engine
		want              []string
		excerpt           bool
	}{
		"one command": {`{"permission":"bash","patterns":["make"],"metadata":{"command":"make"},` + tool + `}`,
			"bash", `{"command":"make","description":"Build it"}`, first, []string{"command   make", "says description  Build it"}, false},
		"several commands, elsewhere": {`{"permission":"bash","patterns":["a","b"],"metadata":{"command":"a && b"},` + tool + `}`,
			"bash", `{"command":"a && b","workdir":"/etc"}`, first,
			[]string{"command   a && b", "field workdir  /etc"}, false},
		"another command in the call": {`{"permission":"bash","patterns":["ls"],"metadata":{"command":"ls"},` + tool + `}`,
			"bash", `{"command":"rm -rf ~"}`, first, []string{"command   rm -rf ~", "field metadata.command  ls"}, false},
		"edit": {`{"permission":"edit","patterns":["x.txt"],"metadata":{"filepath":"/a/x.txt","diff":"` + diff + `"},` + tool + `}`,
			"edit", `{"filePath":"/a/x.txt","oldString":"a","newString":"b","replaceAll":true}`, first,
			[]string{"diff  x.txt @@ -1 +1 @@\n-a\n+b", "field replaceAll  true"}, false},
		"read": {`{"permission":"read","patterns":["x.txt"],"metadata":{},` + tool + `}`,
			"read", `{"filePath":"/a/x.txt","limit":5}`, first, []string{"field filePath  x.txt", "field limit  5"}, false},
		"outside": {`{"permission":"external_directory","patterns":["/x/*"],"metadata":{"command":"cat /x/y","directories":["/x"],"patterns":["/x/*"]},` + tool + `}`,
			"bash", `{"command":"cat /x/y"}`, first,
			[]string{"field patterns  /x/*", "field tool  bash", "command   cat /x/y"}, false},
		"edit as Kilo tells of it": {`{"permission":"edit","patterns":["x.txt"],"metadata":{"filepath":"/a/x.txt","diff":"` + diff + `","filediff":{"file":"/a/x.txt","patch":"` + diff + `","additions":1,"deletions":1}},` + tool + `}`,
			"edit", `{"filePath":"/a/x.txt","oldString":"a","newString":"b"}`, first, []string{"diff  x.txt @@ -1 +1 @@\n-a\n+b"}, false},
		"what Kilo does not cut": {`{"permission":"edit","patterns":["x.txt"],"metadata":{"filepath":"/a/x.txt","diff":"` + diff + `","filediff":{"file":"/a/x.txt","patch":"` + strings.NewReplacer("-a", "-  a", "+b", "+  b").Replace(diff) + `"}},` + tool + `}`,
			"edit", `{"filePath":"/a/x.txt","oldString":"  a","newString":"  b"}`, first, []string{"diff  x.txt @@ -1 +1 @@\n-  a\n+  b"}, false},
		"Kilo tells of another change": {`{"permission":"edit","patterns":["x.txt"],"metadata":{"filepath":"/a/x.txt","diff":"` + diff + `","filediff":{"file":"/a/y.txt","patch":"` + diff + `"}},` + tool + `}`,
			"edit", `{"filePath":"/a/x.txt","oldString":"a","newString":"b"}`, first,
			[]string{"diff  x.txt @@ -1 +1 @@\n-a\n+b", "field filediff  {\n  \"file\": \"/a/y.txt\",\n  \"patch\": \"" + diff + "\"\n}"}, false},
		"a diff of another file": {`{"permission":"edit","patterns":["x.txt"],"metadata":{"filepath":"/a/x.txt","diff":"` + strings.ReplaceAll(diff, "x.txt", "y.txt") + `"},` + tool + `}`,
			"edit", `{"filePath":"/a/x.txt","oldString":"a","newString":"b"}`, first,
			[]string{"diff  x.txt " + strings.ReplaceAll(strings.ReplaceAll(diff, "x.txt", "y.txt"), `\n`, "\n")}, false},
		"a file elsewhere": {`{"permission":"edit","patterns":["../b/x.txt"],"metadata":{"filepath":"/b/x.txt"},` + tool + `}`,
			"write", `{"filePath":"/b/x.txt","content":"a\n"}`, first, []string{"diff  /b/x.txt @@ -0,0 +1,1 @@\n+a", "field patterns  ../b/x.txt"}, false},
		"a path that goes up again": {`{"permission":"read","patterns":["*"],"metadata":{},` + tool + `}`,
			"read", `{"filePath":"/a/../etc/passwd"}`, first, []string{"field filePath  /a/../etc/passwd"}, false},
		"a page": {`{"permission":"webfetch","patterns":["http://x/"],"metadata":{"url":"http://x/","format":"text","timeout":5},` + tool + `}`,
			"webfetch", `{"url":"http://x/","format":"text","timeout":5}`, first, []string{"field url  http://x/", "field format  text", "field timeout  5"}, false},
		"files of a name": {`{"permission":"glob","patterns":["*.txt"],"metadata":{"pattern":"*.txt","path":"/a/sub"},` + tool + `}`,
			"glob", `{"pattern":"*.txt","path":"/a/sub"}`, first, []string{"field pattern  *.txt", "field path  sub"}, false},
		"a file outside": {`{"permission":"external_directory","patterns":["/x/*"],"metadata":{"filepath":"/x/y","parentDir":"/x"},` + tool + `}`,
			"read", `{"filePath":"/x/y"}`, first, []string{"field patterns  /x/*", "field tool  read", "field filePath  /x/y"}, false},
		"another folder than the patterns": {`{"permission":"external_directory","patterns":["/x/*"],"metadata":{"parentDir":"/etc"},` + tool + `}`,
			"read", `{"filePath":"/x/y"}`, first, []string{"field patterns  /x/*", "field tool  read", "field filePath  /x/y", "field parentDir  /etc"}, false},
		"a pattern that is no piece of the command": {`{"permission":"bash","patterns":["make","rm -rf ~"],"metadata":{"command":"make"},` + tool + `}`,
			"bash", `{"command":"make"}`, first, []string{"command   make", `field patterns  ["make", "rm -rf ~"]`}, false},
		"a tool without input": {`{"permission":"status","patterns":["*"],"metadata":{},` + tool + `}`, "status", `{}`, first, []string{"field patterns  *"}, false},
		"some tool": {`{"permission":"github_create_issue","patterns":["*"],"metadata":{},` + tool + `}`,
			"github_create_issue", `{"title":"x","labels":["a"]}`, first, []string{"field title  x", `field labels  ["a"]`}, false},
		"call not read": {`{"permission":"github_create_issue","patterns":["*"],"metadata":{},` + tool + `}`,
			"", "", first, []string{"field patterns  *"}, true},
		"metadata of another form": {`{"permission":"odd","patterns":[],"metadata":["x"],` + tool + `}`,
			"odd", `"y"`, first, []string{"field input  y", `field metadata  ["x"]`}, false},
		"second engine, command": {`{"action":"bash","resources":["ls -l"],"source":{"messageID":"msg_1","callID":"c1"}}`,
			"", "", second, []string{"command   ls -l"}, false},
		"second engine, edit": {`{"action":"edit","resources":["x.txt"],"source":{"messageID":"msg_1","callID":"c1"}}`,
			"edit", `{"path":"/a/x.txt","oldString":"a","newString":"b"}`, second,
			[]string{"diff  x.txt @@ -1,1 +1,1 @@\n-a\n+b"}, false},
		"second engine, edit that nobody tells of": {`{"action":"edit","resources":["x.txt"]}`,
			"", "", second, []string{"field patterns  x.txt"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			q := readRequest(list{c.engine, false}, []byte(`{"id":"per_1","sessionID":"ses_1",`+c.item[1:]))
			if q.unreadable != "" {
				t.Fatal(q.unreadable)
			}
			var call *toolCall
			if c.tool != "" {
				call = &toolCall{status: "running", tool: c.tool, input: []byte(c.input)}
			}
			a := approval(basis{request: q, call: call, folder: "/a"})
			got := partsOf(a)
			for i := range c.want {
				c.want[i] = strings.TrimSpace(c.want[i])
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if (a.Excerpt != "") != c.excerpt {
				t.Errorf("the excerpt says %q", a.Excerpt)
			}
		})
	}
}

func TestOffers(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "make")
	s.waiting(editID, "ses_2", "/srv/a", "true")
	s.lists["permission /srv/a"] = append(s.lists["permission /srv/a"], bash("per_2", "ses_2", "ls"), bash("per_3", "ses_2", "ls"))
	s.lists["question /srv/a"] = []string{question(askID, "ses_2", `{"question":"Name?","header":"","options":[]}`), `{"id":"que_none","sessionID":"ses_2","questions":[]}`}
	asks, _ := open(t, s.relay(Options{}))
	alone, three := asks[bashID], asks[editID]
	if e := alone.Offer(client.ActDeny).Effect; e != "the turn ends" {
		t.Errorf("a denial says %q", e)
	}
	if e := alone.Offer(client.ActDenyReason).Effect; e != "the agent reads it and goes on" {
		t.Errorf("a denial with a reason says %q", e)
	}
	for _, act := range []client.Action{client.ActDeny, client.ActDenyReason} {
		if e := three.Offer(act).Effect; !strings.Contains(e, "the 2 other permissions") || !strings.Contains(e, "the turn ends") {
			t.Errorf("beside two others, action %d says %q", act, e)
		}
	}
	if o := alone.Offer(client.ActAllowMessage); o.OK || !strings.Contains(o.Why, "drops a message") {
		t.Errorf("allow with a message: %+v", o)
	}
	if got := alone.Approval.Always; len(got) != 1 || got[0].Raw() != "echo *" ||
		!strings.Contains(alone.Approval.AlwaysScope, `"/srv/a" until the opencode server restarts`) {
		t.Errorf("always: %v, %q", got, alone.Approval.AlwaysScope)
	}
	q := asks[askID]
	if !q.Questions[0].OwnText || q.Questions[0].TextWithChoices || !q.Questions[1].Optional || q.Questions[0].ID == q.Questions[1].ID {
		t.Errorf("questions: %+v", q.Questions)
	}
	if o := q.Offer(client.ActDismiss); !o.OK || o.Effect != "the turn ends" || q.Offer(client.ActDismissMessage).OK {
		t.Errorf("dismissal: %+v", o)
	}
	if o := asks["que_none"].Offer(client.ActAnswer); o.OK {
		t.Error("an ask without a question can be answered")
	}
}

func TestOfferAlwaysOnlyWithRules(t *testing.T) {
	q := readRequest(list{first, false}, []byte(`{"id":"per_1","sessionID":"ses_1","permission":"bash","patterns":["ls"],"metadata":{"command":"ls"},"always":[]}`))
	r := &Relay{now: time.Now}
	if o := r.newAsk(basis{request: q}).Offer(client.ActAlways); o.OK || o.Why == "" {
		t.Errorf("always without a rule: %+v", o)
	}
	none := readRequest(list{first, false}, []byte(`{"id":"per_1","sessionID":"ses_1","permission":"bash","patterns":[],"metadata":{},"always":["*"]}`))
	ask := r.newAsk(basis{request: none})
	for _, d := range []client.Decision{client.Allow, client.Always} {
		if client.Validate(ask, client.Answer{Decision: d}) == nil {
			t.Errorf("%v of something that shows nothing", d)
		}
	}
	if err := client.Validate(ask, client.Answer{Decision: client.Deny}); err != nil {
		t.Errorf("it cannot be denied: %v", err)
	}
}
