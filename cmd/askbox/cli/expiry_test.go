package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/werft"
)

// TestAnExpiredAskIsNotOpen is told with how it ended, which nobody did, and takes
// nothing, though its relay lists it on.
func TestAnExpiredAskIsNotOpen(t *testing.T) {
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
	raw("req_late", -time.Minute)
	raw("req_soon", 5*time.Minute+30*time.Second)
	if list := run(t, "list"); strings.Contains(list.out, "req_late") || !strings.Contains(list.out, "req_soon") {
		t.Errorf("it lists\n%s", list.out)
	}
	run(t, "show", "yard/req_soon").want(t, statusDone, "expires in 5 minutes", "--allow")
	run(t, "show", "yard/req_late").want(t, statusDone, "Approval · expired", "Closed: expired, 1 minute ago\nexpired, counted as a denial")
	r := run(t, "answer", "yard/req_late", "--allow")
	r.want(t, statusClosed, "already closed and took nothing: expired\n")
	if n := len(relay.Answers(fake.Ref{Session: session, Ask: "req_late"})); n != 0 {
		t.Errorf("%d answers arrived", n)
	}
}
