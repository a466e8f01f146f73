package ask

import (
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
)

// H07: what the relay says was answered stands beside what was shown, in red words
// that come first.
func TestAnotherContentWasAnswered(t *testing.T) {
	a, other := sampleApproval("ls -la build"), sampleApproval("rm -rf build/../src")
	closed := *a
	closed.Status, closed.Closing = client.Answered, &client.Closing{By: client.Actor{Me: true}, At: askNow, Answer: []text.Text{text.New("allow")}}
	done := inbox.Flight{State: inbox.Done, Answer: client.Answer{Decision: client.Allow}, Differs: other}
	p := samplePane(a, 80, 24)
	p = p.Show(p.group, &inbox.Item{Ask: &closed, Digest: itemOf(a).Digest, Flight: &done}, askNow)
	wantSees(t, p, "carried out something else than you saw", "+ │ rm -rf build/../src", "- │ ls -la build", "What you saw:")
	done.Differs = nil
	p = p.Show(p.group, &inbox.Item{Ask: &closed, Digest: itemOf(a).Digest, Flight: &done}, askNow.Add(time.Second))
	if strings.Contains(plainView(p), "something else") {
		t.Errorf("it says so without a difference:\n%s", plainView(p))
	}
}

// An answer that waits for its ask to be read once more says so.
func TestHeldWhileTheRelayCannotBeRead(t *testing.T) {
	a := sampleApproval("ls")
	held := inbox.Flight{State: inbox.Held, Answer: client.Answer{Decision: client.Allow}, Until: askNow,
		Err: &inbox.Unread{Err: &client.Unreachable{Reason: "ECONNREFUSED"}, Again: true}}
	p := samplePane(a, 80, 24)
	p = p.Show(p.group, &inbox.Item{Ask: a, Digest: itemOf(a).Digest, Flight: &held}, askNow)
	wantSees(t, p, "u takes it back", "could not be so far:", "ECONNREFUSED")
}

// I07: what was chosen stays chosen once it is done, allowed and denied are told apart in
// the head, and each fact stands once.
func TestDoneShowsWhatWasDecided(t *testing.T) {
	over := func(a *client.Ask, answer client.Answer, by client.Actor) Model {
		closed := *a
		closed.Status = client.Answered
		closed.Closing = &client.Closing{By: by, At: askNow, Decision: answer.Decision, Given: &answer, Answer: a.AnswerLines(answer)}
		it := &inbox.Item{Ask: &closed, Digest: itemOf(a).Digest}
		if by.Me {
			it.Flight = &inbox.Flight{State: inbox.Done, Answer: answer}
		}
		p := samplePane(a, 74, 30)
		return drawn(p.Show(p.group, it, askNow))
	}
	me, other := client.Actor{Me: true}, client.Actor{Type: client.ActorUser, Name: text.New("Ada")}
	for _, by := range []client.Actor{me, other} {
		for decision, word := range map[client.Decision]string{client.Allow: "allowed", client.Deny: "denied"} {
			p := over(sampleApproval("ls"), client.Answer{Decision: decision, Message: "as you like"}, by)
			wantSees(t, p, "Approval · "+word, "│ as you like")
			if n := strings.Count(strings.ToLower(plainView(p)), word); n > 2 {
				t.Errorf("%q is said %d times:\n%s", word, n, plainView(p))
			}
		}
		p := over(sampleQuestion(databases()), client.Answer{Questions: []client.QuestionAnswer{chosen("q1", "Postgres")}}, by)
		wantSees(t, p, "1 (x) │ Postgres", "2 ( ) │ SQLite")
		if n := strings.Count(plainView(p), "│ Postgres"); n != 1 {
			t.Errorf("the answer is said %d times:\n%s", n, plainView(p))
		}
		q := client.QuestionAnswer{ID: "q1", Text: "neither", HasText: true}
		wantSees(t, over(sampleQuestion(databases()), client.Answer{Questions: []client.QuestionAnswer{q}}, by), "t (x) your own words", "neither")
		wantSees(t, over(plan(), client.Answer{Decision: client.Allow, Mode: "auto"}, by), "3 (x) auto")
	}
	a := plan()
	held := itemOf(a)
	held.Flight = &inbox.Flight{State: inbox.Held, Answer: client.Answer{Decision: client.Allow, Mode: "auto"}, Until: askNow}
	p := samplePane(a, 74, 30)
	wantSees(t, p.Show(p.group, held, askNow), "allow: auto · sent in")
}
