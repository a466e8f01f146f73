package cli

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

func TestListShowsTheOpenAsks(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "Fix the flaky build"})
	agents := relay.AddSession(fake.Session{Title: "Nightly", CreatedBy: fake.Actor{Type: "agent", ID: "ag_1", Name: "cron"}})
	bash := relay.Bash(session, "rm -rf build", "clean build")
	choice := relay.Choice(agents, "Which database?", "Postgres", "SQLite")

	r := run(t, "list")
	r.want(t, statusDone, "Approval\twaits\t\twork/"+session+"/"+bash.Ask+"\tBash  rm -rf build\tFix the flaky build", "work/"+agents+"/"+choice.Ask)
	run(t, "list", "--filter", "mine").want(t, statusDone, bash.Ask)
	if only := run(t, "list", "--filter", "agents"); strings.Contains(only.out, bash.Ask) || !strings.Contains(only.out, choice.Ask) {
		t.Errorf("--filter agents lists\n%s", only.out)
	}

	list := parse[listJSON](t, run(t, "list", "--json").out)
	if len(list.Asks) != 2 || len(list.Relays) != 1 || !list.Relays[0].Reachable {
		t.Fatalf("%+v", list)
	}
	for _, ask := range list.Asks {
		if ask.ID == bash.Ask && (ask.Ref != "work/"+session+"/"+bash.Ask || ask.Kind != "approval" || ask.Approval.Parts[0].Text != "rm -rf build" ||
			ask.Session.StartedBy != "me" || ask.Opened == nil || len(ask.Can) == 0 || ask.Digest == "") {
			t.Errorf("%+v", ask)
		}
	}
}

func TestListTellsWhatItHasWhenARelayFails(t *testing.T) {
	good, bad := startRelay(t), startRelay(t)
	configured(t, relayConfig("good", good)+relayConfig("bad", bad))
	ask := good.Bash(good.AddSession(fake.Session{Title: "x"}), "ls", "")
	for _, c := range []struct {
		name  string
		spoil func() func()
		want  int
	}{
		{"down", func() func() {
			if err := bad.Down(); err != nil {
				t.Fatal(err)
			}
			return func() {
				if err := bad.Up(); err != nil {
					t.Fatal(err)
				}
			}
		}, statusUnreachable},
		{"500", func() func() { return bad.Break(fake.ServerError()) }, statusUnreachable},
		{"a login page", func() func() { return bad.Break(fake.LoginPage()) }, statusUnreachable},
		{"half a JSON", func() func() { return bad.Break(fake.HalfJSON()) }, statusUnreachable},
		{"a limit", func() func() { return bad.Break(fake.RateLimited("7")) }, statusUnreachable},
		{"a redirect", func() func() { return bad.Break(fake.Redirect(http.StatusFound, "http://localhost:1")) }, statusUnreachable},
		{"the token refused", func() func() { return bad.Break(fake.Unauthorized()) }, statusNotAllowed},
	} {
		t.Run(c.name, func(t *testing.T) {
			lift := c.spoil()
			defer lift()
			r := run(t, "list")
			r.want(t, c.want, "/"+ask.Ask, "askbox: bad: ")
			if strings.Contains(r.err, "not sent") {
				t.Errorf("a reading speaks of what was sent: %s", r.err)
			}
			if list := parse[listJSON](t, run(t, "list", "--json").out); len(list.Asks) != 1 || list.Relays[1].Reachable || list.Relays[1].Reason == "" {
				t.Errorf("%+v", list.Relays)
			}
			run(t, "relays").want(t, c.want, "good · reachable in", "it may       the relay does not tell")
			run(t, "list", "--relay", "good").want(t, statusDone)
		})
	}
}

func TestShowAnOpenAndAClosedAsk(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "Fix the\x1b[2J flaky build"})
	bash := relay.Bash(session, "rm -rf build\n\x1b[31mls", "clean build")
	r := run(t, "show", "work/"+bash.Ask)
	r.want(t, statusDone, "Approval · the session waits", "│ rm -rf build", "The agent says\n│ clean build",
		"Always would allow", "askbox answer work/"+bash.Ask+" --allow")
	run(t, "show", "work/"+session+"/"+bash.Ask).want(t, statusDone, "rm -rf build")
	if ask := parse[askJSON](t, run(t, "show", "--json", "work/"+bash.Ask).out); ask.Approval.Parts[0].Text != "rm -rf build\n\x1b[31mls" {
		t.Errorf("the JSON is not raw: %q", ask.Approval.Parts[0].Text)
	}
	relay.AnswerAs(opencomputer.Grace.Actor, bash, fake.Deny(""))
	run(t, "show", "work/"+bash.Ask).want(t, statusDone, "answered", `by "Grace"`)
	run(t, "show", "work/none").want(t, statusFailed, "has no open ask none")
}

func TestAnswersArriveExactly(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	two := []fake.Question{
		{ID: "q1", Header: "DB", Text: "Which?", Options: fake.Labels("Postgres", "SQLite", "a=b")},
		{ID: "q2", Header: "Names", Text: "Which names?", Options: fake.Labels("a=b", "short", "long"), Several: true},
	}
	for _, c := range []struct {
		name string
		open func() fake.Ref
		args []string
		body string
		says string
	}{
		{"allow", func() fake.Ref { return relay.Bash(session, "ls", "") }, []string{"--allow"}, `{"decision":"allow"}`, "allowed, and work confirmed it"},
		{"deny", func() fake.Ref { return relay.Bash(session, "ls", "") }, []string{"--deny"}, `{"decision":"deny"}`, "denied, and work"},
		{"deny with a reason", func() fake.Ref { return relay.Bash(session, "ls", "") }, []string{"--deny", "--message", " no = never\n"},
			`{"decision":"deny","message":" no = never\n"}`, "denied"},
		{"always", func() fake.Ref { return relay.Bash(session, "make", "") }, []string{"--always"}, `{"decision":"always"}`, "│ Bash(make)"},
		{"plan", func() fake.Ref { return relay.Plan(session, "1. do") }, []string{"--allow", "--mode", "acceptEdits"},
			`{"decision":"allow","mode":"acceptEdits"}`, "allowed"},
		{"choice", func() fake.Ref { return relay.Choice(session, "Which?", "A", "B") }, []string{"--choose", "B"},
			`{"answers":[{"questionId":"q1","choices":["B"],"text":null}]}`, "answered"},
		{"own words", func() fake.Ref { return relay.Choice(session, "Which?", "A", "B") }, []string{"--text", "neither = both"},
			`{"answers":[{"questionId":"q1","choices":[],"text":"neither = both"}]}`, "answered"},
		{"several", func() fake.Ref { return relay.Questions(session, two...) },
			[]string{"--choose", "DB=SQLite", "--choose", "q2=long", "--choose", "2=1"},
			`{"answers":[{"questionId":"q1","choices":["SQLite"],"text":null},{"questionId":"q2","choices":["a=b","long"],"text":null}]}`, "answered"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref := c.open()
			answered(t, "work/"+ref.Ask, c.args...).want(t, statusDone, c.says)
			sent := relay.Answers(ref)
			if len(sent) != 1 || sent[0].Body != c.body {
				t.Errorf("the relay got %+v\nwant %s", sent, c.body)
			}
		})
	}
	r := run(t, "history", "--json")
	if entries := parse[historyJSON](t, r.out).Answered; len(entries) != 8 || !entries[0].ByMe || entries[0].Relay != "work" {
		t.Errorf("the history has %s", r.out)
	}
}

func TestDismiss(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	run(t, "dismiss", "work/"+ref.Ask, "--message", strings.Repeat("é", 2001)).want(t, statusUsage, "nothing was sent")
	run(t, "dismiss", "work/"+ref.Ask, "--message", "later").want(t, statusDone, "dismissed, and work confirmed it")
	if sent := relay.Answers(ref); len(sent) != 1 || sent[0].Body != `{"message":"later"}` {
		t.Errorf("the relay got %+v", sent)
	}
	run(t, "history").want(t, statusDone, "dismissed")
}

func TestNothingIsSentThatDoesNotFit(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	edit := relay.Edit(session, "a.go", "a", "b")
	question := relay.Choice(session, "Which?", "A", "B")
	twice := relay.Choice(session, "Which?", "A", "A")
	secret := relay.AskSecret(session, "KEY", "")
	for _, c := range []struct {
		ref  fake.Ref
		args string
		want int
	}{
		{edit, "--always", statusUsage},
		{edit, "--allow --mode auto", statusUsage},
		{edit, "--choose A", statusUsage},
		{edit, "--allow --message=", statusUsage},
		{edit, "--allow --digest 00", statusUsage},
		{edit, "--allow --digest 0000000g", statusUsage},
		{edit, "--allow --digest 00000000", statusFailed},
		{question, "--allow", statusUsage},
		{question, "--choose C", statusUsage},
		{question, "--choose A --choose B", statusUsage},
		{question, "--choose A --choose 1", statusUsage},
		{question, "--text= ", statusUsage},
		{question, "--choose A --message m", statusUsage},
		{twice, "--choose A", statusUsage},
		{secret, "--text hunter2", statusNotAllowed},
	} {
		t.Run(c.args, func(t *testing.T) {
			run(t, append([]string{"answer", "work/" + c.ref.Ask}, strings.Fields(c.args)...)...).want(t, c.want)
			if sent := relay.Answers(c.ref); len(sent) != 0 {
				t.Errorf("the relay got %+v", sent)
			}
		})
	}
}

func TestTheDigestHoldsAnAnswerToWhatWasShown(t *testing.T) {
	relay := work(t)
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	shown := parse[askJSON](t, run(t, "show", "--json", "work/"+ref.Ask).out)
	relay.Replace(ref, func(a *fake.Ask) { a.Command = "rm -rf ~" })
	run(t, "answer", "work/"+ref.Ask, "--allow", "--digest", shown.Digest).want(t, statusFailed, "nothing was sent")
	if sent := relay.Answers(ref); len(sent) != 0 {
		t.Errorf("the relay got %+v", sent)
	}
	again := parse[askJSON](t, run(t, "show", "--json", "work/"+ref.Ask).out)
	run(t, "answer", "work/"+ref.Ask, "--allow", "--digest", again.Digest).want(t, statusDone)
}

func TestSomeoneWasFirst(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	before := relay.Bash(session, "ls", "")
	relay.AnswerAs(opencomputer.Grace.Actor, before, fake.Deny(""))
	answered(t, "work/"+before.Ask, "--allow").want(t, statusClosed, "already closed", `by "Grace"`)

	between := relay.Bash(session, "ls", "")
	relay.Break(fake.JSON(http.StatusConflict, `{"error":{"code":"ask_closed","message":"closed","ask":{"id":"`+between.Ask+`","sessionId":"`+session+
		`","kind":"approval","status":"interrupted","openedAt":"2026-01-02T03:04:05Z","closedAt":"2026-01-02T03:05:05Z"}}}`).
		When(fake.To("POST", "/answer")).Next(1))
	r := answered(t, "work/"+between.Ask, "--allow")
	r.want(t, statusClosed, "interrupted")
	if strings.Contains(r.out, "allowed") {
		t.Errorf("it claims what the relay did not confirm:\n%s", r.out)
	}
}

func TestALostReplyIsSettledByReading(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	relay.Break(fake.LoseReply().When(fake.To("POST", "/answer")).Next(1))
	answered(t, "work/"+ref.Ask, "--allow").want(t, statusDone, "allowed, and work confirmed it")
	if sent := relay.Answers(ref); len(sent) != 1 {
		t.Errorf("it was sent %d times", len(sent))
	}
}

func TestAnAnswerThatCannotBeSettledIsNotClaimed(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	var sent atomic.Bool
	relay.Break(fake.LoseReply().When(func(r fake.Request) bool {
		return r.Method == "POST" && !sent.Swap(true)
	}))
	defer relay.Break(fake.ServerError().When(func(r fake.Request) bool {
		return r.Method == "GET" && sent.Load()
	}))()
	r := answered(t, "work/"+ref.Ask, "--allow")
	r.want(t, statusNotKnown, "not known whether it arrived", "askbox show work/"+ref.Ask)
	if strings.Contains(r.out, "confirmed") {
		t.Errorf("it claims what the relay did not confirm:\n%s", r.out)
	}
}

// TestMyOtherAnswerIsNotThisOne: the same person denied it elsewhere while an allow
// got lost on its way.
func TestMyOtherAnswerIsNotThisOne(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	relay.Break(fake.Drop().When(fake.To("POST", "/answer")))
	relay.Break(fake.JSON(200, `{"id":"`+ref.Ask+`","sessionId":"`+session+`","kind":"approval","status":"answered",
		"openedAt":"2026-01-02T03:04:05Z","closedAt":"2026-01-02T03:05:05Z","answer":{"decision":"deny"},
		"closedBy":{"type":"user","id":"usr_1","name":"Ada"},"approval":{"toolName":"Bash","input":{"command":"ls"}}}`).
		When(func(r fake.Request) bool { return r.Method == "GET" && strings.HasSuffix(r.Path, ref.Ask) }))
	r := answered(t, "work/"+ref.Ask, "--allow")
	r.want(t, statusClosed, "already closed")
	if strings.Contains(r.out, "allowed") {
		t.Errorf("it claims what the relay did not confirm:\n%s", r.out)
	}
}

func TestAMissingScopeIsFive(t *testing.T) {
	grace := opencomputer.Grace
	grace.Scopes = []string{}
	relay, err := opencomputer.Start(opencomputer.Options{Keys: []fake.Key{grace}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	configured(t, relayConfig("work", relay))
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	answered(t, "work/"+ref.Ask, "--allow").want(t, statusNotAllowed, "asks:answer")
}

func TestTheSameIDInTwoSessions(t *testing.T) {
	relay := work(t)
	one, two := relay.AddSession(fake.Session{Title: "one"}), relay.AddSession(fake.Session{Title: "two"})
	relay.Open(one, fake.Ask{ID: "ak_0123456789ab", Command: "one"})
	second := relay.Open(two, fake.Ask{ID: "ak_0123456789ab", Command: "two"})
	run(t, "list").want(t, statusDone, "work/"+one+"/ak_0123456789ab", "work/"+two+"/ak_0123456789ab")
	run(t, "answer", "work/ak_0123456789ab", "--allow").want(t, statusUsage, "name one of them in full", "work/"+one+"/ak_0123456789ab")
	answered(t, "work/"+two+"/ak_0123456789ab", "--allow").want(t, statusDone, "allowed")
	if sent := relay.Answers(second); len(sent) != 1 {
		t.Error("it went to the other session")
	}
}

func TestRelaysTellsWhoseTokenItIs(t *testing.T) {
	work(t)
	run(t, "relays").want(t, statusDone, "work · reachable in", "opencomputer", "Ada", "token in the configuration"[len("token "):])
	if relays := parse[relaysJSON](t, run(t, "relays", "--json").out).Relays; len(relays) != 1 || relays[0].Who != "Ada" || !relays[0].Reachable {
		t.Errorf("%+v", relays)
	}
}

// The token is in no output and in no file but the configuration, whatever happens.
func TestTheTokenShowsNowhere(t *testing.T) {
	relay := work(t)
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	for _, fault := range []fake.Fault{fake.None(), fake.EchoToken(), fake.ServerError(), fake.LoginPage(), fake.Drop(), fake.HalfJSON(),
		fake.Redirect(http.StatusTemporaryRedirect, "http://localhost:1")} {
		lift := relay.Break(fault)
		for _, args := range [][]string{{"list"}, {"list", "--json"}, {"show", "work/" + ref.Ask}, {"relays"}, {"relays", "--json"},
			{"config", "check"}, {"answer", "work/" + ref.Ask, "--deny"}, {"history", "--json"}} {
			if r := run(t, args...); strings.Contains(r.out+r.err, relay.Token()) {
				t.Errorf("%s: askbox %v shows the token:\n%s%s", fault.Name, args, r.out, r.err)
			}
		}
		lift()
	}
	state := os.Getenv("XDG_STATE_HOME")
	err := filepath.WalkDir(state, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), relay.Token()) {
			t.Errorf("%s holds the token", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A relay that is not asked is not asked for its token either.
func TestOnlyTheTokensOfUsedRelaysAreRead(t *testing.T) {
	relay := startRelay(t)
	mark := filepath.Join(t.TempDir(), "ran")
	configured(t, relayConfig("work", relay)+"[[relay]]\nname = \"other\"\ntype = \"opencomputer\"\nurl = \"https://h\"\ntoken_command = [\"touch\", \""+mark+"\"]\n")
	run(t, "list", "--relay", "work").want(t, statusDone)
	run(t, "config", "check").want(t, statusDone)
	if _, err := os.Stat(mark); err == nil {
		t.Error("the command of a relay that was not asked ran")
	}
	run(t, "list", "--relay", "other").want(t, statusUsage, "the token of other (token_command touch)")
	if _, err := os.Stat(mark); err != nil {
		t.Error("the command of the relay that was asked did not run")
	}
}

// TestAHangingRelayKeepsNothingAway lists the others at once, and is given up after the
// time that --timeout says.
func TestAHangingRelayKeepsNothingAway(t *testing.T) {
	good, bad := startRelay(t), startRelay(t)
	configured(t, relayConfig("bad", bad)+relayConfig("good", good))
	ask := good.Bash(good.AddSession(fake.Session{Title: "x"}), "ls", "")
	lift := bad.Break(fake.Hang())
	run(t, "list", "--timeout", "300ms").want(t, statusUnreachable, ask.Ask, "bad: not reachable: no answer in time")
	out, in := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- Main([]string{"list"}, Streams{In: strings.NewReader(""), Out: in, Err: io.Discard})
		_ = in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, ask.Ask) {
		t.Errorf("%q, %v", line, err)
	}
	select {
	case got := <-status:
		t.Errorf("the line came with the end, status %d", got)
	default:
		lift()
		<-status
	}
	run(t, "relays", "--relay", "good").want(t, statusDone, "good · reachable")
	run(t, "relays", "--timeout", "-1s").want(t, statusUsage, "--timeout")
}

// TestListNarrows lists what the flags let pass, and counts it.
func TestListNarrows(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	bash, choice := relay.Bash(session, "ls", ""), relay.Choice(session, "Which?", "a", "b")
	for args, want := range map[string]string{
		"": "2", "--kind approval": "1", "--kind approval --kind question": "2", "--kind secret": "0",
		"--waits": "2", "--filter Mine": "2", "--filter AGENTS": "0", "--limit 1": "1",
	} {
		if r := run(t, append([]string{"list", "--count"}, strings.Fields(args)...)...); r.out != want+"\n" || r.status != statusDone {
			t.Errorf("%q: %d, %q %s", args, r.status, r.out, r.err)
		}
	}
	if list := parse[listJSON](t, run(t, "list", "--json", "--kind", "question").out); len(list.Asks) != 1 || list.Asks[0].ID != choice.Ask || bash == choice {
		t.Errorf("%+v", list)
	}
	run(t, "list", "--kind", "plan").want(t, statusUsage, `--kind is approval, question or secret, and not "plan"`)
	run(t, "list", "--limit", "-1").want(t, statusUsage, "--limit")
	run(t, "list", "--count", "--json").want(t, statusUsage, "cannot stand together")
}

// full is a disk that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestOutputThatCannotBeWritten is a failure of every command that writes.
func TestOutputThatCannotBeWritten(t *testing.T) {
	relay := work(t)
	ask := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	for _, args := range []string{"list", "list --json", "list --count", "show work/" + ask.Ask, "relays", "relays --json", "version", "help", "help json",
		"config path", "config check", "history --json", "--help", "completion bash", "list --help"} {
		var said strings.Builder
		if status := Main(strings.Fields(args), Streams{In: strings.NewReader(""), Out: full{}, Err: &said}); status != statusFailed {
			t.Errorf("askbox %s ends with %d, and says %q", args, status, said.String())
		}
	}
}

// TestRelaysSayThatAClockIsOff by how much, and what that changes.
func TestRelaysSayThatAClockIsOff(t *testing.T) {
	relay := work(t)
	if r := run(t, "relays"); strings.Contains(r.out, "clock") {
		t.Error(r.out)
	}
	for _, c := range []struct {
		off  time.Duration
		want string
	}{{-18 * time.Hour, "18 hours behind this machine's"}, {2 * time.Hour, "2 hours ahead of this machine's"}} {
		relay.SetClock(c.off)
		run(t, "relays").want(t, statusDone, "clock", c.want, "set the clock that is wrong")
		off := parse[relaysJSON](t, run(t, "relays", "--json").out).Relays[0].ClockOff
		if want := int64(c.off / time.Second); off < want-30 || off > want+30 {
			t.Errorf("it is off by %d s", off)
		}
	}
}
