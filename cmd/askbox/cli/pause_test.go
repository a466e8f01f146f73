package cli

import (
	"fmt"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/werft"
)

// A session is paused by an ask of it, stays in the list, and is resumed from there (I13).
func TestPauseAndResume(t *testing.T) {
	relay, err := werft.Start(werft.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	configured(t, fmt.Sprintf("[[relay]]\nname = \"yard\"\ntype = \"werft\"\nurl = %q\ntoken = %q\n", relay.URL(), relay.Token()))
	id := relay.AddSession(fake.Session{Title: "Release"})
	ref := relay.Bash(id, "make", "")
	run(t, "resume", "yard/"+ref.Ask).want(t, statusNotAllowed, "cannot be resumed now")
	paused := make(chan result)
	go func() { paused <- run(t, "pause", "yard/"+ref.Ask) }()
	if _, err := relay.WaitFor(t.Context(), fake.To("POST", "/pause")); err != nil {
		t.Fatal(err)
	}
	relay.Interrupt(ref)
	(<-paused).want(t, statusDone, "it pauses once this request is answered", "yard/req_02: the session is paused")
	run(t, "list").want(t, statusDone, "yard/"+id, "Paused session", "Release")
	run(t, "show", "yard/"+id).want(t, statusDone, "Paused session", "nothing is asked: the session is paused")
	run(t, "answer", "yard/"+id, "--deny").want(t, statusNotAllowed)
	run(t, "pause", "yard/"+id).want(t, statusNotAllowed, "cannot be paused now")
	run(t, "resume", "yard/"+id).want(t, statusDone, "the session goes on")
	if n, _ := relay.Session(id); n.State != werft.Active {
		t.Errorf("it is %s", n.State)
	}
	run(t, "resume", "yard/"+id).want(t, statusClosed)
}
