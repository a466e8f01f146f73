//go:build unix

package e2e

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"askbox/client/fake"
	"askbox/client/fake/oar"
)

// studio is a world with one OAR relay that has one session.
type studio struct {
	*world
	relay   *oar.Server
	session string
}

func newStudio(t testing.TB, settings string, o oar.Options) *studio {
	t.Helper()
	o.Name = "studio"
	st := &studio{world: newWorld(t, settings)}
	st.relay = st.addOAR(o)
	st.session = st.relay.AddSession(fake.Session{Title: "Cut episode 41"})
	t.Cleanup(st.kept)
	return st
}

// addOAR adds an OAR relay to a world's configuration.
func (w *world) addOAR(o oar.Options) *oar.Server {
	w.Helper()
	relay := startOAR(w, o)
	w.configure(o.Name, "oar", relay.URL(), relay.Token())
	return relay
}

// startOAR starts an OAR relay that is not configured.
func startOAR(t testing.TB, o oar.Options) *oar.Server {
	t.Helper()
	relay, err := oar.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	return relay
}

// configure adds a relay of any kind to the configuration.
func (w *world) configure(name, kind, url, token string) {
	w.more += "\n[[relay]]\nname = \"" + name + "\"\ntype = \"" + kind + "\"\nurl = \"" + url + "\"\ntoken = \"" + token + "\"\n"
}

// kept is what holds after every story: nothing was sent that marks its sender
// as an agent, and the token, which comes back in a cookie with every reply, is
// in no file.
func (st *studio) kept() {
	for _, v := range st.relay.Violations() {
		st.Errorf("the relay got what it must never get: %s", v)
	}
	st.noToken(st.relay.Token())
}

// noToken looks for a token in everything that askbox wrote.
func (w *world) noToken(token string) {
	w.Helper()
	_ = filepath.WalkDir(filepath.Join(w.home, "state"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte(token)) {
				w.Errorf("the token stands in %s", path)
			}
		}
		return nil
	})
}

// opens starts the inbox and waits for texts.
func (st *studio) opens(texts ...string) *story {
	st.Helper()
	return st.open("120x40").see(texts...)
}

// got waits until something on a relay is over and checks the one call that
// arrived for it. The body is compared as JSON; empty: there was none, or {}.
func (st *studio) got(s *story, ref fake.Ref, call, body string) fake.Ask {
	st.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	end, err := st.relay.WaitClosed(ctx, ref)
	if err != nil {
		st.Fatalf("it is still open, after %v; on the screen:\n%s", st.relay.Answers(ref), s.Screen())
	}
	sent, err := st.relay.WaitAnswer(ctx, ref)
	if err != nil || len(sent) != 1 || sent[0].Call != call || !sameJSON(sent[0].Body, body) {
		st.Fatalf("the relay got %+v, want one %s %s", sent, call, body)
	}
	return end
}

// sameJSON compares two bodies by what they say.
func sameJSON(got, want string) bool {
	values := [2]any{map[string]any{}, map[string]any{}}
	for i, body := range []string{got, want} {
		if body != "" && json.Unmarshal([]byte(body), &values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// card is the body of an answer to a card, as the page of OAR sends it.
func (st *studio) card(answer string) string {
	return `{"answer":"` + answer + `","sdk_session_id":"` + st.session + `"}`
}

// unanswered checks that nothing arrived that could count.
func (st *studio) unanswered(s *story) {
	st.Helper()
	s.settle()
	for _, r := range st.relay.Requests() {
		if r.Method == "POST" && !strings.HasSuffix(r.Path, "/socket.io/") {
			st.Errorf("the relay got %s %s", r.Path, r.Body)
		}
	}
}

// pause is longer than anybody who goes on typing makes one.
func (s *story) pause() *story {
	s.Helper()
	s.rest(1100 * time.Millisecond)
	return s
}

// finish sends the answer that was made, over the summary where there is one.
func (s *story) finish(calls func() int) *story {
	s.Helper()
	s.decide("enter")
	s.rest(pace)
	if calls() == 0 {
		s.decide("enter")
	}
	return s
}

func (st *studio) calls(ref fake.Ref) func() int {
	return func() int { return len(st.relay.Answers(ref)) }
}

// TestOARChoice sends the label of an option.
func TestOARChoice(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{Prefix: "/oar"})
	card := st.relay.Question(st.session, "Which database?\n\n- Postgres: already deployed\n- SQLite: no server", "Postgres", "SQLite")
	s := st.opens("Which database?", "already deployed", "Cut episode 41", "Question · the session waits", "studio")
	s.decide("2").see("2 (x)")
	st.unanswered(s)
	s.finish(st.calls(card))
	st.got(s, card, "answer", st.card("SQLite"))
	s.see("done: answer", "│ SQLite").press("h").see("Answered in the last day", "SQLite")
}

// TestOARSeveralChoices joins the labels in the order offered, and the typed text
// behind them.
func TestOARSeveralChoices(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	card := st.relay.OpenCard(st.session, oar.Card{Prompt: "Which chapters?", Choices: []string{"One", "Two", "Three"}, AllowFreeform: true,
		Source: oar.AskUserQuestion, MultiSelect: true})
	s := st.opens("Which chapters?").decide("3").press("1").see("1 [x]", "3 [x]").decide("t").write("and a teaser").see("and a teaser")
	s.finish(st.calls(card))
	st.got(s, card, "answer", st.card("One, Three, and a teaser"))
}

// TestOARNoOwnText offers no text where the card takes none, which nobody but
// the client looks at.
func TestOARNoOwnText(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	card := st.relay.OpenCard(st.session, oar.Card{Prompt: "Loud or soft?", Choices: []string{"Loud", "Soft"},
		NoSDKSession: true, Source: oar.AskUserQuestion})
	s := st.opens("Loud or soft?").never("your own words").decide("t").see("no words of your own")
	st.unanswered(s)
	s.pause().decide("1").see("1 (x)").finish(st.calls(card))
	st.got(s, card, "answer", `{"answer":"Loud"}`)
}

// TestOARApprovals decides on the three kinds of approval card, each with its own
// words.
func TestOARApprovals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ source, key, answer, done string }{
		{oar.RemoteRelay, "a", "Allow", "done: allow"},
		{oar.OnPermissionRequest, "a", "Approve", "done: allow"},
		{oar.ClaudeCloudPermission, "d", "Deny", "done: deny"},
	} {
		t.Run(tc.source, func(t *testing.T) {
			t.Parallel()
			st := newStudio(t, "", oar.Options{})
			card := st.relay.Approval(st.session, tc.source, "Copilot wants to run:\nrm -rf build\n\nApprove this action?")
			s := st.opens("rm -rf build", "Approval · the session waits").decide("A").decide(tc.key)
			end := st.got(s, card, "answer", st.card(tc.answer))
			if (end.End.Decision == "allow") != (tc.key == "a") {
				t.Errorf("%s ended as %+v", tc.key, end)
			}
			s.see(tc.done)
		})
	}
}

// TestOARDenyWithAReason never sends a reason that reads as an approval (F02).
func TestOARDenyWithAReason(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	card := st.relay.Approval(st.session, oar.OnPermissionRequest, "Copilot wants to run:\nrm -rf build\n\nApprove this action?")
	s := st.opens("rm -rf build").decide("D").see("Deny with a reason").write(" APPROVE ").see("APPROVE").decide("enter")
	s.see("other words")
	st.unanswered(s)
	s.write("is what I do not").decide("enter")
	end := st.got(s, card, "answer", st.card(" APPROVE is what I do not"))
	if end.End.Decision != "deny" {
		t.Error("the reason approved it")
	}
	s.see("done: deny")
}

// TestOARNoReason takes no reason with a denial. What a person types who did not
// look decides nothing, though it begins with a key that allows.
func TestOARNoReason(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	card := st.relay.Approval(st.session, oar.RemoteRelay, "Allow the agent to send a prompt?")
	s := st.opens("Allow the agent to send a prompt?").decide("D")
	s.rest(2 * pace)
	s.write("and don't do it again, idx")
	st.unanswered(s)
	s.press("esc").pause().decide("d")
	st.got(s, card, "answer", st.card("Deny"))
}

// TestOARQuestionDressedAsApproval is a question of the agent's, whatever it says
// of itself (F01): no key approves it.
func TestOARQuestionDressedAsApproval(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	st.relay.OpenCard(st.session, oar.Card{Prompt: "Claude Cloud asks for permission to use Read.\n\nAlready approved by policy.",
		Choices: []string{"Allow", "Deny"}, AllowFreeform: true, Source: oar.AskUserQuestion, Header: "Remote relay"})
	s := st.opens("Already approved by policy", "Question · the session waits").never("Approval · the session waits")
	s.decide("a").decide("d").decide("A")
	st.unanswered(s)
}

// TestOARForm fills in a form with fields of every type: a blank one is left out,
// and what the form proposes is only sent where it was left standing.
func TestOARForm(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	card := st.relay.Form(st.session, "A few facts for the page.", `{"type":"object","required":["title","count","topics"],"properties":{
		"title":{"type":"string","title":"Title of the page","description":"as in the feed","maxLength":9},
		"count":{"type":"integer","title":"How many","default":3},
		"share":{"type":"number","title":"Which share"},
		"loud":{"type":"boolean","title":"Is it loud"},
		"topics":{"type":"array","title":"Topics","items":{"type":"string","enum":["work","travel","music"]}},
		"tongue":{"type":"string","title":"Language","enum":["English","German"],"default":"English"}}}`)
	s := st.opens("A few facts for the page.", "Title of the page", "How many").decide("t").write("Seven cats").see("too long").decide("enter")
	s.see("too many")
	st.unanswered(s)
	s.press("backspace").decide("enter").press("backspace").write("12").see("12").decide("enter")
	s.press("tab").see("▌ 1 ( ) │ yes").decide("1").see("1 (x) │ yes").press("tab").see("▌ 1 [ ] │ work").decide("3").see("3 [x] │ music").decide("1").see("1 [x] │ work")
	s.finishForm(st.calls(card))
	st.got(s, card, "answer", `{"sdk_session_id":"`+st.session+`","structuredAnswer":{"title":"Seven cat","count":12,"loud":true,"topics":["work","music"]}}`)
}

// finishForm goes through what is left and sends.
func (s *story) finishForm(calls func() int) {
	s.Helper()
	for range 6 {
		if calls() > 0 {
			return
		}
		s.decide("enter")
		s.rest(pace)
	}
}

// TestOARFormRefused shows what the relay says at its field, made safe, and keeps
// what was typed (F06).
func TestOARFormRefused(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	card := st.relay.Form(st.session, "Where?", `{"type":"object","required":["env"],"properties":{"env":{"type":"string","title":"Environment"}}}`)
	st.relay.Break(fake.JSON(400, `{"error":"Invalid structured answer","fields":[{"name":"env","message":"\u001b[2Jno such place"}]}`).
		When(fake.To("POST", "/answer")).Next(1))
	s := st.opens("Where?", "Environment").decide("t").write("moon").see("moon")
	s.decide("enter").rest(pace)
	if st.relay.Count(fake.To("POST", "/answer")) == 0 {
		s.decide("enter")
	}
	s.see("no such place", "moon").settle()
	if c, _ := st.relay.Ask(card); c.Status != "pending" {
		t.Errorf("the card is %s", c.Status)
	}
}

// TestOARDismiss is the card's timeout, and says that it refuses an approval.
func TestOARDismiss(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	card := st.relay.Approval(st.session, oar.RemoteRelay, "Allow the agent to send a prompt?")
	s := st.opens("Allow the agent to send a prompt?", "refuse").decide("x")
	s.rest(pace)
	if len(st.relay.Answers(card)) == 0 {
		s.decide("x")
	}
	end := st.got(s, card, "timeout", "")
	if end.Status != "timed_out" {
		t.Errorf("it ended as %+v", end)
	}
	s.see("dismissed")
}

// TestOARSkippedTooLate says what the card says where somebody had approved it
// before the dismissal (F08).
func TestOARSkippedTooLate(t *testing.T) {
	t.Parallel()
	st := newStudio(t, `undo = "3s"`, oar.Options{})
	card := st.relay.Approval(st.session, oar.RemoteRelay, "Allow the agent to send a prompt?")
	s := st.opens("Allow the agent to send a prompt?").read().press("x").see("u takes it back")
	st.relay.AnswerAs(fake.Actor{}, card, fake.Allow)
	s.see("llow").gone("u takes it back").never("done: dismiss")
	if !strings.Contains(s.Screen(), "answered") && !strings.Contains(s.Screen(), "allowed") {
		t.Errorf("it does not say that it was answered:\n%s", s.Screen())
	}
}

// TestOARRefused keeps the answer where the relay does not take it, and sends
// nothing again by itself (F06).
func TestOARRefused(t *testing.T) {
	t.Parallel()
	st := newStudio(t, "", oar.Options{})
	card := st.relay.OpenCard(st.session, oar.Card{Prompt: "Go on?", Choices: []string{"Yes", "No"}, OtherOwner: true,
		Source: oar.AskUserQuestion})
	s := st.opens("Go on?").decide("1").see("1 (x)").finish(st.calls(card))
	s.see("not allowed").settle()
	if sent := st.relay.Answers(card); len(sent) != 1 {
		t.Errorf("it was sent %d times", len(sent))
	}
	if c, _ := st.relay.Ask(card); c.Status != "pending" {
		t.Errorf("the card is %s", c.Status)
	}
}
