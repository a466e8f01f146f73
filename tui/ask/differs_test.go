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
