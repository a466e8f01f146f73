package cli

import (
	"fmt"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/werft"
)

// No clock hides what a relay lists as open (L17): a request that is over by its own time
// is listed as that, and takes nothing. Where it is listed long after its end, one of the
// clocks is wrong, which is said, and the relay has the last word.
func TestNoClockHidesWhatIsOpen(t *testing.T) {
	relay, err := werft.Start(werft.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	relay.SetClock(5 * time.Hour)
	configured(t, fmt.Sprintf("[[relay]]\nname = \"yard\"\ntype = \"werft\"\nurl = %q\ntoken = %q\n", relay.URL(), relay.Token()))
	session, now := relay.AddSession(fake.Session{Title: "Release"}), relay.Now()
	raw := func(id string, left time.Duration) {
		relay.Raw(session, fake.Ask{ID: id}, fmt.Sprintf(`{"request_id":%q,"kind":"permission","tool":"Bash","input":{"command":"make"},"created_at":%q,"expires_at":%q}`,
			id, now.Add(left-30*time.Minute).Format(time.RFC3339), now.Add(left).Format(time.RFC3339)))
	}
	raw("req_past", -2*time.Hour)
	raw("req_late", -30*time.Second)
	raw("req_soon", 5*time.Minute+30*time.Second)
	run(t, "list").want(t, statusDone, "req_past", "req_late", "req_soon")
	run(t, "show", "yard/req_soon").want(t, statusDone, "expires in 5 minutes", "--allow")
	run(t, "show", "yard/req_late").want(t, statusDone, "expired, counted as a denial")
	run(t, "answer", "yard/req_late", "--deny").want(t, statusClosed, "expired, counted as a denial; nothing was sent")
	run(t, "show", "yard/req_past").want(t, statusDone, "its time is over, the relay decides", "its clocks disagree")
	run(t, "answer", "yard/req_past", "--deny").want(t, statusDone)
	for id, want := range map[string]int{"req_late": 0, "req_past": 1} {
		if n := len(relay.Answers(fake.Ref{Session: session, Ask: id})); n != want {
			t.Errorf("%s: %d answers arrived", id, n)
		}
	}
}
