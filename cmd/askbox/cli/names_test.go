package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/fake"
	"askbox/client/inbox"
	"askbox/client/text"
)

// A name that a relay sent is never taken for the user's, nor for the program's words (H13).
func TestANameIsNeverTheUser(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "Build\n\nClosed by you, just now\n│ allow"})
	ref := relay.Bash(session, "ls", "")
	relay.AnswerAs(fake.Actor{Type: "user", ID: "usr_9", Name: "you"}, ref, fake.Deny(""))
	r := run(t, "show", "work/"+ref.Ask)
	r.want(t, statusDone, `Closed: denied by "you", `, "│ Build⟨LF⟩⟨LF⟩Closed by you, just now⟨LF⟩│ allow\n")
	r = run(t, "answer", "work/"+ref.Ask, "--deny")
	r.want(t, statusClosed, `by "you"`)
	if strings.Contains(r.err, "by you") {
		t.Errorf("the name is the user: %s", r.err)
	}
	for who, want := range map[client.Actor]string{
		{Me: true, Name: text.New("Ada")}:            "answered by you",
		{Name: text.New("you")}:                      `answered by "you"`,
		{Name: text.New(`you" in askbox`)}:           `answered by "you\" in askbox"`,
		{Type: client.ActorAgent}:                    "answered by an agent",
		{Name: text.New("an\nagent"), MaybeMe: true}: `answered by "an⟨LF⟩agent"`,
	} {
		if got := (&client.Ask{Status: client.Answered, Closing: &client.Closing{By: who}}).EndedBy(); got != want {
			t.Errorf("%+v: %q, want %q", who, got, want)
		}
	}
}

// A relay that is reached through another one is named behind the way to it (H13).
func TestAPairedRelayIsNamedInQuotes(t *testing.T) {
	const name = "work ── 9 │ Approval · done"
	w := watcher{open: map[client.Ref]*client.Ask{}, state: map[string]bool{}, began: map[string]bool{}}
	events := w.events(&inbox.Snapshot{Groups: []*inbox.Group{{Name: name, Via: "home", State: inbox.State{Asked: true, Reason: "back  work"}}}})
	if len(events) != 1 {
		t.Fatalf("%+v", events)
	}
	a := newApp(Streams{})
	if line := a.eventLine(events[0]); !strings.HasSuffix(line, `  lost    via home "`+name+`"  │ back  work`) {
		t.Errorf("it says %s", line)
	}
	var out bytes.Buffer
	a.Out = &out
	if err := a.writeEvent(events[0], true); err != nil {
		t.Fatal(err)
	}
	if got := parse[eventJSON](t, out.String()); got.Via != "home" || got.Relay != name {
		t.Errorf("%s", out.String())
	}
}

// What a relay says to an answer stands behind the gutter, each row of it (H14).
func TestARelaysErrorIsNotTheProgramsSentence(t *testing.T) {
	relay := work(t)
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	const body = `{"error":{"code":"invalid_answer","message":"done: allow │ Answered just now by you.\nPress A to allow always\nwork/x: denied","field":"decision: taken. Now"}}`
	for _, status := range []int{http.StatusBadRequest, http.StatusTeapot, http.StatusConflict} {
		lift := relay.Break(fake.JSON(status, body).When(fake.To("POST", "")))
		r := run(t, "answer", "work/"+ref.Ask, "--deny")
		lift()
		if r.status == statusDone || !strings.Contains(r.err, "The relay says:\n│ done: allow │ Answered just now by you.\n│ Press A to allow always\n│ work/x: denied\n") {
			t.Errorf("%d: status %d\n%s", status, r.status, r.err)
		}
		if strings.Contains(r.err, "decision: taken") && !strings.Contains(r.err, `"decision: taken. Now"`) {
			t.Errorf("a field's name is a sentence:\n%s", r.err)
		}
	}
	defer relay.Break(fake.JSON(http.StatusInternalServerError, body))()
	for _, line := range strings.Split(run(t, "list").err, "\n") {
		if strings.HasPrefix(line, "Press") || strings.HasPrefix(line, "work/x") || strings.HasPrefix(line, "askbox") && strings.Contains(line, "done") {
			t.Errorf("it says %q", line)
		}
	}
	run(t, "relays").want(t, statusUnreachable, `it says "done: allow │ Answered just now by you.⟨LF⟩Press A`)
}

// A tool's name and an input's key take one row, and what they name begins on a row that
// the program opens (H21).
func TestANameTakesOneRow(t *testing.T) {
	relay := work(t)
	ref := relay.Open(relay.AddSession(fake.Session{Title: "x"}), fake.Ask{
		Tool: "Bash\n\n│ read to the end ✓", Rule: "Bash(ls)\nBash(rm)",
		Input: jsontext.Value(`{"command":"ls","│ The agent says\n│ harmless":"rm -rf ~"}`),
	})
	run(t, "show", "work/"+ref.Ask).want(t, statusDone, "Tool\n│ Bash⟨LF⟩⟨LF⟩⟨U+2502 │⟩ read to the end ✓\n", "│ ⟨U+2502 │⟩ The agent says⟨LF⟩⟨U+2502 │⟩ harmless\n",
		"is\n│ rm -rf ~\n", "│ Bash(ls)⟨LF⟩Bash(rm)\n")
}

// Nothing is said twice, and no heading stands over nothing (H25).
func TestNothingTwiceAndNoHeadingOverNothing(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	ref := relay.Open(session, fake.Ask{Tool: "Bash", Input: jsontext.Value(`{"command":"ls","description":""}`)})
	if r := run(t, "show", "work/"+ref.Ask); strings.Contains(r.out, "The agent says") || !strings.Contains(r.out, "│ ls\n") {
		t.Errorf("it shows\n%s", r.out)
	}
	for _, part := range parse[askJSON](t, run(t, "show", "--json", "work/"+ref.Ask).out).Approval.Parts {
		if part.Kind == "says" {
			t.Errorf("the JSON has %+v", part)
		}
	}
	relay.Raw(session, `{"id":"ak_odd","sessionId":"`+session+`","kind":"approval","status":"open","openedAt":"2026-01-02T03:04:05Z","approval":5}`)
	r := run(t, "show", "work/ak_odd")
	r.want(t, statusDone, "\nIt could not be read: ", "cannot be answered here")
	if strings.Count(strings.ToLower(r.out), "it could not be read: ") != 1 {
		t.Errorf("it says twice\n%s", r.out)
	}
}

// What a relay sent beside what askbox knows is shown, and stands in JSON (H15).
func TestWhatStandsBesideIsShown(t *testing.T) {
	ask := openAsk("1", "Which?", "x")
	ask.Extra = []client.Part{{Kind: client.PartField, Key: text.New("approval.env\nis"), Text: text.New(`{"LD_PRELOAD":"./x.so"}`)}}
	var out bytes.Buffer
	p := printer{w: &out, width: 80, now: time.Now()}
	p.ask(ask, "work/1")
	const want = "\nTake care: the relay sent this as well, and askbox does not know what it does\n│ approval.env⟨LF⟩is\nis\n│ {\"LD_PRELOAD\":\"./x.so\"}\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("it shows\n%s", out.String())
	}
	if strings.Contains(out.String(), "What can be done with it") {
		t.Error("a heading over nothing")
	}
	if got := toJSON(ask).Extra; len(got) != 1 || got[0] != (extraJSON{"approval.env\nis", `{"LD_PRELOAD":"./x.so"}`}) {
		t.Errorf("the JSON has %+v", got)
	}
}

// A name of an ask that a shell would take apart stands in its quotes.
func TestTheNameOfAnAskIsOneArgument(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	id := "ak x; rm -rf ~"
	relay.Raw(session, fmt.Sprintf(`{"id":%q,"sessionId":%q,"kind":"approval","status":"open","openedAt":"2026-01-02T03:04:05Z","approval":{"toolName":"Bash","input":{"command":"ls"}}}`, id, session))
	run(t, "show", "work/"+id).want(t, statusDone, "askbox answer 'work/ak x; rm -rf ~' --deny")
}
