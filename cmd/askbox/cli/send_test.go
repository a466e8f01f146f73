package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/fake"
	"askbox/client/fake/oar"
	"askbox/client/fake/opencomputer"
)

// sentTo fails where a relay got another number of answers to an ask.
func sentTo(t *testing.T, relay *opencomputer.Server, ref fake.Ref, want int) {
	t.Helper()
	if sent := relay.Answers(ref); len(sent) != want {
		t.Errorf("the relay got %d answers, want %d: %+v", len(sent), want, sent)
	}
}

// What allows something names what was read, by 8 digits or more of its digest (H20).
func TestAnApprovalNamesWhatWasRead(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "make", "")
	name := "work/" + ref.Ask
	full := parse[askJSON](t, run(t, "show", "--json", name).out).Digest
	for _, how := range [][]string{{"--allow"}, {"--always"}, {"--allow", "--message", "go"}, {"--mode", "auto"}} {
		args := append([]string{"answer", name}, how...)
		if how[0] == "--mode" {
			args[1] = "work/" + relay.Plan(session, "1. do").Ask
		}
		run(t, args...).want(t, statusUsage, "nothing was sent", "askbox show "+args[1], "askbox answer "+args[1]+" --a", "--digest DIGEST")
	}
	for digest, says := range map[string]string{
		full[:7]: "too short", "": "says what was read", full[:11] + "g": "is no digest", "\x1b[2J": "is no digest", full + "0": "is not what was read",
		strings.Repeat("0", 12): "is not what was read",
	} {
		want := statusUsage
		if strings.HasSuffix(says, "what was read") && digest != "" {
			want = statusFailed
		}
		run(t, "answer", name, "--allow", "--digest", digest).want(t, want, says)
	}
	sentTo(t, relay, ref, 0)
	for _, digest := range []string{full[:8], strings.ToUpper(full[:9]), full[:12], full} {
		next := relay.Bash(session, "make", "")
		whole := parse[askJSON](t, run(t, "show", "--json", "work/"+next.Ask).out).Digest
		given := whole[:len(digest)]
		if digest == strings.ToUpper(digest) {
			given = strings.ToUpper(given)
		}
		run(t, "answer", "work/"+next.Ask, "--allow", "--digest", given).want(t, statusDone, "allowed")
		sentTo(t, relay, next, 1)
	}
}

// The ask is read once more right before the answer goes, so that nothing slips in
// between the list and the POST (H07, H20).
func TestAnAskThatChangesBeforeTheAnswerGoesIsNotApproved(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	for from, to := range map[string]string{`"ls -la build"`: `"rm -rf ~"`, `"Bash(ls`: `"Bash(*`} {
		for _, args := range [][]string{{"--allow"}, {"--always"}, {"--deny"}} {
			ref := relay.Bash(session, "ls -la build", "")
			digest, changed := read(t, "work/"+ref.Ask), false
			lift := relay.Break(fake.Rewrite(func(body []byte) []byte {
				changed = bytes.Contains(body, []byte(from))
				return bytes.ReplaceAll(body, []byte(from), []byte(to))
			}).When(fake.To("GET", "/"+ref.Ask)))
			run(t, append([]string{"answer", "work/" + ref.Ask, "--digest", digest}, args...)...).
				want(t, statusFailed, "is not what was read", "nothing was sent", "\n  askbox show work/"+ref.Ask+"\n")
			lift()
			sentTo(t, relay, ref, 0)
			if !changed {
				t.Errorf("%s was not in what was read once more", from)
			}
		}
	}
}

// An ask that closes between the list and the answer is told with how.
func TestAnAskThatClosesBeforeTheAnswerGoes(t *testing.T) {
	relay := work(t)
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	digest := read(t, "work/"+ref.Ask)
	relay.Break(fake.JSON(200, `{"id":"`+ref.Ask+`","sessionId":"`+ref.Session+`","kind":"approval","status":"answered",
		"openedAt":"2026-01-02T03:04:05Z","closedAt":"2026-01-02T03:05:05Z","answer":{"decision":"deny"},
		"closedBy":{"type":"user","id":"usr_2","name":"Grace"},"approval":{"toolName":"Bash","input":{"command":"ls"}}}`).
		When(fake.To("GET", "/"+ref.Ask)))
	run(t, "answer", "work/"+ref.Ask, "--allow", "--digest", digest).want(t, statusClosed, `by "Grace"`)
}

// What the inbox asks about twice wants its own word, and what no screen shows whole
// is not allowed at all (H20).
func TestWhatIsAskedTwiceWantsConfirm(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	plan := relay.Plan(session, "1. do")
	run(t, "show", "work/"+plan.Ask).want(t, statusDone, "--mode bypassPermissions --confirm", "--mode auto\n")
	answered(t, "work/"+plan.Ask, "--mode", "bypassPermissions").want(t, statusUsage, "ask for nothing any more", "--confirm")
	sentTo(t, relay, plan, 0)
	answered(t, "work/"+plan.Ask, "--mode", "bypassPermissions", "--confirm").want(t, statusDone, "allowed")
	sentTo(t, relay, plan, 1)

	big := relay.Bash(session, strings.Repeat("echo harmless\n", 3<<20/14), "")
	r := run(t, "show", "work/"+big.Ask)
	if strings.Contains(r.out, "--allow") || !strings.Contains(r.out, "--deny") || !strings.Contains(r.out, "larger than 1 MiB") {
		t.Error("it offers to allow what cannot be shown whole")
	}
	digest := read(t, "work/"+big.Ask)
	for _, args := range [][]string{{"--allow"}, {"--always"}, {"--allow", "--confirm"}} {
		run(t, append([]string{"answer", "work/" + big.Ask, "--digest", digest}, args...)...).want(t, statusUsage, "larger than 1 MiB")
	}
	sentTo(t, relay, big, 0)
	run(t, "answer", "work/"+big.Ask, "--deny", "--digest", digest).want(t, statusDone, "denied")
	long := relay.Bash(session, strings.Repeat("a\n", client.MaxRows+1), "")
	answered(t, "work/"+long.Ask, "--allow").want(t, statusUsage, "longer than 20,000 rows")
}

// homeRelay starts a fake OAR and configures it as "home".
func homeRelay(t *testing.T) *oar.Server {
	t.Helper()
	relay, err := oar.Start(oar.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	configured(t, fmt.Sprintf("[[relay]]\nname = \"home\"\ntype = \"oar\"\nurl = %q\ntoken = %q\n", relay.URL(), relay.Token()))
	return relay
}

func TestAnExcerptWantsConfirm(t *testing.T) {
	relay := homeRelay(t)
	card := relay.Approval(relay.AddSession(fake.Session{Title: "Notes"}), "remote_relay", "Another relay sends “"+strings.Repeat("do it ", 90)+"…”. Run it?")
	name := "home/" + card.Ask
	run(t, "show", name).want(t, statusDone, "--confirm", "excerpt is shown")
	answered(t, name, "--allow").want(t, statusUsage, "Only an excerpt is shown", "--confirm")
	if a, _ := relay.Ask(card); !a.Open() {
		t.Errorf("it was answered %q", oar.Text(a))
	}
	answered(t, name, "--allow", "--confirm").want(t, statusDone, "allowed")
}

// The short digest stands wherever asks are told, and the full one in JSON.
func TestEveryCommandGivesTheDigest(t *testing.T) {
	relay := work(t)
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	ask := parse[askJSON](t, run(t, "show", "--json", "work/"+ref.Ask).out)
	if len(ask.ShortDigest) != 12 || !strings.HasPrefix(ask.Digest, ask.ShortDigest) {
		t.Errorf("short %q of %q", ask.ShortDigest, ask.Digest)
	}
	run(t, "show", "work/"+ref.Ask).want(t, statusDone, "digest "+ask.ShortDigest+"\n",
		"\n  askbox answer work/"+ref.Ask+" --allow --digest "+ask.ShortDigest+"\n", "\n  askbox answer work/"+ref.Ask+" --deny\n")
	run(t, "list").want(t, statusDone, "\t"+ask.ShortDigest+"\n")
	listed := parse[listJSON](t, run(t, "list", "--json").out)
	if listed.Asks[0].Digest != ask.Digest || listed.Asks[0].ShortDigest != ask.ShortDigest {
		t.Errorf("the list has %+v", listed.Asks[0])
	}
}

// An answer that the relay took for something else than what was read is said loudly (H07).
func TestAnAnswerToSomethingElseIsSaid(t *testing.T) {
	relay := work(t)
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	relay.Break(fake.Rewrite(func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(`"ls"`), []byte(`"rm -rf ~\nwork/x: all is well"`))
	}).When(fake.To("POST", "")))
	r := answered(t, "work/"+ref.Ask, "--allow")
	r.want(t, statusFailed, "TAKE CARE", "something else was answered", "│ ls\n", "│ rm -rf ~\n│ work/x: all is well\n")
	if strings.Contains(r.out, "confirmed") {
		t.Errorf("it says that all is well: %s", r.out)
	}
	entries := parse[historyJSON](t, run(t, "history", "--json").out).Answered
	if len(entries) != 1 || entries[0].What != "ls" || entries[0].Shown != "ls" || !strings.HasPrefix(entries[0].Told, "rm -rf ~") {
		t.Errorf("the history has %+v", entries)
	}
	var out bytes.Buffer
	if err := newApp(Streams{Out: &out, OutTerminal: true, Width: 120}).history(t.Context(), historyOptions{since: "1h"}); err != nil || !strings.Contains(out.String(), "TAKE CARE") || !strings.Contains(out.String(), "│ rm -rf ~⟨LF⟩") {
		t.Errorf("on a terminal: %v, %q", err, out.String())
	}
}

// An ask whose relay takes longer than it is waited for is not said to be unanswered (L12).
func TestAnAskThatIsStillOpenAfterALostReplyIsNotKnown(t *testing.T) {
	relay := work(t)
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	defer relay.Break(fake.Drop().When(fake.To("POST", "")))()
	r := answered(t, "work/"+ref.Ask, "--allow")
	r.want(t, statusNotKnown, "not known whether it arrived", "askbox show work/"+ref.Ask)
	if strings.Contains(r.err, "has not arrived") {
		t.Errorf("it says more than it knows: %s", r.err)
	}
}

// The id of an OAR ask is the ask: that its conversation moved while the answer was on
// its way makes it no other one (I11).
func TestAnAskThatMovedWhileItWasAnswered(t *testing.T) {
	relay := homeRelay(t)
	from, to := relay.AddSession(fake.Session{Title: "Notes"}), relay.AddSession(fake.Session{Title: "Notes, compacted"})
	id := relay.OpenAsk(from, oar.Ask{Question: "Which?", Options: []string{"a", "b"}})
	relay.Break(fake.Rewrite(func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(from), []byte(to))
	}).When(fake.To("POST", "")))
	run(t, "answer", "home/"+id.Ask, "--choose", "a").want(t, statusDone, "answered, and home confirmed it")
	run(t, "history").want(t, statusDone, "Which?")
}

// A reply that is lost on a relay that does not tell whose token it is: the same answer
// once more tells whose it was, and of a dismissal nothing more is said than is known (L01).
func TestALostReplyIsNotAnothers(t *testing.T) {
	relay, err := opencomputer.Start(opencomputer.Options{NoMe: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	configured(t, relayConfig("work", relay))
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Bash(session, "ls", "")
	relay.Break(fake.LoseReply().When(fake.To("POST", "/answer")).Next(1))
	answered(t, "work/"+ref.Ask, "--allow").want(t, statusDone, "allowed, and work confirmed it")
	sentTo(t, relay, ref, 2)

	ref = relay.Bash(session, "ls", "")
	relay.Break(fake.LoseReply().When(fake.To("POST", "/dismiss")).Next(1))
	r := run(t, "dismiss", "work/"+ref.Ask)
	r.want(t, statusNotKnown, "not known whether it arrived", "the relay does not say whether it was yours")
	if strings.Contains(r.err, "Ada") || strings.Contains(r.err, "took nothing") {
		t.Errorf("it is told as another's: %s", r.err)
	}

	ref = relay.Bash(session, "ls", "")
	relay.Break(fake.LoseReply().When(fake.To("POST", "/answer")).Next(1))
	lost := relay.Break(fake.Drop().When(fake.To("POST", "/answer")))
	defer lost()
	r = answered(t, "work/"+ref.Ask, "--allow")
	r.want(t, statusNotKnown, "not known whether it arrived")
	if n := strings.Count(r.err, "askbox: "); n != 1 || strings.Contains(r.err, "has not arrived") {
		t.Errorf("%d statements: %s", n, r.err)
	}
}

// runWith is run with a standard input.
func runWith(t *testing.T, in string, args ...string) result {
	t.Helper()
	var out, problems bytes.Buffer
	status := newApp(Streams{In: strings.NewReader(in), Out: &out, Err: &problems, Width: 80}).run(args)
	return result{out.String(), problems.String(), status}
}

// TestMessagesFromElsewhere come from the standard input or a file, exactly, and a - is
// never sent as it is.
func TestMessagesFromElsewhere(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	file := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(file, []byte("from a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	last := func(ref fake.Ref) string {
		sent := relay.Answers(ref)
		if len(sent) == 0 {
			return "nothing"
		}
		return sent[len(sent)-1].Body
	}
	for _, c := range []struct{ in, args, want string }{
		{"from stdin\n", "--deny --message -", `{"decision":"deny","message":"from stdin"}`},
		{" two\n lines \n\n", "--deny -m -", `{"decision":"deny","message":" two\n lines \n"}`},
		{"dos\r\n", "--deny -m -", `{"decision":"deny","message":"dos"}`},
		{"", "--deny --message-file " + file, `{"decision":"deny","message":"from a file"}`},
	} {
		ask := relay.Bash(session, "ls", "")
		r := runWith(t, c.in, append([]string{"answer", "work/" + ask.Ask}, strings.Fields(c.args)...)...)
		r.want(t, statusDone)
		if got := last(ask); got != c.want {
			t.Errorf("%s sends %s, want %s", c.args, got, c.want)
		}
	}
	question := relay.Choice(session, "Name?", "a", "b")
	runWith(t, "own words\n", "answer", "work/"+question.Ask, "--text", "1=-").want(t, statusDone)
	if got := last(question); !strings.Contains(got, `"own words"`) {
		t.Error(got)
	}
	ask := relay.Bash(session, "ls", "")
	for _, c := range []struct{ in, args, want string }{
		{"", "--deny --message -", "it is empty"}, {"\n", "--deny -m -", "it is empty"}, {"a\xff", "--deny -m -", "not UTF-8"},
		{strings.Repeat("x", mostTyped+1), "--deny -m -", "longer than 1 MiB"},
		{"x", "--deny --message-file /nonexistent/notes", "no such file"}, {"x", "--deny --message-file -", "no such file"},
		{"x", "--deny -m - --message-file " + file, "cannot stand together"}, {"x", "--deny --editor", "needs a terminal"},
	} {
		runWith(t, c.in, append([]string{"answer", "work/" + ask.Ask}, strings.Fields(c.args)...)...).want(t, statusUsage, c.want)
	}
	runWith(t, "not needed\n", "dismiss", "work/"+ask.Ask, "-m", "-").want(t, statusDone)
	if got := last(ask); !strings.Contains(got, "not needed") {
		t.Error(got)
	}
}

// TestOutcomeInJSON says what came of an answer, and the exit status is the same.
func TestOutcomeInJSON(t *testing.T) {
	relay := work(t)
	ask := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	name := "work/" + ask.Ask
	for _, c := range []struct {
		args    string
		status  int
		outcome string
	}{
		{"--allow --digest 00000000", statusFailed, "failed"},
		{"--allow", statusUsage, "wrong"},
		{"--deny", statusDone, "done"},
		{"--deny", statusClosed, "closed"},
	} {
		r := run(t, append([]string{"answer", name, "--json"}, strings.Fields(c.args)...)...)
		got := parse[outcomeJSON](t, r.out)
		if r.status != c.status || got.Outcome != c.outcome || got.Ask == nil || got.Ask.ID != ask.Ask || (got.Reason == "") != (c.outcome == "done") {
			t.Errorf("%s: status %d, %+v", c.args, r.status, got)
		}
	}
	if r := run(t, "dismiss", "work/none", "--json"); parse[outcomeJSON](t, r.out).Outcome != "failed" || r.status != statusFailed {
		t.Errorf("%d %s", r.status, r.out)
	}
}

// What is interrupted before it was sent is not sent, and said in askbox's words.
func TestAnAnswerThatIsInterruptedIsNotSent(t *testing.T) {
	relay := work(t)
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	digest := read(t, "work/"+ref.Ask)
	asked := make(chan struct{}, 10)
	defer relay.Break(fake.Hang().When(func(r fake.Request) bool {
		if r.Method != "GET" || !strings.HasSuffix(r.Path, "/"+ref.Ask) {
			return false
		}
		asked <- struct{}{}
		return true
	}))()
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		<-asked
		interrupt()
	}()
	var out bytes.Buffer
	a := newApp(Streams{Out: &out, Err: &out, Width: 80})
	err := a.answer(ctx, "work/"+ref.Ask, sending{digest: digest}, func(*client.Ask) (client.Answer, error) {
		return client.Answer{Decision: client.Allow}, nil
	})
	if err == nil || !strings.Contains(err.Error(), "nothing was sent, because askbox was interrupted") || strings.Contains(err.Error(), "context") {
		t.Errorf("got %v", err)
	}
	sentTo(t, relay, ref, 0)
}
