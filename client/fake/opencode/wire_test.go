package opencode

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

func TestEvents(t *testing.T) {
	c := start(t, Options{})
	n := c.AddSession(Session{Folder: "/srv/one"})
	all, one := c.follow("/global/event"), c.follow("/event"+in("/srv/one"))
	elsewhere := c.Bash(c.AddSession(Session{Folder: "/srv/two"}), "true")
	id := c.Bash(n, "ls")
	if line := all.sees("permission.asked"); !strings.Contains(line, elsewhere) || !strings.Contains(line, `{"directory":"/srv/two","project":"`) {
		t.Errorf("the first is %s", line)
	}
	if line := all.sees("permission.asked"); !strings.Contains(line, id) {
		t.Errorf("the second is %s", line)
	}
	if line := one.sees("permission.asked"); !strings.Contains(line, id) || strings.Contains(line, "directory") {
		t.Errorf("of one folder: %s", line)
	}
	c.Reply(id, "reject", "no")
	if line := one.sees("permission.replied"); !strings.Contains(line, `{"sessionID":"`+n+`","requestID":"`+id+`","reply":"reject"}`) {
		t.Errorf("%s", line)
	}
	asked := c.Choice(n, "Sure?", "yes")
	one.sees("question.asked")
	c.Answer(asked, []string{"yes"})
	if line := one.sees("question.replied"); !strings.Contains(line, `"answers":[["yes"]]`) {
		t.Errorf("%s", line)
	}
	c.Reject(c.Choice(n, "And now?", "yes"))
	if line := one.sees("question.rejected"); strings.Contains(line, "answers") {
		t.Errorf("%s", line)
	}
	c.Bash(n, "sleep 1")
	c.Abort(n)
	one.sees("session.error")
	one.sees("session.idle")
	c.Dispose("/srv/one")
	one.sees("server.instance.disposed")
	for one.lines.Scan() {
		if line := one.lines.Text(); line != "" {
			t.Errorf("the stream of a disposed folder goes on: %s", line)
		}
	}
	all.sees("server.instance.disposed")
}

func TestTheStreamBeats(t *testing.T) {
	c := start(t, Options{Heartbeat: time.Millisecond})
	c.follow("/global/event").sees("server.heartbeat")
}

func TestTheSecondEngine(t *testing.T) {
	c := start(t, Options{Root: "/srv/two"})
	n, other := c.AddSession(Session{Engine: 2, Title: "Two"}), c.AddSession(Session{Engine: 2})
	all := c.follow("/global/event")
	id := c.Edit(n, "greeting.txt", "a\n", "b\n")
	if line := all.sees("permission.v2.asked"); !strings.Contains(line, `"action":"edit","resources":["greeting.txt"],"save":["*"],"source":{"type":"tool","messageID":"msg_`) ||
		strings.Contains(line, "project") || strings.Contains(line, "metadata") {
		t.Errorf("%s", line)
	}
	c.wants("GET", "/permission", "", 200, "[]")
	c.wants("GET", "/session/"+n+"/message", "", 200, "[]")
	c.wants("GET", "/api/permission/request?location[directory]=/srv/two", "", 200, `{"location":{"directory":"/srv/two"`, id)
	c.wants("GET", "/api/session/"+n+"/permission", "", 200, `{"data":[{"id":"`+id+`"`)
	c.wants("GET", "/api/session/active", "", 200, `{"data":{"`+n+`":{"type":"running"}}}`)
	c.wants("GET", "/session/status", "", 200, "{}")
	c.wants("GET", "/api/session/"+n, "", 200, `"title":"Two"`, `"location":{"directory":"/srv/two"}`)
	if got := c.part(id); !strings.Contains(got, `"name":"edit","state":{"status":"running"`) {
		t.Errorf("the call says %s", got)
	}
	reply := "/api/session/" + n + "/permission/" + id + "/reply"
	c.wants("POST", reply, `{"reply":"maybe"}`, 400, `{"_tag":"InvalidRequestError","message":"Expected PermissionV2.Reply, got \"maybe\"\n  at [\"reply\"]","kind":"Payload"}`)
	c.wants("POST", "/api/session/ses_none/permission/"+id+"/reply", `{"reply":"once"}`, 404, `{"_tag":"SessionNotFoundError","sessionID":"ses_none"`)
	c.wants("POST", "/api/session/"+other+"/permission/"+id+"/reply", `{"reply":"once"}`, 404, "PermissionNotFoundError")
	c.wants("POST", reply, `{"reply":"once"}`, 204)
	c.state(id, Replied)

	first, covered := c.Bash(n, "make x"), c.Bash(other, "make x")
	c.wants("POST", "/api/session/"+n+"/permission/"+first+"/reply", `{"reply":"always"}`, 204)
	if a := c.state(covered, Replied); !a.Auto {
		t.Errorf("%+v", a)
	}
	c.wants("GET", "/api/permission/saved", "", 200, `"action":"bash","resource":"make x"`)
	if saved := c.Saved(); len(saved) != 1 || saved[0] != "bash make x" {
		t.Errorf("%v is saved", saved)
	}

	denied, with := c.Bash(n, "rm -r x"), c.Bash(n, "rm -r y")
	c.wants("POST", "/api/session/"+n+"/permission/"+denied+"/reply", `{"reply":"reject"}`, 204)
	c.state(with, Replied)
	lonely := c.Bash(n, "rm -r z")
	c.wants("POST", "/api/session/"+n+"/permission/"+lonely+"/reply", `{"reply":"reject","message":"use make"}`, 204)
	if a := c.state(lonely, Replied); a.TurnEnded || strings.Contains(a.Told, "use make") {
		t.Errorf("the reason gets to the model: %+v", a)
	}

	question := c.Choice(n, "Sure?", "yes")
	c.wants("GET", "/api/question/request", "", 200, question)
	c.wants("POST", "/api/session/"+n+"/question/"+question+"/reply", `{"answers":[["yes"]]}`, 204)
	c.state(question, Answered)
	rejected := c.Choice(n, "Sure?", "yes")
	c.wants("POST", "/api/session/"+n+"/question/"+rejected+"/reject", "", 204)
	c.state(rejected, Rejected)
	gone := c.Bash(n, "sleep 1")
	c.wants("POST", "/api/session/"+n+"/interrupt", "", 204)
	c.state(gone, Lost)
	c.wants("POST", "/api/session/"+n+"/permission/"+gone+"/reply", `{"reply":"once"}`, 404)
}

func TestSessionsOfAllFolders(t *testing.T) {
	c := start(t, Options{})
	asks := c.Fill(Size{Folders: 20, Sessions: 130, Waiting: 3})
	if len(asks) != 3 || c.OpenAsks() != 3 || len(c.Booted()) != 3 {
		t.Errorf("%v wait, in the folders %v", asks, c.Booted())
	}
	seen := map[string]bool{}
	for cursor, pages := "", 0; ; pages++ {
		response := c.do("GET", "/experimental/session?limit=50"+cursor, "")
		var page []struct {
			ID, Directory string
			Project       struct{ Worktree string }
		}
		if err := json.UnmarshalRead(response.Body, &page, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		for _, n := range page {
			seen[n.ID] = true
			if n.Directory == "" || n.Project.Worktree != n.Directory {
				t.Errorf("%+v has no folder", n)
			}
		}
		next := response.Header.Get("X-Next-Cursor")
		if next == "" {
			break
		}
		if _, err := strconv.ParseInt(next, 10, 64); err != nil || pages > 3 {
			t.Fatalf("page %d has the cursor %s", pages, next)
		}
		cursor = "&cursor=" + next
	}
	if len(seen) != 130 {
		t.Errorf("%d sessions on all pages", len(seen))
	}
}

// TestPagesSkipWhatIsAsOld is how the real server is: its cursor is a time.
func TestPagesSkipWhatIsAsOld(t *testing.T) {
	c := start(t, Options{})
	at := time.UnixMilli(1796070135437)
	for i := range 3 {
		c.AddSession(Session{Title: fmt.Sprint("s", i), Updated: at})
	}
	response := c.do("GET", "/experimental/session?limit=1", "")
	if next := response.Header.Get("X-Next-Cursor"); next != "1796070135437" {
		t.Fatalf("the cursor is %s", next)
	}
	c.wants("GET", "/experimental/session?limit=1&cursor=1796070135437", "", 200, "[]")
	c.AddSession(Session{Title: "put away", Archived: true})
	if _, text := c.call("GET", "/experimental/session", ""); strings.Contains(text, "put away") {
		t.Error("an archived session is listed")
	}
	c.wants("GET", "/experimental/session?archived=true", "", 200, "put away")
}

func TestSessions(t *testing.T) {
	c := start(t, Options{})
	root := c.AddSession(Session{Title: "Fix the flaky build"})
	child := c.AddSession(Session{Title: "Look around (@general subagent)", Parent: root})
	c.wants("GET", "/session?roots=true", "", 200, root)
	if _, text := c.call("GET", "/session?roots=true", ""); strings.Contains(text, child) {
		t.Error("a child is a root")
	}
	c.wants("GET", "/session/"+child, "", 200, `"parentID":"`+root+`","title":"Look around (@general subagent)","agent":"general"`)
	c.wants("GET", "/session/"+root+"/children", "", 200, `[{"id":"`+child)
	c.SetTitle(root, "Another")
	c.wants("GET", "/session?search=anoth", "", 200, root)
	c.wants("GET", "/project", "", 200, `"worktree":"/srv/app"`)
}

func TestIDsCarryTheirTime(t *testing.T) {
	c := start(t, Options{})
	n := c.AddSession(Session{Updated: time.UnixMilli(1796070135437)})
	id := c.BashAt(n, "ls", "List", time.UnixMilli(1796070135500))
	hex, err := strconv.ParseInt(id[4:16], 16, 64)
	if err != nil || hex>>12 != 1796070135500&(1<<36-1) {
		t.Errorf("%s is of another time: %v", id, err)
	}
	later := c.AddSession(Session{Updated: time.UnixMilli(1796070135438)})
	if later >= n || len(n) != 30 || len(id) != 30 {
		t.Errorf("%s is not before %s", later, n)
	}
}
