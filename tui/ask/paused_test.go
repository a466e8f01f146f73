package ask

import (
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/text"
)

// A paused session asks for nothing: only what resumes it is offered, at every size, until
// it is over (I13).
func TestAPausedSession(t *testing.T) {
	a := &client.Ask{Ref: client.Ref{Relay: "yard", Session: "ses_1", ID: "ses_1"}, Kind: client.Paused, Status: client.Open,
		Offers:  client.Refused("nothing is asked: the session is paused until it is resumed"),
		Session: client.Session{ID: "ses_1", Title: text.New("Release 2.4"), CanResume: true, Trouble: "paused"}}
	for _, size := range [][2]int{{40, 10}, {74, 24}, {120, 40}} {
		p := samplePane(a, size[0], size[1])
		wantSees(t, p, "Paused session", "This session is paused", "p resume")
		for _, never := range []string{"goes on", "waits", "dismiss", "allow"} {
			if strings.Contains(plainView(p), never) {
				t.Errorf("%v: it says %q:\n%s", size, never, plainView(p))
			}
		}
	}
	over := *a
	over.Status, over.Closing, over.Session.Trouble = client.Gone, &client.Closing{Note: "the session goes on"}, ""
	if p := samplePane(&over, 74, 24); strings.Contains(plainView(p), "resume") || !strings.Contains(plainView(p), "This session was paused.") {
		t.Errorf("it is over:\n%s", plainView(p))
	}
}
